#include "similarity/edit.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kContour = {
    .name = "contour",
    .title = "Edit distance of the gross contour",
    .explanation =
        "Edit distance of two strings that say for each pair of adjacent notes whether the melody goes up, goes down "
        "or repeats. Coarse, and tolerant of wrong notes.",
    .reference =
        "L. Prechelt, R. Typke: An interface for melody input, 2001; R. Typke and others: A ground truth for half a "
        "million musical incipits, 2005",
    .evidence = Evidence::partial,
    .evidence_note = "The published costs are unknown; ours are the parameters' standard values.",
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 2,
    .relevance_by_chance = true,
    .parameters = kEditParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return make_edit_system(EditPlan::Letters::contour, parameters);
    },
};

}  // namespace rondo::rows
