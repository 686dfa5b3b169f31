#include "rondo/statistics/rank_sum.h"

#include <optional>

#include "rondo/statistics/ranks.h"
#include "tails.h"

namespace rondo::statistics {
namespace {

constexpr double kMaxCells = 8e6;

/// The distribution of the sum of `size` of the scores, each choice of them equally likely, as probabilities.
///
/// The scores are offered one after another; with j taken and r left, the next is taken with probability
/// (size - j) / r. Working with probabilities rather than counts keeps every number in [0, 1] for samples of any size,
/// and since nothing is ever subtracted, even tiny tails keep their relative precision.
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

  /// Element s is P(sum = s).
  [[nodiscard]] std::vector<double> compute() const {
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

double tail(const std::vector<double>& distribution, std::int64_t observed, std::int64_t count, std::int64_t size,
            std::int64_t total, Alternative alternative) {
  // Deviations from the mean size * total / count, times count so that they stay whole.
  const auto deviation = [&](std::int64_t sum) { return sum * count - size * total; };
  const std::int64_t here = deviation(observed);
  double p = 0;
  for (std::size_t s = 0; s < distribution.size(); ++s) {
    const std::int64_t there = deviation(static_cast<std::int64_t>(s));
    const bool counts = alternative == Alternative::kLess      ? there <= here
                        : alternative == Alternative::kGreater ? there >= here
                                                               : std::abs(there) >= std::abs(here);
    if (counts) p += distribution[s];
  }
  return std::min(p, 1.0);
}

Alternative mirrored(Alternative alternative) {
  if (alternative == Alternative::kLess) return Alternative::kGreater;
  if (alternative == Alternative::kGreater) return Alternative::kLess;
  return alternative;
}

/// Nothing when the distribution is too large to be affordable.
std::optional<double> exact_p(const Ranking& ranking, std::size_t x_size, const RankTestOptions& options) {
  const std::size_t count = ranking.doubled.size();
  ReducedRanks ranks = reduce_ranks(ranking.doubled, true);
  // The smaller sample is the cheaper one; what makes x large makes y small.
  const bool use_x = x_size <= count - x_size;
  const auto split = ranks.reduced.begin() + static_cast<std::ptrdiff_t>(x_size);
  const std::int64_t observed = use_x ? std::accumulate(ranks.reduced.begin(), split, std::int64_t{0})
                                      : std::accumulate(split, ranks.reduced.end(), std::int64_t{0});
  const std::size_t size = use_x ? x_size : count - x_size;
  const SumDistribution distribution(std::move(ranks.reduced), size);
  if (distribution.work() > options.max_work || distribution.cells() > kMaxCells) return std::nullopt;
  return tail(distribution.compute(), observed, static_cast<std::int64_t>(count), static_cast<std::int64_t>(size),
              distribution.total(), use_x ? options.alternative : mirrored(options.alternative));
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
      result.p = *p;
      return result;
    }
    if (options.choice == Choice::kExact) {
      return fail("statistics-exact-too-large", "the samples are too large for the exact rank sum test", {},
                  "use the normal approximation");
    }
  }
  const double all = m + n;
  const double variance = m * n / 12 * (all + 1 - ranking.tie_term / (all * (all - 1)));
  result.p = normal_tail(result.statistic - m * n / 2, variance, options.alternative);
  result.method = Method::kNormal;
  return result;
}

}  // namespace rondo::statistics
