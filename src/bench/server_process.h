#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace rondo::bench {

/// `rondo serve` as a process of its own: this program once more. Made when it takes requests; ends with this.
class ServerProcess {
 public:
  explicit ServerProcess(const std::string& db);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }  ///< 0: it did not start
  /// Megabytes in memory.
  [[nodiscard]] double memory() const;

 private:
  pid_t process_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace rondo::bench
