#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "concordances/write.h"
#include "generate/generate.h"
#include "search/index.h"
#include "search/score_spread.h"
#include "support/scratch.h"

/// The probability of a pair, and a threshold of probability.
namespace rondo::concordances {
namespace {

/// Generated incipits of at least eight notes, one voice each, some of them again with a note changed.
Collection incipits(const std::filesystem::path& path, std::size_t count) {
  auto collection = Collection::open(path, OpenMode::create).value();
  const Generator generator(5);
  for (std::uint64_t i = 0; count > 0; ++i) {
    Piece piece = generator.piece(i);
    piece.voices.resize(1);
    if (make_line(piece.voices.front()).size() < 8) continue;
    --count;
    EXPECT_TRUE(collection.put(piece));
    if (i % 5 != 0) continue;
    piece.id += "-varied";
    Note& note = piece.voices.front().notes[i / 5 % 8];
    note.pitch = Pitch::from_midi(note.pitch.midi() + 2);
    EXPECT_TRUE(collection.put(piece));
  }
  return collection;
}

Concordances run_with(Collection& collection, const Options& options, const std::filesystem::path& journal) {
  Job job = Job::prepare(collection, nullptr, options).value();
  EXPECT_TRUE(job.run(journal).value());
  const std::filesystem::path journals[] = {journal};
  return job.collect(journals).value();
}

Options at_least(double score) {
  Options options;
  options.least_score = score;
  options.threads = 2;
  return options;
}

using PairName = std::pair<std::string, std::string>;
PairName name_of(const Concordances& found, const Pair& pair) {
  return {found.melodies[pair.a].id, found.melodies[pair.b].id};
}

TEST(ConcordanceProbability, IsThatOfASearchForOneOfTheTwo) {
  const Scratch scratch;
  Collection collection = incipits(scratch / "a.db", 80);
  const Concordances found = run_with(collection, at_least(0.3), scratch / "journal");
  ASSERT_GT(found.pairs.size(), 10U);
  const Index index = Index::of(collection).value();
  const ChosenSystem system = resolve_system("rondo").value();
  for (const Pair& pair : found.pairs) {
    const auto expected = [&](std::uint32_t melody, double score) {
      const Line line = make_line(collection.get(found.melodies[melody].piece)->voices.front());
      const auto spread =
          score_spread(index.snapshot(), *system.system->prepare(line), line.size(), [] { return false; });
      return system.row->calibration->probability(score, spread.value(), found.compared - 1);
    };
    EXPECT_EQ(pair.ab_probability, expected(pair.a, pair.ab));
    EXPECT_EQ(pair.ba_probability, expected(pair.b, pair.ba));
    EXPECT_EQ(pair.probability(), std::min(*pair.ab_probability, *pair.ba_probability));
  }
}

TEST(ConcordanceProbability, IsTheSameWhetherItWasPreparedWhileComparingOrIsComputedInTheEnd) {
  const Scratch scratch;
  Collection collection = incipits(scratch / "a.db", 80);
  const std::filesystem::path journals[] = {scratch / "journal"};
  for (const bool by_probability : {false, true}) {
    Options options = at_least(0.3);
    if (by_probability) options.least_probability = 0.1;
    Job job = Job::prepare(collection, nullptr, options).value();
    ASSERT_TRUE(job.run(journals[0]).value());
    const Concordances prepared = job.collect(journals).value();
    ASSERT_GT(prepared.pairs.size(), 10U);
    // Another process, or one that was killed, knows the journal only.
    EXPECT_EQ(Job::prepare(collection, nullptr, options)->collect(journals)->pairs, prepared.pairs);
    std::filesystem::remove(journals[0]);
  }
}

TEST(ConcordanceProbability, AsAThresholdMissesNoPairAndFindsNoOther) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = incipits(scratch / "a.db", 120);
  for (const bool either : {false, true}) {
    Options options = at_least(-1);
    options.either = either;
    std::map<PairName, Pair> all;
    const Concordances everything = run_with(collection, options, scratch / "everything");
    for (const Pair& pair : everything.pairs) all.emplace(name_of(everything, pair), pair);
    for (const double least : {0.05, 0.5, 0.95}) {
      options.least_probability = least;
      const Concordances found = run_with(collection, options, scratch / "found");
      std::size_t expected = 0;
      for (const auto& [name, pair] : all) {
        const bool there = *pair.ab_probability >= least;
        const bool back = *pair.ba_probability >= least;
        expected += (either ? there || back : there && back) ? 1 : 0;
      }
      EXPECT_GT(expected, 5U);
      EXPECT_EQ(found.pairs.size(), expected);
      for (const Pair& pair : found.pairs) {
        const Pair& other = all.at(name_of(found, pair));
        EXPECT_EQ(pair.ab_probability, other.ab_probability);
        const bool there = *pair.ab_probability >= least;
        const bool back = *pair.ba_probability >= least;
        EXPECT_TRUE(either ? there || back : there && back);
        if (pair.ab < 1) {
          // Of variants some have no more than a phrase in common: phrase_test.cpp says which.
          const Relation shown = pair.relation == Relation::phrase ? Relation::variant : pair.relation;
          EXPECT_EQ(shown, there && back ? Relation::variant : there ? Relation::part : Relation::whole);
        }
      }
      std::filesystem::remove(scratch / "found");
    }
    std::filesystem::remove(scratch / "everything");
  }
}

TEST(ConcordanceProbability, HoldsBesidesAThresholdOfScores) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = incipits(scratch / "a.db", 80);
  Options options = at_least(0.6);
  options.least_probability = 0.5;
  for (const Pair& pair : run_with(collection, options, scratch / "journal").pairs) {
    EXPECT_GE(pair.score(), 0.6);
    EXPECT_GE(pair.probability(), 0.5);
  }
}

