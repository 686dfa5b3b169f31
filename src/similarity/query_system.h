#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "rondo/similarity/system.h"

namespace rondo {

/// A system that learns nothing of the collection: all there is to it is its query, made of a line and the settings
/// the row's parameters stand for.
template <class Query, class... Settings>
class QuerySystem final : public System {
 public:
  explicit QuerySystem(Settings... settings) : settings_(std::move(settings)...) {}

  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::apply([&](const Settings&... settings) { return std::make_unique<Query>(query, settings...); },
                      settings_);
  }

 private:
  std::tuple<Settings...> settings_;
};

/// For rows without parameters.
template <class Query>
[[nodiscard]] std::unique_ptr<System> make_query_system(const Parameters& /*parameters*/) {
  return std::make_unique<QuerySystem<Query>>();
}

}  // namespace rondo
