#pragma once

#include "gpu/card_code.h"

/// What one thread of a graphics card computes of two melodies under the system rondo (similarity/systems/rondo.h), in
/// functions that compile for the card and for the CPU: cuda_card.cu and emulated_card.cpp call the same code, and the
/// tests compare it with the definition. Nothing here allocates, throws or uses the standard library.
///
/// A pair of melodies passes three stages, each of which can only err in favour of the pair:
///
/// 1. shared_transpositions: in transposition t, no alignment pairs more notes of equal pitch than there are on equal
///    pitches, which is the sum over pitches of the lesser number of notes. The notes on one pitch are counted up to
///    kLevels; where the query has more, the document is taken to have them too if it has kLevels.
/// 2. ordered_transpositions: nor more than the longest common subsequence of pitches, which is exact.
///    A query needs `least_common` of them to reach its threshold (concordances/rondo_units.h). Of these, so many must
///    also be about equally long (concordances/length_bound.h), where only the query's own score decides.
/// 3. align: the definition's total in one transposition, exactly. All numbers are whole. A cell is a sum of at most
///    2 * kMostNotes terms, each of which is below 2^16 under the plans that are let in, so 32 bits hold it; and a
///    product of a difference of places (at most 2^14) and its factor (at most 2^14) is at most 2^28.
///
/// The score of the definition is the greatest total over the two transpositions with the longest common subsequence.
/// `may_hold` is asked for all that stages 1 and 2 left. Those that they removed cannot reach the threshold.
/// So a pair whose score reaches it is never dropped; what is kept is scored by the system itself, on the CPU.
///
/// Where the exact total of a query is wanted (Rule::exact), stage 2 keeps the best two of the transpositions with at
/// least `need` common notes. The definition takes the best two of all. A transposition that is among these and not
/// among those has fewer than `need` common notes, so its total is below `least_total`; and each that is among those is
/// among these. So the greatest total of those that are kept is the definition's wherever that reaches `least_total`,
/// and below `least_total` wherever it does not.
namespace rondo::gpu {

/// Longer melodies are compared by the CPU: their notes do not fit into one word.
inline constexpr std::uint32_t kMostNotes = 64;
/// Pitches above the lowest of the melody; wider melodies are compared by the CPU.
inline constexpr int kMostPitch = 63;
/// Notes on one pitch that are counted.
inline constexpr std::uint32_t kLevels = 8;
/// Transpositions from -kMostPitch to kMostPitch, one bit each.
inline constexpr std::uint32_t kMaskWords = 4;
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
  std::uint32_t both;       ///< in both directions; otherwise in one of them
  std::uint32_t ordered;    ///< only documents with a higher number than the query
  std::uint32_t exact = 0;  ///< in the query's direction, `both` or not, and with its exact total
};

/// Which of up to 128 transpositions are left; bit b of word w is the transposition `lowest` + 32 * w + b. A
/// transposition is how much higher the document's pitch above its lowest is than the query's above its own.
struct Transpositions {
  std::uint32_t word[kMaskWords];
};

/// A melody as the query of many documents.
struct Query {
  /// Its pitches, those of first notes on a pitch, then those of second ones and so on, each byte a pitch with
  /// kNextLevel at the first of a level (no more than kLevels of them); filled up with kNoPitch to a multiple of four.
  std::uint32_t order[kMostNotes / 4];
  std::uint64_t where[kMostPitch + 1];  ///< by pitch, which notes have it
  /// By length in steps from -kMostLengthSteps on, which notes are about as long.
  std::uint64_t alike[2 * kMostLengthSteps + 1];
  /// By the number of common notes, how many of them must be alike; 255: none suffices.
  std::uint8_t least_alike[kMostNotes + 1];
  std::uint8_t by_length;  ///< whether that bounds every pair
  Note note[kMostNotes];
  Melody melody;
  std::uint32_t number;  ///< of the melody; documents are numbered alike
  std::int16_t lowest;   ///< transposition of the first bit
  std::uint8_t words;    ///< of Transpositions that are used
  std::uint8_t quads;    ///< words of `order`
  /// All totals with it fit into 16 bits. No cell of an alignment is greater than its perfect total, or less than if
  /// all of its notes up to there and, for the overhang, any of the document's were left out.
  std::uint8_t narrow;
};
inline constexpr std::uint32_t kNextLevel = 0x40;
inline constexpr std::uint32_t kNoPitch = 0x80;

