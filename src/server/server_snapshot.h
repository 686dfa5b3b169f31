#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/background.h"
#include "rondo/search/service.h"
#include "search/shared_cache.h"
#include "server/facets.h"
#include "server/file_identity.h"
#include "server/hit_view.h"
#include "server/relevance.h"
#include "server/sort_orders.h"

namespace rondo::server {

using Clock = std::chrono::steady_clock;

/// Eight notes, to try a search.
[[nodiscard]] Voice sample_melody();

/// All data that the server derives from one state of the collection: for searches and for pages. When the collection
/// changes, a new snapshot is made; current requests finish with the old one. Thread-safe.
class ServerSnapshot {
 public:
  /// `file`: that of the collection.
  [[nodiscard]] static Result<std::shared_ptr<ServerSnapshot>> of(Collection& collection, const FileIdentity& file,
                                                                  std::string version, Device device = Device::cpu,
                                                                  const MakeBackground& background = {});

  /// A short text that differs for every state of the collection.
  [[nodiscard]] const std::string& version() const { return version_; }
  /// Keys of pieces are those of this file.
  [[nodiscard]] const FileIdentity& file() const { return file_; }
  [[nodiscard]] const CollectionSize& size() const { return size_; }

  [[nodiscard]] CollectionSnapshot& collection_snapshot() const { return *snapshot_; }
  /// Searches with the system rondo run on a GPU.
  [[nodiscard]] bool on_card() const { return snapshot_->on_card(); }
  [[nodiscard]] Result<std::shared_ptr<const Facets>> facets(Collection& collection, Clock::time_point until);
  /// The facet counts over all pieces, as JSON.
  [[nodiscard]] Result<std::shared_ptr<const std::string>> all_counts(Collection& collection, Clock::time_point until);
  [[nodiscard]] Result<std::shared_ptr<const SortOrders>> sort_orders(Collection& collection, Clock::time_point until);
  /// Heard in this way.
  [[nodiscard]] Result<std::shared_ptr<const RandomMelodies>> random_melodies(Collection& collection,
                                                                              const LineOptions& heard,
                                                                              Clock::time_point until);
  [[nodiscard]] HitViewCache& hit_views() { return views_; }

  /// Prepares what nearly every request needs, so that the first one does not wait, and returns; what few requests need
  /// is prepared afterwards, in the background.
  [[nodiscard]] Result<void> warm(Collection& collection);

 private:
  ServerSnapshot(const FileIdentity& file, std::string version, std::shared_ptr<CollectionSnapshot> snapshot,
                 CollectionSize size)
      : file_(file), version_(std::move(version)), size_(size), snapshot_(std::move(snapshot)) {}

  FileIdentity file_;
  std::string version_;
  CollectionSize size_;
  std::shared_ptr<CollectionSnapshot> snapshot_;
  SharedCache<int, Facets> facets_{1};
  SharedCache<int, std::string> counts_{1};
  SharedCache<int, SortOrders> orders_{1};
  SharedCache<std::string, RandomMelodies> random_{16};
  HitViewCache views_;
};

}  // namespace rondo::server
