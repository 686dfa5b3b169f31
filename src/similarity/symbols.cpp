#include "similarity/symbols.h"

#include <cstdlib>

namespace rondo {

std::vector<std::int8_t> interval_symbols(const Line& line) {
  std::vector<std::int8_t> out;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const int interval = line.pitch[i] - line.pitch[i - 1];
    const int size = interval == 0 ? 0 : 1 + (std::abs(interval) - 1) % 12;
    out.push_back(static_cast<std::int8_t>(interval < 0 ? -size : size));
  }
  return out;
}

std::vector<std::int8_t> ioi_letters(const Line& line) {
  std::vector<std::int8_t> out;
  for (std::size_t i = 2; i < line.size(); ++i) {
    // Whole ticks, so the borders at 1/4, 1/2, 2 and 4 are decided exactly.
    const std::int64_t before = line.onset[i - 1] - line.onset[i - 2];
    const std::int64_t now = line.onset[i] - line.onset[i - 1];
    int letter = 2;
    if (now >= 4 * before) {
      letter = 4;
    } else if (now >= 2 * before) {
      letter = 3;
    } else if (4 * now <= before) {
      letter = 0;
    } else if (2 * now <= before) {
      letter = 1;
    }
    out.push_back(static_cast<std::int8_t>(letter));
  }
  return out;
}

}  // namespace rondo
