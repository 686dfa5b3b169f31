#include "similarity/key_guess.h"

#include <array>
#include <cmath>

namespace rondo {
namespace {

/// In hundredths: integers, so that all sums and products here are exact.
using Profile = std::array<double, 12>;

constexpr Profile kMajor = {633, 223, 348, 233, 438, 409, 252, 519, 239, 366, 229, 288};
constexpr Profile kMinor = {635, 268, 352, 538, 260, 353, 254, 475, 398, 269, 334, 317};
constexpr std::array<const Profile*, 2> kProfiles = {&kMajor, &kMinor};

double sum(const Profile& profile) {
  double total = 0;
  for (const double value : profile) total += value;
  return total;
}

/// The square root of the sum of squares about the mean, the denominator of a correlation.
double spread(const Profile& profile) {
  double squares = 0;
  for (const double value : profile) squares += value * value;
  return std::sqrt(12 * squares - sum(profile) * sum(profile));
}

int pitch_class(int pitch) { return ((pitch % 12) + 12) % 12; }

}  // namespace

KeyGuess guess_key(const Line& line) {
  if (line.size() == 0) return {};
  // Ticks are scaled down if necessary, so that the sums are exact in doubles.
  std::int64_t all = 0;
  for (const std::int64_t duration : line.duration) all += duration;
  const std::int64_t unit = 1 + all / kMostKeyTime;
  PitchClassTimes time{};
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::int64_t whole_units = line.duration[i] / unit;
    time[static_cast<std::size_t>(pitch_class(line.pitch[i]))] += static_cast<double>(whole_units);
  }
  return guess_key(time, pitch_class(line.pitch[0]));
}

KeyGuess guess_key(const PitchClassTimes& time, int first) {
  static const std::array<double, 2> spreads = {spread(kMajor), spread(kMinor)};
  static const std::array<double, 2> sums = {sum(kMajor), sum(kMinor)};
  // Two octaves from the first note, so that the octave above every tonic is contiguous.
  std::array<double, 24> heard{};
  double total = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    heard[i] = heard[i + 12] = time[(static_cast<std::size_t>(first) + i) % 12];
    total += heard[i];
  }
  std::array<Profile, 2> products{};
  for (std::size_t mode = 0; mode < 2; ++mode) {
    for (std::size_t i = 0; i < 12; ++i) {
      const double weight = (*kProfiles[mode])[i];
      for (std::size_t above = 0; above < 12; ++above) products[mode][above] += heard[above + i] * weight;
    }
  }
  // Within a mode the first of the highest products fits best: products are integers below 2^51, so two that differ
  // still differ when divided. Of modes that fit equally well, the one with the nearer tonic is chosen, major first.
  std::array<std::size_t, 2> highest{};
  std::array<double, 2> fit{};
  for (std::size_t mode = 0; mode < 2; ++mode) {
    for (std::size_t above = 1; above < 12; ++above) {
      highest[mode] = products[mode][above] > products[mode][highest[mode]] ? above : highest[mode];
    }
    fit[mode] = (12 * products[mode][highest[mode]] - total * sums[mode]) / spreads[mode];
  }
  const bool minor = fit[1] > fit[0] || (fit[1] == fit[0] && highest[1] < highest[0]);
  return {(first + static_cast<int>(highest[minor ? 1 : 0])) % 12, minor};
}

}  // namespace rondo
