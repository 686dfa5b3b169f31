#pragma once

#include "gpu/bound_line.h"

namespace rondo::gpu {

/// The systems that align windows of three or four notes (WindowPlan): shapeh, shapel, shapeg, spline, time and others.
///
/// The numbers of the query are those of the vector kernel (search/kernels/window_align.h), where each worth of a pair,
/// each penalty and each gap is a whole number that is not below the true one. An alignment is a sum of them and the
/// score the greatest of such sums, so the same recurrence over greater terms gives no less. Sums are of 32 bits here:
/// at most 2 * kMostLineNotes terms of less than 2^16. What is divided by the number of pairs is rounded up.
struct WindowBound {
  enum class Pairing : std::uint8_t { shape, interval, pitch_area, pitch_and_time };
  enum class Aligner : std::uint8_t { hybrid, local, global };
  static constexpr std::uint32_t kMostWindows = kMostLineNotes - 2;
  static constexpr std::uint32_t kShared = 1;
  /// Bounds are in so many parts of a unit where they are divided.
  static constexpr std::int32_t kFine = 4096;
  static constexpr std::int32_t kFeatureLimit = 6000;

  std::int16_t match[kMostWindows];
  std::int16_t gap[kMostWindows];
  std::int16_t feature[4][kMostWindows];
  std::int16_t match_time, same, other, opposite, document_gap, factor[2];
  float time_factor[2];
  Pairing pairing;
  Aligner aligner;
  std::uint8_t window;  ///< notes
  std::uint8_t rows;    ///< windows of the query
  std::uint32_t least_notes;
  std::uint32_t only_whole;
  std::int32_t most;

  template <class Document, class Cells>
  [[nodiscard]] RONDO_CARD std::int32_t bound(const Document& document, Cells& cells) const {
    if (document.notes < window) return kNoBound;
    switch (pairing) {
      case Pairing::shape: return aligned<Pairing::shape>(document, cells);
      case Pairing::interval: return aligned<Pairing::interval>(document, cells);
      case Pairing::pitch_area: return aligned<Pairing::pitch_area>(document, cells);
      case Pairing::pitch_and_time: return aligned<Pairing::pitch_and_time>(document, cells);
    }
    return kNoBound;
  }

 private:
  /// A window of a document.
  struct Column {
    std::int32_t feature[4];
    std::int32_t gap;
  };

  [[nodiscard]] RONDO_CARD static std::int32_t scaled(std::int32_t value, std::int32_t by) {
    const std::int32_t limit = kFeatureLimit / (by > 1 ? by : 1);
    return (value < -limit ? -limit : value > limit ? limit : value) * by;
  }
  [[nodiscard]] RONDO_CARD static std::int32_t scaled(float value, float by) {
    constexpr float kMost = kFeatureLimit;
    const float product = value * by;
    const float limited = product < -kMost ? -kMost : product > kMost ? kMost : product;
#if defined(__CUDA_ARCH__)
    return __float2int_rn(limited);
#else
    return static_cast<std::int32_t>(__builtin_nearbyintf(limited));
#endif
  }

  template <Pairing kPairing, class Document>
  [[nodiscard]] RONDO_CARD Column column(const Document& document, std::uint32_t j) const {
    Column out{};
    const auto pitch = [&](std::uint32_t k) { return static_cast<std::int32_t>(document.pitch(j + k)); };
    const std::int32_t first = pitch(1) - pitch(0);
    const std::int32_t second = pitch(2) - pitch(1);
    out.gap = document_gap;
    if constexpr (kPairing == Pairing::shape) {
      out.feature[0] = first * 256 + (second & 255);
      // The tests of kernels::Test.
      out.feature[1] = (first <= 0 && second >= 0 ? 1 : 0) | (first >= 0 && second <= 0 ? 2 : 0) |
                       (first >= 0 && second >= 0 ? 4 : 0) | (first <= 0 && second <= 0 ? 8 : 0);
    } else if constexpr (kPairing == Pairing::pitch_and_time) {
      const std::int32_t third = pitch(3) - pitch(2);
      const TimeCurve time = document.time(j);
      out.feature[0] = scaled(first + 4 * second + third, factor[0]);
      out.feature[1] = scaled(first - third, factor[1]);
      out.feature[2] = scaled(time.whole, time_factor[0]);
      out.feature[3] = scaled(time.halves, time_factor[1]);
      out.gap = -greater(absolute(out.feature[0]), absolute(out.feature[1]));
    } else {
      out.feature[0] = scaled(first, factor[0]);
      out.feature[1] = scaled(second, factor[0]);
    }
    return out;
  }

