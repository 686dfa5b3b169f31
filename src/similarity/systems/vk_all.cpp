#include "similarity/systems.h"
#include "similarity/systems/kranenburg.h"

namespace rondo::rows {

constinit const SystemRow kKranenburgAll = {
    .name = "vk-all",
    .title = "Van Kranenburg's alignment: pitch, place and beat",
    .explanation =
        "Aligns two whole melodies note by note: pairs count by how near their pitches are, as in vk-band, by "
        "how near their places in the melody, and by how alike they are in metric weight. The transposition is "
        "the one in which the two melodies spend most time on equal pitches; a gap costs 0.6 a note, what hangs "
        "over at either end nothing; the sum is divided by the notes of the shorter melody.",
    .reference = kranenburg::kReference,
    .evidence = Evidence::partial,
    .evidence_note =
        "Band modulo the octave and product of features brought to 0..1 as in the author's program. Phrases are "
        "not known: the place is that in the whole melody, 0 at its first onset and 1 at its last. Metric "
        "weights are those of inner metric analysis, divided by the largest of the melody. Pitches without a "
        "spelling are spelled by guess. Of transpositions with equal overlap the one that scores best is taken. "
        "Of longer melodies the first 2,000 notes count.",
    .invariant = {.transposition = true, .tempo = true},
    .parameters = kranenburg::kParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return kranenburg::make_system({.band = true, .phrase = true, .metre = true}, parameters);
    },
};

}  // namespace rondo::rows
