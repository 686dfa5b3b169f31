#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kShapeGlobal = {
    .name = "shapeg",
    .title = "Shape of three-note windows, global alignment",
    .explanation =
        "As shapeh, but the two melodies are compared from end to end, and the score is not divided by their length.",
    .reference = "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2012",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::ExactFreq<spline::ShapePenalty>;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer{}, Aligner::global);
    },
};

}  // namespace rondo::rows
