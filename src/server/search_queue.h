#pragma once

#include <optional>
#include <string>

#include "server/fair_queue.h"

namespace rondo::server {

/// Two queues of expensive requests, by expected time, so that quick ones do not wait behind slow ones. The last worker
/// takes only quick jobs; the others take slow jobs first, to prevent starvation while many quick ones arrive. Not
/// thread-safe.
class SearchQueue {
 public:
  /// `slow_workers`: the number of workers except the last one.
  SearchQueue(unsigned slow_workers, double wait, std::size_t jobs)
      : slow_workers_(slow_workers), quick_({slow_workers + 1, wait, jobs}), slow_({slow_workers, wait, jobs}) {}

  static constexpr double kSlow = 0.1;  ///< seconds; jobs expected to take longer are slow

  /// As FairQueue::refusal, for a job with this expected time.
  [[nodiscard]] int refusal(const std::string& address, double seconds) const;
  void add(Job job);
  [[nodiscard]] std::optional<Job> next(unsigned worker);
  [[nodiscard]] bool has_job_for(unsigned worker) const;
  void clear();

 private:
  [[nodiscard]] bool takes_slow(unsigned worker) const { return worker < slow_workers_; }

  unsigned slow_workers_;
  FairQueue quick_;
  FairQueue slow_;
};

}  // namespace rondo::server
