#include <algorithm>
#include <bit>

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

ShortNumbers short_numbers_plain(std::span<const std::uint8_t> bytes) {
  ShortNumbers out;
  bool second = false;  // whether the byte is the second of its number
  for (const std::uint8_t byte : bytes) {
    const bool goes_on = byte >= 0x80;
    if (second && goes_on) return {};
    out.sum += std::uint64_t{byte & 0x7FU} << (second ? 7 : 0);
    out.count += goes_on ? 0 : 1;
    second = goes_on;
  }
  return second ? ShortNumbers{} : out;
}

std::uint64_t bits_in_plain(std::span<const std::uint8_t> bytes) {
  std::uint64_t bits = 0;
  for (const std::uint8_t byte : bytes) bits += static_cast<std::uint64_t>(std::popcount(byte));
  return bits;
}

}  // namespace rondo::kernels
