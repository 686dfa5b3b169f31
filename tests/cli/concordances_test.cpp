#include <gmock/gmock.h>

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

}  // namespace
