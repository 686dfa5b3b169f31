#include "concordances/decisions.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "support/scratch.h"

namespace rondo::concordances {
namespace {

std::string text_in(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(ConcordanceDecisions, AreKeptAndTheLastOneCounts) {
  const Scratch scratch;
  const auto path = Decisions::path_for(scratch / "music.db");
  Decisions decisions = Decisions::open(path).value();
  EXPECT_TRUE(decisions.all().empty());
  ASSERT_TRUE(decisions.decide({{"b", 1}, {"a", 0}, Verdict::accepted, "same \"incipit\",\nother clef", {}}));
  ASSERT_TRUE(decisions.decide({{"a", 0}, {"c", 0}, Verdict::rejected, "Füllstimme", {}}));
  ASSERT_TRUE(decisions.decide({{"a", 0}, {"b", 1}, Verdict::rejected, "", {}}));
  const Decisions again = Decisions::open(path).value();
  EXPECT_EQ(again.all(), decisions.all());
  ASSERT_EQ(again.all().size(), 2U);
  const Decision* decision = again.find({"b", 1}, {"a", 0});
  ASSERT_NE(decision, nullptr);
  EXPECT_EQ(decision->verdict, Verdict::rejected);
  EXPECT_EQ(decision->at.size(), 20U);
  EXPECT_EQ(again.find({"c", 0}, {"a", 0})->note, "Füllstimme");
  ASSERT_TRUE(decisions.decide({{"a", 0}, {"c", 0}, Verdict::open, "", {}}));
  EXPECT_EQ(Decisions::open(path)->find({"a", 0}, {"c", 0}), nullptr);
}

TEST(ConcordanceDecisions, CutOffAnywhereLoseNoLineThatWasWhole) {
  const Scratch scratch;
  const auto path = scratch / "decisions";
  Decisions decisions = Decisions::open(path).value();
  ASSERT_TRUE(decisions.decide({{"a", 0}, {"b", 0}, Verdict::accepted, "", {}}));
  const std::size_t first = text_in(path).size();
  ASSERT_TRUE(decisions.decide({{"a", 0}, {"c", 0}, Verdict::accepted, "", {}}));
  const std::string whole = text_in(path);
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    (void)scratch.write("decisions", whole.substr(0, cut));
    Decisions read = Decisions::open(path).value();
    EXPECT_EQ(read.all().size(), cut == whole.size() ? 2U : cut >= first ? 1U : 0U);
    ASSERT_TRUE(read.decide({{"x", 0}, {"y", 0}, Verdict::rejected, "", {}}));
    EXPECT_EQ(Decisions::open(path)->all(), read.all());
  }
}

TEST(ConcordanceDecisions, RefuseAFileThatIsDamaged) {
  const Scratch scratch;
  const auto path = scratch / "decisions";
  Decisions decisions = Decisions::open(path).value();
  ASSERT_TRUE(decisions.decide({{"a", 0}, {"b", 0}, Verdict::accepted, "good", {}}));
  const std::string whole = text_in(path);
  for (const std::size_t at : {std::size_t{3}, whole.find("accepted"), whole.size() - 3}) {
    std::string damaged = whole;
    damaged[at] = damaged[at] == 'x' ? 'y' : 'x';
    (void)scratch.write("decisions", damaged);
    EXPECT_EQ(Decisions::open(path).error().code, "decisions-damaged");
    // A writer does not write behind it either.
    EXPECT_EQ(decisions.decide({{"a", 0}, {"c", 0}, Verdict::accepted, "", {}}).error().code, "decisions-damaged");
    EXPECT_EQ(text_in(path), damaged);
  }
}

TEST(ConcordanceDecisions, OfSeveralWritersAreAllKept) {
  const Scratch scratch;
  const auto path = scratch / "decisions";
  {
    std::vector<std::jthread> writers;
    for (const char* name : {"k", "l", "m"}) {
      writers.emplace_back([&path, name] {
        Decisions own = Decisions::open(path).value();
        for (std::uint32_t i = 0; i < 10; ++i) {
          EXPECT_TRUE(own.decide({{name, i}, {"z", 0}, Verdict::accepted, "", {}}));
        }
      });
    }
  }
  EXPECT_EQ(Decisions::open(path)->all().size(), 30U);
}

TEST(ConcordanceDecisions, AreAboutTwoMelodiesAndHaveShortNotes) {
  const Scratch scratch;
  Decisions decisions = Decisions::open(scratch / "decisions").value();
  EXPECT_EQ(decisions.decide({{"a", 0}, {"a", 0}, Verdict::accepted, "", {}}).error().code, "decision-melodies");
  const std::string note(Decisions::kLongestNote + 1, 'n');
  EXPECT_EQ(decisions.decide({{"a", 0}, {"b", 0}, Verdict::accepted, note, {}}).error().code, "decision-note");
  EXPECT_EQ(verdict_of("perhaps").error().code, "decision-unknown");
  Decisions elsewhere = Decisions::open(scratch / "no" / "folder").value();
  EXPECT_EQ(elsewhere.decide({{"a", 0}, {"b", 0}, Verdict::accepted, "", {}}).error().code, "write-failed");
}

}  // namespace
}  // namespace rondo::concordances
