#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kPitchDerivative2010 = {
    .name = "2010-pitchderiv",
    .title = "Pitch curves of three-note windows",
    .explanation =
        "As shapeh, but windows that differ cost the area between the slopes of the curves drawn through their notes.",
    .reference = "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2010",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::FreqSplinePitch;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer{}, Aligner::hybrid);
    },
};

}  // namespace rondo::rows
