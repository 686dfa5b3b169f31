#pragma once

#include "search/kernels/window_align.h"

/// A rough local alignment that spares most documents the one of window_align.h: in bytes, so twice as many at once,
/// and of curves by pitch alone. For the pairings shape and pitch_and_time, and the local aligner.
///
/// Gains are rounded up, losses down, and rhythms count as identical; so what comes out is never below the true score.
namespace rondo::kernels {

/// The query. By pairing a row has
///   shape           `code`: a number that is the same for identical windows, and seldom for others; `first`, `second`:
///                   the tests that mean "same class" and "opposite class"
///   pitch_and_time  `code` likewise; `first`, `second`: gain_features of its window
struct GainRows {
  WindowPlan::Pairing pairing = WindowPlan::Pairing::shape;
  std::vector<std::uint8_t> code;
  std::vector<std::uint8_t> first;
  std::vector<std::uint8_t> second;
  std::vector<std::uint8_t> match;  ///< gained by an identical window
  std::vector<std::uint8_t> gap;    ///< lost by leaving the window out
  std::uint8_t other_gain = 0;      ///< of pitch_and_time: gained by any pair, for its rhythm, before what it loses
  std::uint8_t same = 0, other = 0, opposite = 0;  ///< of shape: lost by pairs that differ
  std::uint8_t document_gap = 0;                   ///< of shape
  std::int16_t factor[2] = {0, 0};  ///< of pitch_and_time: what the two functionals cost, in 1/256, no more than 128
};

[[nodiscard]] std::uint8_t shape_code(int first, int second);
/// The two functionals of a pitch curve (window_align.h) times a factor, in the middle of a byte, as far as they fit
/// in. Two numbers rounded down are less than one further apart than they were.
struct GainFeatures {
  std::uint8_t whole;
  std::uint8_t halves;
  std::uint8_t code;
};
[[nodiscard]] GainFeatures gain_features(int u, int v, int w, const std::int16_t* factor);
/// Functionals are brought within this, which can only bring two numbers nearer together.
inline constexpr int kFunctionalLimit = 250;

/// For each lane what an alignment gains at most. No more than 255 may be gained by all columns together.
void window_gains(const GainRows& rows, const Columns& columns, std::uint8_t* best);
/// The scalar reference.
void window_gains_plain(const GainRows& rows, const Columns& columns, std::uint8_t* best);

}  // namespace rondo::kernels
