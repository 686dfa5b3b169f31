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

struct PitchRange {
  std::uint8_t low = 0;
  std::uint8_t high = 0;
};

/// The pitches of a document as bytes, for which there is room; and their range, where that is wanted. False: it has
/// pitches that MIDI does not have.
template <bool kRange>
[[nodiscard]] bool read_pitches(const index::Segment& segment, const index::Segment::Notes& notes, std::uint8_t* midi,
                                PitchRange& range) {
  const std::uint8_t* const codes = segment.pitch_codes(notes).data();
  const std::uint32_t count = notes.count;
  int outside = 0;
  int low = kMidiPitches - 1;
  int high = 0;
  const auto take = [&](std::uint32_t i, int p) {
    outside |= p;
    if constexpr (kRange) {
      low = std::min(low, p);
      high = std::max(high, p);
    }
    midi[i] = static_cast<std::uint8_t>(p);
  };
  if (segment.has_pitch_exceptions() && std::memchr(codes, index::kException, count) != nullptr) {
    for (std::uint32_t i = 0; i < count; ++i) take(i, segment.midi(notes.first + i));
  } else {
    // Bytes may be written anywhere, so a compiler reads again what might have changed, unless it is a local variable.
    const std::int16_t* const by_code = segment.midi_by_code().data();
    for (std::uint32_t i = 0; i < count; ++i) take(i, by_code[codes[i]]);
  }
  range = {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(high)};
  return (outside & ~(kMidiPitches - 1)) == 0;
}
[[nodiscard]] inline bool read_pitches(const index::Segment& segment, const index::Segment::Notes& notes,
                                       std::uint8_t* midi, PitchRange& range) {
  return read_pitches<true>(segment, notes, midi, range);
}
[[nodiscard]] inline bool read_pitches(const index::Segment& segment, const index::Segment::Notes& notes,
                                       std::vector<std::uint8_t>& midi) {
  midi.resize(notes.count);
  PitchRange range;
  return read_pitches<false>(segment, notes, midi.data(), range);
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

  /// Precondition: suits() or suits_short(). `amount_of(i)` is what note i has.
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

  /// What a document has on each pitch.
  class Keyboard {
   public:
    /// For pitches of this range; there is nothing on them.
    void open(std::uint8_t low, std::uint8_t high) {
      low_ = low;
      high_ = high;
    }
    /// From pitch 0 on.
    [[nodiscard]] Amount* amounts() { return amounts_.data() + kRoom; }
    [[nodiscard]] const Amount* amounts() const { return amounts_.data() + kRoom; }
    [[nodiscard]] int low() const { return low_; }
    [[nodiscard]] int high() const { return high_; }
    /// Makes room for the next document; `pitch` are those of this one.
    void clear(std::span<const std::uint8_t> pitch) {
      Amount* const at = amounts();
      for (const std::uint8_t p : pitch) at[p] = 0;
    }

   private:
    // Room on both sides, so that whole blocks may be read under every transposition that lays a note onto another.
    static constexpr std::size_t kRoom = kMidiPitches + kBlock;
    std::uint8_t low_ = 0;
    std::uint8_t high_ = 0;
    std::array<Amount, kRoom + kMidiPitches + kRoom> amounts_{};
  };
  /// Every transposition that lays a note onto another is there.
  void find(const Keyboard& document, Common& out) const {
    out.lowest = document.low() - pitches_.pitch.back();
    out.size = static_cast<std::size_t>(document.high() - pitches_.pitch.front() - out.lowest) + 1;
    out.most = kernels::common_amounts(pitches_, document.amounts() + out.lowest, out.size, out.amount.data());
  }

  /// `pitch` is not empty; `amount_of(j)` is what note j has, rounded up, no more than 2^30.
  template <typename AmountOf>
  void find(std::span<const std::uint8_t> pitch, const AmountOf& amount_of, Common& out) const {
    thread_local Keyboard keyboard;
    Amount* const at = keyboard.amounts();
    std::uint8_t low = pitch[0];
    std::uint8_t high = pitch[0];
    for (std::size_t j = 0; j < pitch.size(); ++j) {
      const std::uint8_t p = pitch[j];
      at[p] = static_cast<Amount>(std::min<int>(std::numeric_limits<Amount>::max(), at[p] + amount_of(j)));
      low = std::min(low, p);
      high = std::max(high, p);
    }
    keyboard.open(low, high);
    find(keyboard, out);
    keyboard.clear(pitch);
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
void each_overlap(const NoteOverlap& overlap, const index::Segment& segment, index::DocumentId begin,
                  index::DocumentId end, const Put& put) {
  thread_local std::vector<std::uint8_t> midi;
  NoteOverlap::Common common;
  const index::Segment::RunNotes run(segment, begin);
  for (index::DocumentId d = begin; d < end; ++d) {
    if (!read_pitches(segment, run[d], midi)) continue;
    overlap.find(midi, each_note, common);
    put(d - begin, common.most);
  }
}

}  // namespace rondo::fast
