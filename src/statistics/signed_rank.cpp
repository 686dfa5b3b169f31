#include "statistics/signed_rank.h"

#include "statistics/ranks.h"
#include "tails.h"
#include "whole_number.h"

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

/// Element s is the number of sign patterns whose positive ranks add up to s.
template <std::size_t Words>
std::vector<FixedNumber<Words>> sign_counts(const std::vector<std::int64_t>& ranks, std::int64_t total) {
  std::vector<FixedNumber<Words>> counts(static_cast<std::size_t>(total) + 1);
  counts[0].words[0] = 1;
  std::size_t reached = 0;
  for (const std::int64_t rank : ranks) {
    const auto step = static_cast<std::size_t>(rank);
    reached += step;
    for (std::size_t s = reached + 1; s-- > step;) counts[s] += counts[s - step];
  }
  return counts;
}

/// Element s is the probability of that sum, for more ranks than integers can count.
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

/// p from the two tails, each with the observed sum.
PValue from_tails(const PValue& less, const PValue& greater, Alternative alternative) {
  if (alternative == Alternative::kLess) return less;
  if (alternative == Alternative::kGreater) return greater;
  return (std::is_lt(compare(less, greater)) ? less : greater).times(2);
}

template <std::size_t Words>
PValue counted_p(const std::vector<std::int64_t>& ranks, std::int64_t total, std::int64_t observed,
                 Alternative alternative) {
  const std::vector<FixedNumber<Words>> counts = sign_counts<Words>(ranks, total);
  const auto at = counts.begin() + observed;
  const WholeNumber all = power_of_two(ranks.size());
  const FixedNumber<Words> less = std::accumulate(counts.begin(), at + 1, FixedNumber<Words>{}, add<Words>);
  const FixedNumber<Words> greater = std::accumulate(at, counts.end(), FixedNumber<Words>{}, add<Words>);
  return from_tails(PValue(ExactP{less.whole(), all}), PValue(ExactP{greater.whole(), all}), alternative);
}

PValue summed_p(const std::vector<std::int64_t>& ranks, std::int64_t total, std::int64_t observed,
                Alternative alternative) {
  const std::vector<double> p = sign_distribution(ranks, total);
  const auto at = p.begin() + observed;
  return from_tails(std::min(1.0, std::accumulate(p.begin(), at + 1, 0.0)),
                    std::min(1.0, std::accumulate(at, p.end(), 0.0)), alternative);
}

PValue exact_sign_p(const std::vector<std::int64_t>& ranks, std::int64_t total, std::int64_t observed,
                    Alternative alternative) {
  if (ranks.size() < 64) return counted_p<1>(ranks, total, observed, alternative);
  if (ranks.size() < 128) return counted_p<2>(ranks, total, observed, alternative);
  if (ranks.size() < 256) return counted_p<4>(ranks, total, observed, alternative);
  return summed_p(ranks, total, observed, alternative);
}

}  // namespace

Result<TestResult> signed_rank_test(std::span<const double> differences, const SignedRankOptions& options) {
  if (auto fine = check_sample(differences, "the sample of differences"); !fine) return fail(std::move(fine.error()));
  const SignedRanks ranked = signed_ranks(differences, options.zeros);
  TestResult result;
  result.alternative = options.alternative;
  result.statistic = static_cast<double>(ranked.positive) / 2;
  result.ties = ranked.ties;
  if (ranked.doubled.empty()) return result;  // p is 1

  if (options.choice != Choice::kNormal) {
    const ReducedRanks ranks = reduce_ranks(ranked.doubled, false);
    const std::int64_t total = std::accumulate(ranks.reduced.begin(), ranks.reduced.end(), std::int64_t{0});
    if (static_cast<double>(total) * static_cast<double>(ranks.reduced.size()) <= options.max_work) {
      result.set_p(exact_sign_p(ranks.reduced, total, ranked.positive / ranks.step, options.alternative));
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
  result.set_p(normal_tail(result.statistic - mean, variance, options.alternative));
  result.method = Method::kNormal;
  return result;
}

}  // namespace rondo::statistics
