#pragma once

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

#include "gpu/pair_score.h"

/// An upper bound of exact_total (pair_score.h) at a tenth of its cost, for melodies of fewer than 32 notes: where the
/// best totals of a collection are low, no bound by common notes rules anything out, and this one rules out nearly all.
///
/// It is the alignment of the definition, in the definition's two transpositions at once: a pair of notes is worth what
/// it is worth in the better of them. What makes it cheap can only favour the pair:
///
/// - The value of a pair is, in fine units, pw - i - length |dl| - change |dc| - floor(f |dp| / 2^16), where pw is the
///   worth of its pitches, i the cost of different next intervals and dp the difference of places. The last term, which
///   is not negative, is left out: it would cost as much as the one of lengths and rules out few more documents.
/// - Weighted, a value v becomes at most v w / 2^15 + 1/2. What pitches and intervals are worth is, in cells, a base
/// and
///   a step of the row times the sum of two bytes, one for the pitches and one for the intervals, and not below what it
///   is. The bytes are the same for all rows (BoundCodes).
/// - The byte of the better transposition is the bits of both bytes: of the three bytes of pitches a lesser one has no
///   bit that a greater one has not.
/// - Lengths and changes are in units of which a step of length has a and a step of change b, with b / a at most what
///   their costs are to each other. So a unit costs at least length w / (a 2^15), and what is rounded is rounded down.
/// - A cell H(i, j) is kept as H + (what all notes of the query up to i cost if left out). Then leaving out a note of
/// the
///   query costs nothing, and a pair is worth so much more. That is exact.
/// - A pair that is then worth less than nothing counts as worth nothing. It would lose to leaving out both of its
/// notes
///   but for the cost of the document's note.
///
/// A word has two cells: the lower half one of the first half of the query's notes, the upper half one of the second
/// half with the note of the document before. What the upper half needs of the lower one was computed a step before.
/// Where halves are added as words, a carry from the lower half adds 1 to the upper one, in favour of the pair.
///
/// The worth of a pair is computed in numbers of 16 bits with a binary point ("small numbers"): the bits of an integer
/// n from 0 to 2047 are the number n 2^-24 (below 1024 it is subnormal, above it has the least exponent), so integers
/// need not be converted. A product and a sum with an integer is rounded once, to the nearest integer: RowPair::base
/// has half a cell more for each. What lies below 0 may be rounded more coarsely, but stays below 0 and becomes
/// nothing. total_table refuses queries whose pairs could be worth more than 2047, and those whose cells would not lie
/// between -2^15 and 2^15.
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

/// What the bytes and units mean, for all queries of a collection.
struct BoundCodes {
  std::uint8_t equal, near, far;  ///< bytes of pitches that are so
  std::uint8_t same_interval;     ///< byte of an interval that is not different
  std::uint8_t length, change;    ///< units of a step
};

/// What the bound needs of a document's note.
struct alignas(8) PackedNote {
  std::uint32_t rhythm;  ///< two small numbers: length and change in their units, from 0 on
  std::uint32_t tune;    ///< bytes: pitch, entry of the interval; two bytes: gap
};

/// A row of the lower half and one of the upper half, each a note of the query; or none, in rows that fill up a half:
/// they pair nothing, but a note of the document may be left out there for nothing.
struct alignas(16) RowPair {
  std::uint32_t border;            ///< cells before the document's first note
  std::uint32_t base;              ///< of a pair; small numbers
  std::uint32_t step;              ///< of the bytes; factors
  std::uint32_t cost;              ///< of a unit of rhythm, negative; factors
  std::uint32_t lengths, changes;  ///< as PackedNote::rhythm; small numbers
  std::uint32_t beyond;            ///< what leaving it out after the document's last note costs less than before
};

