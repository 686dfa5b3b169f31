#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "search/index/segment.h"
#include "search/kernels/common_amounts.h"

namespace rondo::fast {

inline constexpr int kMidiPitches = 128;

/// The pitches of a document as bytes. False: it has pitches that MIDI does not have.
[[nodiscard]] inline bool read_pitches(const index::Segment& segment, const index::Segment::Notes& notes,
                                       std::vector<std::uint8_t>& midi) {
  midi.resize(notes.count);
  const std::uint8_t* const codes = segment.pitch_codes(notes).data();
  if (segment.has_pitch_exceptions() && std::memchr(codes, index::kException, notes.count) != nullptr) {
    int outside = 0;
    for (std::uint32_t i = 0; i < notes.count; ++i) {
      const int p = segment.midi(notes.first + i);
      outside |= p;
      midi[i] = static_cast<std::uint8_t>(p);
    }
    return (outside & ~(kMidiPitches - 1)) == 0;
  }
  // Bytes may be written anywhere, so a compiler reads again what might have changed, unless it is a local variable.
  const std::int16_t* const by_code = segment.midi_by_code().data();
  std::uint8_t* const to = midi.data();
  const std::uint32_t count = notes.count;
  int outside = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const int p = by_code[codes[i]];
    outside |= p;
    to[i] = static_cast<std::uint8_t>(p);
  }
  return (outside & ~(kMidiPitches - 1)) == 0;
}

/// A weight: every note counts alike.
inline int each_note(std::size_t /*note*/) { return 1; }

/// How much of a query and a document is on the same pitches, under every transposition of the query: the sum over
/// pitches of the lesser of what the two have there. `Amount` counts notes (each 1) or time. Whatever pairs notes of
/// equal pitch, each note (each moment) at most once, pairs no more than that.
/// `Amount` is a type whose lesser of two every vector unit knows: bytes without a sign, or 16 bits with one.
template <typename Amount>
class PitchOverlap {
 public:
  /// What a query may have in all, so that no sum leaves `Amount`.
  static constexpr std::int64_t kMost = std::numeric_limits<Amount>::max() - 5;

  [[nodiscard]] static bool suits(std::span<const std::int16_t> pitch, std::int64_t amount) {
    return amount <= kMost && suits_short(pitch);
  }
  /// For documents that have no more than kMost in all.
  [[nodiscard]] static bool suits_short(std::span<const std::int16_t> pitch) {
    return !pitch.empty() && std::all_of(pitch.begin(), pitch.end(), [](int p) { return p >= 0 && p < kMidiPitches; });
  }

  /// One of the two is true; `amount_of(i)` is what note i has.
  template <typename AmountOf>
  PitchOverlap(std::span<const std::int16_t> pitch, const AmountOf& amount_of) {
    std::array<Amount, kMidiPitches> amounts{};
    for (std::size_t i = 0; i < pitch.size(); ++i) {
      Amount& at = amounts[static_cast<std::size_t>(pitch[i])];
      at = static_cast<Amount>(std::min<int>(std::numeric_limits<Amount>::max(), at + amount_of(i)));
    }
    for (std::size_t p = 0; p < amounts.size(); ++p) {
      if (amounts[p] == 0) continue;
      pitches_.pitch.push_back(static_cast<std::uint8_t>(p));
      pitches_.amount.push_back(amounts[p]);
    }
  }

  static constexpr std::size_t kBlock = kernels::kAmountBlock;
  /// For one document, by transposition from `lowest` up.
  struct Common {
    int lowest = 0;
    std::size_t size = 0;
    Amount most = 0;                                         ///< of all
    std::array<Amount, 2 * kMidiPitches + kBlock> amount{};  ///< whole blocks; behind `size` there is nothing in common
    /// visit(transposition) for those with at least so much, which is more than nothing.
    template <typename Visit>
    void each_with(Amount least, const Visit& visit) const {
      if (most < least) return;
      for (std::size_t t = 0; t < size; ++t) {
        if (amount[t] >= least) visit(lowest + static_cast<int>(t));
      }
    }
  };

  /// `pitch` is not empty; `amount_of(j)` is what note j has, rounded up, no more than 2^30. Every transposition that
  /// lays a note onto another is there.
  template <typename AmountOf>
  void find(std::span<const std::uint8_t> pitch, const AmountOf& amount_of, Common& out) const {
    // Room on both sides, so that whole blocks may be read under every such transposition.
    constexpr std::size_t kRoom = kMidiPitches + kBlock;
    thread_local std::array<Amount, kRoom + kMidiPitches + kRoom> amounts{};
    Amount* const at = amounts.data() + kRoom;
    std::uint8_t low = pitch[0];
    std::uint8_t high = pitch[0];
    for (std::size_t j = 0; j < pitch.size(); ++j) {
      const std::uint8_t p = pitch[j];
      at[p] = static_cast<Amount>(std::min<int>(std::numeric_limits<Amount>::max(), at[p] + amount_of(j)));
      low = std::min(low, p);
      high = std::max(high, p);
    }
    out.lowest = low - pitches_.pitch.back();
    out.size = static_cast<std::size_t>(high - pitches_.pitch.front() - out.lowest) + 1;
    out.most = kernels::common_amounts(pitches_, at + out.lowest, out.size, out.amount.data());
    for (const std::uint8_t p : pitch) at[p] = 0;
  }

 private:
  kernels::PitchAmounts<Amount> pitches_;  ///< ascending
};

using NoteOverlap = PitchOverlap<std::uint8_t>;
/// Time in units of kOverlapUnit ticks of Segment::ticks.
using TimeOverlap = PitchOverlap<std::int16_t>;
inline constexpr std::int32_t kOverlapUnit = index::Segment::kTicks / 64;
[[nodiscard]] inline std::int32_t overlap_units(std::int32_t ticks) {
  return (ticks + kOverlapUnit - 1) / kOverlapUnit;
}

/// put(i, most) for the i-th of the documents of one length from `begin` to `end`: the most notes that it can have in
/// common with the query. Documents with pitches that MIDI does not have are passed over.
template <typename Put>
void each_overlap(const NoteOverlap& overlap, const index::Segment& segment, std::uint32_t notes,
                  index::DocumentId begin, index::DocumentId end, const Put& put) {
  thread_local std::vector<std::uint8_t> midi;
  NoteOverlap::Common common;
  const std::uint64_t first = segment.notes_of(begin).first;
  for (index::DocumentId i = 0; i < end - begin; ++i) {
    if (!read_pitches(segment, {first + std::uint64_t{i} * notes, notes}, midi)) continue;
    overlap.find(midi, each_note, common);
    put(i, common.most);
  }
}

}  // namespace rondo::fast
