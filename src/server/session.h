#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "rondo/store/collection.h"
#include "server/app.h"
#include "server/snapshot_holder.h"
#include "study/studies.h"

namespace rondo::server {

/// The state of a worker thread.
struct Session {
  App& app;
  Collection collection;
  std::shared_ptr<ServerSnapshot> snapshot;  ///< of the current request
  FileIdentity file{};                       ///< of the collection as it was opened; that of the snapshot, too
  std::int64_t data_version = -1;            ///< the last value from SQLite
  std::optional<study::Studies> opened_studies{};
  FileIdentity studies_file{};  ///< of these as they were opened

  Clock::time_point arrived{};  ///< of the current request
  std::stop_token cancel{};     ///< of the current request
  std::uint64_t reloads = 0;    ///< seen so far
  /// Whether a request may keep this thread waiting until something is prepared for it.
  bool may_wait = true;
  /// Whether this thread may check a token, which takes a tenth of a second.
  bool may_check = true;
  /// The current request must be repeated by another thread: one that may wait, or one that may check tokens.
  enum class Elsewhere : std::uint8_t { no, waiting, checking };
  Elsewhere elsewhere = Elsewhere::no;

  /// Deadline of the current request, counted from its arrival, not from when a thread was free.
  [[nodiscard]] Clock::time_point deadline() const {
    return (arrived == Clock::time_point{} ? Clock::now() : arrived) + app.options().search_time;
  }
  /// Time left until the deadline; at least a millisecond.
  [[nodiscard]] std::chrono::milliseconds time_left() const {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline() - Clock::now());
    return std::max(left, std::chrono::milliseconds(1));
  }
  /// How long the current request waits for what is prepared for it.
  [[nodiscard]] Clock::time_point preparation_deadline() const { return may_wait ? deadline() : arrived; }
  /// Notes that the current request has failed because this thread may not do something.
  void note(const Error& error) {
    if (!may_wait && error.code == "search-preparing") elsewhere = Elsewhere::waiting;
    if (!may_check && error.code == "server-checking") elsewhere = Elsewhere::checking;
  }
  /// The client has disconnected, or the server is shutting down.
  [[nodiscard]] std::stop_token stop() const { return cancel.stop_possible() ? cancel : app.stop_.get_token(); }
  /// The studies of the collection, opened at first use, and again after the file was replaced. Error
  /// `studies-missing`.
  [[nodiscard]] Result<study::Studies*> studies();
  /// Gets the current snapshot for the next request, and a connection to the same file. Detects whether the collection
  /// has changed or was replaced.
  void renew();
};

}  // namespace rondo::server