/// explained::Costs::weighted.
RONDO_CARD std::int32_t weighted(std::int32_t fine, std::int32_t weight) { return (fine * weight + (1 << 14)) >> 15; }

/// Notes of equal pitch that a pair needs.
RONDO_CARD std::uint32_t needed(const Rule& rule, std::uint32_t query, std::uint32_t document) {
  if (rule.exact != 0) return query;
  return (query > document) == (rule.both != 0) ? query : document;
}

/// Adds a note of a document to its levels: bit p of level k says that it has more than k notes on pitch p.
/// `levels[k]` is a std::uint64_t&.
template <class Levels>
RONDO_CARD void add_pitch(Levels& levels, std::uint32_t pitch) {
  const std::uint64_t bit = std::uint64_t{1} << pitch;
  for (std::uint32_t k = 0; k < kLevels; ++k) {
    const std::uint64_t before = levels[k];
    levels[k] = before | bit;
    if ((before & bit) == 0) return;
  }
}

/// Stage 1: the transpositions in which query and document have at least `need` notes on equal pitches. Counts of 32
/// transpositions at once, one bit of every count in each of kSlices words. 2^kSlices is greater than the query's
/// number of notes. Returns whether there is one.
template <int kSlices, class QueryPart, class Levels>
RONDO_CARD bool shared_transpositions(const QueryPart& query, const Levels& levels, std::uint32_t need,
                                      Transpositions& out) {
  std::uint32_t any = 0;
  RONDO_UNROLL  // so that `out` lies in registers
      for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    if (w >= query.words) break;
    const std::int32_t lowest = query.lowest + static_cast<std::int32_t>(32 * w);
    std::uint32_t count[kSlices] = {};
    std::uint64_t level = 0;
    std::uint32_t next_level = 0;
    for (std::uint32_t quad = 0; quad < query.quads; ++quad) {
      const std::uint32_t four = query.order[quad];
      std::uint32_t has[4];
      RONDO_UNROLL
      for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t entry = four >> (8 * k);
        if ((entry & kNextLevel) != 0) level = levels[next_level++];
        const std::int32_t shift = static_cast<std::int32_t>(entry & 63U) + lowest;
        std::uint32_t bits = 0;
        if (shift >= 0) {
          bits = shift < 64 ? static_cast<std::uint32_t>(level >> shift) : 0;
        } else {
          bits = shift > -32 ? static_cast<std::uint32_t>(level) << -shift : 0;
        }
        has[k] = (entry & kNoPitch) != 0 ? 0 : bits;
      }
      // Four bits of each transposition are added: two full adders for the ones, one for the twos, then carries.
      const std::uint32_t half = count[0] ^ has[0] ^ has[1];
      const std::uint32_t two = (count[0] & has[0]) | (count[0] & has[1]) | (has[0] & has[1]);
      const std::uint32_t other_two = (half & has[2]) | (half & has[3]) | (has[2] & has[3]);
      count[0] = half ^ has[2] ^ has[3];
      std::uint32_t carry = (count[1] & two) | (count[1] & other_two) | (two & other_two);
      count[1] = count[1] ^ two ^ other_two;
      RONDO_UNROLL
      for (int slice = 2; slice < kSlices; ++slice) {
        const std::uint32_t more = count[slice] & carry;
        count[slice] ^= carry;
        carry = more;
      }
    }
    std::uint32_t enough = ~0U;
    RONDO_UNROLL
    for (int slice = 0; slice < kSlices; ++slice) {
      const std::uint32_t bit = 0U - ((need >> slice) & 1U);
      enough = (count[slice] & ~bit) | (enough & ~(count[slice] ^ bit));
    }
    out.word[w] = enough;
    any |= enough;
  }
  return any != 0;
}

