#include "gpu/cost_tables.h"

namespace rondo::gpu {
namespace {

static_assert(kEqualPitch == explained::kFine);
static_assert(kMostLengthSteps == explained::kMostLength);

QueryCosts query_costs(const explained::Costs& from) {
  const explained::Settings& settings = from.settings();
  QueryCosts out{};
  out.near = settings.near;
  out.far = settings.far;
  out.length = settings.length;
  out.change = settings.change;
  out.interval = settings.interval;
  out.overhang = settings.overhang;
  out.even_gap = from.gap(0);
  out.rhythm = from.rhythm() ? 1 : 0;
  for (std::int32_t steps = -kMostLengthSteps; steps <= kMostLengthSteps; ++steps) {
    const auto at = static_cast<std::size_t>(steps + kMostLengthSteps);
    out.weight[at] = from.weight(steps);
    out.gap[at] = from.gap(steps);
    out.beyond[at] = from.beyond(steps);
  }
  return out;
}

}  // namespace

std::unique_ptr<CostTables> cost_tables(const explained::Costs& even, const explained::Costs& rhythmic) {
  auto out = std::make_unique<CostTables>();
  out->of[0] = query_costs(even);
  out->of[1] = query_costs(rhythmic);
  for (std::size_t query = 1; query <= kMostNotes; ++query) {
    for (std::size_t document = 1; document <= kMostNotes; ++document) {
      out->place_factor[query][document] = rhythmic.place_factor(query, document);
    }
  }
  return out;
}

bool fits_card(const RondoPlan& plan) {
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  return within(plan.near, -2, 1) && within(plan.far, -2, 1) && within(plan.length, 0, 2) &&
         within(plan.change, 0, 2) && within(plan.place, 0, 4) && within(plan.interval, 0, 1) &&
         within(plan.weight, 0, 1) && within(plan.gap, 0, 20) && within(plan.long_notes, 0, 1) &&
         within(plan.overhang, 0, 60) && within(plan.beyond, 0, 1);
}

}  // namespace rondo::gpu
