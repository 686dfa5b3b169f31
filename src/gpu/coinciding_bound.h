#pragma once

#include "gpu/bound_line.h"

namespace rondo::gpu {

/// P2: how many notes of the query begin with a note of the document under the best shift in time and pitch.
///
/// Proof that it is no bound from below. Let m notes i of the query meet notes j of the document under a shift by s
/// ticks and t semitones: o(j) = o(i) + s, p(j) = p(i) + t. Notes of a document that is let in begin one after the
/// other, and no two notes of the query have both onset and pitch in common, so these are m different notes j. For each
/// of them the place (o(j) - s) mod kPlaces is one that a note of the query at pitch p(j) - t has. So in transposition
/// t at least m notes of the document say "place s mod kPlaces", and the most that any place is named by in any
/// transposition is counted here. No other transposition has two notes that meet.
struct CoincidingBound {
  static constexpr std::uint32_t kShared = 0;

  std::uint64_t places[kLinePitches];  ///< by pitch, on which places of the circle the query has notes
  std::int32_t lowest;                 ///< pitches
  std::int32_t highest;
  std::uint32_t least_notes;
  std::uint32_t only_whole;
  std::int32_t most;  ///< its notes

  template <class Document, class Cells>
  [[nodiscard]] RONDO_CARD std::int32_t bound(const Document& document, Cells& /*cells*/) const {
    const std::int32_t met = document.notes < 32 ? most_named<5>(document) : most_named<7>(document);
    return met < most ? met : most;
  }

 private:
  static constexpr std::uint64_t kCircle = (std::uint64_t{1} << kPlaces) - 1;

  /// The shifts, as places, under which a document's note meets one of the query's of that pitch: the query's places
  /// turned round and moved to the note's.
  template <class Document>
  [[nodiscard]] RONDO_CARD std::uint64_t shifts(const Document& document, std::uint32_t j, std::int32_t t) const {
    const std::int32_t pitch = static_cast<std::int32_t>(document.pitch(j)) - t;
    if (pitch < lowest || pitch > highest) return 0;
    const std::uint64_t own = places[pitch];  // turned round already
    const std::uint32_t by = document.place(j);
    return ((own << by) | (own >> (kPlaces - by))) & kCircle;
  }

  /// Counts of all places at once, one bit of every count in each of kSlices words, which hold the document's notes.
  template <int kSlices, class Document>
  [[nodiscard]] RONDO_CARD std::int32_t most_named(const Document& document) const {
    std::int32_t low = kLinePitches;
    std::int32_t high = -1;
    for (std::uint32_t j = 0; j < document.notes; ++j) {
      const auto pitch = static_cast<std::int32_t>(document.pitch(j));
      low = pitch < low ? pitch : low;
      high = greater(pitch, high);
    }
    std::int32_t met = 0;
    for (std::int32_t t = low - highest; t <= high - lowest; ++t) {
      std::uint64_t count[kSlices] = {};
      for (std::uint32_t j = 0; j < document.notes; j += 4) {
        std::uint64_t has[4];
        RONDO_UNROLL
        for (std::uint32_t k = 0; k < 4; ++k) has[k] = j + k < document.notes ? shifts(document, j + k, t) : 0;
        const std::uint64_t half = count[0] ^ has[0] ^ has[1];
        const std::uint64_t two = (count[0] & has[0]) | (count[0] & has[1]) | (has[0] & has[1]);
        const std::uint64_t other_two = (half & has[2]) | (half & has[3]) | (has[2] & has[3]);
        count[0] = half ^ has[2] ^ has[3];
        std::uint64_t carry = (count[1] & two) | (count[1] & other_two) | (two & other_two);
        count[1] = count[1] ^ two ^ other_two;
        RONDO_UNROLL
        for (int slice = 2; slice < kSlices; ++slice) {
          const std::uint64_t more = count[slice] & carry;
          count[slice] ^= carry;
          carry = more;
        }
      }
      std::uint64_t among = ~std::uint64_t{0};
      std::int32_t named = 0;
      RONDO_UNROLL
      for (int slice = kSlices - 1; slice >= 0; --slice) {
        const std::uint64_t with = among & count[slice];
        if (with == 0) continue;
        among = with;
        named |= std::int32_t{1} << slice;
      }
      met = greater(met, named);
    }
    return met;
  }
};

}  // namespace rondo::gpu
