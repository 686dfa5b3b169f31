#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "rondo/similarity/plan.h"
#include "similarity/spline/geometry.h"
#include "similarity/spline/grams.h"

/// The comparers of similarity.md, section 1, as required by ngram_system.h.
namespace rondo::spline {

/// What Freq adds to a comparer over windows of three notes: an identical window scores 1 - f, a gap -(1 - f), where
/// f is the window's share of the collection; of a window never seen, 1 - 1/N and -1/N.
///
/// Base has: the features of a window (`Trait`, `trait_of`), and `twice_penalty` of two that differ, an integer; so all
/// scores times 2N are integers and sums are exact in any order.
template <typename Base>
class ExactFreq {
 public:
  using Value = std::int64_t;
  static constexpr std::size_t kNotes = 3;
  struct Gram {
    Relative<3> relative;
    typename Base::Trait trait;
    Value match;
    Value gap;
  };

  void learn(const Line& line) { counts_->add(line); }
  static constexpr bool kLearns = true;
  [[nodiscard]] WindowPlan plan() const { return {.pairing = Base::kPairing, .counts = counts_}; }
  [[nodiscard]] Gram gram(const Line& line, std::size_t at) const {
    const Relative<3> relative = relative_pitches<3>(line, at);
    const std::int64_t count = counts_->count(key_of<3>(relative));
    const std::int64_t total = counts_->total();
    const auto trait = Base::trait_of(relative);
    if (count == 0) return {relative, trait, 2 * (total - 1), -2};
    return {relative, trait, 2 * (total - count), -2 * (total - count)};
  }
  [[nodiscard]] Value pair(const Gram& query, const Gram& document) const {
    if (same(query, document)) return query.match;
    return -counts_->total() * Base::twice_penalty(query.trait, document.trait);
  }
  [[nodiscard]] static Value gap(const Gram& gram) { return gram.gap; }
  [[nodiscard]] static bool same(const Gram& a, const Gram& b) { return same_pitches(a.relative, b.relative); }
  [[nodiscard]] double unit() const { return 1.0 / (2.0 * static_cast<double>(counts_->total())); }

 private:
  std::shared_ptr<WindowCounts> counts_ = std::make_shared<WindowCounts>();
};

/// Mean absolute difference of the two intervals.
struct IntervalPenalty {
  static constexpr WindowPlan::Pairing kPairing = WindowPlan::Pairing::interval;
  struct Trait {
    int first;
    int second;
  };
  [[nodiscard]] static Trait trait_of(const Relative<3>& window) { return {window[0], window[1] - window[0]}; }
  [[nodiscard]] static std::int64_t twice_penalty(Trait a, Trait b) {
    return std::abs(a.first - b.first) + std::abs(a.second - b.second);
  }
};

/// 0.5 for windows of one shape class, 8 for opposite ones, 1 otherwise. Zeros satisfy several tests, and the first
/// that the query's window passes decides: so it is not symmetric.
struct ShapePenalty {
  static constexpr WindowPlan::Pairing kPairing = WindowPlan::Pairing::shape;
  static constexpr unsigned kValley = 1;
  static constexpr unsigned kHill = 2;
  static constexpr unsigned kRise = 4;
  static constexpr unsigned kFall = 8;
  struct Trait {
    std::uint8_t passes;    ///< every test that the window passes
    std::uint8_t first;     ///< the first of them
    std::uint8_t opposite;  ///< of the first
  };
  [[nodiscard]] static Trait trait_of(const Relative<3>& window) {
    const int one = window[0];
    const int two = window[1] - window[0];
    const unsigned passes = (one <= 0 && two >= 0 ? kValley : 0U) | (one >= 0 && two <= 0 ? kHill : 0U) |
                            (one >= 0 && two >= 0 ? kRise : 0U) | (one <= 0 && two <= 0 ? kFall : 0U);
    const unsigned first = passes & (~passes + 1U);  // the lowest bit
    const unsigned opposite = (first & (kValley | kRise)) != 0 ? first << 1U : first >> 1U;
    return {static_cast<std::uint8_t>(passes), static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(opposite)};
  }
  [[nodiscard]] static std::int64_t twice_penalty(Trait query, Trait document) {
    if ((document.passes & query.first) != 0) return 1;
    return (document.passes & query.opposite) != 0 ? 16 : 2;
  }
};

/// Freq(SplinePitch): as above with the area between the curves' derivatives, which is not a multiple of 1/2.
class FreqSplinePitch {
 public:
  using Value = double;
  static constexpr std::size_t kNotes = 3;
  struct Gram {
    Relative<3> relative;
    double match;
    double gap;
  };