/// The longest common subsequence of pitches in one transposition; H. Hyyrö: Bit-parallel LCS-length computation
/// revisited, 2004. `where` is Query::where in words that have a bit for each note; `pitch(j)` is a document's.
/// `among(j)` are the notes of the query that the document's may be paired with.
template <class Word, class Where, class Pitches, class Among>
RONDO_CARD std::uint32_t common_notes_among(const Where& where, std::uint32_t query_notes, const Pitches& pitch,
                                            std::uint32_t notes, std::int32_t transposition, const Among& among) {
  Word open = ~Word{0};
  for (std::uint32_t j = 0; j < notes; ++j) {
    const std::int32_t at = static_cast<std::int32_t>(pitch(j)) - transposition;
    if (at < 0 || at > kMostPitch) continue;
    const Word met = open & static_cast<Word>(where[at]) & among(j);
    open = (open + met) | (open - met);
  }
  const Word all = query_notes == 8 * sizeof(Word) ? ~Word{0} : (Word{1} << query_notes) - 1;
  return ones_in(static_cast<Word>(~open & all));
}

template <class Word>
struct AnyNote {
  RONDO_CARD Word operator()(std::uint32_t /*j*/) const { return ~Word{0}; }
};

template <class Word, class Alike, class Lengths>
struct AlikeNote {
  const Alike& alike;
  const Lengths& length;  ///< in steps from 0 on
  RONDO_CARD Word operator()(std::uint32_t j) const { return static_cast<Word>(alike[length(j)]); }
};

template <class Word, class Where, class Pitches>
RONDO_CARD std::uint32_t common_notes(const Where& where, std::uint32_t query_notes, const Pitches& pitch,
                                      std::uint32_t notes, std::int32_t transposition) {
  return common_notes_among<Word>(where, query_notes, pitch, notes, transposition, AnyNote<Word>{});
}

/// What stage 2 needs of a query.
template <class Where, class Alike>
struct OrderedQuery {
  const Where& where;
  const Alike& alike;
  const std::uint8_t* least_alike;
  std::uint32_t notes;
  bool by_length;
};

/// And of a document.
template <class Pitches, class Lengths>
struct OrderedDocument {
  const Pitches& pitch;
  const Lengths& length;
  std::uint32_t notes;
};

/// Stage 2: of the transpositions, those in which at least `need` notes are in the same order, and enough of them about
/// equally long. Whether there is one.
template <class Word, class Window, class Own, class Document>
RONDO_CARD bool ordered_transpositions(const Window& window, const Own& query, const Document& document,
                                       std::uint32_t need, Transpositions& left) {
  bool any = false;
  RONDO_UNROLL
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    if (w >= window.words) break;
    std::uint32_t kept = left.word[w];
    for (std::uint32_t bits = left.word[w]; bits != 0; bits &= bits - 1) {
      const std::uint32_t bit = first_one_in(bits);
      const std::int32_t transposition = window.lowest + static_cast<std::int32_t>(32 * w + bit);
      const std::uint32_t common =
          common_notes<Word>(query.where, query.notes, document.pitch, document.notes, transposition);
      bool enough = common >= need;
      if (enough && query.by_length) {
        const auto among =
            AlikeNote<Word, decltype(query.alike), decltype(document.length)>{query.alike, document.length};
        const std::uint32_t alike =
            common_notes_among<Word>(query.where, query.notes, document.pitch, document.notes, transposition, among);
        enough = alike >= query.least_alike[common];
      }
      if (!enough) kept &= ~(1U << bit);
    }
    left.word[w] = kept;
    any = any || kept != 0;
  }
  return any;
}

