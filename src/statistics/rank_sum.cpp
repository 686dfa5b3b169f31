#include "statistics/rank_sum.h"

#include <cmath>
#include <optional>

#include "statistics/ranks.h"
#include "tails.h"
#include "whole_number.h"

namespace rondo::statistics {
namespace {

constexpr double kMaxCells = 8e6;

/// The distribution of the sum of `size` of the scores, each choice of them equally likely.
class SumDistribution {
 public:
  SumDistribution(std::vector<std::int64_t> scores, std::size_t size) : scores_(std::move(scores)), size_(size) {
    std::sort(scores_.begin(), scores_.end());
    prefix_.push_back(0);
    for (const std::int64_t score : scores_) prefix_.push_back(prefix_.back() + score);
    width_ = static_cast<std::size_t>(highest(scores_.size(), size_)) + 1;
  }

  [[nodiscard]] double cells() const { return static_cast<double>(size_ + 1) * static_cast<double>(width_); }
  [[nodiscard]] double work() const { return cells() * static_cast<double>(scores_.size()) / 2; }
  [[nodiscard]] std::int64_t total() const { return prefix_.back(); }
  /// How many bits the number of choices has, at most.
  [[nodiscard]] double bits() const {
    double bits = 2;  // one to begin with, one for rounding
    for (std::size_t i = 0; i < size_; ++i) {
      bits += std::log2(static_cast<double>(scores_.size() - i) / static_cast<double>(size_ - i));
    }
    return bits;
  }

  /// Element s is the number of choices with sum s.
  template <std::size_t Words>
  [[nodiscard]] std::vector<FixedNumber<Words>> counts() const {
    using Number = FixedNumber<Words>;
    std::vector<std::vector<Number>> rows(size_ + 1, std::vector<Number>(width_));
    rows[0][0].words[0] = 1;
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      const auto score = static_cast<std::size_t>(scores_[i]);
      for (std::size_t j = std::min(i + 1, size_); j > 0; --j) {
        Number* const row = rows[j].data() + score;
        const Number* const below = rows[j - 1].data();
        const auto high = static_cast<std::size_t>(highest(i, j - 1));
        for (auto s = static_cast<std::size_t>(prefix_[j - 1]); s <= high; ++s) row[s] += below[s];
      }
    }
    return std::move(rows[size_]);
  }

  /// Element s is P(sum = s), for numbers of choices too large to count with: the scores are offered one after another;
  /// with j taken and r left, the next is taken with probability (size - j) / r. Every number stays in [0, 1], and
  /// since nothing is ever subtracted, even tiny tails keep their relative precision.
  [[nodiscard]] std::vector<double> probabilities() const {
    std::vector<std::vector<double>> rows(size_ + 1, std::vector<double>(width_, 0.0));
    rows[0][0] = 1;
    for (std::size_t i = 0; i < scores_.size(); ++i) offer(i, rows);
    return std::move(rows[size_]);
  }

 private:
  /// Largest sum of j of the first `count` scores, which are in order.
  [[nodiscard]] std::int64_t highest(std::size_t count, std::size_t j) const {
    return prefix_[count] - prefix_[count - j];
  }

  void offer(std::size_t i, std::vector<std::vector<double>>& rows) const {
    const std::size_t left = scores_.size() - i;
    const auto share = [left](std::size_t part) { return static_cast<double>(part) / static_cast<double>(left); };
    const auto score = static_cast<std::size_t>(scores_[i]);
    for (std::size_t j = std::min(i + 1, size_); j > 0; --j) {
      const double take = share(std::min(size_ - (j - 1), left));
      const double stay = share(left - std::min(size_ - j, left));
      double* const row = rows[j].data();
      if (j <= i) {
        const auto high = static_cast<std::size_t>(highest(i, j));
        for (auto s = static_cast<std::size_t>(prefix_[j]); s <= high; ++s) row[s] *= stay;
      }
      const double* const below = rows[j - 1].data();
      const auto high = static_cast<std::size_t>(highest(i, j - 1));
      for (auto s = static_cast<std::size_t>(prefix_[j - 1]); s <= high; ++s) row[s + score] += below[s] * take;
    }
    rows[0][0] *= share(left - std::min(size_, left));
  }

  std::vector<std::int64_t> scores_;
  std::vector<std::int64_t> prefix_;
  std::size_t size_;
  std::size_t width_ = 0;
};

/// The sum that was observed among those that could be.
struct Observed {
  std::int64_t sum = 0;
  std::int64_t count = 0;  ///< values in all
  std::int64_t size = 0;   ///< of them in the sample
  std::int64_t total = 0;  ///< the sum of all
  Alternative alternative = Alternative::kTwoSided;