  void learn(const Line& line) { counts_->add(line); }
  static constexpr bool kLearns = true;
  [[nodiscard]] WindowPlan plan() const { return {.pairing = WindowPlan::Pairing::pitch_area, .counts = counts_}; }
  [[nodiscard]] Gram gram(const Line& line, std::size_t at) const {
    const Relative<3> relative = relative_pitches<3>(line, at);
    const auto total = static_cast<double>(counts_->total());
    const std::int64_t count = counts_->count(key_of<3>(relative));
    if (count == 0) return {relative, 1 - 1 / total, -1 / total};
    const double weight = 1 - static_cast<double>(count) / total;
    return {relative, weight, -weight};
  }
  [[nodiscard]] static double pair(const Gram& query, const Gram& document) {
    if (same(query, document)) return query.match;
    return -area3(query.relative[0] - document.relative[0], query.relative[1] - document.relative[1]);
  }
  [[nodiscard]] static double gap(const Gram& gram) { return gram.gap; }
  [[nodiscard]] static bool same(const Gram& a, const Gram& b) { return same_pitches(a.relative, b.relative); }
  [[nodiscard]] static double unit() { return 1; }

 private:
  std::shared_ptr<WindowCounts> counts_ = std::make_shared<WindowCounts>();
};

/// Combined(SplinePitch w1, m1; SplineTime w2, m2) over windows of four notes: each component scores minus its area,
/// or +2 m when identical; the second is scaled by m1/m2 so that both have the same weight. A gap costs the pitch area
/// against the flat span; time gaps are free.
class PitchAndTime {
 public:
  using Value = double;
  static constexpr std::size_t kNotes = 4;
  struct Gram {
    Relative<4> relative;
    std::array<double, 3> ratio;        ///< durations as ratios to the first
    std::array<std::int64_t, 3> milli;  ///< the same in thousandths, rounded, for the test of identity
    double gap;
  };
  struct Weights {
    double pitch = 1;
    double time = 0.5;
    double pitch_mean = 2.1838;
    double time_mean = 0.4772;
  };

  explicit PitchAndTime(Weights weights) : weights_(weights) {}
  static void learn(const Line& /*line*/) {}
  static constexpr bool kLearns = false;
  [[nodiscard]] WindowPlan plan() const {
    return {.pairing = WindowPlan::Pairing::pitch_and_time,
            .pitch = weights_.pitch,
            .time = weights_.time,
            .pitch_mean = weights_.pitch_mean,
            .time_mean = weights_.time_mean};
  }
  [[nodiscard]] Gram gram(const Line& line, std::size_t at) const;
  [[nodiscard]] double pair(const Gram& query, const Gram& document) const {
    const double pitch = weights_.pitch * pitch_score(query, document);
    if (weights_.time == 0) return pitch;
    return pitch + weights_.time * time_score(query, document) * weights_.pitch_mean / weights_.time_mean;
  }
  [[nodiscard]] static double gap(const Gram& gram) { return gram.gap; }
  [[nodiscard]] static bool same(const Gram& a, const Gram& b) {
    return a.relative == b.relative && a.milli == b.milli;
  }
  [[nodiscard]] static double unit() { return 1; }

 private:
  [[nodiscard]] double pitch_score(const Gram& query, const Gram& document) const;
  [[nodiscard]] double time_score(const Gram& query, const Gram& document) const;

  Weights weights_;
};

}  // namespace rondo::spline