/// What the words of the tables are made of.
struct TableRow {
  std::int32_t weight;  ///< 0: no note
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
  std::int32_t floor;        ///< what stands for a cell of 0
  std::int32_t least;        ///< the cells that a pair must reach, all notes of the query left out
  std::int32_t overhang;     ///< in cells
  std::int32_t gap;          ///< of each note in cells where rhythm is not compared, else 0
  BoundCodes codes;
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
/// An integer of at most 2047 as a small number, negative ones with the highest bit.
RONDO_CARD std::uint32_t small_number(std::int32_t n) {
  return n < 0 ? 0x8000U | static_cast<std::uint32_t>(-n) : static_cast<std::uint32_t>(n);
}

#if defined(__CUDA_ARCH__)
__device__ inline __half2 as_halves(std::uint32_t word) { return *reinterpret_cast<const __half2*>(&word); }
__device__ inline std::uint32_t as_word(__half2 halves) { return *reinterpret_cast<const std::uint32_t*>(&halves); }
#else
/// The same by integers: a factor has eleven digits and an exponent. Beyond 2047 it rounds no more coarsely.
inline std::int32_t number_of(std::uint32_t half) {
  const auto n = static_cast<std::int32_t>(half & 0x7FFFU);
  return (half & 0x8000U) != 0 ? -n : n;
}
inline std::uint32_t sum_of_product(std::uint32_t number, std::uint32_t by, std::uint32_t addend) {
  const auto half = [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if ((b & 0x7C00U) == 0) return c & 0xFFFFU;
    const auto digits = static_cast<std::int64_t>(0x400U | (b & 0x3FFU));
    constexpr int kPoint = 25;  // more than any exponent of ours
    const std::int64_t product = (number_of(a & 0xFFFFU) * digits) << ((b >> 10U) & 31U);
    const std::int64_t sum =
        ((b & 0x8000U) != 0 ? -product : product) + (static_cast<std::int64_t>(number_of(c & 0xFFFFU)) << kPoint);
    const std::int64_t below = sum >> kPoint;
    const std::int64_t rest = sum - (below << kPoint);
    constexpr std::int64_t kHalf = std::int64_t{1} << (kPoint - 1);
    const bool up = rest > kHalf || (rest == kHalf && (below & 1) != 0);
    return small_number(greater(static_cast<std::int32_t>(below + (up ? 1 : 0)), -32767));
  };
  return half(number, by, addend) | (half(number >> 16U, by >> 16U, addend >> 16U) << 16U);
}
#endif
/// In each half: number * by + addend.
RONDO_CARD std::uint32_t product_and(std::uint32_t number, std::uint32_t by, std::uint32_t addend) {
#if defined(__CUDA_ARCH__)
  return as_word(__hfma2(as_halves(number), as_halves(by), as_halves(addend)));
#else
  return sum_of_product(number, by, addend);
#endif
}
/// In each half: addend + |a - b| * by; `or_nothing`: at least 0.
template <bool or_nothing>
RONDO_CARD std::uint32_t with_difference(std::uint32_t addend, std::uint32_t a, std::uint32_t b, std::uint32_t by) {
#if defined(__CUDA_ARCH__)
  const __half2 apart = __habs2(__hsub2(as_halves(a), as_halves(b)));
  if (or_nothing) return as_word(__hfma2_relu(apart, as_halves(by), as_halves(addend)));
  return as_word(__hfma2(apart, as_halves(by), as_halves(addend)));
#else
  const auto apart = [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::uint32_t>(absolute(number_of(x & 0xFFFFU) - number_of(y & 0xFFFFU)));
  };
  const std::uint32_t sum = sum_of_product(apart(a, b) | (apart(a >> 16U, b >> 16U) << 16U), by, addend);
  if (!or_nothing) return sum;
  return ((sum & 0x8000U) != 0 ? 0 : sum & 0xFFFFU) | ((sum & 0x80000000U) != 0 ? 0 : sum & 0xFFFF0000U);
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
RONDO_CARD PackedNote packed_note(const Note& note, bool last, const BoundCodes& codes) {
  PackedNote out{};
  out.rhythm = static_cast<std::uint32_t>(codes.length * (note.length + kMostLengthSteps)) |
               (static_cast<std::uint32_t>(codes.change * (note.change + kMostLengthSteps)) << 16U);
  out.tune = note.pitch | ((last ? kNoInterval : interval_entry(note.next)) << 8U) |
             (static_cast<std::uint32_t>(note.gap) << 16U);
  return out;
}

RONDO_CARD std::uint32_t pitch_byte(const BoundCodes& codes, std::int32_t apart) {
  const std::int32_t distance = absolute(apart);
  return distance == 0 ? codes.equal : (distance >= 2 && distance <= 4 ? codes.near : codes.far);
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
    out |= pitch_byte(table.codes, static_cast<std::int32_t>(entry) - kMostPitch - row.pitch) << (8 * k);
  }
  return out;
}
/// A word of TotalTable::interval. The query's last note has no interval that could differ.
RONDO_CARD std::uint32_t interval_word(const TotalTable& table, std::uint32_t entry, std::uint32_t word) {
  std::uint32_t out = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    const TableRow& row = row_of_byte(table, word, k);
    const bool may_be_equal = entry == row.interval || entry == kNoInterval || row.interval == kNoInterval;
    if (row.weight != 0 && may_be_equal) out |= std::uint32_t{table.codes.same_interval} << (8 * k);
  }
  return out;
}

