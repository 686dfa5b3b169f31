#pragma once

#include <string>
#include <string_view>

#include "rondo/melody/piece.h"

/// Reading and writing of reference records ("!!!COM: Bach, Johann Sebastian").
namespace rondo::kern {

/// The reference records of a file.
struct References {
  Metadata metadata;
  std::string id;
  bool marks_guesses = false;  ///< kGuessed has its meaning in this record
};

/// Reads all "!!!key: value" lines of a record.
[[nodiscard]] References read_references(std::string_view record);

/// The lines for a piece, each ended.
[[nodiscard]] std::string write_references(const Piece& piece, bool mark_guesses);

}  // namespace rondo::kern
