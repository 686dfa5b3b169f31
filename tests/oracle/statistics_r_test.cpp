// Compares rondo/statistics with R: one Rscript for a batch of random cases, see statistics.R.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "statistics/bootstrap.h"
#include "statistics/friedman.h"
#include "statistics/holm.h"
#include "statistics/kendall.h"
#include "statistics/normal.h"
#include "statistics/random.h"
#include "statistics/randomization.h"
#include "statistics/rank_sum.h"
#include "statistics/signed_rank.h"
#include "study/analysis.h"

namespace rondo::statistics {
namespace {

using Sample = std::vector<double>;
using Answer = std::map<std::string, double>;

constexpr double kExact = 1e-10;
constexpr double kApproximate = 1e-7;

/// A question to R and what is to hold of its answer.
struct Case {
  std::string line;
  std::function<void(const Answer&)> check;
};

std::string words(const Sample& sample) {
  std::ostringstream out;
  out.precision(17);
  for (const double value : sample) out << ' ' << value;
  return out.str();
}

/// R's name of an alternative.
std::string r_name(Alternative alternative) {
  return alternative == Alternative::kTwoSided ? "two.sided" : std::string(to_string(alternative));
}

/// How often each of R's ways was compared with ours, so that a batch without answers cannot pass.
std::map<std::string, int>& compared() {
  static std::map<std::string, int> counts;
  return counts;
}

/// A value R could not give (ties, all equal) is no answer to compare with.
void expect_answer(const Answer& answer, const std::string& name, double ours, double tolerance) {
  ASSERT_TRUE(answer.contains(name)) << name;
  const double theirs = answer.at(name);
  if (std::isnan(theirs)) return;
  ++compared()[name];
  EXPECT_NEAR(theirs, ours, tolerance) << name;
}

Alternative alternative_of(std::size_t i) {
  constexpr std::array kAll{Alternative::kTwoSided, Alternative::kLess, Alternative::kGreater};
  return kAll[i % kAll.size()];
}

/// Few different values give heavy ties, many give hardly any, and 0 means none at all.
Sample random_sample(Random& random, std::size_t size, std::uint64_t different, double shift) {
  Sample sample(size);
  for (double& value : sample) {
    value = different == 0 ? static_cast<double>(random.below(1U << 30U)) / 1e6
                           : static_cast<double>(random.below(different));
    value += shift;
  }
  return sample;
}

constexpr std::array<std::uint64_t, 6> kDifferent{0, 2, 3, 5, 20, 200};

Case rank_sum_case(Random& random, std::size_t i) {
  const Alternative alternative = alternative_of(i);
  const std::uint64_t different = kDifferent[i % kDifferent.size()];
  const std::size_t most = i % 4 == 0 ? 4 : 30;
  const Sample x = random_sample(random, 1 + random.below(most), different, 0);
  const Sample y = random_sample(random, 1 + random.below(most), different, i % 5 == 0 && different != 0 ? 1 : 0);
  return {"rank_sum " + r_name(alternative) + " |" + words(x) + " |" + words(y), [=](const Answer& answer) {
            RankTestOptions options;
            options.alternative = alternative;
            options.choice = Choice::kExact;
            const auto exact = rank_sum_test(x, y, options);
            options.choice = Choice::kNormal;
            const auto normal = rank_sum_test(x, y, options);
            ASSERT_TRUE(exact && normal);
            expect_answer(answer, "statistic", exact->statistic, kExact);
            expect_answer(answer, "base", exact->p, kExact);
            expect_answer(answer, "exactRankTests", exact->p, kExact);
            expect_answer(answer, "coin", exact->p, kExact);
            expect_answer(answer, "normal", normal->p, kApproximate);
          }};
}

Case signed_rank_case(Random& random, std::size_t i) {
  const Alternative alternative = alternative_of(i);
  const std::uint64_t different = kDifferent[i % kDifferent.size()];
  const bool pratt = i % 2 == 1;
  Sample d = random_sample(random, 1 + random.below(i % 4 == 0 ? 5 : 30), different, 0);
  const double shift = different == 0 ? 400 : std::floor(static_cast<double>(different) / 3);
  for (double& value : d) value -= shift;
  d.push_back(1.5);  // R has no answer to zeros alone
  return {"signed_rank " + r_name(alternative) + (pratt ? " pratt |" : " wilcoxon |") + words(d),
          [=](const Answer& answer) {
            SignedRankOptions options;
            options.alternative = alternative;
            options.zeros = pratt ? Zeros::kPratt : Zeros::kWilcoxon;
            options.choice = Choice::kExact;
            const auto exact = signed_rank_test(d, options);
            options.choice = Choice::kNormal;
            const auto normal = signed_rank_test(d, options);
            ASSERT_TRUE(exact && normal);
            expect_answer(answer, "statistic", exact->statistic, kExact);
            expect_answer(answer, "base", exact->p, kExact);
            expect_answer(answer, "exactRankTests", exact->p, kExact);
            expect_answer(answer, "coin", exact->p, kExact);
            expect_answer(answer, "normal", normal->p, kApproximate);
          }};
}

Case randomization_case(Random& random, std::size_t i) {
  const Alternative alternative = alternative_of(i);
  const Sample d = random_sample(random, 1 + random.below(11), 4 + 20 * (i % 3), -2);
  return {"randomization " + r_name(alternative) + " |" + words(d), [=](const Answer& answer) {
            RandomizationOptions options;
            options.alternative = alternative;
            const auto result = randomization_test(d, options);
            ASSERT_TRUE(result);
            expect_answer(answer, "statistic", result->statistic, kExact);
            expect_answer(answer, "base", result->p, kExact);
          }};
}

Case holm_case(Random& random) {
  Sample p = random_sample(random, 1 + random.below(9), 200, 0);
  for (double& value : p) value /= 400;
  return {"holm |" + words(p), [=](const Answer& answer) {
            const Sample ours = holm(p);
            for (std::size_t k = 0; k < ours.size(); ++k) {
              expect_answer(answer, fmt::format("p{}", k + 1), ours[k], kExact);
            }
          }};
}

Case tau_case(Random& random, std::size_t i) {
  const std::size_t n = 4 + random.below(30);
  Sample x = random_sample(random, n, kDifferent[i % kDifferent.size()], 0);
  x.front() += 0.5;
  Sample y = random_sample(random, n, kDifferent[(i + 2) % kDifferent.size()], 0);
  y.back() += 0.5;
  return {"tau |" + words(x) + " |" + words(y), [=](const Answer& answer) {
            const auto tau = kendall_tau_b(x, y);
            ASSERT_TRUE(tau);
            expect_answer(answer, "tau", *tau, kExact);
          }};
}

Case w_case(Random& random, std::size_t i) {
  const std::size_t raters = 2 + random.below(6);
  const std::size_t things = 3 + random.below(8);
  std::vector<Sample> table;
  std::string all;
  for (std::size_t r = 0; r < raters; ++r) {
    table.push_back(random_sample(random, things, kDifferent[i % kDifferent.size()], 0));
    table.back().front() += 0.5;
    all += words(table.back());
  }
  return {"w " + std::to_string(raters) + " |" + all, [=](const Answer& answer) {
            const auto w = kendall_w(table);
            ASSERT_TRUE(w);
            expect_answer(answer, "w", *w, kExact);
          }};
}

/// Friedman's test, and Nemenyi's of the first two treatments after it. Even cases have ties.
Case friedman_case(Random& random, std::size_t i) {
  const std::size_t blocks = 3 + random.below(20);
  const std::size_t treatments = 3 + random.below(6);
  std::vector<Sample> values(treatments, Sample(blocks));
  std::string all;
  for (std::size_t b = 0; b < blocks; ++b) {
    Sample row = random_sample(random, treatments, i % 2 == 0 ? 4 : 0, 0);
    row.front() += i % 2 == 0 ? 2 : 300;
    if (b == 0) row.back() += 0.25;  // never all equal
    for (std::size_t t = 0; t < treatments; ++t) values[t][b] = row[t];
    all += words(row);
  }
  return {"friedman " + std::to_string(blocks) + " |" + all, [=](const Answer& answer) {
            const auto result = friedman_test(values);
            ASSERT_TRUE(result);
            expect_answer(answer, "statistic", result->statistic, kExact);
            expect_answer(answer, "p", result->p, kExact);
            expect_answer(answer, "rank", result->mean_ranks[0], kExact);
            expect_answer(answer, "nemenyi",
                          nemenyi_p(result->mean_ranks[0] - result->mean_ranks[1], treatments, blocks), 1e-8);
          }};
}

Case quantile_case(Random& random, std::size_t i) {
  const double p = std::pow(static_cast<double>(random.below(1'000'000) + 1) / 1'000'001, static_cast<double>(i + 1));
  return {"quantile |" + words({p}),
          [=](const Answer& answer) { expect_answer(answer, "z", normal_quantile(p), kExact); }};
}

Case bca_case(Random& random) {
  Sample values = random_sample(random, 5 + random.below(20), 100, 0);
  for (double& value : values) value *= value;
  Sample jackknife;
  for (std::size_t leave = 0; leave < values.size(); ++leave) {
    Sample rest = values;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(leave));
    jackknife.push_back(mean(rest));
  }
  Sample replicates(199);
  for (double& replicate : replicates) {
    Sample drawn(values.size());
    for (double& value : drawn) value = values[random.below(values.size())];
    replicate = mean(drawn);
  }
  return {"bca 0.9 |" + words(values) + " |" + words(replicates), [=](const Answer& answer) {
            const Interval bca = bca_interval(mean(values), replicates, jackknife, 0.9);
            const Interval plain = percentile_interval(mean(values), replicates, 0.9);
            expect_answer(answer, "low", bca.low, kApproximate);
            expect_answer(answer, "high", bca.high, kApproximate);
            expect_answer(answer, "plain_low", plain.low, kApproximate);
            expect_answer(answer, "plain_high", plain.high, kApproximate);
          }};
}

/// Votes of a study: the figures of each candidate, and its tests against those above it.
void add_study_cases(Random& random, std::vector<Case>& cases) {
  constexpr std::size_t kCandidates = 6;
  std::vector<study::Tiers> ballots;
  for (std::size_t person = 0; person < 13; ++person) {
    study::Tiers ballot;
    for (std::size_t i = 0; i < kCandidates; ++i) {
      if (random.below(5) == 0) continue;  // left unranked
      const bool tied = !ballot.empty() && random.below(4) == 0;
      if (!tied) ballot.emplace_back();
      ballot.back().push_back(i);
    }
    if (random.below(2) == 0 && ballot.size() > 2) std::swap(ballot[0], ballot[random.below(ballot.size())]);
    ballots.push_back(std::move(ballot));
  }
  const study::QueryAnalysis analysis = study::analyse(ballots, kCandidates);
  for (std::size_t i = 0; i < analysis.judged.size(); ++i) {
    const study::Figures figures = analysis.judged[i].figures;
    if (figures.votes() > 1) {
      cases.push_back({"figures |" + words(figures.ranks), [=](const Answer& answer) {
                         expect_answer(answer, "p10", figures.p10.value_or(NAN), kExact);
                         expect_answer(answer, "q1", figures.q1.value_or(NAN), kExact);
                         expect_answer(answer, "median", figures.median.value_or(NAN), kExact);
                         expect_answer(answer, "q3", figures.q3.value_or(NAN), kExact);
                         expect_answer(answer, "p90", figures.p90.value_or(NAN), kExact);
                         expect_answer(answer, "mean", figures.mean.value_or(NAN), kExact);
                         expect_answer(answer, "deviation", figures.deviation.value_or(NAN), kExact);
                       }});
    }
    for (std::size_t j = 0; j < i; ++j) {
      const double p = analysis.p[i][j].value();
      cases.push_back({"rank_sum two.sided |" + words(figures.ranks) + " |" + words(analysis.judged[j].figures.ranks),
                       [=](const Answer& answer) {
                         expect_answer(answer, "base", p, kExact);
                         expect_answer(answer, "exactRankTests", p, kExact);
                         expect_answer(answer, "coin", p, kExact);
                       }});
    }
  }
}

std::vector<Case> make_cases() {
  Random random(20051115);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < 180; ++i) cases.push_back(rank_sum_case(random, i));
  for (std::size_t i = 0; i < 120; ++i) cases.push_back(signed_rank_case(random, i));
  for (std::size_t i = 0; i < 40; ++i) cases.push_back(randomization_case(random, i));
  for (std::size_t i = 0; i < 20; ++i) cases.push_back(holm_case(random));
  for (std::size_t i = 0; i < 30; ++i) cases.push_back(tau_case(random, i));
  for (std::size_t i = 0; i < 24; ++i) cases.push_back(w_case(random, i));
  for (std::size_t i = 0; i < 40; ++i) cases.push_back(friedman_case(random, i));
  for (std::size_t i = 0; i < 10; ++i) cases.push_back(quantile_case(random, i));
  for (std::size_t i = 0; i < 10; ++i) cases.push_back(bca_case(random));
  for (std::size_t i = 0; i < 4; ++i) add_study_cases(random, cases);
  return cases;
}

