#include "server/access/rate_limit.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cmath>

namespace rondo::server {
namespace {

constexpr std::size_t kMostBuckets = 20'000;

}  // namespace

std::string limited_address(std::string_view peer) {
  std::string text(peer);
  in6_addr six{};
  if (inet_pton(AF_INET6, text.c_str(), &six) != 1) return text;
  return std::string(reinterpret_cast<const char*>(six.s6_addr), 8);
}

RateLimit::Bucket& RateLimit::filled(std::string_view address, Clock::time_point now) {
  if (buckets_.size() >= kMostBuckets) {
    // Full buckets need not be stored.
    std::erase_if(buckets_,
                  [&](const auto& entry) { return entry.second.tries + (now - entry.second.at) / each_ >= most_; });
    if (buckets_.size() >= kMostBuckets) buckets_.clear();
  }
  const auto [place, fresh] = buckets_.try_emplace(limited_address(address), Bucket{most_, now});
  Bucket& bucket = place->second;
  if (!fresh) bucket.tries = std::min(most_, bucket.tries + (now - bucket.at) / each_);
  bucket.at = now;
  return bucket;
}

int RateLimit::take(std::string_view address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  Bucket& bucket = filled(address, now);
  if (bucket.tries >= 1) {
    bucket.tries -= 1;
    return 0;
  }
  return std::max(1, static_cast<int>(std::ceil((1 - bucket.tries) * each_.count())));
}

void RateLimit::give_back(std::string_view address, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  Bucket& bucket = filled(address, now);
  bucket.tries = std::min(most_, bucket.tries + 1);
}

}  // namespace rondo::server
