#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "similarity/systems/rondo.h"

namespace rondo::explained {
namespace {

std::int32_t in_parts(double share) { return static_cast<std::int32_t>(std::lround(share * kOne)); }

std::int16_t in_steps(double octaves) {
  const double steps = std::round(octaves * kLengthSteps);
  return static_cast<std::int16_t>(std::clamp<double>(steps, -kMostLength / 2, kMostLength / 2));
}

}  // namespace

void make_features(std::span<const std::int16_t> pitch, std::span<const std::int64_t> onset,
                   std::span<const std::int64_t> duration, Features& out) {
  const std::size_t size = std::min(pitch.size(), kLongest);
  out.pitch.assign(pitch.begin(), pitch.begin() + static_cast<std::ptrdiff_t>(size));
  for (auto* column : {&out.next, &out.length, &out.change, &out.place}) column->resize(size);
  out.rhythm = false;
  const auto length = [&](std::size_t i) {
    return std::max<std::int64_t>(1, i + 1 < size ? onset[i + 1] - onset[i] : duration[i]);
  };
  // Ratios of whole numbers, so that a melody in another tempo has the same lengths to the last bit.
  thread_local std::vector<double> octaves;
  octaves.resize(size);
  const auto first = static_cast<double>(length(0));
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    octaves[i] = std::log2(static_cast<double>(length(i)) / first);
    if (i + 1 < size) {
      sum += octaves[i];
      out.rhythm = out.rhythm || length(i) != length(0);
    }
  }
  // The last note's length is often arbitrary, so it does not count for the tempo.
  const double mean = size > 1 ? sum / static_cast<double>(size - 1) : 0;
  const std::int64_t all = std::max<std::int64_t>(1, onset[size - 1] - onset[0]);
  for (std::size_t i = 0; i < size; ++i) {
    out.next[i] = i + 1 < size ? static_cast<std::int16_t>(pitch[i + 1] - pitch[i]) : kNoInterval;
    out.length[i] = in_steps(octaves[i] - mean);
    out.change[i] = i > 0 ? in_steps(octaves[i] - octaves[i - 1]) : std::int16_t{0};
    out.place[i] = static_cast<std::int16_t>((onset[i] - onset[0]) * kLastPlace / all);
  }
}

Costs::Costs(const Settings& settings, bool rhythm) : settings_(settings), rhythm_(rhythm) {
  for (std::int32_t steps = 0; steps <= kMostLength; ++steps) {
    const double octaves = static_cast<double>(steps) / kLengthSteps;
    length_.push_back(rhythm ? in_parts(settings.length * std::min(octaves, 2.0)) : 0);
    change_.push_back(rhythm ? in_parts(settings.change * std::min(octaves, 2.0)) : 0);
  }
  for (std::int32_t steps = -kMostLength; steps <= kMostLength; ++steps) {
    const double dearer = rhythm ? 1 + settings.long_notes * steps / kLengthSteps : 1;
    gap_.push_back(static_cast<std::int32_t>(std::lround(settings.extend * std::max(0.1, dearer))));
  }
  best_other_ = std::max({settings.near, settings.far, -settings.unexplained,
                          -*std::min_element(gap_.begin() + kMostLength / 2, gap_.end() - kMostLength / 2)});
}

std::int32_t Costs::pitch(std::int32_t apart) const {
  switch (std::abs(apart)) {
    case 0: return kOne;
    case 2:
    case 3:
    case 4:
    case 12: return settings_.near;
    default: return settings_.far;
  }
}

std::int32_t Costs::place_factor(std::size_t query, std::size_t document) const {
  if (!rhythm_) return 0;
  const auto [shorter, longer] = std::minmax(query, document);
  const double ratio = static_cast<double>(shorter) / static_cast<double>(longer);
  return static_cast<std::int32_t>(std::lround(settings_.place * ratio * kOne * kPlaceParts));
}

std::int32_t Costs::overhang(std::size_t notes) const {
  return std::min<std::int32_t>(settings_.most_overhang, settings_.overhang * static_cast<std::int32_t>(notes));
}

std::int32_t Costs::at_most(std::size_t equal, std::size_t notes) const {
  return kOne * static_cast<std::int32_t>(equal) + best_other_ * static_cast<std::int32_t>(notes - equal);
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

void CommonNotes::find(std::span<const std::int16_t> document, std::vector<Found>& out) const {
  out.clear();
  thread_local std::vector<std::uint64_t> open;
  const auto [low, high] = std::minmax_element(document.begin(), document.end());
  for (std::int32_t t = *low - high_; t <= *high - low_; ++t) {
    // The longest common subsequence in words: H. Hyyroe, Bit-parallel LCS-length computation revisited, 2004. A zero
    // is a note of the query with which one more is found.
    open.assign(words_, ~std::uint64_t{0});
    for (const std::int16_t pitch : document) {
      const std::int32_t p = pitch - t;
      if (p < low_ || p > high_) continue;
      const std::uint64_t* const where = &where_[static_cast<std::size_t>(p - low_) * words_];
      std::uint64_t carry = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t met = open[w] & where[w];
        const std::uint64_t sum = open[w] + met;
        const std::uint64_t more = sum + carry;
        carry = static_cast<std::uint64_t>(sum < met) | static_cast<std::uint64_t>(more < carry);
        open[w] = more | (open[w] - met);
      }
    }
    std::uint32_t common = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::size_t in_word = std::min<std::size_t>(64, notes_ - w * 64);
      const std::uint64_t mask = in_word == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_word) - 1;
      common += static_cast<std::uint32_t>(std::popcount(~open[w] & mask));
    }
    if (common > 0) out.push_back({t, common});
  }
  std::stable_sort(out.begin(), out.end(), [](const Found& a, const Found& b) { return a.notes > b.notes; });
}

}  // namespace rondo::explained
