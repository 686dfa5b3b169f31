#include "similarity/pattern.h"

#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kPattern = {
    .name = "pattern",
    .title = "The same intervals, with unknown notes",
    .explanation =
        "Finds the melodies in which the notes of the query occur one after the other, transposed or not, whatever "
        "their lengths. All or nothing. Unknown notes of the query match any: '?' is one note, '...' any number; the "
        "notes around them must still lie as far apart as in the query.",
    .reference =
        "Exact pattern matching with wildcards, as search pages for incipits have it; no system of an evaluation",
    .evidence = Evidence::ours,
    .evidence_note = "Our definition: all or nothing, of several occurrences the earliest counts between equal scores.",
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 2,
    .zero_is_none = true,
    .unknown_notes = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return make_pattern_system(PatternPlan::Compared::intervals);
    },
};

}  // namespace rondo::rows
