#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.h"

namespace {

using testing::HasSubstr;

class ConcordancesCommand : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(shell("'" RONDO_PROGRAM "' generate --count 300 --seed 4 > g.jsonl").code, 0);
    ASSERT_EQ(rondo("import g.jsonl --db g.db").code, 0);
  }
};

TEST_F(ConcordancesCommand, GoesOnAfterBeingKilledAndGivesTheSameBytes) {
  const std::string wanted = "concordances --db g.db --min-score 0.4 --either --threads 1 ";
  ASSERT_EQ(rondo(wanted + "--out whole.csv").code, 0);
  // Killed as soon as the journal has something; whether it was quicker than that makes no difference.
  const auto killed = shell("'" RONDO_PROGRAM "' " + wanted +
                            "--out killed.csv & pid=$!; while [ ! -s killed.csv.journal ] && kill -0 $pid; do sleep "
                            "0.01; done; kill -9 $pid; wait $pid; true");
  ASSERT_EQ(killed.code, 0) << killed.err;
  ASSERT_EQ(rondo(wanted + "--out killed.csv").code, 0);
  EXPECT_EQ(read("killed.csv"), read("whole.csv"));
  EXPECT_GT(read("whole.csv").size(), 1000U);
  EXPECT_EQ(shell("ls killed.csv.journal").code, 2) << "the journal was left behind";
}

TEST_F(ConcordancesCommand, MergesPartsIntoTheSameBytes) {
  const std::string wanted = "concordances --db g.db --min-score 0.5 ";
  for (const char* name : {"r.csv", "r.json", "r.html", "r.ttl", "r.xml"}) {
    ASSERT_EQ(rondo(wanted + "--out " + name).code, 0) << name;
  }
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    ASSERT_EQ(rondo(wanted + "--part " + part + " --out p" + part[0]).code, 0);
  }
  for (const char* name : {"r.csv", "r.json", "r.html", "r.ttl", "r.xml"}) {
    ASSERT_EQ(rondo(wanted + "--merge p2 p3 p1 --out merged-" + name).code, 0);
    EXPECT_EQ(read(std::string("merged-") + name), read(name)) << name;
  }
  const auto missing = rondo(wanted + "--merge p2 p3 --out m.csv");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("none of the parts"));
  EXPECT_EQ(rondo(wanted + "--part 4/3 --out p").code, 2);
}

TEST_F(ConcordancesCommand, TakesADateForWhatIsNew) {
  const auto pairs_since = [&](const std::string& since) {
    EXPECT_EQ(rondo("concordances --db g.db --min-score 0.5 --new '" + since + "' --out new.csv").code, 0) << since;
    const std::string text = read("new.csv");
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  ASSERT_EQ(rondo("concordances --db g.db --min-score 0.5 --out all.csv").code, 0);
  const std::string all = read("all.csv");
  EXPECT_EQ(pairs_since("2000-01-01"), std::count(all.begin(), all.end(), '\n') - 1);
  EXPECT_EQ(pairs_since("2000-01-01 09:30"), pairs_since("2000-01-01"));
  EXPECT_EQ(pairs_since("2999-01-01"), 0);
  // Later on the day of the import: a space is as good as a T.
  const std::string today = shell("date -u +%F").out.substr(0, 10);
  EXPECT_EQ(pairs_since(today + " 23:59:59.999"), 0);
}

TEST_F(ConcordancesCommand, WantsAThresholdForASystemWithOtherScores) {
  const auto refused = rondo("concordances --db g.db --system LDP --out r.csv");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--min-score"));
}

TEST_F(ConcordancesCommand, LeavesNoJournalWhereLabelsAreMissing) {
  const auto missing = rondo("concordances --db g.db --min-score 0.9 --labels nothing --out r.csv");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("no record has a field 'nothing'"));
  EXPECT_EQ(shell("ls r.csv.journal").code, 2);
  EXPECT_EQ(rondo("concordances --db g.db --min-score 0.8 --out r.csv").code, 0)
      << "another run may have the same name";
}

}  // namespace
