#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kShapeHybrid = {
    .name = "shapeh",
    .title = "Shape of three-note windows, hybrid alignment",
    .explanation =
        "Cuts both melodies into windows of three notes and aligns the two sequences. A window that is the same up to "
        "transposition scores the more the rarer it is in the collection; one that at least bends the same way costs "
        "little, one that bends the opposite way much. A late start is penalised, an early end is not, which suits "
        "incipits. Rhythm is ignored.",
    .reference =
        "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado, MIREX symbolic melodic similarity 2010 to 2015",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      using Comparer = spline::ExactFreq<spline::ShapePenalty>;
      return std::make_unique<spline::NgramSystem<Comparer>>(Comparer{}, Aligner::hybrid);
    },
};

}  // namespace rondo::rows
