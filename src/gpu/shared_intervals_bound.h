#pragma once

#include "gpu/bound_line.h"

namespace rondo::gpu {

/// ngr5: how many of the query's different sequences of five intervals the document has. This is the score itself:
/// every sequence of the document is compared with every one of the query, and each of these counts once. Documents
/// with none take no part.
struct SharedIntervalsBound {
  static constexpr std::uint32_t kIntervals = 5;
  static constexpr std::uint32_t kSymbols = 25;  ///< intervals folded into the octave
  static constexpr std::uint32_t kMostSequences = kMostLineNotes - kIntervals;
  static constexpr std::uint32_t kShared = 0;

  std::uint32_t sequence[kMostSequences];  ///< of symbols, the first one most significant; all different
  std::uint32_t sequences;
  std::uint32_t least_notes;
  std::uint32_t only_whole;
  std::int32_t most;

  /// index::folded_interval, for any two MIDI pitches.
  [[nodiscard]] RONDO_CARD static std::uint32_t symbol(std::int32_t interval) {
    if (interval == 0) return 12;
    const std::int32_t folded = 1 + (absolute(interval) - 1) % 12;
    return static_cast<std::uint32_t>(interval > 0 ? 12 + folded : 12 - folded);
  }
  /// The sequence of the last five symbols, after one more.
  [[nodiscard]] RONDO_CARD static std::uint32_t next(std::uint32_t last, std::int32_t interval) {
    return last % (kSymbols * kSymbols * kSymbols * kSymbols) * kSymbols + symbol(interval);
  }

  template <class Document, class Cells>
  [[nodiscard]] RONDO_CARD std::int32_t bound(const Document& document, Cells& /*cells*/) const {
    std::uint64_t found = 0;
    std::uint32_t last = 0;
    auto before = static_cast<std::int32_t>(document.pitch(0));
    for (std::uint32_t j = 1; j < document.notes; ++j) {
      const auto pitch = static_cast<std::int32_t>(document.pitch(j));
      last = next(last, pitch - before);
      before = pitch;
      if (j < kIntervals) continue;
      for (std::uint32_t i = 0; i < sequences; ++i) {
        if (sequence[i] == last) found |= std::uint64_t{1} << i;
      }
    }
    return found == 0 ? kNoBound : static_cast<std::int32_t>(ones_in(found));
  }
};

}  // namespace rondo::gpu
