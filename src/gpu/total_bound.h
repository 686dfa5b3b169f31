#pragma once

#include "gpu/pair_score.h"

/// An upper bound of exact_total (pair_score.h) at a tenth of its cost, for melodies of fewer than 32 notes: where the
/// best totals of a collection are low, no bound by common notes rules anything out, and this one rules out nearly all.
///
/// It is the alignment of the definition, in the definition's two transpositions at once: a pair of notes is worth what
/// it is worth in the better of them. All that is rounded is rounded in favour of the pair:
///
/// - The value of a pair is, in fine units, pw - i - length |dl| - change |dc| - floor(f |dp| / 2^16), where pw is the
///   worth of its pitches, i the cost of different next intervals and dp the difference of places. Let u be the unit of
///   RhythmUnits, of which a step of length has a and one of change at most b. With G = floor(f / u) and p' = floor(p G
///   / 2^16), |p' - q'| < |p - q| G / 2^16 + 1. So the value is at most pw - i + 1 + u - u S, where S = a |dl| + b |dc|
///   + |p' - q'|: a sum of absolute differences of bytes, which is one instruction of a card.
/// - Weighted, a value v becomes at most v w / 2^15 + 1/2. In cells, of which a unit of the totals has `scale`, u S
///   becomes at least S k with k = floor(u w scale / 2^15). The worth of pitches and of intervals, weighted, are bytes
///   of a table, in units of `step` cells and rounded up; all else that does not depend on the document is in
///   TableRow::base.
/// - A cell H(i, j) is kept as H + (what all notes of the query up to i cost if left out). Then leaving out a note of
/// the
///   query costs nothing, and a pair is worth so much more. That is exact.
///
/// A word has two cells: the lower half one of the first half of the query's notes, the upper half one of the second
/// half with the note of the document before. What the upper half needs of the lower one was computed a step before.
/// Sums of halves are sums of words: a carry from the lower half adds 1 to the upper one, in favour of the pair. Where
/// a number is subtracted from the lower half, a borrow may take 1; the upper half of a pair's base has 1 more.
///
/// Cells lie between -2^15 + margin and 2^15: total_table refuses queries of which they would not. The pair loses at
/// most `margin` in one step, so no half wraps around.
namespace rondo::gpu {

/// Queries and documents have fewer notes.
inline constexpr std::uint32_t kTableRows = 32;
/// Words of four rows, those of the second half from kBoundWords / 2 on. An odd number, so that threads that ask for
/// different pitches use different banks.
inline constexpr std::uint32_t kBoundWords = kTableRows / 4 + 1;
inline constexpr std::uint32_t kHalfWords = kTableRows / 8;
/// Pitch of a document less a transposition: from -kMostPitch to 2 * kMostPitch.
inline constexpr std::uint32_t kPitchEntries = 3 * kMostPitch + 1;
/// What follows the last note of a document: a pitch that no query has in any transposition.
inline constexpr std::uint32_t kNoNote = 2 * kMostPitch + 1;
inline constexpr std::uint32_t kWhereEntries = kPitchEntries + kMostPitch + 1;
/// Intervals up to here are compared; then one entry for all others, and one for no interval.
inline constexpr std::int32_t kMostInterval = 13;
inline constexpr std::uint32_t kOtherInterval = 2 * kMostInterval + 1;
inline constexpr std::uint32_t kNoInterval = kOtherInterval + 1;
inline constexpr std::uint32_t kIntervalEntries = kNoInterval + 1;

/// The unit u of the sum of differences: numerator / denominator fine units. A step of length costs `length` units
/// exactly, one of change at least `change` units.
struct RhythmUnits {
  std::int32_t numerator, denominator;
  std::int32_t length, change;
};

/// What the bound needs of a document's note.
struct alignas(8) PackedNote {
  std::uint32_t rhythm;  ///< bytes: length and change in their units from 0 on; two bytes: place
  std::uint32_t tune;    ///< bytes: pitch, entry of the interval; two bytes: gap
};

/// A row of the lower half and one of the upper half, each a note of the query; or none, in rows that fill up a half
/// and change nothing.
struct alignas(16) RowPair {
  std::uint32_t border;                      ///< cells before the document's first note
  std::uint32_t base;                        ///< of a pair
  std::uint32_t lower_cost, upper_cost;      ///< of a unit of rhythm, as a number to add
  std::uint32_t lower_rhythm, upper_rhythm;  ///< as PackedNote::rhythm, without the place
  std::uint32_t places;
  std::uint32_t beyond;  ///< what leaving it out after the document's last note costs less than before
};

/// What the words of the tables are made of.
struct TableRow {
  std::int32_t weight;                     ///< 0: no note
  std::int32_t pitch_base, interval_base;  ///< what byte 0 of the table means, in cells
  std::uint8_t pitch;
  std::uint8_t interval;  ///< entry
};

/// A query for the bound.
struct alignas(16) TotalTable {
  std::uint32_t where[kWhereEntries];  ///< Query::where, by pitch of a document less transposition plus kMostPitch
  std::uint32_t order[kTableRows / 4];
  std::uint32_t pitch[kPitchEntries][kBoundWords];
  std::uint32_t interval[kIntervalEntries][kBoundWords];
  RowPair pair[kTableRows / 2];
  TableRow row[kTableRows];  ///< those of the upper half from kTableRows / 2 on
  std::int32_t scale;        ///< cells that a unit of a total has
  std::int32_t step;         ///< cells that a unit of a byte of the tables has
  std::int32_t floor;        ///< what stands for a cell of 0
  std::int32_t least;        ///< the cells that a pair must reach, all notes of the query left out
  std::int32_t overhang;     ///< in cells
  std::int32_t gap;          ///< of each note in cells where rhythm is not compared, else 0
  std::int32_t near, far;
  RhythmUnits units;
  std::uint8_t notes, range, rhythm, quads;
  std::uint8_t half;  ///< rows of a half, an even number
};

RONDO_CARD std::int32_t upper_half(std::uint32_t word) { return static_cast<std::int32_t>(word) >> 16; }
RONDO_CARD std::uint32_t halves(std::int32_t lower, std::int32_t upper) {
  return (static_cast<std::uint32_t>(lower) & 0xFFFFU) | (static_cast<std::uint32_t>(upper) << 16U);
}

/// max(a + b, c) in each half.
RONDO_CARD std::uint32_t add_then_greater(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
  return __viaddmax_s16x2(a, b, c);
#else
  const auto half = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const auto sum = static_cast<std::int16_t>((x + y) & 0xFFFFU);
    return static_cast<std::uint32_t>(greater(sum, static_cast<std::int16_t>(z & 0xFFFFU))) & 0xFFFFU;
  };
  return half(a, b, c) | (half(a >> 16U, b >> 16U, c >> 16U) << 16U);
#endif
}
RONDO_CARD std::uint32_t greater_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vmaxs2(a, b);
#else
  return add_then_greater(a, 0, b);
