// Compiled once for every instruction set; explained_loss_plain.cpp is the scalar reference.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/kernels/explained_loss_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#include <limits>

#include "search/kernels/explained_loss.h"
#include "search/kernels/simd.h"

HWY_BEFORE_NAMESPACE();
namespace rondo::kernels::HWY_NAMESPACE {
#if HWY_TARGET == HWY_SCALAR
void explained_loss_bytes(const ExplainedLossRows<std::uint8_t>& rows, const ExplainedLossColumns& columns,
                          std::uint8_t* loss) {
  explained_loss_plain(rows, columns, loss);
}
void explained_loss_words(const ExplainedLossRows<std::uint16_t>& rows, const ExplainedLossColumns& columns,
                          std::span<const std::uint16_t> place, std::uint16_t* loss) {
  explained_loss_plain(rows, columns, place, loss);
}
#else
namespace hn = hwy::HWY_NAMESPACE;

namespace {

/// Numbers of 16 bits, of which the terms of a pair are computed whatever the unit.
using WordTag = hn::CappedTag<std::int16_t, kBatch / 2>;
using Words = hn::Vec<WordTag>;

HWY_INLINE Words widened(const std::int8_t* from) {
  return hn::PromoteTo(WordTag(), hn::LoadU(hn::Rebind<std::int8_t, WordTag>(), from));
}
HWY_INLINE void store_units(Words values, std::uint8_t* to) {
  const hn::Rebind<std::uint8_t, WordTag> d;
  hn::StoreU(hn::DemoteTo(d, values), d, to);
}
HWY_INLINE void store_units(Words values, std::uint16_t* to) {
  const hn::RebindToUnsigned<WordTag> d;
  hn::StoreU(hn::BitCast(d, values), d, to);
}

/// What is computed once for all notes of a query that have a value in common: [value][note][lane]; and the cells.
template <typename Unit>
struct LossTables {
  LossTables(const ExplainedLossRows<Unit>& rows, std::size_t notes, AlignedVector<Unit>& memory)
      : part(notes * kBatch) {
    const std::size_t parts = rows.rhythms.size() + rows.intervals.size() + 4;
    if (memory.size() < parts * part) memory.resize(parts * part);
    rhythm = memory.data();
    differs = rhythm + rows.rhythms.size() * part;
    gap = differs + rows.intervals.size() * part;
    place = gap + part;
    other = place + part;
    equal = other + part;
  }

  /// What a pair loses by rhythm, and all bits where the next intervals differ (none at the last note).
  void fill(const ExplainedLossRows<Unit>& rows, const ExplainedLossColumns& columns, bool places) {
    const WordTag d;
    const hn::RebindToUnsigned<WordTag> du;
    const std::size_t width = hn::Lanes(d);
    const Words length_cost = hn::Set(d, static_cast<std::int16_t>(rows.length_cost));
    const Words change_cost = hn::Set(d, static_cast<std::int16_t>(rows.change_cost));
    for (std::size_t value = 0; value < rows.rhythms.size(); ++value) {
      const auto& query = rows.rhythms[value];
      const Words length = hn::Set(d, query.length);
      const Words change = hn::Set(d, query.change);
      const auto factor = hn::Set(du, query.factor);
      for (std::size_t at = 0; at < part; at += width) {
        const Words apart = hn::Add(hn::Mul(hn::Abs(hn::Sub(widened(columns.length + at), length)), length_cost),
                                    hn::Mul(hn::Abs(hn::Sub(widened(columns.change + at), change)), change_cost));
        store_units(hn::BitCast(d, hn::MulHigh(hn::BitCast(du, apart), factor)), rhythm + value * part + at);
      }
    }
    const Words from = hn::Set(d, static_cast<std::int16_t>(ExplainedLossRows<Unit>::kGapFrom));
    const Words base = hn::Set(d, rows.gap_base);
    const Words slope = hn::Set(d, rows.gap_slope);
    const Words least = hn::Set(d, rows.gap_least);
    for (std::size_t at = 0; at < part; at += width) {
      const Words length = hn::ShiftLeft<8>(hn::Add(widened(columns.length + at), from));
      store_units(hn::Max(least, hn::SaturatedAdd(base, hn::MulHigh(length, slope))), gap + at);
    }
    fill_differences(rows, columns);
    if (!places) return;
    const hn::Rebind<std::uint8_t, WordTag> bytes;
    for (std::size_t at = 0; at < part; at += width) {
      store_units(hn::BitCast(d, hn::PromoteTo(du, hn::LoadU(bytes, columns.place + at))), place + at);
    }
  }

