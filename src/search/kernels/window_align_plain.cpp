#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "search/kernels/window_align.h"

namespace rondo::kernels {
namespace {

using Pairing = WindowPlan::Pairing;
using Value = std::int16_t;
constexpr int kLow = -32768;
/// Far from every feature, yet differences to it stay within 16 bits.
constexpr Value kNowhere = -9000;

Value saturated(int value) { return static_cast<Value>(std::clamp(value, kLow, 32767)); }
/// A distance as a penalty; it is no larger than the largest number.
Value penalty(int distance) { return static_cast<Value>(-std::min(distance, 32767)); }
Value plus(Value a, Value b) { return saturated(int{a} + int{b}); }

/// A window of a document.
struct Window {
  Value feature[4] = {kNowhere, kNowhere, kNowhere, kNowhere};
  Value gap = static_cast<Value>(kLow);
};

Window window_at(const Job& job, std::size_t j, std::size_t lane) {
  const Columns& columns = *job.columns;
  const Rows& rows = *job.rows;
  Window out;
  if (j >= columns.length[lane]) return out;
  const auto pitch = [&](std::size_t k) { return int{columns.pitch[(j + k) * kBatch + lane]}; };
  const int first = pitch(1) - pitch(0);
  const int second = pitch(2) - pitch(1);
  out.gap = rows.document_gap;
  switch (job.pairing) {
    case Pairing::shape:
      out.feature[0] = both_intervals(first, second);
      out.feature[1] = tests_passed(first, second);
      break;
    case Pairing::interval:
    case Pairing::pitch_area:
      out.feature[0] = scaled(first, rows.factor[0]);
      out.feature[1] = scaled(second, rows.factor[0]);
      break;
    case Pairing::pitch_and_time: {
      const Functionals curve = functionals(first, second, pitch(3) - pitch(2));
      const float* duration = columns.duration.data() + j * kBatch + lane;
      const TimeFunctionals time =
          functionals(duration[0], duration[kBatch], duration[2 * kBatch], duration[3 * kBatch]);
      out.feature[0] = scaled(curve.whole, rows.factor[0]);
      out.feature[1] = scaled(curve.halves, rows.factor[1]);
      out.feature[2] = scaled(time.whole, rows.time_factor[0]);
      out.feature[3] = scaled(time.halves, rows.time_factor[1]);
      // A gap costs the area against the flat curve, of which these are lower bounds.
      out.gap = static_cast<Value>(-std::max(std::abs(out.feature[0]), std::abs(out.feature[1])));
      break;
    }
  }
  return out;
}

class Cell {
 public:
  explicit Cell(const Job& of) : job_(of) {}

  [[nodiscard]] Value pair(std::size_t i, const Window& window) const {
    const Rows& rows = *job_.rows;
    const auto difference = [&](int f) { return rows.feature[f][i] - window.feature[f]; };
    const auto apart = [&](int f) { return std::abs(difference(f)); };
    switch (job_.pairing) {
      case Pairing::shape:
        if (apart(0) == 0) return rows.match[i];
        if ((window.feature[1] & rows.feature[1][i]) != 0) return rows.same;
        return (window.feature[1] & rows.feature[2][i]) != 0 ? rows.opposite : rows.other;
      case Pairing::interval: {
        const int sum = apart(0) + apart(1);
        return sum == 0 ? rows.match[i] : penalty(sum);
      }
      case Pairing::pitch_area: {
        const int sum = apart(0) + apart(1);
        const int joint = 2 * std::abs(difference(0) + difference(1));
        return sum == 0 ? rows.match[i] : penalty(std::max(sum, joint));
      }
      case Pairing::pitch_and_time: {
        const int pitch = std::max(apart(0), apart(1));
        // Durations are rounded, and so is the identity of time curves.
        const int time = std::max(0, std::max(apart(2), apart(3)) - 2);
        return plus(pitch == 0 ? rows.match[i] : penalty(pitch), time == 0 ? rows.match_time : penalty(time));
      }
    }
    return 0;
  }

