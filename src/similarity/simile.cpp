#include "similarity/simile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace rondo::simile {
namespace {

std::int64_t time_of(const Line& line, std::size_t note) {
  return note + 1 < line.size() ? line.onset[note + 1] - line.onset[note] : line.duration[note];
}

/// The most frequent time between onsets; of equally frequent ones the shortest.
std::int64_t usual_time(const Line& line) {
  thread_local std::vector<std::int64_t> times;
  times.clear();
  for (std::size_t i = 0; i < line.size(); ++i) times.push_back(time_of(line, i));
  std::sort(times.begin(), times.end());
  std::int64_t usual = 1;
  std::size_t most = 0;
  for (std::size_t begin = 0; begin < times.size();) {
    std::size_t end = begin;
    while (end < times.size() && times[end] == times[begin]) ++end;
    if (end - begin > most) {
      most = end - begin;
      usual = times[begin];
    }
    begin = end;
  }
  return std::max<std::int64_t>(1, usual);
}

/// Edit distance with unit costs.
std::size_t edits(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b) {
  thread_local std::vector<std::size_t> row;
  row.resize(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const std::int8_t own : a) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (own == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, corner + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

double share(std::size_t edits, std::size_t longer) {
  return longer == 0 ? 1 : 1 - static_cast<double>(edits) / static_cast<double>(longer);
}

// Hundredths of the published ratings, from the tonic up.
using Profile = std::array<int, 12>;
constexpr Profile kMajor = {633, 223, 348, 233, 438, 409, 252, 519, 239, 366, 229, 288};
constexpr Profile kMinor = {635, 268, 352, 538, 260, 353, 254, 475, 398, 269, 334, 317};

/// Twelve times the profile minus its mean: integers that sum to zero, sufficient for a correlation.
constexpr Profile centred(const Profile& profile) {
  int sum = 0;
  for (const int value : profile) sum += value;
  Profile out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = 12 * profile[i] - sum;
  return out;
}
constexpr std::array<Profile, 2> kProfiles = {centred(kMajor), centred(kMinor)};

double length_of(const Profile& profile) {
  double sum = 0;
  for (const int value : profile) sum += static_cast<double>(value) * value;
  return std::sqrt(sum);
}

using Weights = std::array<std::int64_t, 12>;

std::size_t pitch_class(int pitch) { return static_cast<std::size_t>(((pitch % 12) + 12) % 12); }

/// The profiles by mode and tonic, as they are at each pitch class, in floating point: sums of integers below 2^53 are
/// exact in it as well.
struct KeyTable {
  using Row = std::array<double, 24>;  ///< 12 tonics, major, then minor
  std::array<Row, 12> at{};
  Row length{};
  KeyTable() {
    for (std::size_t mode = 0; mode < 2; ++mode) {
      for (std::size_t tonic = 0; tonic < 12; ++tonic) {
        length[12 * mode + tonic] = length_of(kProfiles[mode]);
        for (std::size_t step = 0; step < 12; ++step)
          at[(tonic + step) % 12][12 * mode + tonic] = kProfiles[mode][step];
      }
    }
  }
};

/// The norm of the measure divides all correlations alike and is omitted. Keys are tried from the measure's first note
/// upwards and sums are integers, so a transposed measure gets the transposed key.
std::int8_t best_key(const Weights& weights, std::size_t first) {
  static const KeyTable table;
  KeyTable::Row correlation{};
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] == 0) continue;
    const auto weight = static_cast<double>(weights[c]);
    const KeyTable::Row& row = table.at[c];
    for (std::size_t key = 0; key < row.size(); ++key) correlation[key] += weight * row[key];
  }
  for (std::size_t key = 0; key < correlation.size(); ++key) correlation[key] /= table.length[key];
  std::size_t best = first;
  for (std::size_t up = 0; up < 12; ++up) {
    const std::size_t tonic = first + up < 12 ? first + up : first + up - 12;
    if (correlation[tonic] > correlation[best]) best = tonic;
    if (correlation[tonic + 12] > correlation[best]) best = tonic + 12;
  }
  return static_cast<std::int8_t>(best);
}

/// Numbers of the measures the notes begin in, ascending.
class Measures {
 public:
  explicit Measures(const Line& line) : line_(line), length_(line.bars.empty() ? 4 * usual_time(line) : 0) {}
  std::int64_t of(std::size_t note) {
    if (line_.bars.empty()) return (line_.onset[note] - line_.onset[0]) / length_;
    while (next_ < line_.bars.size() && line_.bars[next_] <= line_.onset[note]) ++next_;
    return static_cast<std::int64_t>(next_);
  }

 private:
  const Line& line_;
  std::int64_t length_;
  std::size_t next_ = 0;
};

}  // namespace

void interval_grams(const Line& line, std::vector<Gram>& out) {
  out.clear();
  for (std::size_t i = 3; i < line.size(); ++i) {
    Gram gram = 0;
    for (std::size_t k = i - 2; k <= i; ++k) {
      gram = (gram << 16U) | static_cast<std::uint16_t>(line.pitch[k] - line.pitch[k - 1]);
    }
    out.push_back(gram);
  }
  std::sort(out.begin(), out.end());
}

double ngram_similarity(const std::vector<Gram>& a, const std::vector<Gram>& b) {
  if (a.empty() && b.empty()) return 1;
  // The multiset difference of two sorted lists.
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) {
      ++shared;
      ++i;
      ++j;
    } else if (a[i] < b[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  const std::size_t both = a.size() + b.size();
  return 1 - static_cast<double>(both - 2 * shared) / static_cast<double>(both);
}

void rhythm_classes(const Line& line, std::vector<std::int8_t>& out) {
  out.clear();
  const std::int64_t usual = usual_time(line);
  for (std::size_t i = 0; i < line.size(); ++i) {
    out.push_back(static_cast<std::int8_t>(rhythm_class(time_of(line, i), usual)));
  }
}

double rhythm_similarity(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b) {
  return share(edits(a, b), std::max(a.size(), b.size()));
}

void bar_keys(const Line& line, std::vector<std::int8_t>& out) {
  out.clear();
  Measures measures(line);
  for (std::size_t i = 0; i < line.size();) {
    const std::int64_t measure = measures.of(i);
    const std::size_t first = pitch_class(line.pitch[i]);
    Weights weights{};
    for (; i < line.size() && measures.of(i) == measure; ++i) weights[pitch_class(line.pitch[i])] += line.duration[i];
    out.push_back(best_key(weights, first));
  }
}

std::size_t measures_with_notes(const Line& line) {
  Measures measures(line);
  std::size_t count = 0;
  std::int64_t before = -1;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::int64_t measure = measures.of(i);
    if (measure != before) ++count;
    before = measure;
  }
  return count;
}

double harmony_similarity(const std::vector<std::int8_t>& a, const std::vector<std::int8_t>& b) {
  const std::size_t longer = std::max(a.size(), b.size());
  const std::size_t fewest = longer - std::min(a.size(), b.size());  // no transposition needs fewer edits
  std::size_t least = longer;
  std::vector<std::int8_t> moved = a;
  for (int up = 0; up < 12 && least > fewest; ++up) {
    least = std::min(least, edits(moved, b));
    for (std::int8_t& key : moved) key = static_cast<std::int8_t>(key % 12 == 11 ? key - 11 : key + 1);
  }
  return share(least, longer);
}

}  // namespace rondo::simile
