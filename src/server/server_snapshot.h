#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "rondo/search/service.h"
#include "search/shared_cache.h"
#include "server/facets.h"
#include "server/hit_view.h"
#include "server/relevance.h"
#include "server/sort_orders.h"

namespace rondo::server {

using Clock = std::chrono::steady_clock;

/// Everything that the server derives from one state of the collection: what it is searched with, and what pages show
/// of it. When the collection changes there is a new snapshot; whoever still works with the old one finishes with it.
/// Any thread may ask for anything.
class ServerSnapshot {
 public:
  [[nodiscard]] static Result<std::shared_ptr<ServerSnapshot>> of(Collection& collection, std::string version,
                                                                  std::shared_ptr<gpu::Card> card = {});

  /// Short text that is another one for every state of the collection.
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const CollectionSize& size() const { return size_; }

  [[nodiscard]] CollectionSnapshot& collection_snapshot() const { return *snapshot_; }
  [[nodiscard]] Result<std::shared_ptr<const Facets>> facets(Collection& collection, Clock::time_point until);
  /// The counts of all pieces, as JSON.
  [[nodiscard]] Result<std::shared_ptr<const std::string>> all_counts(Collection& collection, Clock::time_point until);
  [[nodiscard]] Result<std::shared_ptr<const SortOrders>> sort_orders(Collection& collection, Clock::time_point until);
  /// Heard in this way.
  [[nodiscard]] Result<std::shared_ptr<const RandomMelodies>> random_melodies(Collection& collection,
                                                                              const LineOptions& heard,
                                                                              Clock::time_point until);
  [[nodiscard]] HitViewCache& hit_views() { return views_; }

  /// Makes what nearly every request needs, so that the first one need not wait for it. Returns when that is there;
  /// what few requests need is made afterwards, in the background.
  [[nodiscard]] Result<void> warm(Collection& collection);

 private:
  ServerSnapshot(std::string version, std::shared_ptr<CollectionSnapshot> snapshot, CollectionSize size, bool on_card)
      : version_(std::move(version)), size_(size), snapshot_(std::move(snapshot)), on_card_(on_card) {}

  std::string version_;
  CollectionSize size_;
  std::shared_ptr<CollectionSnapshot> snapshot_;
  bool on_card_;  ///< searches are done on a graphics card
  SharedCache<int, Facets> facets_{1};
  SharedCache<int, std::string> counts_{1};
  SharedCache<int, SortOrders> orders_{1};
  SharedCache<std::string, RandomMelodies> random_{16};
  HitViewCache views_;
};

}  // namespace rondo::server
