#include <gtest/gtest.h>

#include "support/lines.h"
#include "support/rounds.h"
#include "support/small_world.h"

/// Explanations of all pairs of a small world: a score is explained by the steps of one alignment, from left to right.
namespace rondo::explained_test {
namespace {

const test::SmallWorld kWorld = test::SmallWorld{{60, 62, 65}, {Fraction(1, 4)}, test::kSanitized ? 3 : 4};

std::vector<Line> all_lines() {
  std::vector<Line> out;
  for (std::size_t i = 0; i < kWorld.melodies(); ++i) out.push_back(make_line(kWorld.melody(i)));
  return out;
}

/// Whether spans of one melody follow each other and end within it.
bool in_order(const std::vector<Step>& steps, NoteSpan Step::*span, std::size_t notes) {
  std::uint32_t begin = 0;
  for (const Step& step : steps) {
    if ((step.*span).empty()) continue;
    if ((step.*span).begin < begin || (step.*span).end > notes) return false;
    begin = (step.*span).begin;
  }
  return true;
}

TEST(Explained, StepsAddUpToTheTotalAndTheScoreIsThatOfTheSearch) {
  const std::vector<Line> lines = all_lines();
  std::size_t aligned = 0;
  for (const SystemRow* row : systems()) {
    const auto system = row->make(Parameters(row->parameters));
    for (const Line& line : lines) system->learn(line);
    const bool transports = row->name == "EMD" || row->name == "PTD";
    const std::size_t stride = transports || test::kSanitized ? 13 : 1;
    for (std::size_t q = 0; q < lines.size(); q += stride) {
      const auto prepared = system->prepare(lines[q]);
      for (std::size_t d = 0; d < lines.size(); ++d) {
        const Explanation why = prepared->explain(lines[d]);
        const auto where = [&] {
          return std::string(row->name) + ", " + test::in_words(kWorld.melody(q)) + " in " +
                 test::in_words(kWorld.melody(d));
        };
        ASSERT_EQ(why.score, prepared->score(lines[d])) << where();
        if (!why.score.comparable || why.steps.empty()) continue;
        ++aligned;
        double sum = 0;
        for (const Step& step : why.steps) {
          sum += step.score;
          ASSERT_EQ(step.kind == Step::Kind::gap_in_document, step.document.empty()) << where();
          ASSERT_EQ(step.kind == Step::Kind::gap_in_query, step.query.empty()) << where();
        }
        ASSERT_NEAR(sum, why.total, 1e-9) << where();
        if (transports) continue;  // weight flows from any note to any
        ASSERT_TRUE(in_order(why.steps, &Step::query, lines[q].size())) << where();
        ASSERT_TRUE(in_order(why.steps, &Step::document, lines[d].size())) << where();
      }
    }
  }
  EXPECT_GT(aligned, 1000U);
}

TEST(Explained, TheFewestNotesOfARowAreTheFewestThatTheSystemCompares) {
  for (const SystemRow* row : systems()) {
    const auto system = row->make(Parameters(row->parameters));
    const auto comparable = [&](std::size_t notes) {
      std::string names;
      for (std::size_t i = 0; i < notes; ++i) names += i % 2 == 0 ? "C4 " : "E4 ";
      const Line line = quarters(names);
      return system->prepare(line)->score(line).comparable;
    };
    EXPECT_TRUE(comparable(row->shortest)) << row->name;
    EXPECT_TRUE(row->shortest == 1 || !comparable(row->shortest - 1)) << row->name;
  }
}

}  // namespace
}  // namespace rondo::explained_test
