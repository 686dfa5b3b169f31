#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/index/segment.h"

namespace rondo::fast {

/// How many notes of a query and a document have the same pitch, each note counted once, under every transposition of
/// the query: the sum over pitches of the lesser of the two counts. Whatever pairs notes of equal pitch, each at most
/// once, pairs no more than that.
class PitchOverlap {
 public:
  /// Longer queries, and pitches that MIDI does not have, are left to others.
  static constexpr std::size_t kMostNotes = 250;
  static constexpr int kPitches = 128;
  [[nodiscard]] static bool suits(std::span<const std::int16_t> query);

  explicit PitchOverlap(std::span<const std::int16_t> query);

  /// For one document: notes in common by transposition, from `lowest` up.
  struct Counts {
    int lowest = 0;
    std::size_t size = 0;
    alignas(16) std::array<std::uint8_t, 2 * kPitches + 16> notes{};
    [[nodiscard]] std::uint8_t most() const;
  };
  /// False: the document has pitches that MIDI does not have. `midi` receives its pitches.
  [[nodiscard]] bool count(const index::Segment& segment, const index::Segment::Notes& notes,
                           std::vector<std::uint8_t>& midi, Counts& out) const;

 private:
  struct Pitch {
    std::uint8_t pitch = 0;
    std::uint8_t notes = 0;
  };
  std::vector<Pitch> pitches_;
  int lowest_ = 0;
  int highest_ = 0;
};

}  // namespace rondo::fast