#endif
}
/// The sum of the absolute differences of four bytes.
RONDO_CARD std::uint32_t differences(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vsadu4(a, b);
#else
  std::uint32_t sum = 0;
  for (std::uint32_t k = 0; k < 32; k += 8) {
    sum += static_cast<std::uint32_t>(
        absolute(static_cast<std::int32_t>((a >> k) & 255U) - static_cast<std::int32_t>((b >> k) & 255U)));
  }
  return sum;
#endif
}
/// Byte k of two words, one in each half. Bytes are below 128.
template <int k>
RONDO_CARD std::uint32_t byte_of_both(std::uint32_t first, std::uint32_t second) {
#if defined(__CUDA_ARCH__)
  // A selector with its highest bit set gives the sign of a byte eight times, which is 0. (__byte_perm has no such.)
  std::uint32_t out;
  asm("prmt.b32 %0, %1, %2, %3;"
      : "=r"(out)
      : "r"(first), "r"(second), "n"(k | ((k | 8) << 4) | ((k + 4) << 8) | ((k + 4 + 8) << 12)));
  return out;
#else
  return ((first >> (8U * k)) & 255U) | (((second >> (8U * k)) & 255U) << 16U);
#endif
}

RONDO_CARD std::uint32_t interval_entry(std::int32_t interval) {
  return absolute(interval) > kMostInterval ? kOtherInterval : static_cast<std::uint32_t>(interval + kMostInterval);
}

/// `last`: it has no next note.
RONDO_CARD PackedNote packed_note(const Note& note, bool last, const RhythmUnits& units) {
  PackedNote out{};
  out.rhythm = static_cast<std::uint32_t>(units.length * (note.length + kMostLengthSteps)) |
               (static_cast<std::uint32_t>(units.change * (note.change + kMostLengthSteps)) << 8U) |
               (std::uint32_t{note.place} << 16U);
  out.tune = note.pitch | ((last ? kNoInterval : interval_entry(note.next)) << 8U) |
             (static_cast<std::uint32_t>(note.gap) << 16U);
  return out;
}

