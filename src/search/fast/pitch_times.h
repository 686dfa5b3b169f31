#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "search/kernels/tune.h"

namespace rondo::fast {

/// Finds how long melodies stay on each pitch, one after the other.
class PitchTimes {
 public:
  struct Note {
    std::int32_t pitch = 0;
    std::int32_t duration = 0;
  };
  static constexpr int kNoPitch = kernels::kTunedPitches;
  /// What durations come to at most, and one that is more.
  static constexpr std::int64_t kLongest = std::int64_t{1} << 30;
  static constexpr std::int32_t kTooLong = std::numeric_limits<std::int32_t>::max();

  /// `note(i)` is the i-th Note; durations are above zero. False: one has kNoPitch, or all together last too long; then
  /// what is found is of no use.
  template <typename NoteAt>
  [[nodiscard]] bool fill(std::size_t notes, const NoteAt& note) {
    if (found_.time.size() < notes + kernels::TimeOnPitches::kRoom) {  // the last: an allocation may fail
      found_.pitch.resize(notes + kernels::TimeOnPitches::kRoom);
      found_.time.resize(notes + kernels::TimeOnPitches::kRoom);
    }
    std::int16_t* const pitches = found_.pitch.data();
    std::uint32_t* const time = time_.data();
    std::size_t distinct = 0;
    std::int64_t sounding = 0;
    for (std::size_t i = 0; i < notes; ++i) {
      const Note one = note(i);
      const std::uint32_t before = time[one.pitch];
      pitches[distinct] = static_cast<std::int16_t>(one.pitch);
      distinct += before == 0 ? 1 : 0;
      time[one.pitch] = before + static_cast<std::uint32_t>(one.duration);
      sounding += one.duration;
    }
    const bool all = sounding <= kLongest && time[kNoPitch] == 0;
    std::int32_t* const found = found_.time.data();
    int low = kernels::kTunedPitches;
    int high = 0;
    for (std::size_t k = 0; k < distinct; ++k) {
      const int pitch = pitches[k];
      found[k] = static_cast<std::int32_t>(time[pitch]);
      time[pitch] = 0;
      low = std::min(low, pitch);
      high = std::max(high, pitch);
    }
    found_.low = low;
    found_.high = high;
    found_.size = distinct;
    found_.sounding = sounding;
    return all;
  }

  [[nodiscard]] const kernels::TimeOnPitches& found() const { return found_; }

 private:
  std::array<std::uint32_t, kernels::kTunedPitches + 1> time_{};  ///< all zero between calls
  kernels::TimeOnPitches found_;
};

}  // namespace rondo::fast
