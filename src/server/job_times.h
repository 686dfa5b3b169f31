#pragma once

#include <string>
#include <unordered_map>

namespace rondo::server {

/// Moving average of the duration of jobs, by kind. Not thread-safe.
class JobTimes {
 public:
  void learn(const std::string& kind, double seconds);
  /// Seconds; a short time for an unknown kind.
  [[nodiscard]] double expected(const std::string& kind) const;

 private:
  std::unordered_map<std::string, double> averages_;
};

}  // namespace rondo::server