  /// Whether a sum is at least as extreme.
  [[nodiscard]] bool reached_by(std::size_t other) const {
    // Deviations from the mean size * total / count, times count so that they stay whole.
    const std::int64_t here = sum * count - size * total;
    const std::int64_t there = static_cast<std::int64_t>(other) * count - size * total;
    if (alternative == Alternative::kLess) return there <= here;
    if (alternative == Alternative::kGreater) return there >= here;
    return std::abs(there) >= std::abs(here);
  }
};

template <std::size_t Words>
PValue counted_tail(const SumDistribution& distribution, const Observed& observed) {
  const std::vector<FixedNumber<Words>> counts = distribution.counts<Words>();
  FixedNumber<Words> hits;
  FixedNumber<Words> all;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    all += counts[s];
    if (observed.reached_by(s)) hits += counts[s];
  }
  return PValue(ExactP{hits.whole(), all.whole()});
}

PValue summed_tail(const SumDistribution& distribution, const Observed& observed) {
  const std::vector<double> probabilities = distribution.probabilities();
  double p = 0;
  for (std::size_t s = 0; s < probabilities.size(); ++s) {
    if (observed.reached_by(s)) p += probabilities[s];
  }
  return {std::min(p, 1.0)};
}

Alternative mirrored(Alternative alternative) {
  if (alternative == Alternative::kLess) return Alternative::kGreater;
  if (alternative == Alternative::kGreater) return Alternative::kLess;
  return alternative;
}

/// nullopt if the distribution is too large (see max_work).
std::optional<PValue> exact_p(const Ranking& ranking, std::size_t x_size, const RankTestOptions& options) {
  const std::size_t count = ranking.doubled.size();
  ReducedRanks ranks = reduce_ranks(ranking.doubled, true);
  // The smaller sample is the cheaper one; what makes x large makes y small.
  const bool use_x = x_size <= count - x_size;
  const auto split = ranks.reduced.begin() + static_cast<std::ptrdiff_t>(x_size);
  const std::size_t size = use_x ? x_size : count - x_size;
  Observed observed;
  observed.sum = use_x ? std::accumulate(ranks.reduced.begin(), split, std::int64_t{0})
                       : std::accumulate(split, ranks.reduced.end(), std::int64_t{0});
  observed.count = static_cast<std::int64_t>(count);
  observed.size = static_cast<std::int64_t>(size);
  observed.alternative = use_x ? options.alternative : mirrored(options.alternative);
  const SumDistribution distribution(std::move(ranks.reduced), size);
  observed.total = distribution.total();
  if (distribution.work() > options.max_work || distribution.cells() > kMaxCells) return std::nullopt;
  const double bits = distribution.bits();
  if (bits <= 64) return counted_tail<1>(distribution, observed);
  if (bits <= 128) return counted_tail<2>(distribution, observed);
  if (bits <= 256) return counted_tail<4>(distribution, observed);
  return summed_tail(distribution, observed);
}

}  // namespace

Result<TestResult> rank_sum_test(std::span<const double> x, std::span<const double> y, const RankTestOptions& options) {
  if (auto fine = check_sample(x, "the first sample"); !fine) return fail(std::move(fine.error()));
  if (auto fine = check_sample(y, "the second sample"); !fine) return fail(std::move(fine.error()));
  std::vector<double> pool(x.begin(), x.end());
  pool.insert(pool.end(), y.begin(), y.end());
  const Ranking ranking = rank_values(pool);

  const auto m = static_cast<double>(x.size());
  const auto n = static_cast<double>(y.size());
  std::int64_t doubled = 0;
  for (std::size_t i = 0; i < x.size(); ++i) doubled += ranking.doubled[i];
  TestResult result;
  result.statistic = static_cast<double>(doubled) / 2 - m * (m + 1) / 2;
  result.alternative = options.alternative;
  result.ties = ranking.tie_term > 0;

  if (options.choice != Choice::kNormal) {
    if (const auto p = exact_p(ranking, x.size(), options)) {
      result.set_p(*p);
      return result;
    }
    if (options.choice == Choice::kExact) {
      return fail("statistics-exact-too-large", "the samples are too large for the exact rank sum test", {},
                  "use the normal approximation");
    }
  }
  const double all = m + n;
  const double variance = m * n / 12 * (all + 1 - ranking.tie_term / (all * (all - 1)));
  result.set_p(normal_tail(result.statistic - m * n / 2, variance, options.alternative));
  result.method = Method::kNormal;
  return result;
}

}  // namespace rondo::statistics