/// The better of two transpositions has the greater number: more common notes; of equally many, it is the lower one.
RONDO_CARD std::uint32_t transposition_order(std::uint32_t common, std::int32_t transposition) {
  return common * 256 + static_cast<std::uint32_t>(kMostPitch - transposition);
}
RONDO_CARD std::int32_t transposition_of(std::uint32_t order) {
  return kMostPitch - static_cast<std::int32_t>(order % 256);
}

/// Stage 2 where exact totals are wanted: of the transpositions with at least `need` notes in the same order the best
/// two, unless too few of their notes are about equally long. Whether there is one.
template <class Word, class Window, class Own, class Document>
RONDO_CARD bool best_transpositions(const Window& window, const Own& query, const Document& document,
                                    std::uint32_t need, Transpositions& left) {
  std::uint32_t best[2] = {0, 0};
  RONDO_UNROLL
  for (std::uint32_t w = 0; w < kMaskWords; ++w) {
    if (w >= window.words) break;
    for (std::uint32_t bits = left.word[w]; bits != 0; bits &= bits - 1) {
      const std::int32_t transposition = window.lowest + static_cast<std::int32_t>(32 * w + first_one_in(bits));
      const std::uint32_t common =
          common_notes<Word>(query.where, query.notes, document.pitch, document.notes, transposition);
      if (common == 0 || common < need) continue;
      const std::uint32_t order = transposition_order(common, transposition);
      if (order > best[0]) {
        best[1] = best[0];
        best[0] = order;
      } else if (order > best[1]) {
        best[1] = order;
      }
    }
    left.word[w] = 0;
  }
  bool any = false;
  for (std::uint32_t one = 0; one < 2; ++one) {
    const std::uint32_t order = one == 0 ? best[0] : best[1];
    if (order == 0) break;
    if (query.by_length) {
      const auto among =
          AlikeNote<Word, decltype(query.alike), decltype(document.length)>{query.alike, document.length};
      const std::uint32_t alike = common_notes_among<Word>(query.where, query.notes, document.pitch, document.notes,
                                                           transposition_of(order), among);
      if (alike < query.least_alike[order / 256]) continue;
    }
    const auto bit = static_cast<std::uint32_t>(transposition_of(order) - window.lowest);
    RONDO_UNROLL
    for (std::uint32_t w = 0; w < kMaskWords; ++w) {
      if (w == bit / 32) left.word[w] |= 1U << (bit % 32);
    }
    any = true;
  }
  return any;
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
RONDO_CARD std::int32_t align(const CostTables& tables, bool rhythm, const Note* query, std::uint32_t rows,
                              const Notes& document, std::uint32_t columns, std::int32_t transposition,
                              std::int32_t perfect, std::int32_t least, Cells& cells) {
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
  std::int32_t remaining = perfect;
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

/// The total of a query in a transposition; where that is below its least total, any number below it.
template <class Notes, class Cells>
RONDO_CARD std::int32_t total_in(const CostTables& tables, const Melody& query, const Note* query_notes,
                                 const Notes& document, std::uint32_t columns, std::int32_t transposition,
                                 Cells& cells) {
  return align(tables, query.rhythm != 0, query_notes, query.notes, document, columns, transposition, query.perfect,
               query.least_total, cells);
}

/// Whether a query reaches its least total in a transposition.
template <class Notes, class Cells>
RONDO_CARD bool reaches(const CostTables& tables, const Melody& query, const Note* query_notes, const Notes& document,
                        std::uint32_t columns, std::int32_t transposition, Cells& cells) {
  return total_in(tables, query, query_notes, document, columns, transposition, cells) >= query.least_total;
}

/// Whether the score of the pair may hold by one of the transpositions that are left; asked for each of them.
/// `document_notes` and `document_line` are the same notes, the first for reading one by one.
template <class Notes, class Cells>
RONDO_CARD bool may_hold(const CostTables& tables, const Rule& rule, const Query& query, const Melody& document,
                         const Notes& document_notes, const Note* document_line, std::int32_t transposition,
                         const Transpositions& left, Cells& cells) {
  const bool there = reaches(tables, query.melody, query.note, document_notes, document.notes, transposition, cells);
  const Note* const notes = query.note;
  if (rule.both == 0) {
    return there || reaches(tables, document, document_line, notes, query.melody.notes, -transposition, cells);
  }
  if (!there) return false;
  // The way back may be in another transposition.
  for (std::uint32_t w = 0; w < query.words; ++w) {
    for (std::uint32_t bits = left.word[w]; bits != 0; bits &= bits - 1) {
      const std::int32_t other = query.lowest + static_cast<std::int32_t>(32 * w + first_one_in(bits));
      if (reaches(tables, document, document_line, notes, query.melody.notes, -other, cells)) return true;
    }
  }
  return false;
}

/// Two transpositions at once, as align() does one: what does not depend on the transposition is computed once. A cell
/// has both totals, 16 bits each; the query must be narrow (Query::narrow).
RONDO_CARD std::int32_t both_totals(std::int32_t first, std::int32_t second) {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(first) & 0xFFFFU) |
                                   (static_cast<std::uint32_t>(second) << 16U));
}
RONDO_CARD std::int32_t first_total(std::int32_t both) { return static_cast<std::int16_t>(both & 0xFFFF); }
RONDO_CARD std::int32_t second_total(std::int32_t both) { return both >> 16; }

