#pragma once

#include "search/kernels/window_align.h"

/// A rough alignment that spares most documents the one of window_align.h: in bytes, so twice as many at once, and of
/// curves by pitch alone. For pitch_and_time with the local aligner only.
///
/// Gains are rounded up, losses down, rhythms count as identical, and no cell falls below 0; so what comes out is never
/// below the true score.
namespace rondo::kernels {

/// The query. By pairing a row has
///   shape           `code`: a number that is the same for identical windows, and seldom for others; `first`, `second`:
///                   the tests that mean "same class" and "opposite class"
///   interval, pitch_area   `code` likewise; `first`, `second`, `third`: interval_features of its window
///   pitch_and_time  `code` likewise; `first`, `second`: gain_features of its window
struct GainRows {
  WindowPlan::Pairing pairing = WindowPlan::Pairing::shape;
  /// Local and hybrid: the best cell counts. Global: the last one.
  Aligner aligner = Aligner::local;
  /// Value of an empty alignment. Where it is above 0, windows left out at the beginning cost.
  std::uint8_t start = 0;
  std::vector<std::uint8_t> code;
  std::vector<std::uint8_t> first;
  std::vector<std::uint8_t> second;
  std::vector<std::uint8_t> third;
  std::vector<std::uint8_t> match;                  ///< gained by an identical window
  std::vector<std::uint8_t> other;                  ///< gained by any other, before what it loses
  std::vector<std::uint8_t> gap;                    ///< lost by leaving the window out
  std::uint8_t same = 0, unlike = 0, opposite = 0;  ///< of shape: lost by pairs that differ; `same` of intervals, too
  std::uint8_t document_gap = 0;                    ///< but for pitch_and_time
  /// Of pitch_and_time: what the two functionals cost, in 1/256, no more than 128. Of intervals: what a semitone of an
  /// interval and of the sum of both costs, no more than 128.
  std::int16_t factor[2] = {0, 0};
};

/// Of windows of three notes.
[[nodiscard]] std::uint8_t interval_code(int first, int second);
/// Two intervals and their sum, each times its factor, in the middle of a byte, as far as they fit in: that can only
/// bring two numbers nearer together.
struct IntervalFeatures {
  std::uint8_t first;
  std::uint8_t second;
  std::uint8_t sum;
};
[[nodiscard]] IntervalFeatures interval_features(int first, int second, const std::int16_t* factor);
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

/// For each lane what an alignment gains at most, `start` included. No more than 255 may come together.
void window_gains(const GainRows& rows, const Columns& columns, std::uint8_t* best);
/// The scalar reference.
void window_gains_plain(const GainRows& rows, const Columns& columns, std::uint8_t* best);

}  // namespace rondo::kernels
