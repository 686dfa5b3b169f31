#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CliFilter : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(rondo("import '" + demo() + "' --db demo.db").code, 0);
  }
  static std::string steps() { return "'" RONDO_SOURCE_DIR "/data/examples/white-cockade.steps'"; }
};

TEST_F(CliFilter, FeaturesAreShownAndGivenAsJson) {
  const auto shown = rondo("features white-cockade-1 --db demo.db");
  EXPECT_EQ(shown.code, 0);
  EXPECT_THAT(shown.out, HasSubstr("12 semitones, 7 steps"));
  EXPECT_THAT(shown.out, HasSubstr("UURRDDUUDRR"));
  const json all = json::parse(rondo("features white-cockade-1 --db demo.db --format json").out);
  const json& voice = all["voices"][0];
  // By hand from the demo's notation: 41 notes, G4 to G5, nothing larger than the fifth G4 D5, eighths and quarters.
  EXPECT_EQ(voice["notes"], 41);
  EXPECT_EQ(voice["range"], 12);
  EXPECT_EQ(voice["max_interval"], 7);
  EXPECT_EQ(voice["duration_ratio"], 0.5);
  EXPECT_EQ(voice["diatonic"].size(), 40U);
  EXPECT_EQ(voice["time"], "c");
  const auto missing = rondo("features nobody --db demo.db");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("nobody"));
}

TEST_F(CliFilter, TheWhiteCockadeFunnelNarrowsTheDemoDown) {
  const json all = json::parse(rondo("filter --db demo.db --ids --format json --steps " + steps()).out);
  ASSERT_EQ(all["steps"].size(), 4U);
  EXPECT_EQ(all["total"], 235) << "one voice each";
  std::int64_t left = all["total"];
  for (const json& step : all["steps"]) {
    EXPECT_EQ(step["before"], left);
    EXPECT_EQ(step["before"].get<std::int64_t>() - step["excluded"].get<std::int64_t>(), step["left"]);
    left = step["left"];
  }
  // What each step must leave, counted by another program from the same columns.
  const auto outside = shell(
      "sqlite3 demo.db \"SELECT count(*) FROM melodies WHERE range BETWEEN 12 AND 15;"
      " SELECT count(*) FROM melodies WHERE range BETWEEN 12 AND 15 AND max_interval BETWEEN 7 AND 9;"
      " SELECT count(*) FROM melodies WHERE range BETWEEN 12 AND 15 AND max_interval BETWEEN 7 AND 9"
      " AND duration_ratio <= 0.51;"
      " SELECT count(*) FROM melodies WHERE range BETWEEN 12 AND 15 AND max_interval BETWEEN 7 AND 9"
      " AND duration_ratio <= 0.51 AND (diatonic LIKE '% -2 0 4 3 %' OR diatonic LIKE '% 1 1 0 0 %')\"");
  std::string counts;
  for (const json& step : all["steps"]) counts += std::to_string(step["left"].get<int>()) + "\n";
  EXPECT_EQ(counts, outside.out);
  // The four complete versions of the tune are the nearest; the fifth, cut short before its leap, is not left.
  std::vector<std::string> ids;
  for (const json& melody : all["melodies"]) ids.push_back(melody["id"]);
  ASSERT_GE(ids.size(), 4U);
  ids.resize(4);
  EXPECT_THAT(ids, testing::ElementsAre("white-cockade-1", "white-cockade-2", "white-cockade-3", "white-cockade-4"));
}

TEST_F(CliFilter, IdsGoToThePipeAndTheTableToThePerson) {
  const auto listed = rondo("filter --db demo.db --where \"title LIKE '%cockade%'\" --ids");
  EXPECT_EQ(listed.out, "white-cockade-1\nwhite-cockade-2\nwhite-cockade-3\nwhite-cockade-4\nwhite-cockade-5\n");
  EXPECT_THAT(listed.err, HasSubstr("235"));
  const auto table = rondo("filter --db demo.db --where \"title LIKE '%cockade%'\" --where 'range = 12'");
  EXPECT_THAT(table.out, HasSubstr("range = 12"));
  EXPECT_THAT(table.out, HasSubstr("40.0")) << "two of five are excluded";
  EXPECT_THAT(rondo("filter --db demo.db --where 'range = 12' --format csv").out, HasSubstr("step,before,excluded"));
}

