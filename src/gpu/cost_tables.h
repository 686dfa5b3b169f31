#pragma once

#include <memory>

#include "gpu/pair_score.h"
#include "similarity/systems/rondo.h"

namespace rondo::gpu {

/// What pairs cost under queries without and with rhythm, of one plan.
[[nodiscard]] std::unique_ptr<CostTables> cost_tables(const explained::Costs& even, const explained::Costs& rhythmic);

/// Whether the numbers of a plan are such that 32 bits hold all sums (pair_score.h).
[[nodiscard]] bool fits_card(const RondoPlan& plan);

}  // namespace rondo::gpu
