#include <algorithm>

#include "rondo/similarity/plan.h"

namespace rondo {

void WindowCounts::add(const Line& line) {
  for (std::size_t i = 0; i + 3 <= line.size(); ++i) {
    const auto above_first = [&](std::size_t k) {
      return static_cast<std::int16_t>(line.pitch[i + k] - line.pitch[i]);
    };
    add(key(above_first(1), above_first(2)), 1);
  }
}

std::int64_t WindowCounts::most() const {
  std::int64_t most = 0;
  for (const auto& entry : counts_) most = std::max(most, entry.second);
  return most;
}

}  // namespace rondo
