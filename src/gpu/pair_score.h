#pragma once

#include "gpu/card_code.h"
#include "similarity/common_order.h"

/// What one thread of a graphics card computes of two melodies under the system rondo (similarity/systems/rondo.h), in
/// functions that compile for the card and for the CPU: cuda_card.cu and emulated_card.cpp call the same code, and the
/// tests compare it with the definition. Nothing here allocates, throws or uses the standard library.
///
/// The score of the definition is the greatest total over the two transpositions with the longest common subsequence of
/// pitches. A pair of melodies passes three stages, each of which can only err in favour of the pair:
///
/// 1. gain_bound.h: in which transpositions the pair can have enough in common, by counting.
/// 2. gain_bound.h: the same in the order of the notes. A query needs `least_common` notes of equal pitch to reach its
///    threshold (concordances/rondo_units.h), and `least_gain` units.
/// 3. align: the definition's total in one transposition, exactly. All numbers are whole. A cell is a sum of at most
///    2 * kMostNotes terms, each of which is below 2^16 under the plans that are let in, so 32 bits hold it; and a
///    product of a difference of places (at most 2^14) and its factor (at most 2^14) is at most 2^28.
///
/// Where both melodies must reach their thresholds as the query, all stages ask only the one that needs more
/// (asks_document): each of the two may reach its threshold in a transposition of its own, so no single transposition
/// need suffice for both. What is kept is scored by the system itself, on the CPU, in both directions.
namespace rondo::gpu {

/// Longer melodies are compared by the CPU: their notes do not fit into one word.
inline constexpr std::uint32_t kMostNotes = 64;
/// Pitches above the lowest of the melody; wider melodies are compared by the CPU.
inline constexpr int kMostPitch = 63;
/// explained::kFine, kLengthSteps * 2 (a unit test compares them).
inline constexpr std::int32_t kEqualPitch = 1024;
inline constexpr std::int32_t kMostLengthSteps = 16;
/// Less than every total.
inline constexpr std::int32_t kNoTotal = -0x7FFFFFFF - 1;

/// What is compared of a note.
struct alignas(8) Note {
  std::uint8_t pitch;  ///< above the lowest of the melody
  std::int8_t next;    ///< interval to the next note; 0 at the last
  std::int8_t length;  ///< explained::Features
  std::int8_t change;
  std::uint16_t place;
  std::int16_t gap;  ///< what leaving it out costs where rhythm is compared
};

/// A melody; `notes` is 0 where the CPU compares it.
struct Melody {
  std::uint32_t first_note;  ///< of its slice
  std::int32_t least_total;  ///< as the query, to reach the threshold
  std::int32_t perfect;      ///< the total of the query with itself, which none exceeds
  std::uint8_t notes;
  std::uint8_t rhythm;        ///< as the query, rhythm is compared
  std::uint8_t least_common;  ///< notes of equal pitch that it needs as the query; 255: more than it has
  std::uint8_t range;         ///< its highest pitch
  std::uint32_t least_gain;   ///< units that it needs as the query (gain_bound.h)
};

/// explained::Costs of queries with rhythm, or without.
struct QueryCosts {
  std::int32_t near, far, length, change, interval, overhang;
  std::int32_t even_gap;  ///< of every note where rhythm is not compared
  std::int32_t rhythm;
  std::int32_t weight[2 * kMostLengthSteps + 1];
  std::int32_t gap[2 * kMostLengthSteps + 1];
  std::int32_t beyond[2 * kMostLengthSteps + 1];
};

/// Everything that pairs cost under one plan.
struct CostTables {
  QueryCosts of[2];                                           ///< without rhythm, with
  std::int32_t place_factor[kMostNotes + 1][kMostNotes + 1];  ///< explained::Costs::place_factor, with rhythm
};

/// When a pair is found: see concordances::PairRule.
struct Rule {
  std::uint32_t both;     ///< in both directions; otherwise in one of them
  std::uint32_t ordered;  ///< only documents with a higher number than the query
};

/// Intervals to the next note are compared modulo this where only a bound is wanted.
inline constexpr std::uint32_t kNextClasses = 32;

/// A melody as the query of many documents. A transposition is how much higher the document's pitch above its lowest is
/// than the query's above its own.
struct Query {
  std::uint64_t where[kMostPitch + 1];  ///< by pitch, which notes have it
  /// By length in steps from -kMostLengthSteps on, which notes are alike (gain_bound.h).
  std::uint64_t alike[2 * kMostLengthSteps + 1];
  /// By interval, which notes are followed by such a one, or by none.
  std::uint64_t next[kNextClasses];
  std::uint8_t below[kMostPitch + 2];  ///< by pitch, how many notes are lower
  Note note[kMostNotes];
  Melody melody;
  std::uint32_t number;  ///< of the melody; documents are numbered alike
};

/// explained::Costs::weighted.
RONDO_CARD std::int32_t weighted(std::int32_t fine, std::int32_t weight) { return (fine * weight + (1 << 14)) >> 15; }

/// The notes of a query with a pitch of a document; none outside its range.
template <class Word, class Where>
RONDO_CARD Word notes_at(const Where& where, std::uint32_t document_pitch, std::int32_t transposition) {
  const std::int32_t at = static_cast<std::int32_t>(document_pitch) - transposition;
  return at < 0 || at > kMostPitch ? Word{0} : static_cast<Word>(where[at]);
}

/// The longest common subsequence of pitches in one transposition. `where` is Query::where in words that have a bit for
/// each note; `pitch(j)` is a document's.
template <class Word, class Where, class Pitches>
RONDO_CARD std::uint32_t common_notes(const Where& where, std::uint32_t query_notes, const Pitches& pitch,
                                      std::uint32_t notes, std::int32_t transposition) {
  CommonOrder<Word> order;
  for (std::uint32_t j = 0; j < notes; ++j) order.add(notes_at<Word>(where, pitch(j), transposition));
  return ones_in(order.paired(query_notes));
}

/// The better of two transpositions has the greater number: more common notes; of equally many, it is the lower one.
RONDO_CARD std::uint32_t transposition_order(std::uint32_t common, std::int32_t transposition) {
  return common * 256 + static_cast<std::uint32_t>(kMostPitch - transposition);
}
RONDO_CARD std::int32_t transposition_of(std::uint32_t order) {
  return kMostPitch - static_cast<std::int32_t>(order % 256);
}

/// `kRows` notes of a query at once, from the first on; `cells[j]` is the row before them, then the last of them.
/// Returns the greatest cell of the last; `remaining`, what the notes of the query that follow can add, becomes less.
template <int kRows, class Notes, class Cells>
RONDO_CARD std::int32_t align_rows(const QueryCosts& costs, const Note* query, bool last, const Notes& document,
                                   std::int32_t columns, std::int32_t transposition, std::int32_t place_factor,
                                   std::int32_t& remaining, Cells& cells) {
  std::int32_t corner[kRows], left[kRows], pitch[kRows], next[kRows], length[kRows], change[kRows], place[kRows],
      weight[kRows], gap[kRows], beyond[kRows], interval[kRows];
  std::int32_t border = cells[0];
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) {
    const Note note = query[r];
    pitch[r] = note.pitch + transposition;
    next[r] = note.next;
    length[r] = note.length;
    change[r] = note.change;
    place[r] = note.place;
    weight[r] = costs.weight[note.length + kMostLengthSteps];
    gap[r] = costs.gap[note.length + kMostLengthSteps];
    beyond[r] = costs.beyond[note.length + kMostLengthSteps];
    interval[r] = last && r + 1 == kRows ? 0 : costs.interval;
    remaining -= weighted(kEqualPitch, weight[r]);
    corner[r] = border;
    border -= beyond[r];
    left[r] = border;
  }
  cells[0] = border;
  std::int32_t most = border;
  for (std::int32_t j = 0; j < columns; ++j) {
    const Note note = document[j];
    const std::int32_t leave = costs.rhythm != 0 ? note.gap : costs.even_gap;
    const bool goes_on = j + 1 < columns;
    std::int32_t above = cells[j + 1];
    RONDO_UNROLL
    for (int r = 0; r < kRows; ++r) {
      const std::int32_t apart = absolute(note.pitch - pitch[r]);
      std::int32_t fine = apart == 0 ? kEqualPitch : (apart >= 2 && apart <= 4 ? costs.near : costs.far);
      fine -= costs.length * absolute(note.length - length[r]);
      fine -= costs.change * absolute(note.change - change[r]);
      fine -= (place_factor * absolute(note.place - place[r])) >> 16;
      if (goes_on && note.next != next[r]) fine -= interval[r];
      const std::int32_t paired = corner[r] + weighted(fine, weight[r]);
      corner[r] = above;
      above = greater(paired, greater(left[r] - leave, above - (goes_on ? gap[r] : beyond[r])));
      left[r] = above;
    }
    cells[j + 1] = above;
    most = greater(most, above);
  }
  return most;
}

