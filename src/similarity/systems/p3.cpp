#include "similarity/systems.h"
#include "similarity/systems/geometric.h"

namespace rondo::rows {

constinit const SystemRow kP3 = {
    .name = "P3",
    .title = "P3: longest common time",
    .explanation =
        "Sees notes as bars of a piano roll and looks for the one shift in time and pitch under which query and "
        "document share the longest time at equal pitch; the score is its share of the query. Works directly on "
        "polyphonic music. Both melodies must be written in the same note values.",
    .reference =
        "E. Ukkonen, K. Lemstrom, V. Makinen: Geometric algorithms for transposition invariant content-based music "
        "retrieval, ISMIR 2003",
    .evidence = Evidence::exact,
    .published_adr = 0.558,
    .invariant = {.transposition = true},
    .polyphonic = true,
    .zero_is_none = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return std::make_unique<geometric::GeometricSystem>(geometric::Problem::p3);
    },
};

}  // namespace rondo::rows
