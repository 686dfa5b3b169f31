#include "similarity/pattern.h"

#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kPattern = {
    .name = "pattern",
    .title = "The same intervals, with unknown notes",
    .explanation =
        "Finds the melodies in which the notes of the query occur one after the other, transposed or not, whatever "
        "their lengths. All or nothing. Unknown notes of the query match any: '?' is one note, '...' any number; the "
        "notes around them must still have the same interval as in the query.",
    .reference = kPatternReference,
    .evidence = Evidence::ours,
    .evidence_note = kPatternNote,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 2,
    .zero_is_none = true,
    .unknown_notes = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return make_pattern_system(PatternPlan::Compared::intervals);
    },
};

}  // namespace rondo::rows
