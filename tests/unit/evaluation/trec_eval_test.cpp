#include <algorithm>
#include <sstream>

#include "support.h"

namespace rondo::evaluation {
namespace trec_eval_test {

std::string kept(const std::string& name) {
  std::ifstream in(std::string(RONDO_SOURCE_DIR) + "/tests/oracle/trec/" + name, std::ios::binary);
  EXPECT_TRUE(in.good()) << name;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Compares with tests/oracle/trec/figures.tsv, which figures.py beside it works out apart from Rondo.
void expect_kept_figures(const std::string& name, const Run& run) {
  const Truth truth = truth_of(kept("graded.qrels"), TruthForm::kQrels);
  const JudgedRun lists = judged(truth, run);
  std::istringstream lines(kept("figures.tsv"));
  std::string line;
  std::getline(lines, line);
  std::size_t compared = 0;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string file, query, what;
    double value = 0;
    fields >> file >> query >> what >> value;
    if (file != name) continue;
    const MeasureSpec spec = measure(what);
    const Evaluation all = evaluate(lists, {&spec, 1});
    const auto at = std::find(all.queries.begin(), all.queries.end(), query) - all.queries.begin();
    const double ours = query == "all" ? all.means[0] : all.values[0][static_cast<std::size_t>(at)];
    EXPECT_NEAR(ours, value, 1e-14) << file << " " << query << " " << what;
    ++compared;
  }
  EXPECT_EQ(compared, 81U) << name;
}

TEST(TrecEvalFigures, OfARunOfOthersAreOursWhenTiesGoById) {
  expect_kept_figures("ties.run", *try_run(kept("ties.run"), nullptr, Ties::kTrecEval));
}

TEST(TrecEvalFigures, OfARunThatRondoWroteAreOursInEveryOrder) {
  const std::string ours = kept("rondo.run");
  for (const Ties ties : {Ties::kByRank, Ties::kTrecEval, Ties::kAsWritten}) {
    Diagnostics warnings;
    const auto run = try_run(ours, &warnings, ties);
    ASSERT_TRUE(run);
    EXPECT_TRUE(warnings.empty());
    expect_kept_figures("rondo.run", *run);
    EXPECT_EQ(write_run(*run), ours) << "what is kept is what is written today";
  }
}

TEST(TrecEvalFigures, TheKeptRunWasFullOfTies) {
  // The same documents with the ties they had: ranks tell the order, ids would tell another.
  const auto tied = run_of(kept("rondo-with-ties.run"));
  EXPECT_EQ(write_run(tied), kept("rondo.run"));
  const auto by_id = try_run(kept("rondo-with-ties.run"), nullptr, Ties::kTrecEval);
  EXPECT_NE(write_run(*by_id), kept("rondo.run"));
}

}  // namespace trec_eval_test
}  // namespace rondo::evaluation