  std::size_t part;
  Unit *rhythm, *differs, *gap, *place, *other, *equal;

 private:
  void fill_differences(const ExplainedLossRows<Unit>& rows, const ExplainedLossColumns& columns) {
    const std::size_t last = part - kBatch;
    for (std::size_t value = 0; value < rows.intervals.size(); ++value) {
      Unit* const to = differs + value * part;
      if constexpr (sizeof(Unit) == 1) {
        const hn::CappedTag<std::int8_t, kBatch> d;
        const hn::RebindToUnsigned<decltype(d)> du;
        const auto interval = hn::Set(d, rows.intervals[value]);
        for (std::size_t at = 0; at < last; at += hn::Lanes(d)) {
          const auto differ = hn::Not(hn::VecFromMask(d, hn::Eq(hn::LoadU(d, columns.next + at), interval)));
          hn::StoreU(hn::BitCast(du, differ), du, to + at);
        }
      } else {
        const WordTag d;
        const Words interval = hn::Set(d, std::int16_t{rows.intervals[value]});
        for (std::size_t at = 0; at < last; at += hn::Lanes(d)) {
          store_units(hn::Not(hn::VecFromMask(d, hn::Eq(widened(columns.next + at), interval))), to + at);
        }
      }
      for (std::size_t at = last; at < part; ++at) to[at] = 0;
    }
  }
};

/// One vector of lanes of a batch.
template <typename Unit>
HWY_INLINE void loss_lanes(const ExplainedLossRows<Unit>& rows, std::span<const std::uint16_t> places,
                           const LossTables<Unit>& tables, std::size_t lane, Unit* HWY_RESTRICT loss) {
  const hn::CappedTag<Unit, kBatch> d;
  using V = hn::Vec<decltype(d)>;
  const V most = hn::Set(d, std::numeric_limits<Unit>::max());
  const V overhang = hn::Set(d, rows.overhang);
  const std::size_t end = tables.part;
  const std::size_t last = end - kBatch;
  Unit* const HWY_RESTRICT other = tables.other;
  Unit* const HWY_RESTRICT equal = tables.equal;
  V border = hn::Zero(d);
  V skipped = border;
  for (std::size_t at = lane; at < end; at += kBatch) {
    skipped = hn::Min(hn::SaturatedAdd(skipped, hn::LoadU(d, tables.gap + at)), overhang);
    hn::StoreU(skipped, d, other + at);
    hn::StoreU(most, d, equal + at);
  }
  const Unit* differed = tables.differs;  // of the note before; for the first, nothing goes on
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Unit* const HWY_RESTRICT rhythm = tables.rhythm + rows.rhythm[i] * tables.part;
    const Unit* const HWY_RESTRICT differs = tables.differs + rows.next[i] * tables.part;
    const V interval = hn::Set(d, rows.interval[i]);
    const V unequal = hn::Set(d, rows.unequal[i]);
    const V left_out = hn::Set(d, rows.left_out[i]);
    const V beyond = hn::Set(d, rows.beyond[i]);
    [[maybe_unused]] V place = hn::Zero(d);
    [[maybe_unused]] V by_place = place;
    [[maybe_unused]] const bool placed = !places.empty();
    if constexpr (sizeof(Unit) == 2) {
      place = hn::Set(d, std::uint16_t{rows.place[i]});
      if (placed) by_place = hn::Set(d, places[i]);
    }
    V other_corner = border;
    V equal_corner = most;
    V breaks = most;  // all bits: an alignment of equal pitches does not go on here
    border = hn::SaturatedAdd(border, beyond);
    V before = border;  // the lesser of the two values to the left
    for (std::size_t at = lane; at < end; at += kBatch) {
      V lost = hn::SaturatedAdd(hn::LoadU(d, rhythm + at), hn::And(hn::LoadU(d, differs + at), interval));
      if constexpr (sizeof(Unit) == 2) {
        if (placed) {
          const V own = hn::LoadU(d, tables.place + at);
          const V far = hn::Or(hn::SaturatedSub(own, place), hn::SaturatedSub(place, own));
          const V whole = hn::ShiftLeft<8>(hn::SaturatedSub(far, hn::Set(d, Unit{1})));
          lost = hn::SaturatedAdd(lost, hn::MulHigh(whole, by_place));
        }
      }
      const V as_equal = hn::SaturatedAdd(hn::Min(other_corner, hn::Or(equal_corner, breaks)), lost);
      const V as_other = hn::SaturatedAdd(hn::SaturatedAdd(hn::Min(other_corner, equal_corner), unequal), lost);
      other_corner = hn::LoadU(d, other + at);
      equal_corner = hn::LoadU(d, equal + at);
      const V above = hn::SaturatedAdd(hn::Min(other_corner, equal_corner), at < last ? left_out : beyond);
      const V left = hn::SaturatedAdd(before, hn::LoadU(d, tables.gap + at));
      const V now = hn::Min(as_other, hn::Min(left, above));
      before = hn::Min(now, as_equal);
      hn::StoreU(now, d, other + at);
      hn::StoreU(as_equal, d, equal + at);
      breaks = i > 0 ? hn::LoadU(d, differed + at) : most;
    }
    differed = differs;
  }
  V least = hn::SaturatedAdd(border, overhang);
  for (std::size_t at = lane; at < end; at += kBatch) {
    const V here = hn::Min(hn::LoadU(d, other + at), hn::LoadU(d, equal + at));
    least = hn::Min(least, at < last ? hn::SaturatedAdd(here, overhang) : here);
  }
  hn::StoreU(least, d, loss + lane);
}

template <typename Unit>
HWY_INLINE void loss_all(const ExplainedLossRows<Unit>& rows, const ExplainedLossColumns& columns,
                         std::span<const std::uint16_t> place, Unit* loss) {
  thread_local AlignedVector<Unit> memory;
  LossTables<Unit> tables(rows, columns.notes, memory);
  tables.fill(rows, columns, !place.empty());
  for (std::size_t lane = 0; lane < kBatch; lane += hn::Lanes(hn::CappedTag<Unit, kBatch>())) {
    loss_lanes<Unit>(rows, place, tables, lane, loss);
  }
}

}  // namespace

