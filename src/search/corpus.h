#pragma once

#include <string>
#include <vector>

#include "rondo/melody/piece.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"
#include "similarity/points.h"

namespace rondo {

/// A piece in the form used by searches: its voices as lines, and the whole piece as points for the geometric systems.
/// With line options other than the default, the points are those of the lines.
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
  /// Passes every line to a system that learns.
  void teach(System& system) const;
};

}  // namespace rondo
