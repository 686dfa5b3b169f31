#pragma once

#include <string_view>

namespace rondo {

/// Weights of an edit distance over a three-letter alphabet with a neutral letter (R of U D R, E of L S E).
struct EditCosts {
  double insertion = 1;
  double deletion = 1;
  double to_neutral = 1;  ///< neutral against one of the others
  double opposite = 2;    ///< the two others against each other
  friend bool operator==(const EditCosts&, const EditCosts&) = default;
};

/// Least total cost of turning `query` into `document`. Costs are not negative. Fast if both have at most 64 letters
/// and the costs are small multiples of 1/16; the value is the same on both paths.
[[nodiscard]] double edit_distance(std::string_view query, std::string_view document, char neutral,
                                   const EditCosts& costs);

}  // namespace rondo