Answer parse(const std::string& line) {
  Answer answer;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    std::istringstream parts(word);
    std::string name;
    std::string value;
    std::getline(parts, name, '=');
    std::getline(parts, value);
    answer[name] = value == "NA" || value == "NaN" ? NAN : std::strtod(value.c_str(), nullptr);
  }
  return answer;
}

TEST(StatisticsOracle, AgreesWithROnRandomCases) {
  if (std::system("Rscript -e 'library(coin); library(exactRankTests)' >/dev/null 2>&1") != 0) {
    GTEST_SKIP()
        << "needs Rscript with coin and exactRankTests (Debian: r-base-core r-cran-coin r-cran-exactranktests)";
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("rondo_statistics_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::vector<Case> cases = make_cases();
  {
    std::ofstream out(folder / "cases");
    for (const Case& one : cases) out << one.line << '\n';
  }
  const std::string command = "Rscript '" RONDO_SOURCE_DIR "/tests/oracle/statistics.R' '" +
                              (folder / "cases").string() + "' '" + (folder / "answers").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(folder / "answers");
  for (const Case& one : cases) {
    SCOPED_TRACE(one.line);
    std::string line;
    ASSERT_TRUE(std::getline(in, line)) << "R gave fewer answers than it got cases";
    one.check(parse(line));
  }
  std::filesystem::remove_all(folder);
  for (const auto& [name, count] : compared()) RecordProperty(name, count);
  EXPECT_GE(compared()["median"], 20);
  EXPECT_GE(compared()["base"], 80);
  EXPECT_GE(compared()["exactRankTests"], 200);
  EXPECT_GE(compared()["coin"], 250);
  EXPECT_GE(compared()["normal"], 200);
}

}  // namespace
}  // namespace rondo::statistics
