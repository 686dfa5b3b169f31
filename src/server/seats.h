#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace rondo::server {

/// Counts connections, in all and by address. Those that are served and those that only linger (they are told an error,
/// and what they still send is discarded) count apart: otherwise an address that connects again and again would shut
/// out all others with connections that were refused. Thread-safe.
class Seats {
 public:
  enum class Kind : std::uint8_t { served, lingering, none };
  struct Limits {
    std::size_t served = 0;
    std::size_t served_of_one = 0;  ///< address
    std::size_t lingering = 0;
    std::size_t lingering_of_one = 0;
  };

  explicit Seats(const Limits& limits) : limits_(limits) {}

  /// Counts a new connection: served if there is room, else lingering if there is room for that, else not at all.
  [[nodiscard]] Kind take(const std::string& address);
  /// A served connection lingers from now on. False: there is no room, and it stays what it was.
  [[nodiscard]] bool linger(const std::string& address);
  void leave(const std::string& address, Kind kind);

 private:
  struct Count {
    std::size_t served = 0;
    std::size_t lingering = 0;
  };
  [[nodiscard]] bool may_linger(const Count& own) const {
    return all_.lingering < limits_.lingering && own.lingering < limits_.lingering_of_one;
  }

  const Limits limits_;
  std::mutex mutex_;
  Count all_;
  std::unordered_map<std::string, Count> by_address_;
};

}  // namespace rondo::server
