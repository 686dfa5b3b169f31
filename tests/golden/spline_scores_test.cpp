// The spline systems against the full score lists of the reference program: 50 melodies, every pair.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "rondo/similarity/system.h"
#include "support/data.h"

namespace rondo {
namespace {

struct GoldenCase {
  const char* system;
  const char* file;
};

std::map<std::string, Line> reference_melodies() {
  std::map<std::string, Line> lines;
  for (const auto& path : files_below(rondo_data("melodyshape/midi"), ".mid")) {
    CollectingSink sink;
    read_text("midi", slurp(path), sink);
    EXPECT_EQ(sink.pieces.size(), 1U) << path;
    EXPECT_EQ(sink.pieces.at(0).voices.size(), 1U) << path;
    lines[path.filename().string()] = make_line(sink.pieces.at(0).voices.at(0));
  }
  return lines;
}

class SplineScores : public testing::TestWithParam<GoldenCase> {};

TEST_P(SplineScores, AgreeWithTheReferenceProgramForEveryPair) {
  RONDO_NEEDS_DATA("melodyshape/scores");
  const auto lines = reference_melodies();
  ASSERT_EQ(lines.size(), 50U);
  const SystemRow* row = find_system(GetParam().system);
  ASSERT_NE(row, nullptr);
  const auto system = row->make(Parameters(row->parameters));
  for (const auto& [name, line] : lines) system->learn(line);
  std::map<std::string, std::unique_ptr<PreparedQuery>> queries;
  for (const auto& [name, line] : lines) queries[name] = system->prepare(line);

  std::ifstream in(rondo_data(std::string("melodyshape/scores/") + GetParam().file));
  std::size_t pairs = 0;
  for (std::string text; std::getline(in, text); ++pairs) {
    std::istringstream fields(text);
    std::string query, document;
    double expected = 0;
    fields >> query >> document >> expected;
    const Line& line = lines.at(document);
    const Score score = queries.at(query)->score(line);
    EXPECT_TRUE(score.comparable);
    EXPECT_NEAR(score.value, expected, 1e-9) << query << " against " << document;
    // The slow twin, and its steps add up.
    const Explanation why = queries.at(query)->explain(line);
    EXPECT_EQ(why.score, score) << query << " against " << document;
    double sum = 0;
    for (const Step& step : why.steps) sum += step.score;
    EXPECT_NEAR(sum, why.total, 1e-9);
  }
  EXPECT_EQ(pairs, 2500U);
}

INSTANTIATE_TEST_SUITE_P(
    Reference, SplineScores,
    testing::Values(GoldenCase{"shapeh", "2010-shape.tsv"}, GoldenCase{"shapel", "2012-shapel.tsv"},
                    GoldenCase{"shapeg", "2012-shapeg.tsv"}, GoldenCase{"2010-domain", "2010-domain.tsv"},
                    GoldenCase{"2010-pitchderiv", "2010-pitchderiv.tsv"}, GoldenCase{"2011-pitch", "2011-pitch.tsv"},
                    GoldenCase{"time", "2011-time.tsv"}),
    [](const auto& tested) {
      std::string name = tested.param.system;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace rondo
