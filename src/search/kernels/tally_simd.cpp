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
RONDO_SCALAR(places_within);
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

void places_within(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint8_t most, std::uint32_t base,
                   std::vector<std::uint32_t>& out) {
  const hn::CappedTag<std::uint8_t, 64> d;  // a bit for each lane in 64
  const std::size_t width = hn::Lanes(d);
  const auto low = hn::Set(d, least);
  const auto high = hn::Set(d, most);
  std::uint32_t found[64];
  std::size_t i = 0;
  for (; i + width <= bytes.size(); i += width) {
    const auto value = hn::LoadU(d, bytes.data() + i);
    const auto within = hn::And(hn::Eq(hn::Max(value, low), value), hn::Eq(hn::Min(value, high), value));
    if (hn::AllFalse(d, within)) continue;
    std::uint64_t bits[2] = {};  // more than the lanes of any vector, as StoreMaskBits wants
    hn::StoreMaskBits(d, within, reinterpret_cast<std::uint8_t*>(bits));  // NOLINT: bytes in the order of the machine
    std::size_t count = 0;
    for (std::uint64_t left = bits[0]; left != 0; left &= left - 1) {
      found[count++] = base + static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(left));
    }
    out.insert(out.end(), found, found + count);  // at once, for a vector takes longer to grow by each
  }
  places_within_plain(bytes.subspan(i), least, most, base + static_cast<std::uint32_t>(i), out);
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
RONDO_DISPATCH(void, places_within,
               (std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint8_t most, std::uint32_t base,
                std::vector<std::uint32_t>& out),
               (bytes, least, most, base, out));
RONDO_DISPATCH(std::size_t, count_at_least, (std::span<const std::uint8_t> bytes, std::uint8_t least), (bytes, least));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
