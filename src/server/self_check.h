#pragma once

#include <chrono>
#include <mutex>
#include <optional>

#include "rondo/base/result.h"

namespace rondo::server {

struct Session;

/// Whether searches work: a short search, and reading what it finds. A file may be there and be open, and still every
/// search fails, for instance if another collection was copied over it while it was in use. Shared by all threads.
class SelfCheck {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kInterval{1};

  /// Checks at most once a second, else repeats the last result. Notes in the log when searches begin to fail and when
  /// they work again; while they fail, every session opens the collection anew for its next request.
  [[nodiscard]] Result<void> run(Session& session, Clock::time_point now = Clock::now());

 private:
  std::mutex mutex_;
  bool checking_ = false;  ///< one thread checks; the others need not wait for it
  std::optional<Clock::time_point> last_;
  std::optional<Error> error_;
};

}  // namespace rondo::server
