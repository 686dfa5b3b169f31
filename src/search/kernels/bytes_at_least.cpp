#include "search/kernels/bytes_at_least.h"

#include <bit>
#include <cstring>

namespace rondo::kernels {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = kOnes * 0x80;

/// The high bit of each of eight bytes that is at least `least`, in plain arithmetic on eight bytes at once.
std::uint64_t at_least(std::uint64_t eight, std::uint8_t least) {
  if (least == 0) return kHighs;
  // Compare the low seven bits with a subtraction that cannot borrow across bytes, then settle the high bits.
  const std::uint64_t low = (eight | kHighs) - kOnes * (least & 0x7FU);
  return (least & 0x80U) != 0 ? eight & low & kHighs : (eight | low) & kHighs;
}

std::uint64_t load(const std::uint8_t* at) {
  std::uint64_t eight = 0;
  std::memcpy(&eight, at, sizeof eight);
  return eight;
}

}  // namespace

void bytes_at_least(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint32_t base,
                    std::vector<std::uint32_t>& out) {
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    for (std::uint64_t found = at_least(load(bytes.data() + i), least); found != 0; found &= found - 1) {
      const auto byte = static_cast<std::uint32_t>(std::countr_zero(found) / 8);
      out.push_back(base + static_cast<std::uint32_t>(i) + byte);
    }
  }
  for (; i < bytes.size(); ++i) {
    if (bytes[i] >= least) out.push_back(base + static_cast<std::uint32_t>(i));
  }
}

std::size_t count_bytes_at_least(std::span<const std::uint8_t> bytes, std::uint8_t least) {
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    count += static_cast<std::size_t>(std::popcount(at_least(load(bytes.data() + i), least)));
  }
  for (; i < bytes.size(); ++i) count += bytes[i] >= least ? 1 : 0;
  return count;
}

}  // namespace rondo::kernels
