#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// Requests that come together, from any number of threads, are answered together: the first that finds no answer under
/// way takes all that wait. After an error every later request has it.
template <class Request, class Answer>
class AskedTogether {
 public:
  /// One answer for each request.
  using Work = std::function<Result<std::vector<Answer>>(std::span<const Request* const>)>;

  explicit AskedTogether(Work work) : work_(std::move(work)) {}

  /// Waits for its turn.
  [[nodiscard]] Result<Answer> ask(const Request& request) {
    std::unique_lock lock(mutex_);
    if (lost_) return fail(*lost_);
    Waiting own;
    own.request = &request;
    waiting_.push_back(&own);
    while (!own.answer) {
      if (!own.taken && running_ < kBatchesAtOnce) {
        answer_batch(lock);
      } else {
        own.changed.wait(lock);
      }
    }
    return std::move(*own.answer);
  }

 private:
  /// Requests that are answered together.
  static constexpr std::size_t kMostTogether = 64;
  /// While the card computes for one batch, the next ones are prepared.
  static constexpr std::size_t kBatchesAtOnce = 3;

  /// A request that waits, on the stack of the thread that asks.
  struct Waiting {
    const Request* request = nullptr;
    std::optional<Result<Answer>> answer{};
    bool taken = false;
    std::condition_variable changed{};
  };

  /// Takes those who wait longest, answers them without the lock and tells them, and one of those who still wait.
  void answer_batch(std::unique_lock<std::mutex>& lock) {
    const std::size_t count = std::min(waiting_.size(), kMostTogether);
    const std::vector<Waiting*> batch(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<const Request*> requests;
    for (Waiting* one : batch) {
      one->taken = true;
      requests.push_back(one->request);
    }
    ++running_;
    lock.unlock();
    auto answers = work_(requests);
    lock.lock();
    --running_;
    if (!answers && !lost_) lost_ = answers.error();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (answers) {
        batch[i]->answer.emplace(std::move((*answers)[i]));
      } else {
        batch[i]->answer.emplace(fail(answers.error()));
      }
      batch[i]->changed.notify_one();
    }
    if (!waiting_.empty()) waiting_.front()->changed.notify_one();
  }

  Work work_;
  std::mutex mutex_;  ///< of what follows
  std::deque<Waiting*> waiting_;
  std::size_t running_ = 0;
  std::optional<Error> lost_;
};

}  // namespace rondo
