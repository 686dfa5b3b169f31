#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kPitch2011 = {
    .name = "2011-pitch",
    .title = "Pitch curves of four-note windows",
    .explanation =
        "Draws a smooth curve through every four notes and aligns the two sequences of curves: windows of equal "
        "pitches score, others cost the area between the slopes of their curves. Rhythm is ignored.",
    .reference = "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2011",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 4,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::PitchAndTime;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer({.time = 0}), Aligner::hybrid);
    },
};

}  // namespace rondo::rows
