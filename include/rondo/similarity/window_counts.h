#pragma once

#include <cstdint>
#include <unordered_map>

#include "rondo/melody/line.h"

namespace rondo {

/// How often each window of three notes, by its pitches relative to the first, occurs in a collection.
class WindowCounts {
 public:
  using Key = std::uint64_t;  ///< of a window; never 0

  /// The key of a window from its second and third pitch relative to the first.
  [[nodiscard]] static Key key(std::int16_t second, std::int16_t third) {
    return (std::uint64_t{1} << 32U) | std::uint64_t{static_cast<std::uint16_t>(second)} << 16U |
           static_cast<std::uint16_t>(third);
  }

  /// Counts all windows of a melody.
  void add(const Line& line);
  void add(Key key, std::int64_t count) {
    counts_[key] += count;
    total_ += count;
  }
  /// 0: never seen.
  [[nodiscard]] std::int64_t count(Key key) const {
    const auto found = counts_.find(key);
    return found == counts_.end() ? 0 : found->second;
  }
  /// How often the commonest window occurs.
  [[nodiscard]] std::int64_t most() const;
  /// Of all windows; at least 1, so that it may divide.
  [[nodiscard]] std::int64_t total() const { return total_ == 0 ? 1 : total_; }

 private:
  std::unordered_map<Key, std::int64_t> counts_;
  std::int64_t total_ = 0;
};

}  // namespace rondo
