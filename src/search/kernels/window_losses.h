#pragma once

#include "search/kernels/window_align.h"

/// A rough alignment that spares most documents the one of window_align.h. For the pairing pitch_and_time and the
/// hybrid aligner: by pitch alone, and in bytes.
///
/// It asks what an alignment that ends with some row loses at least by differences and gaps, whatever its rhythms, and
/// holds that against what it can have gained until there. Losses only grow, so it soon ends, and what is beyond the
/// largest byte need not be known. The unit is a sixth of what an area of 1 costs; losses are rounded down, gains up.
namespace rondo::kernels {

struct LossRows {
  std::vector<std::uint8_t> whole;  ///< loss_features of its window
  std::vector<std::uint8_t> halves;
  std::vector<std::uint8_t> code;
  std::vector<std::uint8_t> gap;  ///< lost by leaving the window out
  std::uint8_t gain_both = 0;     ///< gained by a window of identical pitches and rhythm
  std::uint8_t gain_time = 0;     ///< by one of identical rhythm
};

/// The two functionals of a pitch curve (see window_align.h) in the unit, in the middle of a byte, as far as they fit
/// in; and a number that is the same for identical windows, and seldom for others.
struct LossFeatures {
  std::uint8_t whole;
  std::uint8_t halves;
  std::uint8_t code;
};
[[nodiscard]] LossFeatures loss_features(int u, int v, int w);

struct LossLimits {
  std::uint8_t lane[kBatch]{};  ///< what each document may lose, below 255
  std::uint8_t needed = 0;      ///< what it must gain more than it loses
};

/// A bit for each lane of a document with a row where it can have lost no more than it may, and no more than it can
/// have gained beyond what it needs.
[[nodiscard]] std::uint64_t window_losses(const LossRows& rows, const Columns& columns, const LossLimits& limits);
[[nodiscard]] std::uint64_t window_losses_plain(const LossRows& rows, const Columns& columns, const LossLimits& limits);

}  // namespace rondo::kernels
