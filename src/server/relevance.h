#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rondo/melody/line.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"

namespace rondo::server {

/// Melodies of the collection taken evenly from all of it: what a query is compared with that they have nothing to do
/// with. Lines are made as hits are heard.
struct RandomMelodies {
  std::vector<Line> lines;
  /// Of `pieces`, which are all there are.
  [[nodiscard]] static RandomMelodies of(Collection& collection, std::span<const PieceKey> pieces,
                                         const LineOptions& heard);
};

/// Which hits resemble a query where the system is not calibrated: those with at least this score. It is what the best
/// of so many unrelated melodies is expected to reach by chance, as far as the scores of random pairs tell, and never
/// more than the score of the query with itself. Nothing: there are too few melodies to tell.
[[nodiscard]] std::optional<double> relevance_cut(const PreparedQuery& prepared, const Line& query,
                                                  const RandomMelodies& random, std::size_t pieces);

}  // namespace rondo::server
