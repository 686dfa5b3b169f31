#include "similarity/metric_weight.h"

#include <algorithm>
#include <numeric>

namespace rondo {
namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

/// The onsets of a melody, in units of their common divisor from the first, with a lookup by time.
class Onsets {
 public:
  explicit Onsets(std::span<const std::int64_t> onsets) : at_(onsets.begin(), onsets.end()), places_(table()) {
    const std::int64_t first = at_.front();
    std::int64_t step = 0;
    for (std::int64_t& onset : at_) {
      onset -= first;
      if (step == 0 || onset % step != 0) step = std::gcd(step, onset);
    }
    for (std::int64_t& onset : at_) onset /= std::max<std::int64_t>(1, step);
    span_ = at_.back();
    dense_ = span_ <= kDense;
    if (!dense_) return;
    places_.assign(static_cast<std::size_t>(3 * span_) + 1, kNone);
    for (std::size_t i = 0; i < at_.size(); ++i) {
      places_[static_cast<std::size_t>(span_ + at_[i])] = static_cast<std::uint8_t>(i);
    }
  }

  [[nodiscard]] std::size_t size() const { return at_.size(); }
  [[nodiscard]] std::int64_t operator[](std::size_t i) const { return at_[i]; }

  /// The index of the onset at this time, or kNowhere. Precondition: the time is at most the span of the onsets before
  /// the first or after the last.
  [[nodiscard]] std::size_t find(std::int64_t time) const {
    if (dense_) {
      const std::uint8_t place = places_[static_cast<std::size_t>(span_ + time)];
      return place == kNone ? kNowhere : place;
    }
    const auto found = std::lower_bound(at_.begin(), at_.end(), time);
    return found != at_.end() && *found == time ? static_cast<std::size_t>(found - at_.begin()) : kNowhere;
  }

  /// Whether there is an onset at every `step` from one of the onsets to a later time.
  [[nodiscard]] bool throughout(std::size_t from, std::int64_t step, std::int64_t to) const {
    for (std::int64_t time = at_[from] + step; time < to; time += step) {
      if (find(time) == kNowhere) return false;
    }
    return true;
  }

 private:
  static constexpr std::int64_t kDense = 1 << 14;  // beyond it a binary search is cheaper than the table
  static constexpr std::uint8_t kNone = 255;
  static_assert(kMetricStretch < kNone);
  static std::vector<std::uint8_t>& table() {
    thread_local std::vector<std::uint8_t> places;
    return places;
  }
  std::vector<std::int64_t> at_;
  std::vector<std::uint8_t>& places_;  ///< by time, from one span before the first onset to one span after the last
  std::int64_t span_ = 0;
  bool dense_ = false;
};

/// Adds the metre that begins with onsets i and j, if there is one.
void add_metre(const Onsets& onsets, std::size_t i, std::size_t j, std::span<double> weights) {
  const std::int64_t step = onsets[j] - onsets[i];
  if (onsets.find(onsets[j] + step) == kNowhere) return;  // fewer than three
  if (onsets.find(onsets[i] - step) != kNowhere) return;  // it begins earlier
  std::int64_t steps = 2;
  while (onsets.find(onsets[i] + (steps + 1) * step) != kNowhere) ++steps;
  const std::int64_t last = onsets[i] + steps * step;
  // A set that contains this one has a step that divides this one's.
  for (std::size_t m = i + 1; m < j; ++m) {
    const std::int64_t finer = onsets[m] - onsets[i];
    if (step % finer == 0 && onsets.throughout(i, finer, last)) return;
  }
  for (std::int64_t k = 0; k <= steps; ++k) {
    weights[onsets.find(onsets[i] + k * step)] += static_cast<double>(steps * steps);
  }
}

/// The weights of strictly ascending onsets.
std::vector<double> raw_weights(std::span<const std::int64_t> onsets) {
  std::vector<double> weights(onsets.size(), 0);
  for (std::size_t begin = 0; begin < onsets.size(); begin += kMetricStretch) {
    const std::size_t size = std::min(kMetricStretch, onsets.size() - begin);
    const Onsets stretch(onsets.subspan(begin, size));
    const std::span<double> part = std::span(weights).subspan(begin, size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) add_metre(stretch, i, j, part);
    }
  }
  return weights;
}

}  // namespace

std::vector<double> metric_weights(std::span<const std::int64_t> onsets) {
  std::vector<std::int64_t> distinct(onsets.begin(), onsets.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::vector<double> weights = raw_weights(distinct);
  const double largest = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  std::vector<double> out;
  out.reserve(onsets.size());
  std::size_t at = 0;
  for (const std::int64_t onset : onsets) {
    if (distinct[at] != onset) ++at;
    out.push_back(largest > 0 ? weights[at] / largest : 0);
  }
  return out;
}

}  // namespace rondo
