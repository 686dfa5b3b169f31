#include "similarity/edit.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kContour = {
    .name = "contour",
    .title = "Edit distance of the gross contour",
    .explanation =
        "Writes each melody as up, down, repeat from note to note and counts what it costs to turn one string into the "
        "other. Coarse, and forgiving towards wrong notes.",
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
