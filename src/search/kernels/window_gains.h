#pragma once

#include "search/kernels/window_align.h"

/// A rough alignment that spares most documents the one of window_align.h: in bytes, so twice as many at once. For the
/// pairing `shape` and the global aligner.
///
/// Gains are rounded up, losses down, and no cell falls below 0; so what comes out is never below the true score. To
/// leave a row out costs nothing: what it would cost, pairs gain.
namespace rondo::kernels {

/// The query.
struct GainRows {
  std::uint8_t start = 0;              ///< value of an empty alignment: windows left out at the beginning cost
  std::vector<std::uint8_t> code;      ///< a number that is the same for identical windows, and seldom for others
  std::vector<std::uint8_t> is;        ///< the test (window_align.h) that means "same class"
  std::vector<std::uint8_t> opposite;  ///< and "opposite class"
  std::vector<std::uint8_t> match;     ///< gained by an identical window
  std::vector<std::uint8_t> other;     ///< gained by any other, before what it loses
  std::uint8_t loss_same = 0, loss_unlike = 0, loss_opposite = 0;  ///< lost by pairs that differ, by their classes
  std::uint8_t document_gap = 0;
};

/// Of windows of three notes.
[[nodiscard]] std::uint8_t interval_code(int first, int second);

/// For each lane what an alignment gains at most, `start` included. No more than 255 may come together.
void window_gains(const GainRows& rows, const Columns& columns, std::uint8_t* best);
/// The scalar reference.
void window_gains_plain(const GainRows& rows, const Columns& columns, std::uint8_t* best);

}  // namespace rondo::kernels