/// A weighted fine number in cells times 2^15.
RONDO_CARD std::int32_t in_cells(const TotalTable& table, const TableRow& row, std::int32_t fine) {
  return table.scale * row.weight * fine;
}
/// How many steps above `base` it is, rounded up.
RONDO_CARD std::uint32_t steps_above(const TotalTable& table, std::int32_t cells, std::int32_t base) {
  const std::int32_t above = cells - (base << 15);
  const std::int32_t unit = table.step << 15;
  return above <= 0 ? 0 : static_cast<std::uint32_t>((above + unit - 1) / unit);
}
RONDO_CARD std::int32_t bound_pitch_worth(const TotalTable& table, std::int32_t apart) {
  const std::int32_t distance = absolute(apart);
  return distance == 0 ? kEqualPitch : (distance >= 2 && distance <= 4 ? table.near : table.far);
}

RONDO_CARD std::uint32_t pitch_steps(const TotalTable& table, const TableRow& row, std::int32_t apart) {
  return steps_above(table, in_cells(table, row, bound_pitch_worth(table, apart)), row.pitch_base);
}
RONDO_CARD const TableRow& row_of_byte(const TotalTable& table, std::uint32_t word, std::uint32_t k) {
  return table.row[word * 4 + k];
}
/// A word of TotalTable::pitch; rows without a note have 0 everywhere.
RONDO_CARD std::uint32_t pitch_word(const TotalTable& table, std::uint32_t entry, std::uint32_t word) {
  std::uint32_t out = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    const TableRow& row = row_of_byte(table, word, k);
    if (row.weight == 0) continue;
    out |= pitch_steps(table, row, static_cast<std::int32_t>(entry) - kMostPitch - row.pitch) << (8 * k);
  }
  return out;
}
/// A word of TotalTable::interval. The query's last note has no interval that could differ.
RONDO_CARD std::uint32_t interval_word(const TotalTable& table, std::uint32_t entry, std::uint32_t word) {
  std::uint32_t out = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    const TableRow& row = row_of_byte(table, word, k);
    const bool may_be_equal = entry == row.interval || entry == kNoInterval || row.interval == kNoInterval;
    if (row.weight != 0 && may_be_equal) out |= steps_above(table, 0, row.interval_base) << (8 * k);
  }
  return out;
}

/// A transposition, and the next best.
struct TwoTranspositions {
  std::int32_t first, second;
};

/// The two that exact_total aligns. Notes on equal pitches bound the common notes of a transposition; the common notes
/// themselves are counted in the order of these bounds, until none is left that could be among the best two.
/// `levels[k]` is a std::uint64_t as add_pitch makes it, `pitch(j)` a pitch of the document, or kNoNote up to the next
/// multiple of four. `Choice` has the first members of a TotalTable, `Mask` a bit for each transposition.
template <class Mask, class Choice, class Levels, class Pitches>
RONDO_CARD TwoTranspositions two_best_of(const Choice& query, const Levels& levels, std::uint32_t transpositions,
                                         const Pitches& pitch, std::uint32_t notes) {
  constexpr int kSlices = 5;
  Mask count[kSlices] = {};
  Mask level = 0;
  std::uint32_t next_level = 0;
  for (std::uint32_t quad = 0; quad < query.quads; ++quad) {
    const std::uint32_t four = query.order[quad];
    Mask has[4];
    RONDO_UNROLL
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t entry = four >> (8 * k);
      if ((entry & kNextLevel) != 0) level = static_cast<Mask>(levels[next_level++]);
      has[k] = (entry & kNoPitch) != 0 ? 0 : level << (query.range - (entry & 63U));
    }
    const Mask half = count[0] ^ has[0] ^ has[1];
    const Mask two = (count[0] & has[0]) | (count[0] & has[1]) | (has[0] & has[1]);
    const Mask other_two = (half & has[2]) | (half & has[3]) | (has[2] & has[3]);
    count[0] = half ^ has[2] ^ has[3];
    Mask carry = (count[1] & two) | (count[1] & other_two) | (two & other_two);
    count[1] = count[1] ^ two ^ other_two;
    RONDO_UNROLL
    for (int slice = 2; slice < kSlices; ++slice) {
      const Mask more = count[slice] & carry;
      count[slice] ^= carry;
      carry = more;
    }
  }
  // Bit b is the transposition b - query.range.
  constexpr std::uint32_t kBits = 8 * sizeof(Mask);
  Mask left = transpositions >= kBits ? ~Mask{0} : (Mask{1} << transpositions) - 1;
  std::uint32_t best = 0;
  std::uint32_t second = 0;
  const auto see = [&](std::int32_t transposition) {
    const std::uint32_t* const where = query.where + kMostPitch - transposition;
    std::uint32_t open = ~0U;
    for (std::uint32_t j = 0; j < notes; j += 4) {
      RONDO_UNROLL
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t has = where[pitch(j + k)];
        open = (open + (open & has)) | (open & ~has);
      }
    }
    const std::uint32_t order = transposition_order(ones_in(~open), transposition);
    const std::uint32_t lesser = order < best ? order : best;
    best = order < best ? best : order;
    second = lesser < second ? second : lesser;
  };
  while (left != 0) {
    Mask most = left;
    std::uint32_t shared = 0;
    RONDO_UNROLL
    for (int slice = kSlices - 1; slice >= 0; --slice) {
      const Mask with = most & count[slice];
      if (with != 0) {
        most = with;
        shared += 1U << slice;
      }
    }
    if (shared == 0 || shared < second / 256) break;
    const Mask bit = most & (~most + 1);
    left ^= bit;
    see(static_cast<std::int32_t>(ones_in(static_cast<Mask>(bit - 1))) - query.range);
  }
  // Melodies so wide that a mask does not hold all: the rest one by one.
  for (std::uint32_t b = kBits; b < transpositions; ++b) see(static_cast<std::int32_t>(b) - query.range);
  return {transposition_of(best), transposition_of(second >= 256 ? second : best)};
}

