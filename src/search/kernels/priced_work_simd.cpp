// Compiled once for every instruction set; priced_work_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/priced_work_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include "search/kernels/priced_work.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
RONDO_SCALAR(lay_ways);
RONDO_SCALAR(cheapest_columns);
#else
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, Heaps::kPad>;
using V = hn::Vec<D>;
using DI = hn::RebindToSigned<D>;
using VI = hn::Vec<DI>;

void lay_ways(const Heaps& rows, const Heaps& columns, Ways& out) {
  const D d;
  out.rows = rows.time.size();
  out.columns = columns.size;
  out.way.resize(out.rows * out.columns);
  V longest = hn::Zero(d);
  float* way = out.way.data();
  for (std::size_t j = 0; j < columns.size; ++j) {
    const V time = hn::Set(d, columns.time[j]);
    const V pitch = hn::Set(d, columns.pitch[j]);
    for (std::size_t i = 0; i < out.rows; i += hn::Lanes(d)) {
      const V dt = hn::Sub(hn::LoadU(d, rows.time.data() + i), time);
      const V dp = hn::Sub(hn::LoadU(d, rows.pitch.data() + i), pitch);
      const V here = hn::Sqrt(hn::MulAdd(dp, dp, hn::Mul(dt, dt)));
      hn::StoreU(here, d, way + i);
      longest = hn::Max(longest, here);
    }
    way += out.rows;
  }
  out.longest = hn::GetLane(hn::MaxOfLanes(d, longest));
}

namespace {

/// So many vectors of rows at once, from row `first`: enough that one need not wait for the other.
template <std::size_t kVectors>
HWY_INLINE V cheapest(const Ways& ways, const float* weight, const float* price, bool may_stay, std::uint32_t* column,
                      std::size_t first) {
  const D d;
  const DI di;
  const std::size_t lanes = hn::Lanes(d);
  V least[kVectors];
  VI where[kVectors];
  const float* way = ways.way.data() + first;
  for (std::size_t v = 0; v < kVectors; ++v) {
    least[v] = may_stay ? hn::Zero(d) : hn::Set(d, hwy::HighestValue<float>());
    where[v] = hn::Set(di, static_cast<std::int32_t>(ways.columns));
  }
  for (std::size_t j = 0; j < ways.columns; ++j, way += ways.rows) {
    const V here_price = hn::Set(d, price[j]);
    const VI here_column = hn::Set(di, static_cast<std::int32_t>(j));
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V here = hn::Sub(hn::LoadU(d, way + v * lanes), here_price);
      const auto less = hn::Lt(here, least[v]);
      least[v] = hn::Min(here, least[v]);
      where[v] = hn::IfThenElse(hn::RebindMask(di, less), here_column, where[v]);
    }
  }
  V sum = hn::Zero(d);
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(hn::BitCast(hn::RebindToUnsigned<D>(), where[v]), hn::RebindToUnsigned<D>(), column + first + v * lanes);
    sum = hn::MulAdd(hn::LoadU(d, weight + first + v * lanes), least[v], sum);
  }
  return sum;
}

}  // namespace

float cheapest_columns(const Ways& ways, const float* weight, const float* price, bool may_stay,
                       std::uint32_t* column) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  V sum = hn::Zero(d);
  std::size_t first = 0;
  for (; first + 4 * lanes <= ways.rows; first += 4 * lanes)
    sum = hn::Add(sum, cheapest<4>(ways, weight, price, may_stay, column, first));
  for (; first < ways.rows; first += lanes)
    sum = hn::Add(sum, cheapest<1>(ways, weight, price, may_stay, column, first));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
RONDO_DISPATCH(void, lay_ways, (const Heaps& rows, const Heaps& columns, Ways& out), (rows, columns, out));
RONDO_DISPATCH(float, cheapest_columns,
               (const Ways& ways, const float* weight, const float* price, bool may_stay, std::uint32_t* column),
               (ways, weight, price, may_stay, column));
}  // namespace rondo::kernels
#endif  // HWY_ONCE