 private:
  const Job& job_;
};

/// After row i (from 0): what can still be reached, from the best cell so far and with all that is left to gain.
int reach_after(const Job& job, std::size_t i, const std::vector<Value>& row, Value most) {
  int reach = most;
  for (std::size_t j = 0; j < row.size(); ++j) {
    // No more pairs than there are columns to the right.
    const auto columns = static_cast<int>(row.size() - 1 - j);
    reach = std::max<int>(reach, saturated(row[j] + std::min(int{job.rows->rest[i]}, columns * int{job.rows->most})));
  }
  return reach;
}

/// What a pair of this row can add at most: whatever differs adds nothing.
int gain_of(const Rows& rows, std::size_t i) { return std::max(0, rows.match[i] + std::max<int>(0, rows.match_time)); }

}  // namespace

std::int16_t tests_passed(int first, int second) {
  int bits = 0;
  if (first <= 0 && second >= 0) bits |= kValley;
  if (first >= 0 && second <= 0) bits |= kHill;
  if (first >= 0 && second >= 0) bits |= kRise;
  if (first <= 0 && second <= 0) bits |= kFall;
  return static_cast<std::int16_t>(bits);
}

std::int16_t both_intervals(int first, int second) {
  return static_cast<std::int16_t>(static_cast<unsigned>(first) << 8U | (static_cast<unsigned>(second) & 0xFFU));
}

TimeFunctionals functionals(float a, float b, float c, float d) {
  const float one = 1.0F / a;
  const float first = b * one;
  const float second = c * one;
  const float third = d * one;
  return {(second - first) * 3.0F + third, (first + second) - third};
}

std::int16_t scaled(int value, std::int16_t factor) {
  const int most = kFeatureLimit / std::max<int>(1, factor);
  return static_cast<std::int16_t>(std::clamp(value, -most, most) * factor);
}

std::int16_t scaled(float value, float factor) {
  constexpr float kMost = kFeatureLimit;
  return static_cast<std::int16_t>(std::nearbyint(std::max(-kMost, std::min(kMost, value * factor))));
}

void Columns::reset(std::size_t most_notes, std::size_t notes_of_window) {
  notes = most_notes;
  window = notes_of_window;
  if (duration.size() < notes * kBatch) {  // the last: an allocation may fail
    pitch.resize(notes * kBatch);
    duration.resize(notes * kBatch, 1.0F);
  }
  std::fill(std::begin(length), std::end(length), 0U);
}

std::vector<std::int16_t> still_to_gain(const Rows& rows) {
  std::vector<std::int16_t> out(rows.match.size());
  int gain = 0;
  for (std::size_t i = rows.match.size(); i-- > 0;) {
    out[i] = saturated(gain);
    gain += gain_of(rows, i);
  }
  return out;
}

std::int16_t most_to_gain(const Rows& rows) {
  int most = 0;
  for (std::size_t i = 0; i < rows.match.size(); ++i) most = std::max(most, gain_of(rows, i));
  return saturated(most);
}

void window_align_plain(const Job& job, std::int16_t* best) {
  const Rows& rows = *job.rows;
  const std::size_t columns = job.columns->columns();
  std::vector<Value> row(columns + 1);
  std::vector<Window> windows(columns);
  const Cell cell(job);
  const bool local = job.aligner == Aligner::local;
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    for (std::size_t j = 0; j < columns; ++j) windows[j] = window_at(job, j, lane);
    row[0] = 0;
    for (std::size_t j = 1; j <= columns; ++j) row[j] = local ? Value{0} : plus(row[j - 1], windows[j - 1].gap);
    Value most = local ? Value{0} : static_cast<Value>(kLow);
    bool possible = true;
    for (std::size_t i = 1; i <= rows.gap.size(); ++i) {
      Value corner = row[0];
      row[0] = local ? Value{0} : plus(row[0], rows.gap[i - 1]);
      for (std::size_t j = 1; j <= columns; ++j) {
        Value value = std::max({plus(corner, cell.pair(i - 1, windows[j - 1])), plus(row[j], rows.gap[i - 1]),
                                plus(row[j - 1], windows[j - 1].gap)});
        if (local) value = std::max(value, Value{0});
        corner = row[j];
        row[j] = value;
        most = std::max(most, value);
      }
      possible = possible && (i % kRowsBetweenChecks != 0 || reach_after(job, i - 1, row, most) >= job.enough);
    }
    const Value value = job.aligner == Aligner::global ? row[job.columns->length[lane]] : most;
    best[lane] = !possible || value < job.enough ? static_cast<Value>(job.enough - 1) : value;
  }
}

}  // namespace rondo::kernels