template <class Choice, class Levels, class Pitches>
RONDO_CARD TwoTranspositions two_best(const Choice& query, const Levels& levels, std::uint32_t range,
                                      const Pitches& pitch, std::uint32_t notes) {
  const std::uint32_t transpositions = query.range + range + 1;
  if (transpositions <= 32) return two_best_of<std::uint32_t>(query, levels, transpositions, pitch, notes);
  return two_best_of<std::uint64_t>(query, levels, transpositions, pitch, notes);
}

/// A document's note, for the lower half now and for the upper half a step later.
struct BoundColumn {
  std::uint32_t rhythm;
  std::uint32_t leave;  ///< cells that its gap costs, as a number to add, in the lower half
  std::uint32_t first_pitch, second_pitch, interval;  ///< where the words of the tables begin
};

/// The rows of both halves.
template <int kRows>
struct BoundState {
  std::uint32_t left[kRows], base[kRows];
  std::uint32_t lower_rhythm[kRows], upper_rhythm[kRows], lower_cost[kRows], upper_cost[kRows];
};

/// One note of the document for the lower half, the one before for the upper half. `corner` and `above` are cells of
/// the rows before each half's first. Of the last note leaving out the query's notes after it costs less: `beyond` is a
/// mask of the half of which the note is the last.
template <int kRows, bool kLast>
RONDO_CARD void bound_step(BoundState<kRows>& state, const TotalTable& table, const BoundColumn& lower,
                           const BoundColumn& upper, std::uint32_t step, std::uint32_t corner, std::uint32_t above,
                           std::uint32_t beyond) {
  const std::uint32_t* const words = &table.pitch[0][0];
  const std::uint32_t leave = lower.leave | (upper.leave << 16U);
  RONDO_UNROLL
  for (std::uint32_t word = 0; word * 4 < kRows; ++word) {
    const std::uint32_t next = words[lower.interval + word];
    const std::uint32_t upper_next = words[upper.interval + kHalfWords + word];
    const std::uint32_t first = words[lower.first_pitch + word] + next;
    const std::uint32_t second = words[lower.second_pitch + word] + next;
    const std::uint32_t upper_first = words[upper.first_pitch + kHalfWords + word] + upper_next;
    const std::uint32_t upper_second = words[upper.second_pitch + kHalfWords + word] + upper_next;
    const std::uint32_t worth[4] = {
        greater_halves(byte_of_both<0>(first, upper_first), byte_of_both<0>(second, upper_second)),
        greater_halves(byte_of_both<1>(first, upper_first), byte_of_both<1>(second, upper_second)),
        greater_halves(byte_of_both<2>(first, upper_first), byte_of_both<2>(second, upper_second)),
        greater_halves(byte_of_both<3>(first, upper_first), byte_of_both<3>(second, upper_second))};
    RONDO_UNROLL
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t r = word * 4 + k;
      if (r >= kRows) break;
      std::uint32_t pair = worth[k] * step + state.base[r];
      pair += differences(state.lower_rhythm[r], lower.rhythm) * state.lower_cost[r];
      pair += differences(state.upper_rhythm[r], upper.rhythm) * state.upper_cost[r];
      if (kLast) above += table.pair[r].beyond & beyond;
      above = add_then_greater(corner, pair, add_then_greater(state.left[r], leave, above));
      corner = state.left[r];
      state.left[r] = above;
    }
  }
}

