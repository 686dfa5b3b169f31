#pragma once

#include "gpu/pair_score.h"

/// What a pair of melodies can have in common, counted in units of gain; stages 1 and 2 of pair_score.h.
///
/// Let `other` be the greatest value of a pair of notes of different pitch, or 0, and V = kEqualPitch - other what
/// equal pitch gains at most. V is cut into kGainUnits units, rounded up. One of them is lost where the melodies go on
/// with different intervals, if that costs a unit or more; one where the notes are not alike, that is more than
/// kAlikeSteps steps of length apart, if that costs a unit or more. All other costs of a pair of notes are left out. So
/// a pair of notes that adds v to the total gains at most
///
///   v <= other + unit * (equal [equal pitch] + next [also goes on alike] + alike [also alike in length])
///
/// where equal + next + alike = kGainUnits and nothing is gained without equal pitch. A note left out adds nothing or
/// less, so by weighted() 2^15 times the total is at most the sum over the query's notes of other * weight + 2^14, plus
/// unit times the sum of gain * weight, each gain at most kGainUnits. least_gain() is the least sum of gains with which
/// that reaches a total: the greatest weights gain first. In a transposition, the gain of a pair of melodies is at most
///
///   equal * C(pitch) + next * C(pitch, next) + alike * C(pitch, length)
///
/// where C(...) counts the pairs of notes of any alignment that agree in these features; it is the same whichever of
/// the two melodies is the query. Stage 1 bounds C without looking at the order of the notes, stage 2 by the longest
/// common subsequence.
///
/// A query without rhythm pays nothing for lengths, so it gains `alike` for each common pitch: with G units that are
/// counted it has at most G + C(pitch) <= G (1 + 1 / equal).
///
/// Stage 1. A feature that notes can have is a symbol: a pitch, a pitch and the interval that follows, a pitch and a
/// length. No alignment pairs more notes under a symbol than the lesser of the numbers of notes that have it. With one
/// bit for each symbol and level k, which says that more than k notes have it, that is the number of bits that both
/// have, plus at most the lesser of the numbers of notes beyond the last level (GainPlanes::over). Where notes need
/// only be alike, the query's note has one symbol, that of its class of lengths, and the document's note has those of
/// all classes with a length that is alike. A document's last note has those of all intervals; the query's last one may
/// be paired without any, which is the `next` that needed_bits subtracts. Pitches count modulo kRing, intervals modulo
/// kIntervalClasses, classes of lengths modulo kLengthClasses, which can only make more notes agree. A transposition
/// turns the query's bits around the ring: kRing rows of bits, of which row r is for all transpositions t with
/// t mod kRing = r.
///
/// So stage 1 is a product of matrices of bits (rows of queries, documents), which cards have units for.
namespace rondo::gpu {

inline constexpr std::int32_t kGainUnits = 4;
inline constexpr std::int32_t kAlikeSteps = 3;

struct GainUnits {
  std::int32_t unit;  ///< in fine units
  std::uint32_t equal;
  std::uint32_t next;
  std::uint32_t alike;
};

/// `costs` are those of queries with rhythm.
RONDO_CARD GainUnits gain_units(const QueryCosts& costs) {
  const std::int32_t all = kEqualPitch - greater(0, greater(costs.near, costs.far));
  GainUnits out{};
  out.unit = (all + kGainUnits - 1) / kGainUnits;
  out.next = costs.interval >= out.unit ? 1 : 0;
  out.alike = (kAlikeSteps + 1) * costs.length >= out.unit ? 1 : 0;
  out.equal = static_cast<std::uint32_t>(kGainUnits) - out.next - out.alike;
  return out;
}

/// More than any pair gains.
inline constexpr std::uint32_t kNoGain = 0xFFFF;

inline constexpr std::uint32_t kRing = 16;
inline constexpr std::uint32_t kIntervalClasses = 8;
inline constexpr std::uint32_t kIntervalLevels = 4;
/// A class of lengths is so many steps wide.
inline constexpr std::int32_t kStepsOfClass = 2;
inline constexpr std::int32_t kLengthClasses = 12;
inline constexpr std::uint32_t kLengthLevels = 4;
/// A plane has a bit for each pitch of the ring. Pitches have one for each level and unit, as far as the room goes.
inline constexpr std::uint32_t kPitchPlanes = 16;
inline constexpr std::uint32_t kIntervalPlanes = kPitchPlanes;  ///< where they begin
inline constexpr std::uint32_t kLengthPlanes = kIntervalPlanes + kIntervalClasses * kIntervalLevels;
inline constexpr std::uint32_t kPlanes = kLengthPlanes + kLengthClasses * kLengthLevels;
/// Two planes in a word.
inline constexpr std::uint32_t kPlaneWords = kPlanes / 2;
static_assert(kPlaneWords % 8 == 0, "a matrix unit takes 256 bits at a time");
static_assert(2 * kAlikeSteps + kStepsOfClass < kStepsOfClass * kLengthClasses, "no class is met twice");

/// The symbols of a melody.
struct alignas(16) GainPlanes {
  std::uint32_t word[kPlaneWords];
};

/// Sets a bit of the first of `levels` planes that has it not yet; `step` planes apart, `copies` of each. Whether there
/// was one.
RONDO_CARD bool add_symbol(GainPlanes& planes, std::uint32_t plane, std::uint32_t levels, std::uint32_t copies,
                           std::uint32_t step, std::uint32_t pitch) {
  for (std::uint32_t level = 0; level < levels; ++level, plane += step) {
    const std::uint32_t bit = 1U << (pitch % kRing + plane % 2 * kRing);
    if ((planes.word[plane / 2] & bit) != 0) continue;
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      planes.word[(plane + copy) / 2] |= 1U << (pitch % kRing + (plane + copy) % 2 * kRing);
    }
    return true;
  }
  return false;
}

