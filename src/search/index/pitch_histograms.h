#pragma once

#include <array>
#include <vector>

#include "search/index/segment.h"

namespace rondo::index {

/// How long each document of a segment stays on each pitch, and how long it lasts: for searches that ask this of every
/// document before they look at its notes. Of whole documents, also where only their beginnings are shown.
class PitchHistograms {
 public:
  static constexpr std::int32_t kUnit = static_cast<std::int32_t>(Segment::kTicks) / 192;  ///< ticks
  static constexpr std::size_t kPitches = 32;

  struct Document {
    std::uint8_t low = 0;  ///< MIDI
    std::uint8_t high = 0;
    /// All pitches are those of MIDI and fit a row; all lengths are whole in kUnit and do not overflow.
    bool known = false;
    /// Its times, and the bars of its line, are whole on the grid of segments.
    bool on_grid = false;
    std::uint16_t rests = 0;    ///< between its notes
    std::int32_t total = 0;     ///< ticks of notes and rests between them
    std::int32_t longest = 0;   ///< ticks of the longest note with the rest before it
    std::int32_t sounding = 0;  ///< units
    std::int32_t moment = 0;    ///< the sum of units times MIDI numbers
  };
  /// Units on each pitch from Document::low on.
  struct alignas(64) Row {
    std::array<std::int16_t, kPitches> time{};
  };

  /// Time as for one pass over all notes.
  explicit PitchHistograms(const Segment& segment);
  [[nodiscard]] const Document& document(DocumentId d) const { return documents_[d]; }
  [[nodiscard]] const Row& row(DocumentId d) const { return rows_[d]; }
  /// Prefetches what is known of a document, which lies far from what is known of others that are looked at.
  void announce(DocumentId d) const {
    __builtin_prefetch(&documents_[d]);
    __builtin_prefetch(&rows_[d]);
  }

 private:
  std::vector<Document> documents_;
  std::vector<Row> rows_;
};

}  // namespace rondo::index
