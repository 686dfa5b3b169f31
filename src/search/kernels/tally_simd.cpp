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
RONDO_SCALAR(short_numbers);
RONDO_SCALAR(bits_in);
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

ShortNumbers short_numbers(std::span<const std::uint8_t> bytes) {
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::Repartition<std::uint64_t, D> wide;
  const std::size_t width = hn::Lanes(d);
  if (bytes.size() <= width) return short_numbers_plain(bytes);
  const auto goes_on = [&](auto byte) HWY_ATTR { return hn::Lt(hn::BitCast(di, byte), hn::Zero(di)); };
  const auto low_bits = hn::Set(d, std::uint8_t{0x7F});
  const auto one = hn::Set(d, std::uint8_t{1});
  auto lows = hn::Zero(wide);
  auto seconds = hn::Zero(wide);
  auto going_on = hn::Zero(wide);
  // From the second byte on, for each is seen together with the one before it.
  std::size_t i = 1;
  for (; i + width <= bytes.size(); i += width) {
    const auto byte = hn::LoadU(d, bytes.data() + i);
    const auto is_second = goes_on(hn::LoadU(d, bytes.data() + i - 1));
    if (!hn::AllFalse(di, hn::And(is_second, goes_on(byte)))) return {};
    const auto low = hn::And(byte, low_bits);
    lows = hn::Add(lows, hn::SumsOf8(low));
    seconds = hn::Add(seconds, hn::SumsOf8(hn::IfThenElseZero(hn::RebindMask(d, is_second), low)));
    going_on = hn::Add(going_on, hn::SumsOf8(hn::IfThenElseZero(hn::RebindMask(d, goes_on(byte)), one)));
  }
  // The first byte, and the last ones with what goes on into them.
  const ShortNumbers rest = short_numbers_plain(bytes.subspan(i - 1));
  if (rest.count == 0) return {};
  const auto total = [&](auto sums) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, sums)); };
  ShortNumbers out;
  out.count = (bytes[0] < 0x80 ? 1 : 0) + (i - 1 - total(going_on));
  out.sum = (bytes[0] & 0x7FU) + total(lows) + 127 * total(seconds);
  // The byte at i - 1 was counted here and there: as whole, or as the first of two.
  out.count += rest.count - (bytes[i - 1] < 0x80 ? 1 : 0);
  out.sum += rest.sum - (bytes[i - 1] & 0x7FU);
  return out;
}

std::uint64_t bits_in(std::span<const std::uint8_t> bytes) {
  const D d;
  const hn::Repartition<std::uint64_t, D> wide;
  const std::size_t width = hn::Lanes(d);
  auto sums = hn::Zero(wide);
  std::size_t i = 0;
  for (; i + width <= bytes.size(); i += width) {
    sums = hn::Add(sums, hn::SumsOf8(hn::PopulationCount(hn::LoadU(d, bytes.data() + i))));
  }
  return hn::GetLane(hn::SumOfLanes(wide, sums)) + bits_in_plain(bytes.subspan(i));
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
RONDO_DISPATCH(ShortNumbers, short_numbers, (std::span<const std::uint8_t> bytes), (bytes));
RONDO_DISPATCH(std::uint64_t, bits_in, (std::span<const std::uint8_t> bytes), (bytes));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
