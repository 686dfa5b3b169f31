#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/features/edit_distance.h"
#include "rondo/similarity/system.h"

namespace rondo {

/// The edit distance with its traceback: steps over letters, with negative costs as scores. The reference for
/// edit_distance.
[[nodiscard]] double edit_distance_explained(std::string_view query, std::string_view document, char neutral,
                                             const EditCosts& costs, std::vector<Step>& steps);

/// A system that ranks by the edit distance of one string per melody; score = -distance.
[[nodiscard]] std::unique_ptr<System> make_edit_system(EditPlan::Letters letters, const Parameters& parameters);
/// The parameters of such a system, for its row.
inline constexpr std::array kEditParameters = {
    Parameter{"insert", "cost of a letter only the document has", 1, 0, 100},
    Parameter{"delete", "cost of a letter only the query has", 1, 0, 100},
    Parameter{"neutral", "cost of repeated or equal against one of the others", 1, 0, 100},
    Parameter{"opposite", "cost of up against down, or longer against shorter", 2, 0, 100},
};

}  // namespace rondo
