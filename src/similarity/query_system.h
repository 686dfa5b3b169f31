#pragma once

#include <memory>

#include "rondo/similarity/system.h"

namespace rondo {

/// A system without parameters that does not learn: defined by its query class, constructed from a line, and its search
/// plan.
template <class Query, class Plan = ExhaustivePlan>
class QuerySystem final : public System {
 public:
  [[nodiscard]] SearchPlan plan() const override { return Plan{}; }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<Query>(query);
  }
};

template <class Query, class Plan = ExhaustivePlan>
[[nodiscard]] std::unique_ptr<System> make_query_system(const Parameters& /*parameters*/) {
  return std::make_unique<QuerySystem<Query, Plan>>();
}

}  // namespace rondo
