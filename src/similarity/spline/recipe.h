#pragma once

#include "similarity/align.h"
#include "similarity/spline/grams.h"

namespace rondo::spline {

/// What a window-aligning system is made of, told to a search that wants bounds on its scores without computing them.
struct Recipe {
  enum class Pairing : std::uint8_t {
    shape,          ///< Freq(Shape)
    interval,       ///< Freq(Interval)
    pitch_area,     ///< Freq(SplinePitch)
    pitch_and_time  ///< Combined(SplinePitch, SplineTime)
  };
  Pairing pairing = Pairing::shape;
  Aligner aligner = Aligner::hybrid;
  const GramCounts* counts = nullptr;  ///< of the first three pairings; lives as long as the system
  double pitch = 0;                    ///< weights and means of the fourth
  double time = 0;
  double pitch_mean = 0;
  double time_mean = 0;

  [[nodiscard]] std::size_t notes() const { return pairing == Pairing::pitch_and_time ? 4 : 3; }
};

}  // namespace rondo::spline
