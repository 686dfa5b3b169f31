#include "similarity/systems.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::rows {

constinit const SystemRow kKranenburgBand = {
    .name = "vk-band",
    .title = "Van Kranenburg's alignment: near pitches",
    .explanation =
        "Aligns two whole melodies note by note: a pair of notes counts from 1 for equal pitches down to 0 for a "
        "fifth, and -1 beyond. The transposition is the one in which the two melodies spend most time on equal "
        "pitches; a gap costs 0.6 a note, unmatched notes at either end cost nothing; the sum is divided by the number "
        "of notes of the shorter melody.",
    .reference = kranenburg::kReference,
    .evidence = Evidence::partial,
    .evidence_note =
        "The band modulo the octave and the product of features scaled to 0..1 are those of the author's program. "
        "Pitches without a spelling get a guessed one. Among transpositions with equal overlap, the one with the best "
        "score is used. Only the first 2,000 notes of a melody are compared.",
    .invariant = {.transposition = true, .tempo = true},
    .parameters = kranenburg::kParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return kranenburg::make_system({.band = true}, parameters);
    },
};

}  // namespace rondo::rows