  template <Pairing kPairing>
  [[nodiscard]] RONDO_CARD std::int32_t pair(const std::int32_t (&own)[4], std::int32_t own_match,
                                             const Column& column) const {
    if constexpr (kPairing == Pairing::shape) {
      if (own[0] == column.feature[0]) return own_match;
      if ((own[1] & column.feature[1]) != 0) return same;
      return (own[2] & column.feature[1]) != 0 ? opposite : other;
    } else {
      const std::int32_t a = own[0] - column.feature[0];
      const std::int32_t b = own[1] - column.feature[1];
      if constexpr (kPairing == Pairing::pitch_and_time) {
        const std::int32_t pitch = greater(absolute(a), absolute(b));
        // Durations are rounded, and so is the identity of time curves.
        const std::int32_t rough =
            greater(absolute(own[2] - column.feature[2]), absolute(own[3] - column.feature[3])) - 2;
        return (pitch == 0 ? own_match : -pitch) + (rough <= 0 ? match_time : -rough);
      } else {
        const std::int32_t sum = absolute(a) + absolute(b);
        if (sum == 0) return own_match;
        return kPairing == Pairing::interval ? -sum : -greater(sum, 2 * absolute(a + b));
      }
    }
  }

  /// `kRows` windows of the query at once, from one on; `cells[j]` is the row before them, then the last of them.
  /// Returns the greatest of their cells, but for the border.
  template <Pairing kPairing, std::uint32_t kRows, class Document, class Cells>
  [[nodiscard]] RONDO_CARD std::int32_t align_rows(const Document& document, std::uint32_t first, std::uint32_t columns,
                                                   Cells& cells) const {
    const bool local = aligner == Aligner::local;
    std::int32_t own[kRows][4];
    std::int32_t own_match[kRows];
    std::int32_t own_gap[kRows];
    std::int32_t corner[kRows];
    std::int32_t left[kRows];
    std::int32_t border = cells[0];
    RONDO_UNROLL
    for (std::uint32_t r = 0; r < kRows; ++r) {
      RONDO_UNROLL
      for (std::uint32_t f = 0; f < 4; ++f) own[r][f] = feature[f][first + r];
      own_match[r] = match[first + r];
      own_gap[r] = gap[first + r];
      corner[r] = border;
      border = local ? 0 : border + own_gap[r];
      left[r] = border;
    }
    cells[0] = border;
    std::int32_t best = kNoBound;
    for (std::uint32_t j = 0; j < columns; ++j) {
      const Column at = column<kPairing>(document, j);
      std::int32_t above = cells[j + 1];
      RONDO_UNROLL
      for (std::uint32_t r = 0; r < kRows; ++r) {
        const std::int32_t paired = corner[r] + pair<kPairing>(own[r], own_match[r], at);
        corner[r] = above;
        above = greater(paired, greater(above + own_gap[r], left[r] + at.gap));
        if (local) above = greater(above, 0);
        left[r] = above;
        best = greater(best, above);
      }
      cells[j + 1] = above;
    }
    return best;
  }

  template <Pairing kPairing, class Document, class Cells>
  [[nodiscard]] RONDO_CARD std::int32_t aligned(const Document& document, Cells& cells) const {
    const std::uint32_t columns = document.notes - window + 1;
    std::int32_t border = 0;
    cells[0] = 0;
    for (std::uint32_t j = 0; j < columns; ++j) {
      if (aligner != Aligner::local) border += column<kPairing>(document, j).gap;
      cells[j + 1] = border;
    }
    std::int32_t best = aligner == Aligner::local ? 0 : kNoBound;
    std::uint32_t i = 0;
    for (; i + 4 <= rows; i += 4) best = greater(best, align_rows<kPairing, 4>(document, i, columns, cells));
    for (; i < rows; ++i) best = greater(best, align_rows<kPairing, 1>(document, i, columns, cells));
    if (aligner == Aligner::global) return cells[columns];
    // So low that it does not matter; and the product stays within 32 bits.
    best = greater(best, -0x10000) * kFine;
    const auto pairs = static_cast<std::int32_t>(rows < columns ? rows : columns);
    return best > 0 ? (best + pairs - 1) / pairs : best / pairs;
  }
};

}  // namespace rondo::gpu
