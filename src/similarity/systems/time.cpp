#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kTime = {
    .name = "time",
    .title = "Pitch and time curves of four-note windows",
    .explanation =
        "As 2011-pitch, with a second curve for the durations that weighs half as much: the same notes in another "
        "rhythm lose a part of their score.",
    .reference =
        "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2011 to 2015",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 4,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::PitchAndTime;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer({.time = 0.5}), Aligner::hybrid);
    },
};

}  // namespace rondo::rows
