#include "search/fast/method.h"

namespace rondo::fast {
namespace {

constexpr MethodRow kMethods[] = {
    {"windows", make_window_method},
    {"five-interval lists", make_ngr5_method},
    {"letters", make_letters_method},
    {"pitch edits", make_ldp_method},
    {"common pitches", make_geometric_method},
    {"nearest heaps", make_heap_method},
    {"equal pitches", make_gar_method},
    {"symbols", make_pioi_method},
    {"chains", make_gam_method},
    {"interval windows", make_opti3_method},
    {"rated notes", make_rated_method},
    {"keyed notes", make_keyed_method},
    {"stretched cosines", make_orio_method},
    {"exhaustive", make_exhaustive_method},
};

}  // namespace

ChosenMethod choose_method(const Task& task) {
  for (const MethodRow& row : kMethods) {
    if (auto method = row.make(task)) return {row.name, std::move(method)};
  }
  return {"exhaustive", make_exhaustive_method(task)};
}

}  // namespace rondo::fast
