#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "similarity/implication.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

/// "P", or "(P)" for the retrospective form.
std::string named(const Structure& structure) {
  const std::string name(to_string(structure.archetype));
  return structure.retrospective ? "(" + name + ")" : name;
}

/// Names, notes and overlaps of the chain: "P[0,4)2".
std::vector<std::string> chain(const Line& line) {
  std::vector<Structure> structures;
  parse_structures(line, structures);
  std::vector<std::string> out;
  for (const Structure& s : structures) {
    out.push_back(named(s) + "[" + std::to_string(s.begin) + "," + std::to_string(s.end) + ")" +
                  std::to_string(s.overlap));
  }
  return out;
}

using testing::ElementsAre;

TEST(Implication, ClassifiesTwoIntervals) {
  const auto name = [](int first, int second) { return named(classify(first, second)); };
  EXPECT_EQ(name(2, 2), "P");
  EXPECT_EQ(name(0, 0), "D");
  EXPECT_EQ(name(3, -3), "ID");
  EXPECT_EQ(name(2, -1), "IP");
  EXPECT_EQ(name(9, -2), "R");
  EXPECT_EQ(name(9, 2), "IR");
  EXPECT_EQ(name(7, -12), "VR");
  EXPECT_EQ(name(2, 7), "VP");
  // A repeated note and then a step: neither the same direction nor the same size, but similar.
  EXPECT_EQ(name(0, 2), "IP");
  EXPECT_EQ(name(2, 0), "IP");
}

TEST(Implication, ToleratesADifferenceOfThreeOnwardsAndOfTwoBack) {
  const auto name = [](int first, int second) { return named(classify(first, second)); };
  EXPECT_EQ(name(2, 5), "P");    // differs by 3, direction kept
  EXPECT_EQ(name(2, 6), "VP");   // by 4
  EXPECT_EQ(name(2, -4), "IP");  // by 2, direction changed
  EXPECT_EQ(name(9, -6), "R");   // by 3
}

TEST(Implication, IsRetrospectiveWhereTheFirstIntervalImpliedSomethingElse) {
  const auto name = [](int first, int second) { return named(classify(first, second)); };
  EXPECT_EQ(name(7, 7), "(P)");
  EXPECT_EQ(name(-7, 7), "(ID)");
  EXPECT_EQ(name(8, -7), "(IP)");
  EXPECT_EQ(name(7, 12), "(VP)");
  EXPECT_EQ(name(5, -1), "(R)");
  EXPECT_EQ(name(5, 1), "(IR)");
  EXPECT_EQ(name(5, -9), "(VR)");
  // A tritone counts with either side.
  EXPECT_EQ(name(6, 6), "P");
  EXPECT_EQ(name(6, -1), "R");
}

TEST(Implication, ClosureGoesByRestsAndLengths) {
  // Durations 1/4 5/16 1/4 3/8 1/8, a rest, 1/8.
  const Line line = line_of("C4 1/4 C4 5/16 C4 1/4 C4 3/8 C4 1/8 r 1/8 C4 1/8");
  EXPECT_EQ(closure_at(line, 0), Closure::none);
  EXPECT_EQ(closure_at(line, 1), Closure::weak);    // a quarter longer
  EXPECT_EQ(closure_at(line, 2), Closure::none);    // shorter
  EXPECT_EQ(closure_at(line, 3), Closure::strong);  // half as long again
  EXPECT_EQ(closure_at(line, 4), Closure::strong);  // a rest follows
  EXPECT_EQ(closure_at(line, 5), Closure::strong);  // the end
}

TEST(Implication, ATickOfSilenceIsNoRest) {
  // Notes of a program that ends each a 1920th early: no closure but the last. A 64th of silence is a rest.
  Line line;
  line.ticks_per_whole = 1920;
  for (int i = 0; i < 6; ++i) {
    line.pitch.push_back(static_cast<std::int16_t>(60 + i));
    line.onset.push_back(240 * i);
    line.duration.push_back(i == 3 ? 210 : 239);
  }
  for (const std::size_t note : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    EXPECT_EQ(closure_at(line, note), Closure::none) << note;
  }
  EXPECT_EQ(closure_at(line, 3), Closure::strong);
  EXPECT_EQ(closure_at(line, 5), Closure::strong);
}

