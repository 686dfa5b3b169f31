#include <array>

#include "similarity/spline/comparers.h"
#include "similarity/spline/ngram_system.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

constexpr std::array kSplineParameters = {
    Parameter{"pitch", "K_pitch, weight of the pitch curves", 0.75, 0, 10},
    Parameter{"time", "K_time, weight of the time curves; 0 ignores rhythm", 0.25, 0, 10},
};

}  // namespace

constinit const SystemRow kSpline = {
    .name = "spline",
    .title = "The shape of music: splines, local alignment",
    .explanation =
        "Sees a melody as a curve in the plane of time and pitch. A smooth curve through every four notes "
        "is compared by the area between slopes, pitch and time apart, and the best matching stretch of "
        "the two melodies counts. Weights 1 and 0 are the paper's version on pitch alone.",
    .reference =
        "J. Urbano, J. Llorens, J. Morato, S. Sanchez-Cuadrado: Using the Shape of Music to Compute the "
        "Similarity between Symbolic Musical Pieces, 2010",
    .evidence = Evidence::partial,
    .evidence_note =
        "Exact: windows, curves, areas, and equation (3), K_pitch times the area of pitch plus K_time times the "
        "area of time, as they are. The paper does not say how a dissimilarity becomes an alignment score, nor the "
        "cost of a gap, nor the normalisation. Ours: each curve scores minus K times its area, an identical one K "
        "times twice the mean area of its kind (2.1838 for pitch, 0.4772 for time, as in 2011-pitch and time); a gap "
        "costs K_pitch times the area of pitch against the flat span; the sum is divided by the number of windows of "
        "the shorter melody.",
    .published_adr = 0.710,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 4,
    .parameters = kSplineParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      spline::PitchAndTime::Weights weights;
      weights.pitch = parameters.get("pitch");
      // The later systems scale time by pitch_mean / time_mean; equation (3) of the paper does not.
      weights.time = parameters.get("time") * weights.time_mean / weights.pitch_mean;
      return std::make_unique<spline::NgramSystem<spline::PitchAndTime>>(spline::PitchAndTime(weights), Aligner::local);
    },
};

}  // namespace rondo::rows