RONDO_CARD std::int32_t pitch_worth(const QueryCosts& costs, std::int32_t apart) {
  const std::int32_t distance = absolute(apart);
  return distance == 0 ? kEqualPitch : (distance >= 2 && distance <= 4 ? costs.near : costs.far);
}

template <int kRows, class Notes, class Cells>
RONDO_CARD std::int32_t align_rows_twice(const QueryCosts& costs, const Note* query, bool last, const Notes& document,
                                         std::int32_t columns, std::int32_t first, std::int32_t second,
                                         std::int32_t place_factor, std::int32_t& remaining, Cells& cells) {
  std::int32_t corner[kRows], corner2[kRows], left[kRows], left2[kRows], pitch[kRows], next[kRows], length[kRows],
      change[kRows], place[kRows], weight[kRows], gap[kRows], beyond[kRows], interval[kRows];
  std::int32_t border = first_total(cells[0]);  // the same in both
  RONDO_UNROLL
  for (int r = 0; r < kRows; ++r) {
    const Note note = query[r];
    pitch[r] = note.pitch;
    next[r] = note.next;
    length[r] = note.length;
    change[r] = note.change;
    place[r] = note.place;
    weight[r] = costs.weight[note.length + kMostLengthSteps];
    gap[r] = costs.gap[note.length + kMostLengthSteps];
    beyond[r] = costs.beyond[note.length + kMostLengthSteps];
    interval[r] = last && r + 1 == kRows ? 0 : costs.interval;
    remaining -= weighted(kEqualPitch, weight[r]);
    corner[r] = corner2[r] = border;
    border -= beyond[r];
    left[r] = left2[r] = border;
  }
  cells[0] = both_totals(border, border);
  std::int32_t most = border;
  for (std::int32_t j = 0; j < columns; ++j) {
    const Note note = document[j];
    const std::int32_t leave = costs.rhythm != 0 ? note.gap : costs.even_gap;
    const bool goes_on = j + 1 < columns;
    std::int32_t above = first_total(cells[j + 1]);
    std::int32_t above2 = second_total(cells[j + 1]);
    RONDO_UNROLL
    for (int r = 0; r < kRows; ++r) {
      std::int32_t cost = costs.length * absolute(note.length - length[r]);
      cost += costs.change * absolute(note.change - change[r]);
      cost += (place_factor * absolute(note.place - place[r])) >> 16;
      if (goes_on && note.next != next[r]) cost += interval[r];
      const std::int32_t apart = note.pitch - pitch[r];
      const std::int32_t out = goes_on ? gap[r] : beyond[r];
      const std::int32_t paired = corner[r] + weighted(pitch_worth(costs, apart - first) - cost, weight[r]);
      const std::int32_t paired2 = corner2[r] + weighted(pitch_worth(costs, apart - second) - cost, weight[r]);
      corner[r] = above;
      corner2[r] = above2;
      above = left[r] = greater(paired, greater(left[r] - leave, above - out));
      above2 = left2[r] = greater(paired2, greater(left2[r] - leave, above2 - out));
    }
    cells[j + 1] = both_totals(above, above2);
    most = greater(most, greater(above, above2));
  }
  return most;
}

