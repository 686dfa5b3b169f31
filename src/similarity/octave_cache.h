#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace rondo {

/// A cache of logarithms of times: music has few distinct ones.
class OctaveCache {
 public:
  /// log2 of a positive time.
  [[nodiscard]] double of(std::int64_t time) {
    Entry& entry = entries_[static_cast<std::uint64_t>(time) * 0x9E3779B97F4A7C15U >> 54U];
    if (entry.time != time) entry = {time, std::log2(static_cast<double>(time))};
    return entry.octaves;
  }

 private:
  struct Entry {
    std::int64_t time = 1;
    double octaves = 0;
  };
  std::array<Entry, 1024> entries_{};
};

}  // namespace rondo