void explained_loss_bytes(const ExplainedLossRows<std::uint8_t>& rows, const ExplainedLossColumns& columns,
                          std::uint8_t* loss) {
  loss_all(rows, columns, {}, loss);
}
void explained_loss_words(const ExplainedLossRows<std::uint16_t>& rows, const ExplainedLossColumns& columns,
                          std::span<const std::uint16_t> place, std::uint16_t* loss) {
  loss_all(rows, columns, place, loss);
}
#endif
}  // namespace rondo::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rondo::kernels {
namespace {
HWY_EXPORT(explained_loss_bytes);
HWY_EXPORT(explained_loss_words);
}  // namespace

void explained_loss(const ExplainedLossRows<std::uint8_t>& rows, const ExplainedLossColumns& columns,
                    std::uint8_t* loss) {
  if (plain_forced()) return explained_loss_plain(rows, columns, loss);
  HWY_DYNAMIC_DISPATCH(explained_loss_bytes)(rows, columns, loss);
}
void explained_loss(const ExplainedLossRows<std::uint16_t>& rows, const ExplainedLossColumns& columns,
                    std::span<const std::uint16_t> place, std::uint16_t* loss) {
  if (plain_forced()) return explained_loss_plain(rows, columns, place, loss);
  HWY_DYNAMIC_DISPATCH(explained_loss_words)(rows, columns, place, loss);
}
}  // namespace rondo::kernels
#endif  // HWY_ONCE
