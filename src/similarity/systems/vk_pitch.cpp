#include "similarity/systems.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::rows {

constinit const SystemRow kKranenburgPitch = {
    .name = "vk-pitch",
    .title = "Van Kranenburg's alignment: equal pitches",
    .explanation =
        "Aligns two whole melodies note by note: equal pitches count 1, different ones -1. The transposition is "
        "the one in which the two melodies spend most time on equal pitches; a gap costs 0.6 a note, unmatched notes "
        "at either end cost nothing; the sum is divided by the number of notes of the shorter melody.",
    .reference = kranenburg::kReference,
    .evidence = Evidence::partial,
    .evidence_note =
        "Pitches without a spelling get a guessed one. Among transpositions with equal overlap, the one with the best "
        "score is used. Only the first 2,000 notes of a melody are compared.",
    .invariant = {.transposition = true, .tempo = true},
    .parameters = kranenburg::kParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return kranenburg::make_system({.band = false}, parameters);
    },
};

}  // namespace rondo::rows
