// Compiled once for every instruction set; tally_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/tally_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <bit>

#include "search/kernels/simd.h"
#include "search/kernels/tally.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(add_where);
RONDO_SCALAR(at_least);
RONDO_SCALAR(count_at_least);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<std::uint8_t>;

void add_where(const std::uint8_t* bits, std::uint8_t weight, std::span<std::uint8_t> bytes) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const auto value = hn::Set(d, weight);
  std::size_t i = 0;
  for (; i + width <= bytes.size(); i += width) {
    const auto chosen = hn::LoadMaskBits(d, bits + i / 8);
    const auto sum = hn::SaturatedAdd(hn::LoadU(d, bytes.data() + i), hn::IfThenElseZero(chosen, value));
    hn::StoreU(sum, d, bytes.data() + i);
  }
  add_where_plain(bits + i / 8, weight, bytes.subspan(i));
}

void at_least(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint32_t base,
              std::vector<std::uint32_t>& out) {
  const hn::CappedTag<std::uint8_t, 64> d;  // a bit for each lane in 64
  const std::size_t width = hn::Lanes(d);
  const auto border = hn::Set(d, least);
  std::size_t i = 0;
  for (; i + width <= bytes.size(); i += width) {
    const auto value = hn::LoadU(d, bytes.data() + i);
    const auto found = hn::Eq(hn::Max(value, border), value);
    if (hn::AllFalse(d, found)) continue;
    std::uint64_t bits[2] = {};  // more than the lanes of any vector, as StoreMaskBits wants
    hn::StoreMaskBits(d, found, reinterpret_cast<std::uint8_t*>(bits));  // NOLINT: bytes in the order of the machine
    for (std::uint64_t left = bits[0]; left != 0; left &= left - 1) {
      out.push_back(base + static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  at_least_plain(bytes.subspan(i), least, base + static_cast<std::uint32_t>(i), out);
}

std::size_t count_at_least(std::span<const std::uint8_t> bytes, std::uint8_t least) {
  const D d;
  const std::size_t width = hn::Lanes(d);
  const auto border = hn::Set(d, least);
  std::size_t count = 0;
  std::size_t i = 0;
  for (; i + width <= bytes.size(); i += width) {
    const auto value = hn::LoadU(d, bytes.data() + i);
    count += hn::CountTrue(d, hn::Eq(hn::Max(value, border), value));
  }
  return count + count_at_least_plain(bytes.subspan(i), least);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, add_where, (const std::uint8_t* bits, std::uint8_t weight, std::span<std::uint8_t> bytes),
               (bits, weight, bytes));
RONDO_DISPATCH(void, at_least,
               (std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint32_t base,
                std::vector<std::uint32_t>& out),
               (bytes, least, base, out));
RONDO_DISPATCH(std::size_t, count_at_least, (std::span<const std::uint8_t> bytes, std::uint8_t least), (bytes, least));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
