#include "similarity/edit.h"
#include "similarity/systems.h"

namespace rondo::rows {

constinit const SystemRow kRhythm = {
    .name = "rhythm",
    .title = "Edit distance of the rhythm",
    .explanation =
        "Edit distance of two strings that say for each pair of adjacent notes whether the second is longer, shorter "
        "or equal. Pitch is ignored.",
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
      return make_edit_system(EditPlan::Letters::rhythm, parameters);
    },
};

}  // namespace rondo::rows
