#include "similarity/pattern.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kPatternContour = {
    .name = "pattern-contour",
    .title = "The same contour, with unknown notes",
    .explanation =
        "Finds the melodies in which the ups, downs and repetitions of the query occur one after the other. All or "
        "nothing. Unknown notes of the query match any: '?' is one note (in a Parsons code one step), '...' any "
        "number; across them the direction counts as well, where the query says it.",
    .reference = kPatternReference,
    .evidence = Evidence::ours,
    .evidence_note = kPatternNote,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 2,
    .zero_is_none = true,
    .unknown_notes = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return make_pattern_system(PatternPlan::Compared::contour);
    },
};

}  // namespace rondo::rows
