#include "similarity/systems/kranenburg_features.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "similarity/metric_weight.h"

namespace rondo::kranenburg {
namespace {

/// Products of two such times fit 64 bits.
constexpr std::int64_t kLongestTime = std::int64_t{1} << 30;

/// The time the melody spends on each pitch, in the largest unit that divides all times; coarser only if the numbers
/// would overflow.
void add_histogram(const Line& line, Features& out) {
  thread_local std::vector<std::int64_t> time;
  time.assign(static_cast<std::size_t>(out.highest) + 1, 0);
  std::int64_t all = 0;
  for (std::size_t i = 0; i < out.pitch.size(); ++i) {
    time[static_cast<std::size_t>(out.pitch[i])] += line.duration[i];
    all += line.duration[i];
  }
  std::int64_t unit = 0;
  for (const std::int64_t t : time) unit = std::gcd(unit, t);
  unit = std::max(unit, 1 + (all - 1) / kLongestTime);
  for (std::size_t p = 0; p < time.size(); ++p) {
    if (time[p] == 0) continue;
    out.histogram.push_back({static_cast<std::int32_t>(p), time[p] / unit});
    out.sounding += time[p] / unit;
  }
}

}  // namespace

Features make_features(const Line& line, const Raters& raters) {
  Features out;
  const std::size_t size = std::min(line.size(), kLongest);
  if (size == 0) return out;
  const auto [low, high] =
      std::minmax_element(line.base40.begin(), line.base40.begin() + static_cast<std::ptrdiff_t>(size));
  out.lowest = *low;
  out.highest = *high - *low;
  for (std::size_t i = 0; i < size; ++i) out.pitch.push_back(line.base40[i] - *low);
  add_histogram(line, out);
  if (raters.phrase) {
    const std::int64_t first = line.onset[0];
    const auto length = static_cast<double>(std::max<std::int64_t>(1, line.onset[size - 1] - first));
    for (std::size_t i = 0; i < size; ++i) out.position.push_back(static_cast<double>(line.onset[i] - first) / length);
  }
  if (raters.metre) out.beat = metric_weights(std::span(line.onset).first(size));
  return out;
}

void best_transpositions(const Features& query, const Features& document, std::vector<std::int32_t>& out) {
  thread_local std::vector<std::int64_t> common;
  common.assign(static_cast<std::size_t>(query.highest + document.highest) + 1, 0);
  for (const PitchTime& q : query.histogram) {
    for (const PitchTime& d : document.histogram) {
      // As shares of the total, on a common denominator.
      const auto apart = d.pitch - q.pitch + query.highest;
      common[static_cast<std::size_t>(apart)] += std::min(q.time * document.sounding, d.time * query.sounding);
    }
  }
  const std::int64_t most = *std::max_element(common.begin(), common.end());
  out.clear();
  for (std::size_t t = 0; t < common.size(); ++t) {
    if (common[t] == most) out.push_back(static_cast<std::int32_t>(t) - query.highest);
  }
}

}  // namespace rondo::kranenburg
