#include "similarity/systems.h"
#include "similarity/systems/transportation.h"

namespace rondo::rows {

constinit const SystemRow kEmd = {
    .name = "EMD",
    .title = "TWV: earth mover's distance",
    .explanation =
        "Treats every note as a weight in the plane of time and pitch, in proportion to its length, and computes how "
        "far the weights of one melody must be moved to become those of the other (earth mover's distance). The "
        "surplus weight of a melody with fewer rests is not moved. The score is minus the mean distance.",
    .reference =
        "R. Typke, P. Giannopoulos, R. Veltkamp, F. Wiering, R. van Oostrum: Using transportation distances for "
        "measuring melodic similarity, 2003",
    .evidence = Evidence::partial,
    .evidence_note =
        "The distance is published, the search for the best placing is ours: both melodies begin at 0 and have the "
        "same length, which counts as much as 40 base-40 steps (an octave) of pitch; the query is tried in the 13 "
        "base-40 "
        "transpositions nearest to equal mean pitch and with its onsets stretched by 0.8, 0.9, 1, 10/9 and 1.25. "
        "Pitches without a spelling get a guessed one. Only the first 500 notes of a melody are compared.",
    .published_adr = 0.571,
    .invariant = {.transposition = true, .tempo = true},
    .parameters = transportation::kParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return transportation::make_system(transportation::Weights::durations, parameters);
    },
};

}  // namespace rondo::rows