TEST_F(CliFilter, MistakesAndMischiefAreExplained) {
  EXPECT_EQ(rondo("filter --db demo.db").code, 2);
  const auto word = rondo("filter --db demo.db --where 'rnage = 12'");
  EXPECT_EQ(word.code, 1);
  EXPECT_THAT(word.err, HasSubstr("rnage"));
  EXPECT_THAT(word.out, IsEmpty());
  EXPECT_THAT(rondo("filter --db demo.db --where '1; DELETE FROM piece'").err, HasSubstr("';'"));
  EXPECT_THAT(rondo("filter --db demo.db --where \"load_extension('x')\"").err, HasSubstr("load_extension"));
  write("bad.steps", "step: one\nkeep: range >\n");
  EXPECT_THAT(rondo("filter --db demo.db --steps bad.steps").err, HasSubstr("bad.steps: line 2"));
  EXPECT_THAT(rondo("filter --db demo.db --where 'contour_distance(contour) < 2'").err, HasSubstr("--like"));
}

TEST_F(CliFilter, WhereSelectsBeforeScoring) {
  const std::string condition = " --where \"composer LIKE '%Scotland%' AND range < 12\"";
  const json plain = json::parse(rondo("search --db demo.db --id white-cockade-1 -k 300 --format json").out);
  const json some = json::parse(rondo("search --db demo.db --id white-cockade-1 -k 300 --format json" + condition).out);
  ASSERT_FALSE(some["hits"].empty());
  EXPECT_LT(some["compared"], plain["compared"]);
  for (const json& hit : some["hits"]) {
    EXPECT_THAT(hit["composer"].get<std::string>(), HasSubstr("Scotland"));
    bool same = false;
    for (const json& other : plain["hits"]) same = same || (other["id"] == hit["id"] && other["score"] == hit["score"]);
    EXPECT_TRUE(same) << hit["id"] << " scores as it does without --where";
  }
  const auto exported = rondo("export --db demo.db --format csv --where \"title LIKE 'roslin%' AND voice = 0\"");
  EXPECT_EQ(exported.code, 0);
  EXPECT_THAT(exported.out, HasSubstr("roslin-castle-1"));
  EXPECT_THAT(exported.out, Not(HasSubstr("white-cockade")));
  const auto both = rondo("export --db demo.db --format csv white-cockade-1 white-cockade-5 --where 'range = 12'");
  EXPECT_THAT(both.out, HasSubstr("white-cockade-1"));
  EXPECT_THAT(both.out, Not(HasSubstr("white-cockade-5")));
  write("query.pae", "@id:q\n@data:'4GABG/GABG/\n");
  ASSERT_EQ(
      rondo("run --db demo.db --queries query.pae --system shapeh,time -k 9 --out x.run --where 'range < 6'").code, 0);
  EXPECT_THAT(read("x.shapeh.run"), Not(HasSubstr("white-cockade-1")));
  EXPECT_THAT(read("x.time.run"), HasSubstr("q Q0 "));
}

TEST_F(CliFilter, CandidatesAreMadePickedExportedAndMadeAgain) {
  const auto made =
      rondo("candidates make cockade --db demo.db --system P2,P3 --top 5 --title cockade --steps " + steps());
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("white-cockade-5")) << "found by its title";
  EXPECT_THAT(made.out, Not(HasSubstr("white-cockade-2"))) << "a transposition of the first";
  EXPECT_THAT(rondo("candidates list --db demo.db").out, HasSubstr("cockade"));
  const auto all = rondo("candidates show cockade --db demo.db --all");
  EXPECT_THAT(all.out, HasSubstr("transposition"));
  const auto picked =
      rondo("candidates pick cockade --db demo.db --exclude malbrough-1,malbrough-3 --include lindenbaum");
  ASSERT_EQ(picked.code, 0) << picked.err;
  EXPECT_THAT(picked.out, Not(HasSubstr("malbrough-1 ")));
  const json exported = json::parse(rondo("candidates export cockade --db demo.db").out);
  EXPECT_EQ(exported["recipe"]["query"], "white-cockade-1");
  EXPECT_EQ(exported["recipe"]["exclude"], (json{"malbrough-1", "malbrough-3"}));
  EXPECT_EQ(exported["funnel"]["steps"].size(), 4U);
  const auto again = rondo("candidates rerun cockade --db demo.db --format json");
  EXPECT_EQ(json::parse(again.out)["candidates"], exported["candidates"]);
  const auto missing = rondo("candidates show cockad --db demo.db");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("there are: cockade"));
  EXPECT_EQ(rondo("candidates make x --db demo.db").code, 2);
  EXPECT_EQ(rondo("candidates remove cockade --db demo.db").code, 0);
  EXPECT_EQ(rondo("candidates show cockade --db demo.db").code, 1);
}

}  // namespace
