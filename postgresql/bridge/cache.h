#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bridge/bridge.h"
#include "bridge/builder.h"
#include "bridge/stored.h"
#include "search/index.h"
#include "search/index/snapshot.h"

namespace rondo::postgresql {

/// A segment as it is now: what never changes, and the rows that are gone.
struct LiveSegment {
  RondoSegmentId id{};
  std::shared_ptr<const StoredSegment> stored;
  std::string removed;  ///< a bit for each row
};

/// One state of an index, ready to be searched. Immutable once it has a snapshot.
class IndexState {
 public:
  [[nodiscard]] Result<void> prepare();

  [[nodiscard]] std::uint64_t tid_of(PieceKey key) const;
  /// The place of a row as text: what decides between melodies that are equal in all else.
  [[nodiscard]] std::string id_of(PieceKey key) const;
  /// Melodies that the segments do not have whole, for systems that compare whole pieces.
  [[nodiscard]] Result<std::shared_ptr<const Corpus>> rest() const;
  [[nodiscard]] std::vector<const LiveSegment*> all() const;

  RondoPosition position{};
  std::vector<LiveSegment> segments;
  std::vector<LiveSegment> pending;  ///< rows that are not in a segment of the index yet, as segments of our own
  std::shared_ptr<const index::Snapshot> snapshot;

 private:
  [[nodiscard]] const LiveSegment& segment_of(PieceKey key) const;
  std::vector<const LiveSegment*> by_key_;  ///< those with melodies, by their first key
  mutable std::shared_ptr<const Corpus> rest_;
};

}  // namespace rondo::postgresql

/// What this process knows of an index.
struct RondoCache {
  /// Throws away what was collected and not committed.
  void begin() {
    collected.reset();
    adding_.reset();
  }
  [[nodiscard]] rondo::Result<void> commit(RondoPosition position);
  [[nodiscard]] rondo::Result<void> add_pending(std::uint64_t tid, RondoBytes packed);

  std::shared_ptr<const rondo::postgresql::IndexState> current;
  std::shared_ptr<rondo::postgresql::IndexState> collected;  ///< between begin and commit

 private:
  [[nodiscard]] rondo::Result<void> add_own(std::unique_ptr<RondoBuilder> builder);
  [[nodiscard]] rondo::Result<void> merge_own();

  std::unique_ptr<RondoBuilder> adding_;
  /// Above all keys that an index gives.
  std::uint64_t next_key_ = std::uint64_t{1} << 48U;
};
