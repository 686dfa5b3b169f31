#include <algorithm>
#include <array>
#include <cmath>

#include "similarity/systems/rondo.h"

namespace rondo::explained {
namespace {

std::int32_t rounded(double value) { return static_cast<std::int32_t>(std::lround(value)); }

/// The factor by which a note of this length counts more than one of average length; at least 0.1.
double longer(double factor, std::int32_t steps) { return std::max(0.1, 1 + factor * steps / kLengthSteps); }

/// log2 of the ratio, in steps; limited to -kMostLength to kMostLength.
std::int16_t length_steps(double length, double relative_to) {
  // 2^((k - 1/2) / 8): the boundaries between eighths of an octave. Compared with constants, so that the result does
  // not depend on a library's logarithm; and equal ratios give equal quotients to the last bit, whatever the ticks.
  static constexpr std::array<double, kLengthSteps> kBorders = {
      1.0442737824274138, 1.1387886347566916, 1.2418578120734840, 1.3542555469368927,
      1.4768261459394993, 1.6104903319492543, 1.7562521603732995, 1.9152065613971474,
  };
  int exponent = 0;
  const double mantissa = 2 * std::frexp(length / relative_to, &exponent);  // from 1 to 2
  std::int32_t steps = (exponent - 1) * kLengthSteps;
  for (const double border : kBorders) steps += mantissa > border ? 1 : 0;
  return static_cast<std::int16_t>(std::clamp(steps, -kMostLength, kMostLength));
}

}  // namespace

Settings settings_of(const RondoPlan& plan) {
  return {
      .near = rounded(plan.near * kFine),
      .far = rounded(plan.far * kFine),
      .length = rounded(plan.length * kFine / kLengthSteps),
      .change = rounded(plan.change * kFine / kLengthSteps),
      .place = plan.place,
      .interval = rounded(plan.interval * kFine),
      .weight = plan.weight,
      .gap = plan.gap,
      .long_notes = plan.long_notes,
      .overhang = rounded(plan.overhang * kOne),
      .beyond = plan.beyond,
  };
}

bool in_supported_range(const RondoPlan& plan) {
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  return within(plan.near, -2, 1) && within(plan.far, -2, 1) && within(plan.length, 0, 2) &&
         within(plan.change, 0, 2) && within(plan.place, 0, 4) && within(plan.interval, 0, 1) &&
         within(plan.weight, 0, 1) && within(plan.gap, 0, 20) && within(plan.long_notes, 0, 1) &&
         within(plan.overhang, 0, 60) && within(plan.beyond, 0, 1);
}

void make_features(std::span<const std::int16_t> pitch, std::span<const std::int64_t> onset,
                   std::span<const std::int64_t> duration, Features& out) {
  const std::size_t size = std::min(pitch.size(), kLongest);
  out.pitch.assign(pitch.begin(), pitch.begin() + static_cast<std::ptrdiff_t>(size));
  for (auto* column : {&out.next, &out.length, &out.change, &out.place}) column->assign(size, 0);
  out.rhythm = false;
  if (size == 1) return;  // its length is the average
  // Grace notes, if kept, take no time: their written duration counts. Nothing here may depend on the resolution of
  // ticks, because that of the index differs from that of the line.
  const auto length = [&](std::size_t i) {
    return i + 1 < size && onset[i + 1] > onset[i] ? onset[i + 1] - onset[i] : duration[i];
  };
  const std::int64_t all = onset[size - 1] > onset[0] ? onset[size - 1] - onset[0] : duration[0];
  const auto steps = static_cast<double>(size - 1);
  const std::int64_t first = length(0);
  std::int64_t before = first;
  for (std::size_t i = 0; i < size; ++i) {
    const std::int64_t own = length(i);
    out.length[i] = length_steps(static_cast<double>(own) * steps, static_cast<double>(all));
    out.change[i] = length_steps(static_cast<double>(own), static_cast<double>(before));
    const std::int64_t since = onset[i] - onset[0];
    if (since > 0) out.place[i] = static_cast<std::int16_t>(since * kLastPlace / all);
    before = own;
    if (i + 1 == size) break;
    out.next[i] = static_cast<std::int16_t>(pitch[i + 1] - pitch[i]);
    out.rhythm = out.rhythm || own != first;
  }
}

Costs::Costs(const Settings& settings, bool rhythm) : settings_(settings), rhythm_(rhythm) {
  if (!rhythm) settings_.length = settings_.change = 0;
  for (std::int32_t steps = -kMostLength; steps <= kMostLength; ++steps) {
    weight_[index(steps)] = rounded(kWeight * (rhythm ? longer(settings.weight, steps) : 1));
    gap_[index(steps)] = rounded(kOne * settings.gap * (rhythm ? longer(settings.long_notes, steps) : 1));
    beyond_[index(steps)] = rounded(settings.beyond * gap_[index(steps)]);
  }
}

std::int32_t Costs::place_factor(std::size_t query, std::size_t document) const {
  if (!rhythm_) return 0;
  const auto [shorter, larger] = std::minmax(query, document);
  const double ratio = static_cast<double>(shorter) / static_cast<double>(larger);
  return rounded(settings_.place * ratio * kFine * (65536.0 / kLastPlace));
}

std::int32_t Costs::perfect(const Features& query) const {
  std::int32_t out = 0;
  for (const std::int16_t length : query.length) out += weighted(kFine, weight(length));
  return out;
}

CommonNotes::CommonNotes(std::span<const std::int16_t> query) : notes_(query.size()), words_((query.size() + 63) / 64) {
  const auto [low, high] = std::minmax_element(query.begin(), query.end());
  low_ = *low;
  high_ = *high;
  where_.assign(static_cast<std::size_t>(high_ - low_ + 1) * words_, 0);
  for (std::size_t i = 0; i < query.size(); ++i) {
    where_[static_cast<std::size_t>(query[i] - low_) * words_ + i / 64] |= std::uint64_t{1} << (i % 64);
  }
}

std::uint32_t CommonNotes::in(std::span<const std::int16_t> document, std::int32_t transposition,
                              LongCommonOrder& order) const {
  order.restart();
  for (const std::int16_t pitch : document) {
    const std::int32_t p = pitch - transposition;
    if (p >= low_ && p <= high_) order.add(&where_[static_cast<std::size_t>(p - low_) * words_]);
  }
  return order.length();
}

void CommonNotes::find(std::span<const std::int16_t> document, std::vector<Found>& out) const {
  out.clear();
  LongCommonOrder order(notes_);
  const auto [low, high] = std::minmax_element(document.begin(), document.end());
  for (std::int32_t t = *low - high_; t <= *high - low_; ++t) {
    const std::uint32_t common = in(document, t, order);
    if (common > 0) out.push_back({t, common});
  }
  std::stable_sort(out.begin(), out.end(), [](const Found& a, const Found& b) { return a.notes > b.notes; });
}

std::int32_t align(const Costs& costs, const Features& query, const Features& document, std::int32_t transposition,
                   std::vector<std::int32_t>* table) {
  const Settings& settings = costs.settings();
  const std::size_t columns = document.size();
  const std::int32_t place = costs.place_factor(query.size(), columns);
  thread_local std::vector<std::int32_t> row;
  thread_local std::vector<std::int32_t> gaps;
  row.assign(columns + 1, 0);
  gaps.resize(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    gaps[j] = costs.gap(document.length[j]);
    row[j + 1] = std::max(row[j] - gaps[j], -settings.overhang);
  }
  if (table != nullptr) *table = row;
  for (std::size_t i = 0; i < query.size(); ++i) {
    const std::int32_t pitch = query.pitch[i] + transposition;
    const std::int32_t weight = costs.weight(query.length[i]);
    const std::int32_t gap = costs.gap(query.length[i]);
    const bool goes_on = i + 1 < query.size();
    std::int32_t corner = row[0];
    const std::int32_t beyond = costs.beyond(query.length[i]);
    std::int32_t left = row[0] -= beyond;
    for (std::size_t j = 0; j < columns; ++j) {
      std::int32_t fine = costs.pitch(document.pitch[j] - pitch);
      fine -= settings.length * std::abs(document.length[j] - query.length[i]);
      fine -= settings.change * std::abs(document.change[j] - query.change[i]);
      fine -= (place * std::abs(document.place[j] - query.place[i])) >> 16;
      if (goes_on && j + 1 < columns && document.next[j] != query.next[i]) fine -= settings.interval;
      const std::int32_t paired = corner + Costs::weighted(fine, weight);
      corner = row[j + 1];
      left = row[j + 1] = std::max({paired, left - gaps[j], corner - (j + 1 < columns ? gap : beyond)});
    }
    if (table != nullptr) table->insert(table->end(), row.begin(), row.end());
  }
  std::int32_t most = row[columns];
  for (std::size_t j = 0; j < columns; ++j) most = std::max(most, row[j] - settings.overhang);
  return most;
}

}  // namespace rondo::explained
