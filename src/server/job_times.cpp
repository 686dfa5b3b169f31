#include "server/job_times.h"

namespace rondo::server {
namespace {

constexpr std::size_t kMaxKinds = 1000;

}  // namespace

void JobTimes::learn(const std::string& kind, double seconds) {
  constexpr double kNewest = 0.2;
  if (averages_.size() >= kMaxKinds && !averages_.contains(kind)) averages_.clear();
  const auto [place, fresh] = averages_.try_emplace(kind, seconds);
  if (!fresh) place->second += kNewest * (seconds - place->second);
}

double JobTimes::expected(const std::string& kind, double presumed) const {
  const auto found = averages_.find(kind);
  return found == averages_.end() ? presumed : found->second;
}

}  // namespace rondo::server
