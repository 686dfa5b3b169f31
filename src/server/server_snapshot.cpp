#include "server/server_snapshot.h"

#include <fmt/format.h>

namespace rondo::server {

Result<std::shared_ptr<ServerSnapshot>> ServerSnapshot::of(Collection& collection, std::string version) {
  auto snapshot = CollectionSnapshot::open(collection);
  if (!snapshot) return fail(std::move(snapshot.error()));
  auto size = collection.size();
  if (!size) return fail(std::move(size.error()));
  return std::shared_ptr<ServerSnapshot>(new ServerSnapshot(std::move(version), std::move(*snapshot), *size));
}

Result<std::shared_ptr<const Facets>> ServerSnapshot::facets(Collection& collection, Clock::time_point until) {
  return facets_.get(0, until, [&]() -> Result<std::shared_ptr<const Facets>> {
    auto facets = Facets::of(collection);
    if (!facets) return fail(std::move(facets.error()));
    return std::make_shared<const Facets>(std::move(*facets));
  });
}

Result<std::shared_ptr<const std::string>> ServerSnapshot::all_counts(Collection& collection, Clock::time_point until) {
  return counts_.get(0, until, [&]() -> Result<std::shared_ptr<const std::string>> {
    auto facets = this->facets(collection, until);
    if (!facets) return fail(std::move(facets.error()));
    return std::make_shared<const std::string>(json_text((*facets)->counts({}, std::nullopt)));
  });
}

Result<std::shared_ptr<const SortOrders>> ServerSnapshot::sort_orders(Collection& collection, Clock::time_point until) {
  return orders_.get(0, until, [&]() -> Result<std::shared_ptr<const SortOrders>> {
    auto orders = SortOrders::of(collection);
    if (!orders) return fail(std::move(orders.error()));
    return std::make_shared<const SortOrders>(std::move(*orders));
  });
}

Result<void> ServerSnapshot::warm(Collection& collection) {
  auto counts = all_counts(collection, Clock::time_point::max());
  if (!counts) return fail(std::move(counts.error()));
  auto system = snapshot_->system(collection, kDefaultSystem, {}, {}, Clock::time_point::max());
  if (!system) return fail(std::move(system.error()));
  snapshot_->prepare_all();
  return {};
}

}  // namespace rondo::server