/// Whether the total may reach the query's least total. `place_factor` is that of CostTables in units of rhythm, see
/// bound_place_factor. `document[j]` is a PackedNote. kRows is TotalTable::half.
template <int kRows, class Notes>
RONDO_CARD bool bound_reaches(const TotalTable& table, const Notes& document, std::uint32_t columns,
                              const TwoTranspositions& in, std::uint32_t place_factor) {
  BoundState<kRows> state;
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) {
    const RowPair pair = table.pair[r];
    state.left[r] = pair.border;
    state.base[r] = pair.base;
    state.lower_cost[r] = pair.lower_cost;
    state.upper_cost[r] = pair.upper_cost;
    state.lower_rhythm[r] = pair.lower_rhythm | (((pair.places & 0xFFFFU) * place_factor) & 0xFFFF0000U);
    state.upper_rhythm[r] = pair.upper_rhythm | (((pair.places >> 16U) * place_factor) & 0xFFFF0000U);
  }
  const auto first = static_cast<std::int32_t>(kBoundWords) * (kMostPitch - in.first);
  const auto second = static_cast<std::int32_t>(kBoundWords) * (kMostPitch - in.second);
  constexpr std::uint32_t kIntervals = kPitchEntries * kBoundWords;
  const std::int32_t gap_factor = table.rhythm != 0 ? -table.scale : 0;
  const std::uint32_t rhythm_mask = table.rhythm != 0 ? 0xFFFFU : 0;
  const auto column = [&](std::uint32_t j) {
    const PackedNote note = document[j];
    const std::uint32_t pitch = (note.tune & 255U) * kBoundWords;
    const std::int32_t leave = static_cast<std::int32_t>(note.tune >> 16U) * gap_factor - table.gap;
    return BoundColumn{(note.rhythm & rhythm_mask) | (((note.rhythm >> 16U) * place_factor) & 0xFFFF0000U),
                       static_cast<std::uint32_t>(leave) & 0xFFFFU, pitch + static_cast<std::uint32_t>(first),
                       pitch + static_cast<std::uint32_t>(second),
                       ((note.tune >> 8U) & 255U) * kBoundWords + kIntervals};
  };
  const auto step = static_cast<std::uint32_t>(table.step);
  // Cells before the first row, which lie above those of the lower half; those above the upper half are the lower
  // half's last of the step before.
  std::int32_t skipped = table.floor;
  const auto next_above = [&](const BoundColumn& note) {
    skipped = greater(skipped + static_cast<std::int16_t>(note.leave), table.floor - table.overhang);
    return halves(skipped, 0) | (state.left[kRows - 1] << 16U);
  };
  // The lower half's first note alone.
  BoundColumn now = column(0);
  BoundColumn before = now;
  std::uint32_t corner = halves(table.floor, 0);
  std::uint32_t above = next_above(now);
  bound_step<kRows, true>(state, table, now, before, step, corner, above, columns == 1 ? 0xFFFFU : 0);
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) state.left[r] = (state.left[r] & 0xFFFFU) | (table.pair[r].border & 0xFFFF0000U);
  std::uint32_t most = state.left[kRows - 1];
  RONDO_UNROLL_TWICE
  for (std::uint32_t j = 1; j + 1 < columns; ++j) {
    before = now;
    now = column(j);
    corner = above;
    above = next_above(now);
    bound_step<kRows, false>(state, table, now, before, step, corner, above, 0);
    most = greater_halves(most, state.left[kRows - 1]);
  }
  if (columns > 1) {
    before = now;
    now = column(columns - 1);
    corner = above;
    above = next_above(now);
    bound_step<kRows, true>(state, table, now, before, step, corner, above, 0xFFFFU);
    most = greater_halves(most, state.left[kRows - 1]);
  }
  // The upper half's last note alone.
  corner = above;
  above = state.left[kRows - 1] << 16U;
  bound_step<kRows, true>(state, table, now, now, step, corner, above, 0xFFFF0000U);
  return greater(upper_half(most) - table.overhang, upper_half(state.left[kRows - 1])) >= table.least;
}

/// The factor of places for queries of one length with documents of another.
RONDO_CARD std::uint32_t bound_place_factor(const RhythmUnits& units, std::int32_t place_factor) {
  constexpr std::int64_t kMost = (255 << 16) / 16384;  // the place is a byte
  const std::int64_t factor = static_cast<std::int64_t>(place_factor) * units.denominator / units.numerator;
  return static_cast<std::uint32_t>(factor < kMost ? factor : kMost);
}

}  // namespace rondo::gpu
