#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "search/index/segment.h"

namespace rondo::index {

/// Reads the notes of documents as points in time and pitch, which is what the geometric systems compare.
class PointReader {
 public:
  /// Longer documents are not read: sums of their times might overflow.
  static constexpr std::uint32_t kMaxNotes = 2000;

  struct Points {
    std::vector<std::uint8_t> pitch;   ///< MIDI, one for each note
    std::vector<std::uint32_t> onset;  ///< ticks since the first note
    /// Whether scoring joins the note with an earlier one of its pitch that has not ended yet (similarity/points.h),
    /// such as the note after a grace note of the same pitch. Then it is not a point.
    std::vector<bool> joined;
    bool any_joined = false;
  };

  explicit PointReader(const Segment& segment);
  /// False: the document is too long, its pitches are not those of MIDI, or its times do not fit the grid of segments
  /// or are not in ascending order.
  [[nodiscard]] bool read(const Segment::Notes& notes, Points& out) const;

 private:
  enum class Times {
    line,         ///< no note begins before the one before it has ended
    overlapping,  ///< some do
    unknown,      ///< codes alone do not tell
  };
  [[nodiscard]] bool read_pitches(const Segment::Notes& notes, std::uint8_t* out) const;
  [[nodiscard]] Times read_onsets(std::span<const std::uint8_t> codes, std::uint32_t* out) const;
  template <typename DurationOf>
  [[nodiscard]] static bool join(const DurationOf& duration_of, Points& points);

  struct Step {
    std::int32_t gap = 0;    ///< below zero: the notes overlap, or it is kUnknown
    std::int32_t whole = 0;  ///< gap and duration
  };
  const Segment* segment_;
  std::array<Step, 256> steps_{};  ///< by time code
};

/// Pitch and onset of each note of a segment as bytes: for searches that compare every document. Of whole documents,
/// and so of their beginnings.
class OnsetPlaces {
 public:
  /// Onsets are kept modulo this prime number, which does not divide the grid of segments.
  static constexpr std::uint32_t kPlaces = 31;
  /// The place of a note that is joined with an earlier one.
  static constexpr std::uint8_t kJoined = kPlaces;

  /// Takes about as long as a search.
  explicit OnsetPlaces(const Segment& segment);
  /// Whether PointReader can read the document.
  [[nodiscard]] bool known(const Segment::Notes& notes) const { return places_[notes.first] != kUnknown; }
  /// MIDI numbers; kRoom bytes beyond the last may be read.
  [[nodiscard]] const std::uint8_t* pitches(const Segment::Notes& notes) const { return &pitches_[notes.first]; }
  /// Onsets since the first note, modulo kPlaces, or kJoined; kRoom bytes beyond the last may be read.
  [[nodiscard]] const std::uint8_t* places(const Segment::Notes& notes) const { return &places_[notes.first]; }

  static constexpr std::size_t kRoom = 64;

 private:
  static constexpr std::uint8_t kUnknown = 255;
  std::vector<std::uint8_t> pitches_;
  std::vector<std::uint8_t> places_;
};

}  // namespace rondo::index