TEST(Implication, WithoutClosureStructuresShareAnInterval) {
  // 60 62 64 | 64 62: intervals 2 2 -2: P over the first three notes, ID over the last three.
  EXPECT_THAT(chain(quarters("C4 D4 E4 D4")), ElementsAre("P[0,3)2", "ID[1,4)0"));
}

TEST(Implication, EqualNeighboursMerge) {
  EXPECT_THAT(chain(quarters("C4 D4 E4 F4 G4")), ElementsAre("P[0,5)0"));
  EXPECT_THAT(chain(quarters("C4 C4 C4 C4")), ElementsAre("D[0,4)0"));
  EXPECT_THAT(chain(quarters("C4 D4 C4 D4 C4")), ElementsAre("ID[0,5)0"));
  // Neighbours of other kinds do not: 9 -2 | -2 5: R closes weakly, so a dyad is left.
  EXPECT_THAT(chain(quarters("C4 A4 G4 C5")), ElementsAre("R[0,3)1", "dyad[2,4)0"));
}

TEST(Implication, WeakClosureSharesOneNoteAndStrongClosureNone) {
  // The third note is a quarter longer: P to it, and what follows begins with it.
  EXPECT_THAT(chain(line_of("C4 1/4 D4 1/4 E4 5/16 F4 1/4 G4 1/4")), ElementsAre("P[0,3)1", "P[2,5)0"));
  // Twice as long: nothing is shared.
  EXPECT_THAT(chain(line_of("C4 1/4 D4 1/4 E4 1/2 F4 1/4 G4 1/4")), ElementsAre("P[0,3)0", "dyad[3,5)0"));
  EXPECT_THAT(chain(line_of("C4 1/4 D4 1/4 E4 1/4 r 1/4 F4 1/4")), ElementsAre("P[0,3)0", "monad[3,4)0"));
  // Closed after one interval.
  EXPECT_THAT(chain(line_of("C4 1/4 D4 5/16 E4 1/4 F4 1/4")), ElementsAre("dyad[0,2)1", "P[1,4)0"));
}

TEST(Implication, EveryNoteIsInAStructureAndOverlapsAreTrue) {
  std::mt19937 random(31);
  std::vector<Structure> structures;
  for (int round = 0; round < test::rounds(3000); ++round) {
    const Line line = random_line(random, random() % 30);
    parse_structures(line, structures);
    ASSERT_EQ(structures.empty(), line.size() == 0);
    if (structures.empty()) continue;
    EXPECT_EQ(structures.front().begin, 0U);
    EXPECT_EQ(structures.back().end, line.size());
    EXPECT_EQ(structures.back().overlap, 0);
    for (std::size_t i = 0; i + 1 < structures.size(); ++i) {
      EXPECT_EQ(structures[i].end - static_cast<std::uint32_t>(structures[i].overlap), structures[i + 1].begin);
      EXPECT_LT(structures[i].begin, structures[i + 1].begin);
    }
    for (const Structure& s : structures) {
      const int rise = line.pitch[s.end - 1] - line.pitch[s.begin];
      EXPECT_EQ(s.direction, rise > 0 ? 1 : rise < 0 ? -1 : 0);
    }
  }
}

