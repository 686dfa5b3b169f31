#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kShapeLocal = {
    .name = "shapel",
    .title = "Shape of three-note windows, local alignment",
    .explanation = "As shapeh, but the best matching stretch anywhere in the two melodies counts, wherever it begins.",
    .reference = "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2012",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::ExactFreq<spline::ShapePenalty>;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer{}, Aligner::local);
    },
};

}  // namespace rondo::rows
