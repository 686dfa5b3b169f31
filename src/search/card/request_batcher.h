#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// Concurrent requests, from any number of threads, are answered in batches. Some of the threads lead: each answers a
/// batch, then appoints the next leader. After an error every later request fails with it.
template <class Request, class Answer>
class RequestBatcher {
 public:
  /// One answer for each request.
  using Work = std::function<Result<std::vector<Answer>>(std::span<const Request* const>)>;

  explicit RequestBatcher(Work work) : work_(std::move(work)) {}

  /// Blocks until the request is answered.
  [[nodiscard]] Result<Answer> send(const Request& request) {
    const auto own = std::make_shared<Waiting>(request);
    bool leads = false;
    {
      const std::lock_guard lock(mutex_);
      if (lost_) return fail(*lost_);
      waiting_.push_back(own);
      if (leaders_ < kBatchesAtOnce) {
        ++leaders_;
        leads = own->leads = true;
      }
    }
    if (!leads) {
      std::unique_lock lock(own->mutex);
      own->changed.wait(lock, [&] { return own->appointed || own->answer; });
      leads = own->appointed;
    }
    if (leads) answer_batch(*own);
    return std::move(*own->answer);
  }

 private:
  /// Requests that are answered together.
  static constexpr std::size_t kMostTogether = 64;
  /// While the card computes for one batch, the next ones are prepared.
  static constexpr std::size_t kBatchesAtOnce = 3;

  /// A request that waits. Each has a mutex of its own: those of a batch wake up at once, and need not queue for one.
  struct Waiting {
    explicit Waiting(const Request& of) : request(&of) {}
    const Request* request;
    bool leads = false;  ///< guarded by mutex_
    std::mutex mutex;    ///< of what follows
    bool appointed = false;
    std::optional<Result<Answer>> answer;
    std::condition_variable changed;
  };
  using Batch = std::vector<std::shared_ptr<Waiting>>;

  /// The leader's request and those who wait longest, but for the leaders of other batches.
  [[nodiscard]] Batch take_batch(const Waiting& leader) {
    Batch batch;
    const std::lock_guard lock(mutex_);
    std::size_t room = kMostTogether - 1;
    std::erase_if(waiting_, [&](const std::shared_ptr<Waiting>& one) {
      const bool own = one.get() == &leader;
      if (!own && (one->leads || room == 0)) return false;
      if (!own) --room;
      batch.push_back(one);
      return true;
    });
    return batch;
  }

  void answer_batch(Waiting& leader) {
    const Batch batch = take_batch(leader);
    std::vector<const Request*> requests;
    requests.reserve(batch.size());
    for (const auto& one : batch) requests.push_back(one->request);
    auto answers = work_(requests);
    // First the next leader, so that the card need not wait until the threads of this batch are woken.
    appoint_next(answers ? std::nullopt : std::optional(answers.error()));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Waiting& one = *batch[i];
      {
        const std::lock_guard lock(one.mutex);
        if (answers) {
          one.answer.emplace(std::move((*answers)[i]));
        } else {
          one.answer.emplace(fail(answers.error()));
        }
      }
      if (&one != &leader) one.changed.notify_one();
    }
  }

  void appoint_next(const std::optional<Error>& failure) {
    std::shared_ptr<Waiting> next;
    {
      const std::lock_guard lock(mutex_);
      if (failure && !lost_) lost_ = failure;
      const auto found = std::find_if(waiting_.begin(), waiting_.end(), [](const auto& one) { return !one->leads; });
      if (found == waiting_.end()) {
        --leaders_;
        return;
      }
      next = *found;
      next->leads = true;
    }
    {
      const std::lock_guard lock(next->mutex);
      next->appointed = true;
    }
    next->changed.notify_one();
  }

  Work work_;
  std::mutex mutex_;  ///< of what follows
  std::deque<std::shared_ptr<Waiting>> waiting_;
  std::size_t leaders_ = 0;  ///< that answer, or were appointed
  std::optional<Error> lost_;
};

}  // namespace rondo