RONDO_CARD std::int32_t length_class(std::int32_t steps) { return (steps + kMostLengthSteps) / kStepsOfClass; }

/// Fills planes, which are empty. Returns `over`: the gain of notes beyond the last level.
template <class Notes>
RONDO_CARD std::uint32_t fill_planes(const GainUnits& units, bool document, const Notes& notes, std::uint32_t count,
                                     GainPlanes& planes) {
  std::uint32_t over = 0;
  const auto interval = [&](std::uint32_t pitch, std::uint32_t of) {
    if (!add_symbol(planes, kIntervalPlanes + of, kIntervalLevels, 1, kIntervalClasses, pitch)) ++over;
  };
  const auto length = [&](std::uint32_t pitch, std::int32_t of) {
    const auto plane = kLengthPlanes + static_cast<std::uint32_t>(of % kLengthClasses);
    if (!add_symbol(planes, plane, kLengthLevels, 1, kLengthClasses, pitch)) ++over;
  };
  for (std::uint32_t j = 0; j < count; ++j) {
    const Note note = notes[j];
    if (!add_symbol(planes, 0, kPitchPlanes / units.equal, units.equal, units.equal, note.pitch)) over += units.equal;
    if (units.next != 0) {
      if (j + 1 < count) {
        interval(note.pitch, static_cast<std::uint32_t>(note.next) % kIntervalClasses);
      } else if (document) {
        for (std::uint32_t of = 0; of < kIntervalClasses; ++of) interval(note.pitch, of);
      }
    }
    if (units.alike == 0) continue;
    if (!document) {
      length(note.pitch, length_class(note.length));
    } else {
      const std::int32_t least = -kMostLengthSteps;
      const std::int32_t first = length_class(greater(least, note.length - kAlikeSteps));
      const std::int32_t last = length_class(-greater(least, -note.length - kAlikeSteps));
      for (std::int32_t of = first; of <= last; ++of) length(note.pitch, of);
    }
  }
  return over;
}

/// Two planes of a query, for the transpositions of a row.
RONDO_CARD std::uint32_t turned(std::uint32_t two_planes, std::uint32_t row) {
  const std::uint32_t low = ((1U << row) - 1U) * 0x10001U;  // what comes around
  return ((two_planes << row) & ~low) | ((two_planes >> (kRing - row)) & low);
}

/// A melody in stage 1: units that it needs as the query, and units beyond the last level.
struct GainNeed {
  std::uint16_t least;
  std::uint16_t over;
};

/// The bits that must be common to a pair.
RONDO_CARD std::int32_t needed_bits(const GainUnits& units, bool both, GainNeed query, GainNeed document) {
  const bool first = (query.least > document.least) == both;
  const std::uint32_t least = first ? query.least : document.least;
  const std::uint32_t over = query.over < document.over ? query.over : document.over;
  return static_cast<std::int32_t>(least) - static_cast<std::int32_t>(over + units.next);
}

/// The rows of the ring that are left are bits, in an order that suits the threads of a card: those of rows r and r + 8
/// are the first two of four.
RONDO_CARD std::uint32_t row_of_bit(std::uint32_t bit) { return bit / 4 + 8 * (bit % 4); }

/// Stage 1 of a pair, row by row, for the CPU. The card has it in cuda_gain_bound.cu.
RONDO_CARD std::uint32_t rows_with(const GainPlanes& query, const GainPlanes& document, std::int32_t needed) {
  std::uint32_t rows = 0;
  for (std::uint32_t bit = 0; bit < 32; bit += bit % 4 == 0 ? 1 : 3) {
    std::int32_t common = 0;
    for (std::uint32_t w = 0; w < kPlaneWords; ++w) {
      common += static_cast<std::int32_t>(ones_in(turned(query.word[w], row_of_bit(bit)) & document.word[w]));
    }
    if (common >= needed) rows |= 1U << bit;
  }
  return rows;
}

