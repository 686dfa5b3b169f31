#include <algorithm>

#include "search/kernels/tally.h"

namespace rondo::kernels {

void add_where_plain(const std::uint8_t* bits, std::uint8_t weight, std::span<std::uint8_t> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if ((bits[i / 8] >> (i % 8) & 1U) != 0) bytes[i] = static_cast<std::uint8_t>(std::min(255, bytes[i] + weight));
  }
}

void places_within_plain(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint8_t most, std::uint32_t base,
                         std::vector<std::uint32_t>& out) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] >= least && bytes[i] <= most) out.push_back(base + static_cast<std::uint32_t>(i));
  }
}

std::size_t count_at_least_plain(std::span<const std::uint8_t> bytes, std::uint8_t least) {
  return static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), [&](auto b) { return b >= least; }));
}

}  // namespace rondo::kernels
