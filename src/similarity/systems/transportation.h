#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "rondo/similarity/system.h"

/// What EMD and PTD share: melodies as heaps of weight in the plane of time and pitch, and the least work that turns
/// one into the other.
/// Source: R. Typke, P. Giannopoulos, R. Veltkamp, F. Wiering, R. van Oostrum: Using transportation distances for
/// measuring melodic similarity, 2003.
namespace rondo::transportation {

using Weights = TransportPlan::Weights;

/// Notes beyond this many are not looked at: the work grows with the square at least.
inline constexpr std::size_t kLongest = 500;

inline constexpr std::array kParameters = {
    Parameter{"time", "a melody's length in base-40 steps of pitch", 40, 0, 1000},
    Parameter{"transpositions", "base-40 steps tried up and down", 6, 0, 40},
};

/// Factors on the query's time. Symmetric: with each its inverse.
inline constexpr std::array kStretches = {0.8, 0.9, 1.0, 10.0 / 9.0, 1.25};

/// A way to lay the query onto the document.
struct Placing {
  double bound = 0;  ///< the distance is not below it
  double stretch = 1;
  std::int32_t transposition = 0;
};
/// A query that can be laid onto a document in chosen ways only.
class PlacedQuery : public PreparedQuery {
 public:
  /// The score if only these placings are tried, at least one: to the last bit that of trying all, if the best of all
  /// is among them. Neither melody is empty.
  [[nodiscard]] virtual double score_under(const Line& document, std::span<const Placing> placings) const = 0;
};
[[nodiscard]] std::unique_ptr<PlacedQuery> prepare(const TransportPlan& plan, const Line& query);

[[nodiscard]] std::unique_ptr<System> make_system(Weights weights, const Parameters& parameters);

}  // namespace rondo::transportation
