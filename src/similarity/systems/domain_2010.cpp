#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kDomain2010 = {
    .name = "2010-domain",
    .title = "Intervals of three-note windows",
    .explanation = "As shapeh, but windows that differ cost the mean difference of their intervals in semitones.",
    .reference = "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2010",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .relevance_by_chance = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::ExactFreq<spline::IntervalPenalty>;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer{}, Aligner::hybrid);
    },
};

}  // namespace rondo::rows