/// The greater of the totals in two transpositions; where that is below `least`, any number below it.
template <class Notes, class Cells>
RONDO_CARD std::int32_t align_twice(const CostTables& tables, bool rhythm, const Note* query, std::uint32_t rows,
                                    const Notes& document, std::uint32_t columns, std::int32_t first,
                                    std::int32_t second, std::int32_t perfect, std::int32_t least, Cells& cells) {
  const QueryCosts& costs = tables.of[rhythm ? 1 : 0];
  const std::int32_t place_factor = rhythm ? tables.place_factor[rows][columns] : 0;
  const auto width = static_cast<std::int32_t>(columns);
  std::int32_t skipped = 0;
  cells[0] = 0;
  for (std::int32_t j = 0; j < width; ++j) {
    const Note note = document[j];
    skipped = greater(skipped - (rhythm ? note.gap : costs.even_gap), -costs.overhang);
    cells[j + 1] = both_totals(skipped, skipped);
  }
  std::int32_t remaining = perfect;
  std::uint32_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    const std::int32_t most = align_rows_twice<4>(costs, query + i, i + 4 == rows, document, width, first, second,
                                                  place_factor, remaining, cells);
    if (most + remaining < least) return kNoTotal;
  }
  for (; i < rows; ++i) {
    (void)align_rows_twice<1>(costs, query + i, i + 1 == rows, document, width, first, second, place_factor, remaining,
                              cells);
  }
  std::int32_t most = greater(first_total(cells[width]), second_total(cells[width]));
  for (std::int32_t j = 0; j < width; ++j) {
    most = greater(most, greater(first_total(cells[j]), second_total(cells[j])) - costs.overhang);
  }
  return most;
}

/// The definition's total: the greatest over the two transpositions with most common notes, of equal ones the lower.
/// Exact where it is at least `least`; else any number below it. Both melodies have a note, so there is a transposition
/// with a common one.
template <class Word, class Where, class Pitches, class Notes, class Cells>
RONDO_CARD std::int32_t exact_total(const CostTables& tables, const Melody& query, const Note* query_notes,
                                    const Where& where, bool narrow, const Melody& document, const Pitches& pitch,
                                    const Notes& document_notes, std::int32_t least, Cells& cells) {
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
  const bool rhythm = query.rhythm != 0;
  if (narrow) {
    return align_twice(tables, rhythm, query_notes, query.notes, document_notes, document.notes, transposition_of(best),
                       transposition_of(second >= 256 ? second : best), query.perfect, least, cells);
  }
  std::int32_t total = align(tables, rhythm, query_notes, query.notes, document_notes, document.notes,
                             transposition_of(best), query.perfect, least, cells);
  if (second >= 256) {
    total = greater(total, align(tables, rhythm, query_notes, query.notes, document_notes, document.notes,
                                 transposition_of(second), query.perfect, least, cells));
  }
  return total;
}

}  // namespace rondo::gpu
