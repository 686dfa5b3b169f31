#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace rondo {

/// A queue of work that is done one piece after the other while its owner goes on. Thread-safe.
///
/// Everything that goes on beside requests goes through this interface, so that a test can decide when it happens.
class Background {
 public:
  using Work = std::function<void()>;
  using Clock = std::chrono::steady_clock;

  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  /// Drops work that has not begun, and waits for the end of work that has.
  virtual ~Background() = default;

  /// Begins at `earliest` or later; work that may begin earlier goes first.
  virtual void run(Work work, Clock::time_point earliest = {}) = 0;
};

/// What a queue is for.
enum class BackgroundTask : unsigned char {
  prepare,       ///< what a search needs first: the caller waits for it, up to its deadline
  warm,          ///< what a search will probably need
  snapshot,      ///< a new snapshot of a collection that has changed
  concordances,  ///< a run of concordances
};

/// Makes a queue; empty: `background_thread`.
using MakeBackground = std::function<std::unique_ptr<Background>(BackgroundTask task)>;

/// A queue with a thread of its own, of low priority where others must not be delayed. The thread is started when there
/// is something to do.
[[nodiscard]] std::unique_ptr<Background> background_thread(BackgroundTask task);

[[nodiscard]] inline std::unique_ptr<Background> make_background(const MakeBackground& make, BackgroundTask task) {
  return make ? make(task) : background_thread(task);
}

}  // namespace rondo
