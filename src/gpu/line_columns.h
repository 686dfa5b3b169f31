#pragma once

#include <span>
#include <vector>

#include "gpu/bound_line.h"

namespace rondo::gpu {

/// Lines of notes as a card bounds them, to be loaded.
struct LineSpan {
  std::span<const LineDocument> documents{};
  std::span<const std::uint8_t> pitches{};  ///< LineDocument::first_note is a number in this and the next two
  std::span<const std::uint8_t> places{};   ///< onsets in ticks, modulo kPlaces
  std::span<const TimeCurve> times{};

  [[nodiscard]] std::size_t bytes() const {
    return documents.size_bytes() + pitches.size_bytes() + places.size_bytes() + times.size_bytes();
  }
};

struct LineColumns {
  std::vector<LineDocument> documents;
  std::vector<std::uint8_t> pitches;
  std::vector<std::uint8_t> places;
  std::vector<TimeCurve> times;

  /// Appends a line of at most kMostLineNotes notes, `onset` in ticks since whenever; times[j] is of the notes from j
  /// on.
  void add(std::span<const std::uint8_t> pitch, std::span<const std::int32_t> onset, std::span<const TimeCurve> time,
           bool whole);
  /// Appends one that takes no part.
  void add_none() { documents.push_back({static_cast<std::uint32_t>(pitches.size()), 0, 0, {}}); }
  /// Appends all of another one.
  void append(const LineColumns& other);

  [[nodiscard]] LineSpan span() const { return {documents, pitches, places, times}; }
};

}  // namespace rondo::gpu
