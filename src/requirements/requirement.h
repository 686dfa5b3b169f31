#pragma once

#include <span>
#include <string_view>

#include "rondo/melody/piece.h"

namespace rondo {

/// One way to change a melody that a listener would forgive.
struct Alteration {
  std::string_view name{};
  std::string_view what{};  ///< what is done to the melody, in a few words
  /// The changed piece, with the id of the original, which has one voice. `companions`: two other melodies, for
  /// alterations that let something else sound too.
  Piece (*make)(const Piece& original, std::span<const Piece> companions) = nullptr;
  /// The query, where it is not the original itself: a query of chords.
  Piece (*query)(const Piece& original) = nullptr;
};

/// Something one may ask of a retrieval system: that it still finds a melody that was altered in these ways.
///
/// The ten are those of J. Urbano, J. Lloréns, J. Morato and S. Sánchez-Cuadrado: Using the shape of music to compute
/// the similarity between symbolic musical pieces, CMMR 2010, section 2; the alterations are our making of each. To add
/// one: one file that defines its row, one line in requirements.cpp.
struct Requirement {
  std::string_view name{};
  std::string_view heading{};  ///< at most five letters, for the head of a column of a terminal
  std::string_view explanation{};
  std::span<const Alteration> alterations{};
};

[[nodiscard]] std::span<const Requirement* const> requirements();
[[nodiscard]] const Requirement* find_requirement(std::string_view name);

}  // namespace rondo