/// Stage 3: explained::align. `document[j]` is a Note, `cells[j]` a std::int32_t&, for j up to `columns`. A total below
/// `least` may be any number below it: the work ends when what is left of the query cannot lift any cell that high, for
/// a note of the query adds at most what it adds with itself.
template <class Notes, class Cells>
RONDO_CARD std::int32_t align(const CostTables& tables, const Melody& melody, const Note* query, const Notes& document,
                              std::uint32_t columns, std::int32_t transposition, std::int32_t least, Cells& cells) {
  const bool rhythm = melody.rhythm != 0;
  const std::uint32_t rows = melody.notes;
  const QueryCosts& costs = tables.of[rhythm ? 1 : 0];
  const std::int32_t place_factor = rhythm ? tables.place_factor[rows][columns] : 0;
  const auto width = static_cast<std::int32_t>(columns);
  std::int32_t skipped = 0;
  cells[0] = 0;
  for (std::int32_t j = 0; j < width; ++j) {
    const Note note = document[j];
    skipped = greater(skipped - (rhythm ? note.gap : costs.even_gap), -costs.overhang);
    cells[j + 1] = skipped;
  }
  std::int32_t remaining = melody.perfect;
  std::uint32_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    const std::int32_t most =
        align_rows<4>(costs, query + i, i + 4 == rows, document, width, transposition, place_factor, remaining, cells);
    if (most + remaining < least) return kNoTotal;
  }
  for (; i < rows; ++i) {
    (void)align_rows<1>(costs, query + i, i + 1 == rows, document, width, transposition, place_factor, remaining,
                        cells);
  }
  std::int32_t most = cells[width];
  for (std::int32_t j = 0; j < width; ++j) most = greater(most, cells[j] - costs.overhang);
  return most;
}

