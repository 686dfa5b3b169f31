#include <algorithm>
#include <cstdlib>

#include "search/kernels/window_gains.h"

namespace rondo::kernels {
namespace {

using Gain = std::uint8_t;

Gain gain_and(int a, int b) { return static_cast<Gain>(std::min(255, a + b)); }
Gain gain_less(int a, int b) { return static_cast<Gain>(std::max(0, a - b)); }

/// A functional limited and times its factor, rounded down.
int costing(int value, std::int16_t factor) {
  return std::clamp(value, -kFunctionalLimit, kFunctionalLimit) * factor >> 8U;
}

/// A window of a document; as it is here, of one that has no window at that place.
struct GainColumn {
  Gain code = 0;
  Gain first = 0;
  Gain second = 0;
  Gain third = 0;
  Gain gap = 255;
  bool there = false;
};

GainColumn gain_column_at(const GainRows& rows, const Columns& columns, std::size_t j, std::size_t lane) {
  if (j >= columns.length[lane]) return {};
  const auto interval = [&](std::size_t k) {
    return columns.pitch[(j + k + 1) * kBatch + lane] - columns.pitch[(j + k) * kBatch + lane];
  };
  if (rows.pairing == WindowPlan::Pairing::shape) {
    const auto tests = static_cast<Gain>(tests_passed(interval(0), interval(1)));
    return {interval_code(interval(0), interval(1)), tests, 0, 0, rows.document_gap, true};
  }
  if (rows.pairing != WindowPlan::Pairing::pitch_and_time) {
    const IntervalFeatures features = interval_features(interval(0), interval(1), rows.factor);
    return {interval_code(interval(0), interval(1)),
            features.first,
            features.second,
            features.sum,
            rows.document_gap,
            true};
  }
  const GainFeatures features = gain_features(interval(0), interval(1), interval(2), rows.factor);
  const Functionals curve = functionals(interval(0), interval(1), interval(2));
  const int area =
      std::max(costing(std::abs(curve.whole), rows.factor[0]), costing(std::abs(curve.halves), rows.factor[1]));
  return {features.code, features.whole, features.halves, 0, static_cast<Gain>(area), true};
}

Gain paired(const GainRows& rows, std::size_t i, const GainColumn& column, Gain corner) {
  if (!column.there) return 0;
  if (column.code == rows.code[i]) return gain_and(corner, rows.match[i]);
  const Gain gained = gain_and(corner, rows.other[i]);
  const int first = std::abs(column.first - rows.first[i]);
  const int second = std::abs(column.second - rows.second[i]);
  switch (rows.pairing) {
    case WindowPlan::Pairing::shape:
      if ((column.first & rows.first[i]) != 0) return gain_less(gained, rows.same);
      return gain_less(gained, (column.first & rows.second[i]) != 0 ? rows.opposite : rows.unlike);
    case WindowPlan::Pairing::interval:
    case WindowPlan::Pairing::pitch_area:
      return gain_less(gained, std::max({int{rows.same}, first + second, std::abs(column.third - rows.third[i])}));
    case WindowPlan::Pairing::pitch_and_time: return gain_less(gained, std::max(0, std::max(first, second) - 1));
  }
  return 0;
}

}  // namespace

std::uint8_t interval_code(int first, int second) { return static_cast<std::uint8_t>(first + 29 * second); }

IntervalFeatures interval_features(int first, int second, const std::int16_t* factor) {
  const auto feature = [](int value, std::int16_t by) {
    return static_cast<std::uint8_t>(
        128 + std::clamp(std::clamp(value, -kFunctionalLimit, kFunctionalLimit) * by, -127, 127));
  };
  return {feature(first, factor[0]), feature(second, factor[0]), feature(first + second, factor[1])};
}

GainFeatures gain_features(int u, int v, int w, const std::int16_t* factor) {
  const Functionals curve = functionals(u, v, w);
  return {static_cast<std::uint8_t>(std::clamp(128 + costing(curve.whole, factor[0]), 0, 255)),
          static_cast<std::uint8_t>(std::clamp(128 + costing(curve.halves, factor[1]), 0, 255)),
          static_cast<std::uint8_t>(u + v * 29 + w * 71)};
}

void window_gains_plain(const GainRows& rows, const Columns& columns, std::uint8_t* best) {
  std::vector<Gain> row(columns.columns() + 1);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    row[0] = rows.start;
    for (std::size_t j = 0; j < columns.columns(); ++j) {
      row[j + 1] = gain_less(row[j], gain_column_at(rows, columns, j, lane).gap);
    }
    Gain most = 0;
    for (std::size_t i = 0; i < rows.gap.size(); ++i) {
      Gain corner = row[0];
      row[0] = gain_less(row[0], rows.gap[i]);
      for (std::size_t j = 0; j < columns.columns(); ++j) {
        const GainColumn column = gain_column_at(rows, columns, j, lane);
        const Gain gain = std::max(
            {paired(rows, i, column, corner), gain_less(row[j + 1], rows.gap[i]), gain_less(row[j], column.gap)});
        corner = row[j + 1];
        row[j + 1] = gain;
        most = std::max(most, gain);
      }
    }
    best[lane] = rows.aligner == Aligner::global ? row[columns.length[lane]] : most;
  }
}

}  // namespace rondo::kernels
