#include "rondo/statistics/signed_rank.h"

#include "rondo/statistics/ranks.h"
#include "tails.h"

namespace rondo::statistics {
namespace {

/// The doubled ranks of the differences that take part, and the sum of those of positive ones.
struct SignedRanks {
  std::vector<std::int64_t> doubled;
  std::int64_t positive = 0;
  bool ties = false;
};

SignedRanks signed_ranks(std::span<const double> differences, Zeros zeros) {
  std::vector<double> sizes;
  std::vector<double> signs;
  for (const double difference : differences) {
    if (difference == 0 && zeros == Zeros::kWilcoxon) continue;
    sizes.push_back(std::abs(difference));
    signs.push_back(difference);
  }
  const Ranking ranking = rank_values(sizes);
  SignedRanks out;
  out.ties = ranking.tie_term > 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] == 0) continue;
    out.doubled.push_back(ranking.doubled[i]);
    if (signs[i] > 0) out.positive += ranking.doubled[i];
  }
  return out;
}

/// Element s is the probability that the ranks whose coin shows heads add up to s.
std::vector<double> sign_distribution(const std::vector<std::int64_t>& ranks, std::int64_t total) {
  std::vector<double> p(static_cast<std::size_t>(total) + 1, 0.0);
  std::vector<double> next(p.size(), 0.0);
  p[0] = 1;
  std::size_t reached = 0;
  for (const std::int64_t rank : ranks) {
    const auto step = static_cast<std::size_t>(rank);
    std::fill(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(reached + step + 1), 0.0);
    for (std::size_t s = 0; s <= reached; ++s) next[s] = p[s] / 2;
    for (std::size_t s = 0; s <= reached; ++s) next[s + step] += p[s] / 2;
    reached += step;
    p.swap(next);
  }
  return p;
}

double exact_p(const std::vector<std::int64_t>& ranks, std::int64_t total, std::int64_t observed,
               Alternative alternative) {
  const std::vector<double> p = sign_distribution(ranks, total);
  const auto at = p.begin() + observed;
  const double less = std::accumulate(p.begin(), at + 1, 0.0);
  const double greater = std::accumulate(at, p.end(), 0.0);
  if (alternative == Alternative::kLess) return std::min(1.0, less);
  if (alternative == Alternative::kGreater) return std::min(1.0, greater);
  return std::min(1.0, 2 * std::min(less, greater));
}

}  // namespace

Result<TestResult> signed_rank_test(std::span<const double> differences, const SignedRankOptions& options) {
  if (auto fine = check_sample(differences, "the sample of differences"); !fine) return fail(std::move(fine.error()));
  const SignedRanks ranked = signed_ranks(differences, options.zeros);
  TestResult result;
  result.alternative = options.alternative;
  result.statistic = static_cast<double>(ranked.positive) / 2;
  result.ties = ranked.ties;
  if (ranked.doubled.empty()) return result;

  if (options.choice != Choice::kNormal) {
    const ReducedRanks ranks = reduce_ranks(ranked.doubled, false);
    const std::int64_t total = std::accumulate(ranks.reduced.begin(), ranks.reduced.end(), std::int64_t{0});
    if (static_cast<double>(total) * static_cast<double>(ranks.reduced.size()) <= options.max_work) {
      result.p = exact_p(ranks.reduced, total, ranked.positive / ranks.step, options.alternative);
      return result;
    }
    if (options.choice == Choice::kExact) {
      return fail("statistics-exact-too-large", "the sample is too large for the exact signed rank test", {},
                  "use the normal approximation");
    }
  }
  double mean = 0;
  double variance = 0;
  for (const std::int64_t doubled : ranked.doubled) {
    const double rank = static_cast<double>(doubled) / 2;
    mean += rank / 2;
    variance += rank * rank / 4;  // the usual n(n+1)(2n+1)/24 less the tie term, also right after Pratt's ranking
  }
  result.p = normal_tail(result.statistic - mean, variance, options.alternative);
  result.method = Method::kNormal;
  return result;
}

}  // namespace rondo::statistics
