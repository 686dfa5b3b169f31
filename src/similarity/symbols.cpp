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
    const int letter = ioi_letter(line.onset[i - 1] - line.onset[i - 2], line.onset[i] - line.onset[i - 1]);
    out.push_back(static_cast<std::int8_t>(letter));
  }
  return out;
}

}  // namespace rondo
