#pragma once

#include <string>
#include <unordered_map>

namespace rondo::server {

/// What jobs of each kind took: an average in which the last ones count most. Not synchronised.
class JobTimes {
 public:
  void learn(const std::string& kind, double seconds);
  /// Seconds; a short time for a kind that was never seen.
  [[nodiscard]] double expected(const std::string& kind) const;

 private:
  std::unordered_map<std::string, double> averages_;
};

}  // namespace rondo::server
