#include "similarity/pattern.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kPatternRhythm = {
    .name = "pattern-rhythm",
    .title = "The same rhythm, with unknown notes",
    .explanation =
        "Finds the melodies in which notes with the lengths of the query follow each other, all of them longer or "
        "shorter by the same factor or not. All or nothing; pitches and rests are ignored. Unknown notes of the query "
        "match any: '?' is one note, '...' any number.",
    .reference = kPatternReference,
    .evidence = Evidence::ours,
    .evidence_note = kPatternNote,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 2,
    .zero_is_none = true,
    .unknown_notes = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return make_pattern_system(PatternPlan::Compared::rhythm);
    },
};

}  // namespace rondo::rows
