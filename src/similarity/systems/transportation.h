#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "rondo/similarity/system.h"

/// Shared by EMD and PTD: melodies as weighted point sets in the plane of time and pitch, and the minimal cost of
/// transforming one into the other. Source: R. Typke, P. Giannopoulos, R. Veltkamp, F. Wiering, R. van Oostrum: Using
/// transportation distances for measuring melodic similarity, 2003.
namespace rondo::transportation {

using Weights = TransportPlan::Weights;

/// Notes beyond this number are ignored: the time is at least quadratic.
inline constexpr std::size_t kLongest = 500;

inline constexpr std::array kParameters = {
    Parameter{"time", "a melody's length in base-40 steps of pitch", 40, 0, 1000},
    Parameter{"transpositions", "base-40 steps tried up and down", 6, 0, 40},
};

/// Factors for the query's time. Closed under inversion.
inline constexpr std::array kStretches = {0.8, 0.9, 1.0, 10.0 / 9.0, 1.25};

/// A placing of the query on the document: a scaling and a transposition.
struct Placing {
  double bound = 0;  ///< lower bound of the distance
  double stretch = 1;
  std::int32_t transposition = 0;
};
/// A query that can be restricted to given placings.
class PlacedQuery : public PreparedQuery {
 public:
  /// The score over these placings only: identical to the score over all, to the last bit, if the best one is among
  /// them and reaches `least`; else it may be any number below that, minus infinity as well. Transpositions that are
  /// not tried for these melodies are left out. The placings that promise most should come first. Precondition: neither
  /// melody is empty.
  [[nodiscard]] virtual double score_under(const Line& document, std::span<const Placing> placings,
                                           double least) const = 0;
};
[[nodiscard]] std::unique_ptr<PlacedQuery> prepare(const TransportPlan& plan, const Line& query);

[[nodiscard]] std::unique_ptr<System> make_system(Weights weights, const Parameters& parameters);

}  // namespace rondo::transportation
