// Studies on the command line, from candidates to the truth.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

class StudyCli : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(rondo("import '" + demo() + "' --db d.db").code, 0);
  }
  void import_demo_study() { ASSERT_EQ(rondo("study import '" + demo() + "/study.json' --db d.db").code, 0); }
};

TEST_F(StudyCli, GoesFromCandidatesToInvitationsToAnOpenStudy) {
  ASSERT_EQ(rondo("candidates make cockade --db d.db --like white-cockade-1 --system shapeh --top 6").code, 0);
  write("how.txt", "Rank them.\n");
  const auto made = rondo("study create tunes --db d.db --candidates cockade --instructions how.txt --seed 5");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("white-cockade-1"));
  const auto invited = rondo("study invite tunes --db d.db --label Ann --count 2 --format json");
  ASSERT_EQ(invited.code, 0) << invited.err;
  const auto people = nlohmann::json::parse(invited.out);
  ASSERT_EQ(people.size(), 3U);
  EXPECT_EQ(people[0]["label"], "Ann");
  EXPECT_THAT(people[2]["path"].get<std::string>(), StartsWith("/study/tunes#"));
  const auto again = rondo("study invite tunes --db d.db --again 1 --format json");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(nlohmann::json::parse(again.out)[0]["label"], "Ann");
  EXPECT_NE(nlohmann::json::parse(again.out)[0]["code"], people[0]["code"]);
  EXPECT_THAT(rondo("study invite tunes --db d.db --again 9").err, HasSubstr("no participant 9"));
  EXPECT_EQ(rondo("study invite tunes --db d.db --again 1 --count 2").code, 2);
  EXPECT_THAT(rondo("study link tunes --db d.db").out, MatchesRegex("/study/tunes#open-[a-z2-9]+\n"));
  EXPECT_THAT(rondo("study link tunes --db d.db --end").err, HasSubstr("no longer works"));
  EXPECT_EQ(rondo("study close tunes --db d.db").code, 1) << "a draft cannot be closed";
  EXPECT_EQ(rondo("study open tunes --db d.db").code, 0);
  const auto status = nlohmann::json::parse(rondo("study status --db d.db --format json").out);
  EXPECT_EQ(status[0]["state"], "open");
  EXPECT_EQ(status[0]["participants"], 3);
  const auto whole = nlohmann::json::parse(rondo("study export tunes --db d.db").out);
  EXPECT_EQ(whole["seed"], 5);
  EXPECT_EQ(whole["instructions"], "Rank them.\n");
}

TEST_F(StudyCli, TheTokenIsPrintedAloneSoThatAPipeTakesIt) {
  const auto token = rondo("study token --db d.db");
  EXPECT_EQ(token.code, 0);
  EXPECT_THAT(token.out, MatchesRegex("[a-z2-9]{52}\n"));
  EXPECT_THAT(token.err, HasSubstr("cannot be shown again"));
}

TEST_F(StudyCli, WhatIsWrongIsSaid) {
  EXPECT_EQ(rondo("study status --db d.db").code, 0) << "no studies are no error";
  EXPECT_EQ(rondo("study status --db none.db").code, 1);
  EXPECT_EQ(rondo("study status tunes --db d.db").code, 1);
  EXPECT_EQ(rondo("study create tunes --db d.db").code, 2);
  EXPECT_THAT(rondo("study create tunes --db d.db --candidates none").err, HasSubstr("none"));
  EXPECT_EQ(rondo("study invite tunes --db d.db").code, 2) << "neither --count nor --label";
  EXPECT_EQ(rondo("truth build --db d.db").code, 2);
  EXPECT_EQ(rondo("study import . --db d.db").code, 1) << "a folder";
  EXPECT_EQ(rondo("truth build --db d.db --study x --threshold nan").code, 2);
  EXPECT_EQ(rondo("truth build --db d.db --study x --threshold 1.5").code, 2);
  EXPECT_EQ(rondo("truth build --votes v.csv --db d.db --study x").code, 2);
  write("study.json", "{\"rondo-study\": 1}");
  EXPECT_THAT(rondo("study import study.json --db d.db").err, HasSubstr("study.json"));
  write("v.csv", "participant,query,candidate,rank\nann,q,a,first\n");
  EXPECT_THAT(rondo("truth build --votes v.csv").err, HasSubstr("v.csv: line 2"));
}

TEST_F(StudyCli, SimulatedVotesAreCalledSoEverywhere) {
  const auto imported = rondo("study import '" + demo() + "/study.json' --db d.db");
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("simulated"));
  EXPECT_THAT(rondo("study status --db d.db").out, HasSubstr("[simulated]"));
  EXPECT_THAT(rondo("study status demo --db d.db").err, HasSubstr("[simulated]"));
  EXPECT_THAT(rondo("truth build --db d.db --study demo").err, HasSubstr("SIMULATED"));
  EXPECT_EQ(rondo("study import '" + demo() + "/study.json' --db d.db").code, 1) << "it is there already";
}

TEST_F(StudyCli, TheDemonstrationStudyComesOutOfItsExportAsItIs) {
  import_demo_study();
  EXPECT_EQ(shell("'" RONDO_PROGRAM "' study export demo --db d.db | cmp - '" + demo() + "/study.json'").code, 0);
}

TEST_F(StudyCli, ItsTruthPutsTheFamilyFirstAndIsWhatEvaluateTakes) {
  import_demo_study();
  const auto built = rondo("truth build --db d.db --study demo --format json");
  ASSERT_EQ(built.code, 0) << built.err;
  const auto truth = nlohmann::json::parse(built.out);
  for (const auto& [query, groups] : truth["queries"].items()) {
    const std::string family = query.substr(0, query.rfind('-'));
    const auto& first = groups["groups"][0];
    for (const auto& id : first) EXPECT_THAT(id.get<std::string>(), StartsWith(family)) << query;
  }
  write("truth.json", built.out);
  ASSERT_EQ(rondo("run --db d.db --queries '" + demo() + "' --system shapeh -k 20 --out it.run").code, 0);
  const auto evaluated = rondo("evaluate --truth truth.json it.run -m ADR");
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.out, HasSubstr("ADR"));
}

TEST_F(StudyCli, VotesGoOutAndInAgain) {
  import_demo_study();
  const auto votes = rondo("study export demo --db d.db --format csv");
  EXPECT_THAT(votes.out, StartsWith("participant,query,candidate,rank\nsimulated 1,"));
  write("votes.csv", votes.out);
  const auto again = rondo("truth build --votes votes.csv --rule any --threshold 0.1");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, Not(IsEmpty()));
  EXPECT_THAT(again.err, HasSubstr("rule any"));
}

TEST_F(StudyCli, TablesAreOneFileOrTheProgramSaysWhyNot) {
  import_demo_study();
  const auto built = rondo("truth build --db d.db --study demo --tables t.html");
  if (built.code != 0) {
    EXPECT_THAT(built.err, HasSubstr("built without the page"));
    GTEST_SKIP() << "this program was built without its pages";
  }
  const std::string page = read("t.html");
  EXPECT_THAT(page, HasSubstr("id=\"rondo-tables\""));
  EXPECT_THAT(page, HasSubstr("simulated votes"));
  EXPECT_THAT(page, HasSubstr("\"complete\":false"));
}

}  // namespace
