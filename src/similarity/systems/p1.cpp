#include "similarity/systems.h"
#include "similarity/systems/geometric.h"

namespace rondo::rows {

constinit const SystemRow kP1 = {
    .name = "P1",
    .title = "P1: every note of the query occurs, all or nothing",
    .explanation =
        "Looks for one shift in time and pitch that aligns every note of the query with the onset of a note of the "
        "document. All or nothing: 1 or 0. Works directly on polyphonic music.",
    .reference =
        "E. Ukkonen, K. Lemstrom, V. Makinen: Geometric algorithms for transposition invariant content-based music "
        "retrieval, ISMIR 2003",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true},
    .polyphonic = true,
    .zero_is_none = true,
    .relevance_by_chance = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return std::make_unique<geometric::GeometricSystem>(geometric::Problem::p1);
    },
};

}  // namespace rondo::rows
