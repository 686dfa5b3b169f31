#include "similarity/key_guess.h"

#include <array>
#include <cmath>

namespace rondo {
namespace {

using Profile = std::array<std::int64_t, 12>;

// In hundredths.
constexpr Profile kMajor = {633, 223, 348, 233, 438, 409, 252, 519, 239, 366, 229, 288};
constexpr Profile kMinor = {635, 268, 352, 538, 260, 353, 254, 475, 398, 269, 334, 317};

std::int64_t sum(const Profile& profile) {
  std::int64_t total = 0;
  for (const std::int64_t value : profile) total += value;
  return total;
}

/// The square root of the sum of squares about the mean: what a covariance is divided by.
double spread(const Profile& profile) {
  std::int64_t squares = 0;
  for (const std::int64_t value : profile) squares += value * value;
  return std::sqrt(static_cast<double>(12 * squares - sum(profile) * sum(profile)));
}

int pitch_class(int pitch) { return ((pitch % 12) + 12) % 12; }

}  // namespace

KeyGuess guess_key(const Line& line) {
  if (line.size() == 0) return {};
  // Ticks are shortened, if need be, so that the sums below are exact as doubles.
  std::int64_t all = 0;
  for (const std::int64_t duration : line.duration) all += duration;
  const std::int64_t unit = 1 + all / (std::int64_t{1} << 38);
  std::array<std::int64_t, 12> time{};
  std::int64_t total = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    time[static_cast<std::size_t>(pitch_class(line.pitch[i]))] += line.duration[i] / unit;
    total += line.duration[i] / unit;
  }
  static const std::array<double, 2> spreads = {spread(kMajor), spread(kMinor)};
  static const std::array<std::int64_t, 2> sums = {sum(kMajor), sum(kMinor)};
  const int first = pitch_class(line.pitch[0]);
  KeyGuess best;
  double highest = -HUGE_VAL;
  for (int above = 0; above < 12; ++above) {
    const int tonic = (first + above) % 12;
    for (const bool minor : {false, true}) {
      const Profile& profile = minor ? kMinor : kMajor;
      std::int64_t product = 0;
      for (int i = 0; i < 12; ++i) {
        product += time[static_cast<std::size_t>((tonic + i) % 12)] * profile[static_cast<std::size_t>(i)];
      }
      const std::size_t mode = minor ? 1 : 0;
      const double fit = static_cast<double>(12 * product - total * sums[mode]) / spreads[mode];
      if (fit > highest) {
        highest = fit;
        best = {tonic, minor};
      }
    }
  }
  return best;
}

}  // namespace rondo
