#include "evaluation/compare.h"

#include <algorithm>
#include <cmath>

#include "columns.h"
#include "statistics/holm.h"
#include "statistics/randomization.h"
#include "statistics/rank_sum.h"
#include "statistics/signed_rank.h"

namespace rondo::evaluation {
namespace {

/// Values that are mathematically equal but summed in another order differ in the last bits, which would break ties in
/// rank tests at random. No measure is meaningful to that many digits.
double rounded(double value) { return std::round(value * 1e12) / 1e12; }

/// The paper's levels, compared exactly.
std::string mark_of(const statistics::PValue& p) {
  return p.below(0.01) ? "***" : p.below(0.05) ? "**" : p.below(0.1) ? "*" : "";
}

Result<void> check(const ScoreTable& scores, const CompareOptions& options) {
  if (scores.systems.empty() || scores.queries.empty()) {
    return fail("compare-empty", "a comparison needs at least one system and one query");
  }
  if (scores.values.size() != scores.systems.size()) {
    return fail("compare-shape", "there are not as many columns of values as systems");
  }
  for (std::size_t s = 0; s < scores.systems.size(); ++s) {
    if (scores.values[s].size() != scores.queries.size()) {
      return fail("compare-shape", "system " + in_quotes(scores.systems[s]) + " does not have one value per query");
    }
    if (!std::all_of(scores.values[s].begin(), scores.values[s].end(), [](double v) { return std::isfinite(v); })) {
      return fail("compare-undefined", scores.measure + " is not defined for all queries", {},
                  "give the collection's size, or choose another measure");
    }
  }
  if (options.baseline && *options.baseline >= scores.systems.size()) {
    return fail("compare-baseline", "there is no such system to compare with");
  }
  return {};
}

class Comparer {
 public:
  Comparer(Comparison& out, const CompareOptions& options) : out_(out), options_(options) {}

  Result<void> run() {
    for (auto& column : out_.scores.values) std::transform(column.begin(), column.end(), column.begin(), rounded);
    mark_best();
    if (auto done = average(); !done) return done;
    const std::size_t systems = out_.scores.systems.size();
    out_.baseline = options_.baseline.value_or(best_system());
    for (std::size_t a = 0; a < systems; ++a) {
      for (std::size_t b = a + 1; b < systems; ++b) {
        if (!options_.all_pairs && a != out_.baseline && b != out_.baseline) continue;
        if (auto done = test(a, b); !done) return done;
      }
    }
    correct();
    return test_all_at_once();
  }

 private:
  [[nodiscard]] const std::vector<double>& column(std::size_t system) const { return out_.scores.values[system]; }
  [[nodiscard]] bool better(double a, double b) const { return out_.scores.higher_is_better ? a > b : a < b; }

  [[nodiscard]] std::size_t best_system() const {
    std::size_t best = 0;
    for (std::size_t s = 1; s < out_.means.size(); ++s) {
      if (better(out_.means[s].estimate, out_.means[best].estimate)) best = s;
    }
    return best;
  }

  void mark_best() {
    const std::size_t systems = out_.scores.systems.size();
    const std::size_t queries = out_.scores.queries.size();
    const auto first = [this](double a, double b) { return better(a, b); };
    out_.best_of_query.assign(systems, std::vector<bool>(queries, false));
    out_.best_of_system.assign(systems, std::vector<bool>(queries, false));
    for (std::size_t q = 0; q < queries; ++q) {
      double best = column(0)[q];
      for (std::size_t s = 1; s < systems; ++s) best = better(column(s)[q], best) ? column(s)[q] : best;
      for (std::size_t s = 0; s < systems; ++s) out_.best_of_query[s][q] = column(s)[q] == best;
      out_.mean_of_best += best / static_cast<double>(queries);
    }
    for (std::size_t s = 0; s < systems; ++s) {
      const double best = *std::min_element(column(s).begin(), column(s).end(), first);
      for (std::size_t q = 0; q < queries; ++q) out_.best_of_system[s][q] = column(s)[q] == best;
    }
  }

  Result<void> average() {
    for (const auto& values : out_.scores.values) {
      auto interval = statistics::bootstrap_interval(values, statistics::mean, options_.bootstrap);
      if (!interval) return fail(std::move(interval.error()));
      out_.means.push_back(*interval);
    }
    return {};
  }

