#pragma once

#include "gpu/total_bound.h"

/// The two transpositions in which the definition aligns a query and a document, of all transpositions at once: a bit
/// of a word for each.
namespace rondo::gpu {

/// For two_best: a bit for a pitch of a document, moved up by how far the pitch of the query's row lies below its
/// highest.
RONDO_CARD std::uint32_t bit_of_pitch(std::uint32_t pitch) { return pitch < 32 ? 1U << pitch : 0; }
RONDO_CARD std::uint32_t bit_of(const TotalTable& table, std::uint32_t row) {
  const std::uint32_t shift = std::uint32_t{table.range} - table.row[row].pitch;
  return table.row[row].weight == 0 || shift >= 32 ? 0 : 1U << shift;
}

/// The lengths of the common subsequences of 32 transpositions, a bit of each in every slice.
struct CommonCounts {
  static constexpr int kSlices = 5;
  std::uint32_t slice[kSlices];
};

/// The counts of 32 transpositions at once, one bit each. With the cells of the usual table of common subsequences,
/// L(i, j), down = L(i, j) - L(i - 1, j) and right = L(i, j) - L(i, j - 1) are 0 or 1; a cell is one more than its
/// diagonal neighbour where the notes have equal pitches or one of the two before is 1:
///   down' = (equal | down) & ~right,  right' = (equal | right) & ~down.
/// The sum of all `down` after the document's last note is L. `equal(i, of_note)` has the bits of the transpositions in
/// which the query's note i has the pitch of the document's note j, where `of_note` is what `column(j)` returned.
template <int kRows, class Column, class Equal>
RONDO_CARD CommonCounts common_counts(std::uint32_t notes, const Column& column, const Equal& equal) {
  std::uint32_t down[kRows] = {};
  for (std::uint32_t j = 0; j < notes; ++j) {
    const std::uint32_t of_note = column(j);
    std::uint32_t right = 0;
    RONDO_UNROLL
    for (int i = 0; i < kRows; ++i) {
      const std::uint32_t same = equal(i, of_note);
      const std::uint32_t before = down[i];
      down[i] = (same | before) & ~right;
      right = (same | right) & ~before;
    }
  }
  // Bits are summed in each place: words of one weight are added three at a time.
  CommonCounts out{};
  int words = kRows;
  RONDO_UNROLL
  for (int slice = 0; slice < CommonCounts::kSlices; ++slice) {
    int carries = 0;
    std::uint32_t sum = words > 0 ? down[0] : 0;
    RONDO_UNROLL
    for (int i = 1; i < kRows; i += 2) {
      if (i >= words) continue;
      const std::uint32_t first = down[i];
      const std::uint32_t second = i + 1 < words ? down[i + 1] : 0;
      down[carries++] = (sum & first) | (sum & second) | (first & second);
      sum = sum ^ first ^ second;
    }
    out.slice[slice] = sum;
    words = carries;
  }
  return out;
}

/// The lowest bit of those among `left` with the greatest count; 0 where all counts are 0.
RONDO_CARD std::uint32_t best_of(const CommonCounts& counts, std::uint32_t left) {
  std::uint32_t most = left;
  std::uint32_t any = 0;
  RONDO_UNROLL
  for (int slice = CommonCounts::kSlices - 1; slice >= 0; --slice) {
    const std::uint32_t with = most & counts.slice[slice];
    any |= with;
    most = with != 0 ? with : most;
  }
  return any == 0 ? 0 : most & (~most + 1);
}

/// The count of a bit.
RONDO_CARD std::uint32_t count_of(const CommonCounts& counts, std::uint32_t bit) {
  std::uint32_t out = 0;
  RONDO_UNROLL
  for (int slice = 0; slice < CommonCounts::kSlices; ++slice) {
    out |= (counts.slice[slice] & bit) != 0 ? 1U << slice : 0;
  }
  return out;
}

/// The same in any range: 32 transpositions after the other.
template <int kRows, class Document>
RONDO_CARD TwoTranspositions two_best_of_many(const TotalTable& query, std::uint32_t document_range,
                                              const Document& document, std::uint32_t notes) {
  std::uint32_t best = 0;
  std::uint32_t next = 0;
  for (auto begin = -static_cast<std::int32_t>(query.range); begin <= static_cast<std::int32_t>(document_range);
       begin += 32) {
    const CommonCounts counts = common_counts<kRows>(
        notes, [&](std::uint32_t j) { return document.pitch(j); },
        [&](int i, std::uint32_t pitch) -> std::uint32_t {
          const std::uint32_t bit = pitch - query.row[i].pitch - static_cast<std::uint32_t>(begin);
          return query.row[i].weight != 0 && bit < 32 ? 1U << bit : 0;
        });
    std::uint32_t left = ~0U;
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t bit = best_of(counts, left);
      if (bit == 0) break;
      left ^= bit;
      const std::uint32_t order =
          transposition_order(count_of(counts, bit), begin + static_cast<std::int32_t>(first_one_in(bit)));
      const std::uint32_t lesser = order < best ? order : best;
      best = order < best ? best : order;
      next = lesser < next ? next : lesser;
    }
  }
  return {transposition_of(best), transposition_of(next == 0 ? best : next)};
}

/// The two transpositions that exact_total aligns: those with the longest common subsequences of pitches, of equal ones
/// the lower. `bits[i]` is bit_of the query's row i; `query` is its table. `document.pitch(j)` is the pitch of its note
/// j, and `document.bit(j)` is bit_of_pitch of that. Both melodies have a note.
///
/// The lowest 32 transpositions are counted first. If there are more, those have at most as many common notes as the
/// query has notes that are then within the document's range, which are its lowest. As of equal transpositions the
/// lower one is taken, they matter only if that is more than the second best has.
template <int kRows, class Document>
RONDO_CARD TwoTranspositions two_best(const std::uint32_t (&bits)[kRows], const TotalTable& query,
                                      std::uint32_t document_range, const Document& document, std::uint32_t notes) {
  // A product is a shift that the units for logic, which have most to do, need not make.
  const CommonCounts counts = common_counts<kRows>(
      notes, [&](std::uint32_t j) { return document.bit(j); }, [&](int i, std::uint32_t bit) { return bits[i] * bit; });
  const std::uint32_t first = best_of(counts, ~0U);
  const std::uint32_t second = best_of(counts, ~first);
  const std::uint32_t range = query.range + document_range;
  if (range >= 32 && query.up_to[range - 32] > count_of(counts, second)) {
    return two_best_of_many<kRows>(query, document_range, document, notes);
  }
  const std::int32_t lowest = -static_cast<std::int32_t>(query.range);
  const std::int32_t best = lowest + static_cast<std::int32_t>(first_one_in(first));
  return {best, second == 0 ? best : lowest + static_cast<std::int32_t>(first_one_in(second))};
}

}  // namespace rondo::gpu