/// The transpositions of some rows, one after the other, without those in which too few notes of the query lie within
/// the document's range.
class RingWalk {
 public:
  RONDO_CARD RingWalk(std::uint32_t rows, std::int32_t query_range, std::int32_t document_range)
      : rows_(rows), query_range_(query_range), document_range_(document_range), next_(document_range + 1) {}
  /// Whether there is one more. `below` is Query::below.
  template <class Below>
  RONDO_CARD bool next(const Below& below, std::uint32_t need, std::int32_t& transposition) {
    for (;;) {
      if (next_ > document_range_) {
        if (rows_ == 0) return false;
        const auto row = static_cast<std::int32_t>(row_of_bit(first_one_in(rows_)));
        rows_ &= rows_ - 1;
        next_ = (row + query_range_) % static_cast<std::int32_t>(kRing) - query_range_;
        continue;
      }
      transposition = next_;
      next_ += static_cast<std::int32_t>(kRing);
      const std::int32_t first = greater(0, -transposition);
      const std::int32_t end = document_range_ - transposition;  // the last pitch
      const std::uint32_t within = std::uint32_t{below[end < kMostPitch ? end + 1 : kMostPitch + 1]} - below[first];
      if (within >= need) return true;
    }
  }

 private:
  std::uint32_t rows_;
  std::int32_t query_range_;
  std::int32_t document_range_;
  std::int32_t next_;
};

/// Stage 2: common notes that a pair needs, and units.
struct OrderNeed {
  std::uint32_t common;
  std::uint32_t gain;
};
RONDO_CARD OrderNeed order_need(const Rule& rule, const Melody& query, const Melody& document) {
  if (asks_document(rule, query, document)) return {document.least_common, document.least_gain};
  if (rule.both != 0) return {query.least_common, query.least_gain};
  return {query.least_common < document.least_common ? query.least_common : document.least_common,
          query.least_gain < document.least_gain ? query.least_gain : document.least_gain};
}

/// The definition aligns a query and a document in the two transpositions with the most common notes in order. So of
/// those that stage 1 leaves and that share enough notes the best two are kept: if one of the definition's two is left,
/// it is one of them. Of equally good transpositions the definition takes the lowest, seen from the one that asks; if
/// either of the two melodies may ask, there are two lists of two.
///
/// Calls take(list, order) for the lists of a pair, where the greatest orders of a list are the best.
template <class Take>
RONDO_CARD void order_lists(bool either, bool document_asks, std::uint32_t common, std::int32_t transposition,
                            const Take& take) {
  if (either || !document_asks) take(0, transposition_order(common, transposition));
  if (either || document_asks) take(1, transposition_order(common, -transposition));
}
/// The transposition of an order in a list.
RONDO_CARD std::int32_t listed_transposition(std::uint32_t list, std::uint32_t order) {
  return list == 0 ? transposition_of(order) : -transposition_of(order);
}
/// An order with a common note; 0 is none.
RONDO_CARD bool is_order(std::uint32_t order) { return order >= 256; }

/// What is kept of a pair: [list][place].
struct BestOrders {
  std::uint32_t order[2][2];

  RONDO_CARD bool has(std::uint32_t list, std::uint32_t place) const {
    if (!is_order(order[list][place])) return false;
    if (list == 0) return true;
    // In the first list already?
    const std::int32_t own = listed_transposition(1, order[1][place]);
    return !(is_order(order[0][0]) && listed_transposition(0, order[0][0]) == own) &&
           !(is_order(order[0][1]) && listed_transposition(0, order[0][1]) == own);
  }
};

/// The units of a pair in one transposition with `common` notes in the same order. `query` has where, alike and next as
/// Query has them, in words with a bit for each of its notes; `document[j]` is a Note.
template <class Word, class Tables, class Notes>
RONDO_CARD std::uint32_t gain_in_order(const GainUnits& units, const Tables& query, std::uint32_t query_notes,
                                       const Notes& document, std::uint32_t notes, std::int32_t transposition,
                                       std::uint32_t common) {
  CommonOrder<Word> going_on;
  CommonOrder<Word> alike;
  for (std::uint32_t j = 0; j < notes; ++j) {
    const Note note = document[j];
    const Word at = notes_at<Word>(query.where, note.pitch, transposition);
    const Word next =
        j + 1 < notes ? static_cast<Word>(query.next[static_cast<std::uint32_t>(note.next) % kNextClasses]) : ~Word{0};
    going_on.add(at & next);
    alike.add(at & static_cast<Word>(query.alike[note.length + kMostLengthSteps]));
  }
  return units.equal * common + units.next * ones_in(going_on.paired(query_notes)) +
         units.alike * ones_in(alike.paired(query_notes));
}

}  // namespace rondo::gpu
