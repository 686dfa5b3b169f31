#pragma once

#include <memory>
#include <mutex>

#include "server/edition.h"

namespace rondo::server {

/// Keeps the edition of the day. When the file has changed a new one is made by whoever notices; others go on with the
/// old one until it is there. An import in another process changes the file all the time: new editions are then made
/// no more often than is worth the work.
class Library {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Library>> open(Collection& collection);

  /// `data_version` is the session's memory of what SQLite said last.
  [[nodiscard]] std::shared_ptr<Edition> current(Collection& collection, std::int64_t& data_version);

 private:
  explicit Library(std::shared_ptr<Edition> first) : current_(std::move(first)) {}

  void renew(Collection& collection);

  std::mutex renewing_;
  Clock::time_point not_before_{};  ///< guarded by `renewing_`
  std::mutex mutex_;
  std::shared_ptr<Edition> current_;
};

}  // namespace rondo::server