  Result<void> test(std::size_t a, std::size_t b) {
    SystemTest test;
    const bool swap = options_.all_pairs ? better(out_.means[b].estimate, out_.means[a].estimate) : b == out_.baseline;
    test.better = swap ? b : a;
    test.other = swap ? a : b;
    test.difference = out_.means[test.better].estimate - out_.means[test.other].estimate;

    statistics::RankTestOptions one_tailed;
    one_tailed.alternative =
        out_.scores.higher_is_better ? statistics::Alternative::kGreater : statistics::Alternative::kLess;
    auto mann_whitney = statistics::rank_sum_test(column(test.better), column(test.other), one_tailed);
    if (!mann_whitney) return fail(std::move(mann_whitney.error()));
    test.mann_whitney = *mann_whitney;
    test.mann_whitney_mark = mark_of(test.mann_whitney.p_value);

    std::vector<double> differences;
    for (std::size_t q = 0; q < out_.scores.queries.size(); ++q) {
      differences.push_back(rounded(column(test.better)[q] - column(test.other)[q]));
    }
    auto signed_rank = statistics::signed_rank_test(differences);
    if (!signed_rank) return fail(std::move(signed_rank.error()));
    test.signed_rank = *signed_rank;
    statistics::RandomizationOptions randomization;
    randomization.samples = options_.samples;
    randomization.seed = options_.bootstrap.seed;
    auto randomized = statistics::randomization_test(differences, randomization);
    if (!randomized) return fail(std::move(randomized.error()));
    test.randomization = *randomized;
    out_.tests.push_back(std::move(test));
    return {};
  }

  void correct() {
    std::vector<statistics::PValue> signed_rank;
    std::vector<statistics::PValue> randomization;
    for (const SystemTest& test : out_.tests) {
      signed_rank.push_back(test.signed_rank.p_value);
      randomization.push_back(test.randomization.p_value);
    }
    signed_rank = statistics::holm(signed_rank);
    randomization = statistics::holm(randomization);
    for (std::size_t i = 0; i < out_.tests.size(); ++i) {
      out_.tests[i].signed_rank_holm = signed_rank[i].value();
      out_.tests[i].randomization_holm = randomization[i].value();
      out_.tests[i].mark = mark_of(signed_rank[i]);
    }
  }

  Result<void> test_all_at_once() {
    if (out_.tests.empty()) return {};
    auto friedman = statistics::friedman_test(out_.scores.values);
    if (!friedman) return fail(std::move(friedman.error()));
    out_.friedman = std::move(*friedman);
    const std::vector<double>& ranks = out_.friedman.mean_ranks;
    for (SystemTest& test : out_.tests) {
      test.nemenyi =
          statistics::nemenyi_p(ranks[test.better] - ranks[test.other], ranks.size(), out_.scores.queries.size());
    }
    return {};
  }

  Comparison& out_;
  const CompareOptions& options_;
};

}  // namespace

Result<ScoreTable> score_table(std::span<const Evaluation> evaluations, std::size_t measure) {
  ScoreTable table;
  for (const Evaluation& evaluation : evaluations) {
    if (measure >= evaluation.measures.size() || evaluation.queries != evaluations.front().queries ||
        evaluation.measures[measure].name() != evaluations.front().measures[measure].name()) {
      return fail("compare-queries", "run " + in_quotes(evaluation.run) + " was not measured like the others");
    }
    table.systems.push_back(evaluation.run);
    table.values.push_back(evaluation.values[measure]);
  }
  if (evaluations.empty()) return fail("compare-empty", "there are no runs to compare");
  table.measure = evaluations.front().measures[measure].name();
  table.higher_is_better = evaluations.front().measures[measure].measure->higher_is_better;
  table.queries = evaluations.front().queries;
  return table;
}

const SystemTest* Comparison::test_of(std::size_t system) const {
  for (const SystemTest& test : tests) {
    if (test.better == baseline && test.other == system) return &test;
  }
  return nullptr;
}

Result<Comparison> compare(ScoreTable scores, const CompareOptions& options) {
  if (auto fine = check(scores, options); !fine) return fail(std::move(fine.error()));
  Comparison comparison;
  comparison.scores = std::move(scores);
  if (auto done = Comparer(comparison, options).run(); !done) return fail(std::move(done.error()));
  return comparison;
}

}  // namespace rondo::evaluation
