#include "server/search_queue.h"

#include <utility>

namespace rondo::server {

int SearchQueue::refusal(const std::string& address, double seconds) const {
  return (seconds > kSlow ? slow_ : quick_).refusal(address);
}

void SearchQueue::add(Job job) { (job.seconds > kSlow ? slow_ : quick_).add(std::move(job)); }

std::optional<Job> SearchQueue::next(unsigned worker) {
  if (takes_slow(worker) && slow_.size() > 0) return slow_.next();
  return quick_.next();
}

bool SearchQueue::has_job_for(unsigned worker) const {
  return quick_.size() > 0 || (takes_slow(worker) && slow_.size() > 0);
}

void SearchQueue::clear() {
  quick_.clear();
  slow_.clear();
}

}  // namespace rondo::server
