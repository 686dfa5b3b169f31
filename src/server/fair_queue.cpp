#include "server/fair_queue.h"

#include <algorithm>
#include <cmath>

namespace rondo::server {
int FairQueue::refusal(const std::string& address, bool patient) const {
  const auto found = shares_.find(address);
  const std::size_t own = found == shares_.end() ? 0 : found->second.jobs.size();
  const double own_wait = found == shares_.end() ? 0 : found->second.expected / limits_.threads;
  // Where every job takes longer than anybody should wait, still one may wait for each thread.
  const bool short_queue = size_ < 2 * std::size_t{limits_.threads} && own < limits_.threads;
  const bool short_wait = size_ < limits_.jobs && own < std::max<std::size_t>(1, limits_.jobs / 2) &&
                          (patient || (wait() <= limits_.wait && own_wait <= limits_.wait / 2));
  if (short_queue || short_wait) return 0;
  return std::clamp(static_cast<int>(std::ceil(wait())), 1, 60);
}

void FairQueue::add(Job job) {
  Share& share = shares_[job.address];
  if (share.jobs.empty()) turns_.push_back(job.address);
  share.expected += job.seconds;
  expected_ += job.seconds;
  ++size_;
  share.jobs.push_back(std::move(job));
}

std::optional<Job> FairQueue::next() {
  if (turns_.empty()) return std::nullopt;
  const std::string address = std::move(turns_.front());
  turns_.pop_front();
  const auto share = shares_.find(address);
  Job job = std::move(share->second.jobs.front());
  share->second.jobs.pop_front();
  --size_;
  share->second.expected = std::max(0.0, share->second.expected - job.seconds);
  expected_ = std::max(0.0, expected_ - job.seconds);
  if (share->second.jobs.empty()) {
    shares_.erase(share);
  } else {
    turns_.push_back(address);
  }
  if (size_ == 0) expected_ = 0;  // sums of floating point leave a remainder
  return job;
}

void FairQueue::clear() {
  shares_.clear();
  turns_.clear();
  size_ = 0;
  expected_ = 0;
}

}  // namespace rondo::server
