#include "similarity/systems.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::rows {

constinit const SystemRow kKranenburgPitch = {
    .name = "vk-pitch",
    .title = "Van Kranenburg's alignment: equal pitches",
    .explanation =
        "Aligns two whole melodies note by note: equal pitches count 1, different ones -1. The transposition is "
        "the one in which the two melodies spend most time on equal pitches; a gap costs 0.6 a note, what hangs "
        "over at either end nothing; the sum is divided by the notes of the shorter melody.",
    .reference = kranenburg::kReference,
    .evidence = Evidence::partial,
    .evidence_note =
        "Pitches without a spelling are spelled by guess. Of transpositions with equal overlap the one that "
        "scores best is taken. Of longer melodies the first 2,000 notes count.",
    .invariant = {.transposition = true, .tempo = true},
    .parameters = kranenburg::kParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return kranenburg::make_system({.band = false}, parameters);
    },
};

}  // namespace rondo::rows