TEST(ConcordanceProbability, IsUnknownForFewMelodiesAndOtherSystems) {
  const Scratch scratch;
  Collection few = incipits(scratch / "few.db", 10);
  Options options = at_least(0);
  for (const Pair& pair : run_with(few, options, scratch / "journal").pairs) EXPECT_FALSE(pair.probability());
  options.least_probability = 0.5;
  EXPECT_EQ(Job::prepare(few, nullptr, options).error().code, "probability-unknown");
  Collection enough = incipits(scratch / "enough.db", 40);
  EXPECT_TRUE(Job::prepare(enough, nullptr, options));
  options.settings = {"gap=1"};
  EXPECT_EQ(Job::prepare(enough, nullptr, options).error().code, "probability-unknown");
  options.settings.clear();
  options.system = "LDP";
  EXPECT_EQ(Job::prepare(enough, nullptr, options).error().code, "probability-unknown");
}

TEST(ConcordanceProbability, IsInEveryFileOfResultsAndJoinsGroups) {
#ifdef RONDO_SANITIZED
  GTEST_SKIP() << "takes minutes here; engine_test.cpp and unit_gpu go the same ways";
#endif
  const Scratch scratch;
  Collection collection = incipits(scratch / "a.db", 60);
  Options options = at_least(0);
  options.least_probability = 0.9;
  const Concordances found = run_with(collection, options, scratch / "journal");
  const Grouping grouping = make_groups(found, options);
  ASSERT_FALSE(grouping.groups.empty());
  EXPECT_GT(grouping.groups.front().probability, 0.15);
  const auto sources = read_sources(found, collection, nullptr).value();
  const ChosenSystem system = resolve_system("rondo").value();
  const Shown shown{found, grouping, sources, *system.system, options, "title"};
  for (auto* write : {write_page, write_marcxml, write_turtle, write_json, write_pairs_csv, write_groups_csv}) {
    std::ostringstream out;
    write(out, shown);
    EXPECT_NE(out.str().find("probability"), std::string::npos);
  }
}

}  // namespace
}  // namespace rondo::concordances
