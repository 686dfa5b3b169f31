#pragma once

#include <string>
#include <vector>

#include "rondo/melody/piece.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"
#include "similarity/points.h"

namespace rondo {

/// A piece as it is searched: its voices as lines, and all of it as points for the geometric systems. Where melodies
/// are heard in another way than the standard one, the points are those of the lines.
struct Document {
  std::string id;
  PieceKey key{};  ///< in the collection it came from, if any
  std::vector<Line> voices;
  Points points;
};

[[nodiscard]] Document make_document(const Piece& piece, const LineOptions& options = {});

/// A collection in memory. Immutable once filled, so any number of searches share it.
struct Corpus {
  std::vector<Document> documents;
  /// Shows every line to a system that wants to know the collection.
  void teach(System& system) const;
};

}  // namespace rondo
