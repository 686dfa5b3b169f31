#pragma once

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

#include "gpu/pair_score.h"

/// An upper bound of exact_total (pair_score.h) at a fraction of its cost, for queries of fewer than 32 notes: where
/// the best totals of a collection are low, no bound by common notes rules anything out, and this one rules out nearly
/// all.
///
/// It is the alignment of the definition, for two problems with the same document at once, one in each half of a word
/// of 32 bits: two queries, each in both of its transpositions (a pair of notes scores what it scores in the better of
/// them); or one query in one transposition and in the other. What makes it cheap can only favour the pair:
///
/// - The score of a pair of notes is, in fine units, pw - i - r - floor(f |dp| / 2^16), where pw depends on the
/// pitches,
///   i is the cost of different next intervals, r = length |dl| + change |dc| that of different rhythm, and dp the
///   difference of places. The last term, which is not negative, is left out: it would cost as much as the others and
///   rules out few more documents. r counts up to a cap (BoundCodes::cap): a note that loses more is left out anyway.
/// - pw, i and r are codes: three bytes with a sum below 128, in units of BoundCodes::unit / kUnitParts, so that the
/// sum
///   times the unit is not below pw - i - min(r, cap) less the lowest such score. Pitches and intervals have codes of
///   their own; the code of r is rounded up.
/// - The code of the better transposition is the bitwise or of both codes: of the three codes of pitches a lesser one
///   has no bit that a greater one has not.
/// - Weighted, a score v becomes at most v w / 2^15 + 1/2. So a row has a base and a step, both in cells, by which the
///   code is multiplied.
/// - A cell H(i, j) is kept as H + (the cost of leaving out all notes of the query up to i). Then leaving out a note of
///   the query costs nothing, and a pair gains so much more. That is exact.
/// - A pair that then gains less than nothing gains nothing. It would lose to leaving out both of its notes but for the
///   cost of the document's note.
///
/// Where halves are added as words, a carry from the lower half adds 1 to the upper one, in favour of the pair.
///
/// What a pair gains is computed in half precision, on integers as subnormal numbers ("small numbers"): the bits of an
/// integer n from 0 to 2047 are the number n 2^-24 (below 1024 it is subnormal, above it has the least exponent), so
/// integers need not be converted. The product and the sum are rounded once, to the nearest integer: RowPair::base has
/// half a cell more for that. What lies below 0 may be rounded more coarsely, but stays below 0 and becomes nothing.
/// total_table refuses queries whose pairs could gain more than 2047, and those whose cells would not lie between -2^15
/// and 2^15.
namespace rondo::gpu {

/// Queries have fewer notes.
inline constexpr std::uint32_t kTableRows = 32;
/// Pitch of a document less a transposition: from -kMostPitch to 2 * kMostPitch.
inline constexpr std::uint32_t kPitchEntries = 3 * kMostPitch + 1;
/// Intervals up to here are compared; then one entry for all others, and one for no interval.
inline constexpr std::int32_t kMostInterval = 13;
inline constexpr std::uint32_t kOtherInterval = 2 * kMostInterval + 1;
inline constexpr std::uint32_t kNoInterval = kOtherInterval + 1;
inline constexpr std::uint32_t kIntervalEntries = kNoInterval + 1;
/// Length and change of a document's note in one number; a slice numbers those that occur in it by how often they do,
/// so that neighbouring threads seldom read different entries of one bank.
inline constexpr std::uint32_t kSteps = 2 * kMostLengthSteps + 1;
inline constexpr std::uint32_t kMostRhythms = kSteps * kSteps;
RONDO_CARD std::uint32_t rhythm_of(const Note& note) {
  return static_cast<std::uint32_t>((note.length + kMostLengthSteps) * static_cast<std::int32_t>(kSteps) + note.change +
                                    kMostLengthSteps);
}
/// The sum of the codes of a pair.
inline constexpr std::uint32_t kMostCode = 127;
inline constexpr std::int32_t kUnitParts = 64;

/// What the codes mean, for all queries of a collection that have rhythm.
struct BoundCodes {
  std::uint8_t equal, near, far;  ///< pitches that are so
  std::uint8_t same_interval;     ///< an interval that is not different
  std::uint8_t same_rhythm;       ///< of no cost; a cost of `cap` or more has 0
  std::int32_t unit;              ///< fine units of a code, times kUnitParts
  std::int32_t cap;               ///< the greatest cost of rhythm that counts, in fine units
  std::int32_t length, change;    ///< QueryCosts
};

/// What the bound needs of a document's note.
struct alignas(8) PackedNote {
  std::uint32_t entries;  ///< rhythm as the slice numbers it; from bit 16 on interval; from bit 24 on pitch
  std::int32_t gap;
};

/// A row of both halves, each a note of a query; or none, in rows that fill up a group of four: they pair nothing, but
/// a note of the document may be left out there at no cost.
struct alignas(16) RowPair {
  std::uint32_t border;  ///< cells before the document's first note
  std::uint32_t base;    ///< small numbers
  std::uint32_t step;    ///< of a code; factors
  std::uint32_t beyond;  ///< what leaving it out after the document's last note costs less than before
};

/// A note of a query.
struct TableRow {
  std::int32_t weight;   ///< 0: no note
  std::uint16_t border;  ///< the lower 16 bits, as in RowPair
  std::uint16_t base, step, beyond;
  std::uint8_t pitch;
  std::uint8_t interval;  ///< entry
  std::int8_t length, change;
};

/// A query for the bound.
struct alignas(16) TotalTable {
  TableRow row[kTableRows];
  std::int32_t scale;     ///< cells of a unit of a total
  std::int32_t floor;     ///< what stands for a cell of 0
  std::int32_t least;     ///< the cells that a pair must reach, all notes of the query left out
  std::int32_t overhang;  ///< in cells
  std::int32_t gap;       ///< of each note of a document in cells where rhythm is not compared, else 0
  BoundCodes codes;
  std::uint8_t notes, range, rhythm;
  std::uint8_t words;                  ///< groups of four rows
  std::uint8_t up_to[2 * kMostPitch];  ///< notes with this pitch or a lower one
};

/// What one half is compared with, or both: two numbers of 16 bits, or one for each.
struct PairHead {
  RowPair row[kTableRows];
  std::uint32_t floor;       ///< both
  std::uint32_t skip_floor;  ///< floor less overhang, both
  std::int32_t overhang[2];
  std::int32_t least[2];
  std::int32_t gap_factor[2];  ///< of a document's note
  std::int32_t gap_always[2];
  std::uint32_t unused[2];  ///< 0: threads copy 16 bytes at a time
};

/// Where the words of two queries lie, in the memory of a card and in that shared by the threads of a block. A word has
/// the codes of four rows. Behind each other: pitches of the first query, [entry][word]; of the second; intervals of
/// both, [entry][word][query]; rhythm of both. Entries have an odd number of units, so that threads that read different
/// entries use different banks.
struct PairLayout {
  std::uint32_t words;
  std::uint32_t rhythms = 0;  ///< of the slice
  [[nodiscard]] RONDO_CARD constexpr std::uint32_t units() const { return words | 1U; }
  [[nodiscard]] RONDO_CARD constexpr std::uint32_t second_pitch() const { return kPitchEntries * units(); }
  [[nodiscard]] RONDO_CARD constexpr std::uint32_t interval() const { return 2 * kPitchEntries * units(); }
  [[nodiscard]] RONDO_CARD constexpr std::uint32_t rhythm() const {
    return interval() + 2 * kIntervalEntries * units();
  }
  [[nodiscard]] RONDO_CARD constexpr std::uint32_t size() const {
    return (rhythm() + 2 * rhythms * units() + 3) / 4 * 4;
  }
};

RONDO_CARD std::uint32_t halves(std::int32_t lower, std::int32_t upper) {
  return (static_cast<std::uint32_t>(lower) & 0xFFFFU) | (static_cast<std::uint32_t>(upper) << 16U);
}
RONDO_CARD std::int32_t half_of(std::uint32_t word, int which) {
  return which == 0 ? static_cast<std::int16_t>(word & 0xFFFFU) : static_cast<std::int32_t>(word) >> 16;
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
/// In each half: number * by + addend, at least 0.
RONDO_CARD std::uint32_t product_and(std::uint32_t number, std::uint32_t by, std::uint32_t addend) {
#if defined(__CUDA_ARCH__)
  return as_word(__hfma2_relu(as_halves(number), as_halves(by), as_halves(addend)));
#else
  const std::uint32_t sum = sum_of_product(number, by, addend);
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

struct WordPair {
  std::uint32_t first, second;
};
/// Two neighbouring words, the first of which has an even number.
RONDO_CARD WordPair word_pair(const std::uint32_t* words) {
#if defined(__CUDA_ARCH__)
  const uint2 both = *reinterpret_cast<const uint2*>(words);
  return {both.x, both.y};
#else
  return {words[0], words[1]};
#endif
}

RONDO_CARD std::uint32_t interval_entry(std::int32_t interval) {
  return absolute(interval) > kMostInterval ? kOtherInterval : static_cast<std::uint32_t>(interval + kMostInterval);
}

/// `rhythm` is the number that the slice has for it; `last`: it has no next note.
RONDO_CARD PackedNote packed_note(const Note& note, std::uint32_t rhythm, bool last) {
  const std::uint32_t interval = last ? kNoInterval : interval_entry(note.next);
  return {rhythm | (interval << 16U) | (std::uint32_t{note.pitch} << 24U), note.gap};
}

// Codes of a note of a query. A row without a note has 0 everywhere.

RONDO_CARD std::uint32_t pitch_code(const TotalTable& table, const TableRow& row, std::uint32_t entry) {
  const std::int32_t distance = absolute(static_cast<std::int32_t>(entry) - kMostPitch - row.pitch);
  const BoundCodes& codes = table.codes;
  return distance == 0 ? codes.equal : (distance >= 2 && distance <= 4 ? codes.near : codes.far);
}
/// The query's last note has no interval that could differ.
RONDO_CARD std::uint32_t interval_code(const TotalTable& table, const TableRow& row, std::uint32_t entry) {
  const bool may_be_equal = entry == row.interval || entry == kNoInterval || row.interval == kNoInterval;
  return may_be_equal ? table.codes.same_interval : 0;
}
/// `rhythm` is that of rhythm_of.
RONDO_CARD std::uint32_t rhythm_code(const TotalTable& table, const TableRow& row, std::uint32_t rhythm) {
  const BoundCodes& codes = table.codes;
  const std::int32_t length = static_cast<std::int32_t>(rhythm / kSteps) - kMostLengthSteps;
  const std::int32_t change = static_cast<std::int32_t>(rhythm % kSteps) - kMostLengthSteps;
  const std::int32_t cost = codes.length * absolute(length - row.length) + codes.change * absolute(change - row.change);
  if (table.rhythm == 0 || cost >= codes.cap) return 0;
  return static_cast<std::uint32_t>((kUnitParts * (codes.cap - cost) + codes.unit - 1) / codes.unit);
}
template <class Code>
RONDO_CARD std::uint32_t code_word(const TotalTable& table, std::uint32_t word, const Code& code) {
  std::uint32_t out = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    const TableRow& row = table.row[word * 4 + k];
    if (row.weight != 0) out |= code(row) << (8 * k);
  }
  return out;
}
/// Word `i` of the words of two queries. `rhythms` are those of the slice, by their numbers.
RONDO_CARD std::uint32_t pair_word(const TotalTable& first, const TotalTable& second, const PairLayout& layout,
                                   const std::uint16_t* rhythms, std::uint32_t i) {
  const std::uint32_t units = layout.units();
  if (i < layout.interval()) {
    const std::uint32_t entry = i / units % kPitchEntries;
    const std::uint32_t word = i % units;
    if (word >= layout.words) return 0;
    const TotalTable& table = i < layout.second_pitch() ? first : second;
    return code_word(table, word, [&](const TableRow& row) { return pitch_code(table, row, entry); });
  }
  const bool is_interval = i < layout.rhythm();
  const std::uint32_t at = i - (is_interval ? layout.interval() : layout.rhythm());
  const std::uint32_t entry = at / (2 * units);
  const std::uint32_t word = at % (2 * units) / 2;
  if (word >= layout.words || (!is_interval && entry >= layout.rhythms)) return 0;
  const TotalTable& table = at % 2 == 0 ? first : second;
  return code_word(table, word, [&](const TableRow& row) {
    return is_interval ? interval_code(table, row, entry) : rhythm_code(table, row, rhythms[entry]);
  });
}
RONDO_CARD RowPair row_pair(const TableRow& first, const TableRow& second) {
  return {halves(first.border, second.border), halves(first.base, second.base), halves(first.step, second.step),
          halves(first.beyond, second.beyond)};
}
/// All but the rows.
RONDO_CARD void set_head(PairHead& head, const TotalTable& first, const TotalTable& second) {
  head.floor = halves(first.floor, second.floor);
  head.skip_floor = halves(first.floor - first.overhang, second.floor - second.overhang);
  for (int k = 0; k < 2; ++k) {
    const TotalTable& table = k == 0 ? first : second;
    head.overhang[k] = table.overhang;
    head.least[k] = table.least;
    head.gap_factor[k] = table.rhythm != 0 ? -table.scale : 0;
    head.gap_always[k] = -table.gap;
    head.unused[k] = 0;
  }
}

/// A transposition, and the next best.
struct TwoTranspositions {
  std::int32_t first, second;
};

/// Two problems with the same document.
template <int kRows>
struct BoundState {
  std::uint32_t left[kRows], base[kRows], step[kRows];
};

/// What a note of a document adds to a column: where the words of the tables begin.
struct BoundColumn {
  std::uint32_t first[2], second[2];  ///< pitches: of both transpositions of each half
  std::uint32_t interval, rhythm;
  std::uint32_t leave;  ///< cells that its gap costs, negative, both
};

/// One note of the document. `above` is the cell before the first row of this column, `corner` that of the column
/// before. Under `kBoth` each half has two transpositions. `kLast`: the document's last note; leaving out the query's
/// notes after it costs less.
template <int kRows, bool kBoth, bool kLast>
RONDO_CARD void bound_step(BoundState<kRows>& state, const PairHead& head, const std::uint32_t* words,
                           const BoundColumn& column, std::uint32_t corner, std::uint32_t above) {
  RONDO_UNROLL
  for (std::uint32_t word = 0; word < kRows / 4; ++word) {
    std::uint32_t lower = words[column.first[0] + word];
    std::uint32_t upper = words[column.first[1] + word];
    if (kBoth) {
      lower |= words[column.second[0] + word];
      upper |= words[column.second[1] + word];
    }
    const WordPair interval = word_pair(words + column.interval + 2 * word);
    const WordPair rhythm = word_pair(words + column.rhythm + 2 * word);
    lower += interval.first + rhythm.first;
    upper += interval.second + rhythm.second;
    const std::uint32_t code[4] = {byte_of_both<0>(lower, upper), byte_of_both<1>(lower, upper),
                                   byte_of_both<2>(lower, upper), byte_of_both<3>(lower, upper)};
    RONDO_UNROLL
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t r = word * 4 + k;
      const std::uint32_t gain = product_and(code[k], state.step[r], state.base[r]);
      if (kLast) above += head.row[r].beyond;
      above = add_then_greater(corner, gain, add_then_greater(state.left[r], column.leave, above));
      corner = state.left[r];
      state.left[r] = above;
    }
  }
}

/// Whether the total of each half may reach its least total: bit 0 for the lower half. `words` has the PairLayout of
/// kRows rows, `document[j]` is a PackedNote, `columns` is not 0. Under `kBoth` in[k] are the transpositions of half k;
/// otherwise in[0].first is that of the lower half and in[0].second that of the upper one.
template <int kRows, bool kBoth, class Notes>
RONDO_CARD std::uint32_t bound_reaches(const PairHead& head, const std::uint32_t* words, const Notes& document,
                                       std::uint32_t columns, const TwoTranspositions* in) {
  static_assert(kRows % 4 == 0);
  constexpr PairLayout kLayout{kRows / 4};
  constexpr std::uint32_t kUnits = kLayout.units();
  BoundState<kRows> state;
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) {
    const RowPair row = head.row[r];
    state.left[r] = row.border;
    state.base[r] = row.base;
    state.step[r] = row.step;
  }
  const auto begin_of = [](std::int32_t transposition) {
    return static_cast<std::uint32_t>(kMostPitch - transposition) * kUnits;
  };
  const std::uint32_t first[2] = {begin_of(in[0].first),
                                  begin_of(kBoth ? in[1].first : in[0].second) + kLayout.second_pitch()};
  const std::uint32_t second[2] = {begin_of(in[0].second), begin_of(in[kBoth ? 1 : 0].second) + kLayout.second_pitch()};
  const auto column = [&](const PackedNote& note) {
    const std::uint32_t pitch = (note.entries >> 24U) * kUnits;
    BoundColumn out{};
    RONDO_UNROLL
    for (int k = 0; k < 2; ++k) {
      out.first[k] = pitch + first[k];
      out.second[k] = pitch + second[k];
    }
    out.interval = ((note.entries >> 16U) & 255U) * (2 * kUnits) + kLayout.interval();
    out.rhythm = (note.entries & 0xFFFFU) * (2 * kUnits) + kLayout.rhythm();
    out.leave =
        halves(note.gap * head.gap_factor[0] + head.gap_always[0], note.gap * head.gap_factor[1] + head.gap_always[1]);
    return out;
  };
  std::uint32_t most = head.row[kRows - 1].border;
  std::uint32_t above = head.floor;
  PackedNote note = document[0];
  RONDO_UNROLL_FOUR
  for (std::uint32_t j = 0; j + 1 < columns; ++j) {
    const BoundColumn now = column(note);
    note = document[j + 1];
    const std::uint32_t corner = above;
    above = add_then_greater(above, now.leave, head.skip_floor);
    bound_step<kRows, kBoth, false>(state, head, words, now, corner, above);
    most = greater_halves(most, state.left[kRows - 1]);
  }
  const BoundColumn now = column(note);
  const std::uint32_t corner = above;
  above = add_then_greater(above, now.leave, head.skip_floor);
  bound_step<kRows, kBoth, true>(state, head, words, now, corner, above);
  std::uint32_t reaches = 0;
  RONDO_UNROLL
  for (int k = 0; k < 2; ++k) {
    const std::int32_t total = greater(half_of(most, k) - head.overhang[k], half_of(state.left[kRows - 1], k));
    if (total >= head.least[k]) reaches |= 1U << k;
  }
  return reaches;
}

/// Calls `with.template operator()<rows>()` for groups of four rows.
template <class With>
auto with_rows(std::uint32_t words, const With& with) {
  switch (words) {
    case 1: return with.template operator()<4>();
    case 2: return with.template operator()<8>();
    case 3: return with.template operator()<12>();
    case 4: return with.template operator()<16>();
    case 5: return with.template operator()<20>();
    case 6: return with.template operator()<24>();
    case 7: return with.template operator()<28>();
    default: return with.template operator()<32>();
  }
}

}  // namespace rondo::gpu