/// Where in TotalTable::where an entry is, in bytes.
RONDO_CARD std::uint32_t where_offset(std::uint32_t entry) { return 4 * entry; }
/// Of two notes of a document.
RONDO_CARD std::uint32_t where_offsets(std::uint32_t first_pitch, std::uint32_t second_pitch) {
  return where_offset(first_pitch) | (where_offset(second_pitch) << 16U);
}

/// A transposition, and the next best.
struct TwoTranspositions {
  std::int32_t first, second;
};

/// The two that exact_total aligns. Notes on equal pitches bound the common notes of a transposition; the common notes
/// themselves are counted in the order of these bounds, until none is left that could be among the best two.
/// `levels[k]` is a std::uint64_t as add_pitch makes it, `offsets(w)` has in its halves where in
/// TotalTable::where the pitches of the document's notes 2 w and 2 w + 1 are without a transposition: bytes from its
/// begin (where_offset). Behind the last note it has those of kNoNote. `Choice` has the first members of a TotalTable,
/// `Mask` a bit for each transposition.
template <class Mask, class Choice, class Levels, class Offsets>
RONDO_CARD TwoTranspositions two_best_of(const Choice& query, const Levels& levels, std::uint32_t transpositions,
                                         const Offsets& offsets, std::uint32_t notes) {
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
    const std::uint32_t up = where_offset(static_cast<std::uint32_t>(kMostPitch - transposition)) * 0x10001U;
    const auto* const where = reinterpret_cast<const unsigned char*>(query.where);
    std::uint32_t open = ~0U;
    const auto pass = [&](std::uint32_t offset) {
      const std::uint32_t has = *reinterpret_cast<const std::uint32_t*>(where + offset);
      open = (open + (open & has)) | (open & ~has);
    };
    for (std::uint32_t word = 0; word * 2 < notes; ++word) {
      const std::uint32_t two = offsets(word) + up;
      pass(two & 0xFFFFU);
      pass(two >> 16U);
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

template <class Choice, class Levels, class Offsets>
RONDO_CARD TwoTranspositions two_best(const Choice& query, const Levels& levels, std::uint32_t range,
                                      const Offsets& offsets, std::uint32_t notes) {
  const std::uint32_t transpositions = query.range + range + 1;
  if (transpositions <= 32) return two_best_of<std::uint32_t>(query, levels, transpositions, offsets, notes);
  return two_best_of<std::uint64_t>(query, levels, transpositions, offsets, notes);
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
  std::uint32_t step[kRows], lengths[kRows], changes[kRows], cost[kRows];
};

/// One note of the document for the lower half, the one before for the upper half. `corner` and `above` are cells of
/// the rows before each half's first. Of the last note leaving out the query's notes after it costs less: `beyond` is a
/// mask of the half of which the note is the last.
template <int kRows, bool kLast>
RONDO_CARD void bound_step(BoundState<kRows>& state, const TotalTable& table, const BoundColumn& lower,
                           const BoundColumn& upper, std::uint32_t corner, std::uint32_t above, std::uint32_t beyond) {
  const std::uint32_t* const words = &table.pitch[0][0];
  const std::uint32_t leave = lower.leave | (upper.leave << 16U);
  const std::uint32_t lengths = (lower.rhythm & 0xFFFFU) | (upper.rhythm << 16U);
  const std::uint32_t changes = (lower.rhythm >> 16U) | (upper.rhythm & 0xFFFF0000U);
  RONDO_UNROLL
  for (std::uint32_t word = 0; word * 4 < kRows; ++word) {
    const std::uint32_t in_lower =
        (words[lower.first_pitch + word] | words[lower.second_pitch + word]) + words[lower.interval + word];
    const std::uint32_t in_upper =
        (words[upper.first_pitch + kHalfWords + word] | words[upper.second_pitch + kHalfWords + word]) +
        words[upper.interval + kHalfWords + word];
    const std::uint32_t worth[4] = {byte_of_both<0>(in_lower, in_upper), byte_of_both<1>(in_lower, in_upper),
                                    byte_of_both<2>(in_lower, in_upper), byte_of_both<3>(in_lower, in_upper)};
    RONDO_UNROLL
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t r = word * 4 + k;
      if (r >= kRows) break;
      std::uint32_t pair = product_and(worth[k], state.step[r], state.base[r]);
      pair = with_difference<false>(pair, state.lengths[r], lengths, state.cost[r]);
      pair = with_difference<true>(pair, state.changes[r], changes, state.cost[r]);
      if (kLast) above += table.pair[r].beyond & beyond;
      above = add_then_greater(corner, pair, add_then_greater(state.left[r], leave, above));
      corner = state.left[r];
      state.left[r] = above;
    }
  }
}

/// Whether the total may reach the query's least total. `document[j]` is a PackedNote. kRows is TotalTable::half.
template <int kRows, class Notes>
RONDO_CARD bool bound_reaches(const TotalTable& table, const Notes& document, std::uint32_t columns,
                              const TwoTranspositions& in) {
  BoundState<kRows> state;
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) {
    const RowPair pair = table.pair[r];
    state.left[r] = pair.border;
    state.base[r] = pair.base;
    state.lengths[r] = pair.lengths;
    state.changes[r] = pair.changes;
    state.step[r] = pair.step;
    state.cost[r] = pair.cost;
  }
  const auto first = static_cast<std::int32_t>(kBoundWords) * (kMostPitch - in.first);
  const auto second = static_cast<std::int32_t>(kBoundWords) * (kMostPitch - in.second);
  constexpr std::uint32_t kIntervals = kPitchEntries * kBoundWords;
  const std::int32_t gap_factor = table.rhythm != 0 ? -table.scale : 0;
  const auto column = [&](std::uint32_t j) {
    const PackedNote note = document[j];
    const std::uint32_t pitch = (note.tune & 255U) * kBoundWords;
    const std::int32_t leave = static_cast<std::int32_t>(note.tune >> 16U) * gap_factor - table.gap;
    return BoundColumn{note.rhythm, static_cast<std::uint32_t>(leave) & 0xFFFFU,
                       pitch + static_cast<std::uint32_t>(first), pitch + static_cast<std::uint32_t>(second),
                       ((note.tune >> 8U) & 255U) * kBoundWords + kIntervals};
  };
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
  bound_step<kRows, true>(state, table, now, before, corner, above, columns == 1 ? 0xFFFFU : 0);
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) state.left[r] = (state.left[r] & 0xFFFFU) | (table.pair[r].border & 0xFFFF0000U);
  std::uint32_t most = state.left[kRows - 1];
  RONDO_UNROLL_TWICE
  for (std::uint32_t j = 1; j + 1 < columns; ++j) {
    before = now;
    now = column(j);
    corner = above;
    above = next_above(now);
    bound_step<kRows, false>(state, table, now, before, corner, above, 0);
    most = greater_halves(most, state.left[kRows - 1]);
  }
  if (columns > 1) {
    before = now;
    now = column(columns - 1);
    corner = above;
    above = next_above(now);
    bound_step<kRows, true>(state, table, now, before, corner, above, 0xFFFFU);
    most = greater_halves(most, state.left[kRows - 1]);
  }
  // The upper half's last note alone.
  corner = above;
  above = state.left[kRows - 1] << 16U;
  bound_step<kRows, true>(state, table, now, now, corner, above, 0xFFFF0000U);
  return greater(upper_half(most) - table.overhang, upper_half(state.left[kRows - 1])) >= table.least;
}

}  // namespace rondo::gpu