TEST(Gam, HasHandComputedDistances) {
  const Line up = quarters("C4 D4 E4");  // P, 3 notes, up
  EXPECT_EQ(score_of("GAM", up, quarters("G4 A4 B4")).value, 0);
  // P up against P down: 0.343 x 2.
  EXPECT_DOUBLE_EQ(score_of("GAM", up, quarters("E4 D4 C4")).value, -0.686);
  // P of three against P of five notes: 0.095 x 2.
  EXPECT_DOUBLE_EQ(score_of("GAM", up, quarters("C4 D4 E4 F4 G4")).value, -0.19);
  // P up against (P) up, a fifth twice: 0.587 x 0.801.
  EXPECT_DOUBLE_EQ(score_of("GAM", up, quarters("C4 G4 D5")).value, -0.470187);
  // P against D: 0.587 for the kind, 0.343 for a direction less.
  EXPECT_DOUBLE_EQ(score_of("GAM", up, quarters("C4 C4 C4")).value, -0.93);
  // P[0,3) against P[0,3) sharing two notes with ID[1,4): 0.112 x 2 for the overlap, and ID put in, 3 notes at 0.4.
  EXPECT_DOUBLE_EQ(score_of("GAM", up, quarters("C4 D4 E4 D4")).value, -0.224 - 1.2);
}

TEST(Gam, TheCostOfAStructureAloneIsAParameter) {
  const SystemRow* row = find_system("GAM");
  Parameters parameters(row->parameters);
  ASSERT_TRUE(parameters.set("gap", 0.1));
  EXPECT_DOUBLE_EQ(row->make(parameters)->prepare(quarters("C4 D4 E4"))->score(quarters("C4 D4 E4 D4")).value,
                   -0.224 - 0.3);
}

TEST(Gam, NeedsThreeNotes) {
  EXPECT_FALSE(score_of("GAM", quarters("C4 D4"), quarters("C4 D4 E4")).comparable);
  EXPECT_FALSE(score_of("GAM", quarters("C4 D4 E4"), quarters("C4 D4")).comparable);
}

TEST(Gam, AgreesWithTheRecursiveDefinition) {
  std::mt19937 random(32);
  std::vector<Structure> a;
  std::vector<Structure> b;
  for (int round = 0; round < test::rounds(3000); ++round) {
    const Line q = random_line(random, 3 + random() % 6);
    const Line d = random_line(random, 3 + random() % 6);
    parse_structures(q, a);
    parse_structures(d, b);
    const auto change = [&](const Structure& x, const Structure& y) {
      const double label = x.archetype != y.archetype ? 1 : x.retrospective != y.retrospective ? 0.801 : 0;
      return 0.587 * label + 0.095 * std::abs(static_cast<double>(x.size()) - static_cast<double>(y.size())) +
             0.343 * std::abs(x.direction - y.direction) + 0.112 * std::abs(x.overlap - y.overlap);
    };
    const std::function<double(std::size_t, std::size_t)> slow = [&](std::size_t i, std::size_t j) -> double {
      if (i == a.size() && j == b.size()) return 0;
      double best = 1e9;
      if (i < a.size()) best = std::min(best, 0.4 * a[i].size() + slow(i + 1, j));
      if (j < b.size()) best = std::min(best, 0.4 * b[j].size() + slow(i, j + 1));
      if (i < a.size() && j < b.size()) best = std::min(best, change(a[i], b[j]) + slow(i + 1, j + 1));
      return best;
    };
    EXPECT_NEAR(score_of("GAM", q, d).value, -slow(0, 0), 1e-9);
  }
}

TEST(Gam, ExplainsInStructuresAndTheirNotes) {
  const auto system = system_named("GAM");
  const Explanation why = system->prepare(quarters("C4 D4 E4"))->explain(quarters("C4 D4 E4 D4"));
  EXPECT_EQ(why.summary, "P against P ID");
  ASSERT_EQ(why.steps.size(), 2U);
  EXPECT_EQ(why.steps[0].query, (NoteSpan{0, 3}));
  EXPECT_EQ(why.steps[0].document, (NoteSpan{0, 3}));
  EXPECT_EQ(why.steps[0].kind, Step::Kind::mismatch);
  EXPECT_NEAR(why.steps[0].score, -0.224, 1e-12);
  EXPECT_TRUE(why.steps[1].query.empty());
  EXPECT_EQ(why.steps[1].document, (NoteSpan{1, 4}));
  EXPECT_NEAR(why.steps[1].score, -1.2, 1e-12);
  EXPECT_NEAR(why.total, why.steps[0].score + why.steps[1].score, 1e-12);
}

}  // namespace
}  // namespace rondo