/// Whether a query reaches its least total in a transposition.
template <class Notes, class Cells>
RONDO_CARD bool reaches(const CostTables& tables, const Melody& query, const Note* query_notes, const Notes& document,
                        std::uint32_t columns, std::int32_t transposition, Cells& cells) {
  return align(tables, query, query_notes, document, columns, transposition, query.least_total, cells) >=
         query.least_total;
}

/// Whether all stages ask the document, as the query of a pair that must hold in both directions.
RONDO_CARD bool asks_document(const Rule& rule, const Melody& query, const Melody& document) {
  return rule.both != 0 && document.least_gain > query.least_gain;
}

/// Whether a pair may hold by a transposition. `load(notes, count)` makes the notes of a melody ready for being read
/// many times; only the last that it returned is used.
template <class Load, class Cells>
RONDO_CARD bool may_hold(const CostTables& tables, const Rule& rule, const Query& query, const Melody& document,
                         const Note* document_notes, std::int32_t transposition, Load& load, Cells& cells) {
  if (!asks_document(rule, query.melody, document)) {
    const auto other = load(document_notes, document.notes);
    if (reaches(tables, query.melody, query.note, other, document.notes, transposition, cells)) return true;
    if (rule.both != 0) return false;
  }
  const auto other = load(query.note, query.melody.notes);
  return reaches(tables, document, document_notes, other, query.melody.notes, -transposition, cells);
}

/// The definition's total: the greatest over the two transpositions with most common notes, of equal ones the lower.
/// Both melodies have a note, so there is a transposition with a common one.
template <class Word, class Where, class Pitches, class Notes, class Cells>
RONDO_CARD std::int32_t exact_total(const CostTables& tables, const Melody& query, const Note* query_notes,
                                    const Where& where, const Melody& document, const Pitches& pitch,
                                    const Notes& document_notes, Cells& cells) {
  // The greater, the better: the number of notes, then how low the transposition is.
  std::uint32_t best = 0;
  std::uint32_t second = 0;
  for (std::int32_t t = -static_cast<std::int32_t>(query.range); t <= static_cast<std::int32_t>(document.range); ++t) {
    const std::uint32_t common = common_notes<Word>(where, query.notes, pitch, document.notes, t);
    const std::uint32_t order = transposition_order(common, t);
    if (order > best) {
      second = best;
      best = order;
    } else if (order > second) {
      second = order;
    }
  }
  const std::int32_t total =
      align(tables, query, query_notes, document_notes, document.notes, transposition_of(best), kNoTotal, cells);
  if (second < 256) return total;
  return greater(
      total, align(tables, query, query_notes, document_notes, document.notes, transposition_of(second), total, cells));
}

}  // namespace rondo::gpu
