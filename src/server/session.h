#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "rondo/store/collection.h"
#include "server/app.h"
#include "server/snapshot_holder.h"
#include "study/studies.h"

namespace rondo::server {

/// What a thread has of its own while it answers.
struct Session {
  App& app;
  Collection collection;
  std::shared_ptr<ServerSnapshot> snapshot;  ///< of the request at hand
  FileIdentity file{};                       ///< of the collection as it was opened
  std::int64_t data_version = -1;            ///< what SQLite said last
  std::optional<study::Studies> opened_studies{};

  Clock::time_point arrived{};  ///< the request at hand
  std::stop_token cancel{};     ///< of the request at hand
  std::uint64_t reloads = 0;    ///< seen so far

  /// The request at hand must be answered by then: time counts from its arrival, not from when a thread was free.
  [[nodiscard]] Clock::time_point deadline() const {
    return (arrived == Clock::time_point{} ? Clock::now() : arrived) + app.options().search_time;
  }
  /// What is left of it, for work that takes a duration; at least a millisecond.
  [[nodiscard]] std::chrono::milliseconds time_left() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline() - Clock::now());
    return std::max(left, std::chrono::milliseconds(1));
  }
  /// The client has hung up, or the server ends.
  [[nodiscard]] std::stop_token stop() const { return cancel.stop_possible() ? cancel : app.stop_.get_token(); }
  /// The studies of the collection, opened when they are first asked for. Error `studies-missing`.
  [[nodiscard]] Result<study::Studies*> studies();
  /// Takes the snapshot in service for the next request. Notices when the collection has changed or was replaced.
  void renew();
};

}  // namespace rondo::server
