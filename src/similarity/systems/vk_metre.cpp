#include "similarity/systems.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::rows {

constinit const SystemRow kKranenburgMetre = {
    .name = "vk-metre",
    .title = "Van Kranenburg's alignment: near pitches of similar metric weight",
    .explanation =
        "Aligns two whole melodies note by note: pairs count by how near their pitches are, as in vk-band, and "
        "by how similar their metric weights are. The transposition is the one in which the two melodies spend "
        "most time on equal pitches; a gap costs 0.6 a note, unmatched notes at either end cost nothing; the sum is "
        "divided by the number of notes of the shorter melody.",
    .reference = kranenburg::kReference,
    .evidence = Evidence::partial,
    .evidence_note =
        "The band modulo the octave and the product of features scaled to 0..1 are those of the author's program. "
        "Metric "
        "weights are those of inner metric analysis, divided by the largest of the melody. Pitches without a spelling "
        "get a guessed one. Among transpositions with equal overlap, the one with the best score is used. "
        "Only the first 2,000 notes of a melody are compared.",
    .invariant = {.transposition = true, .tempo = true},
    .parameters = kranenburg::kParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return kranenburg::make_system({.band = true, .metre = true}, parameters);
    },
};

}  // namespace rondo::rows
