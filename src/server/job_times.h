#pragma once

#include <string>
#include <unordered_map>

namespace rondo::server {

/// Moving average of the duration of jobs, by kind. Not thread-safe.
class JobTimes {
 public:
  void learn(const std::string& kind, double seconds);
  /// Seconds; of an unknown kind what is presumed of it.
  [[nodiscard]] double expected(const std::string& kind, double presumed = kShort) const;

  static constexpr double kShort = 0.005;  ///< seconds

 private:
  std::unordered_map<std::string, double> averages_;
};

}  // namespace rondo::server
