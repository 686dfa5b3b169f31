#include "similarity/systems.h"
#include "similarity/systems/geometric.h"

namespace rondo::rows {

constinit const SystemRow kP2 = {
    .name = "P2",
    .title = "P2: as many notes of the query as possible occur",
    .explanation =
        "Looks for the one shift in time and pitch under which most notes of the query begin together with a note of "
        "the document; the score is their share of the query. Works directly on polyphonic music. Both melodies must "
        "be written in the same note values.",
    .reference =
        "E. Ukkonen, K. Lemstrom, V. Makinen: Geometric algorithms for transposition invariant content-based music "
        "retrieval, ISMIR 2003",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true},
    .polyphonic = true,
    .zero_is_none = true,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> {
      return std::make_unique<geometric::GeometricSystem>(geometric::Problem::p2);
    },
};

}  // namespace rondo::rows
