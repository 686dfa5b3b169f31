#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"

namespace rondo {

/// Weights of an edit distance over a three-letter alphabet with a neutral letter (R of U D R, E of L S E).
struct EditCosts {
  double insertion = 1;
  double deletion = 1;
  double to_neutral = 1;  ///< neutral against one of the others
  double opposite = 2;    ///< the two others against each other
};

/// Least total cost of turning `query` into `document`. `row` is scratch.
[[nodiscard]] double edit_distance(std::span<const char> query, std::span<const char> document, char neutral,
                                   const EditCosts& costs, std::vector<double>& row);

/// The same with the way: steps over letters, scores negative costs.
[[nodiscard]] double edit_distance_explained(std::span<const char> query, std::span<const char> document, char neutral,
                                             const EditCosts& costs, std::vector<Step>& steps);

/// A system that ranks by the edit distance of one string per melody; score = -distance.
[[nodiscard]] std::unique_ptr<System> make_edit_system(std::vector<char> (*letters)(const Line&), char neutral,
                                                       const Parameters& parameters);
/// The parameters of such a system, for its row.
inline constexpr std::array kEditParameters = {
    Parameter{"insert", "cost of a letter only the document has", 1, 0, 100},
    Parameter{"delete", "cost of a letter only the query has", 1, 0, 100},
    Parameter{"neutral", "cost of repeated or equal against one of the others", 1, 0, 100},
    Parameter{"opposite", "cost of up against down, or longer against shorter", 2, 0, 100},
};

}  // namespace rondo
