#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "concordances/pair_engine.h"
#include "generate/generate.h"
#include "melody/packed.h"
#include "rondo/melody/builder.h"
#include "rondo/similarity/system.h"
#include "support/rounds.h"

/// The cascade of bounds against scoring every pair, on melodies that are meant to trip it.
namespace rondo::concordances {
namespace {

int below(std::mt19937& random, unsigned limit) { return static_cast<int>(random() % limit); }

Voice voice_from(std::mt19937& random, std::size_t notes, int kind) {
  VoiceBuilder builder;
  Fraction at;
  for (std::size_t i = 0; i < notes; ++i) {
    int pitch = 60 + below(random, 9);
    std::int64_t length = std::int64_t{1} + below(random, 3);
    std::int64_t parts = 8;
    if (kind == 1) length = 1;                                           // no rhythm
    if (kind == 2) pitch = below(random, 128);                           // wider than the bounds know
    if (kind == 3) pitch = 60 + 2 * below(random, 2);                    // much is equal
    if (kind == 4) length = below(random, 5) == 0 ? 64 : 1, parts = 64;  // very short, very long
    if (kind == 5) parts = 7 + static_cast<std::int64_t>(notes % 5);     // no usual grid
    const Fraction duration(length, parts);
    builder.note(at, duration, Pitch::from_midi(pitch));
    at += duration;
  }
  return builder.finish().value();
}

/// The same melody with something changed.
Voice varied(std::mt19937& random, const Voice& from) {
  VoiceBuilder builder;
  Fraction at;
  const int higher = below(random, 7) - 3;
  const std::size_t begin = below(random, 3) == 0 ? from.notes.size() / 4 : 0;
  for (std::size_t i = begin; i < from.notes.size(); ++i) {
    if (below(random, 12) == 0) continue;
    const int moved = below(random, 10) == 0 ? 2 : 0;
    const int midi = std::clamp(from.notes[i].pitch.midi() + higher + moved, 0, 127);
    const Fraction duration =
        below(random, 12) == 0 ? from.notes[i].duration + from.notes[i].duration : from.notes[i].duration;
    builder.note(at, duration, Pitch::from_midi(midi));
    at += duration;
  }
  return builder.finish().value();
}

/// Melodies with many variants; every third is new, every second of the second collection.
MelodySet hostile_set(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::vector<Voice> voices;
  for (std::size_t i = 0; i < count; ++i) {
    const bool again = !voices.empty() && below(random, 2) == 0;
    const auto notes = static_cast<std::size_t>(2 + below(random, i % 11 == 0 ? 120 : 26));
    voices.push_back(again ? varied(random, voices[random() % voices.size()])
                           : voice_from(random, notes, below(random, 6)));
    if (voices.back().notes.size() < 2) voices.back() = voice_from(random, 9, 0);
  }
  MelodySet set;
  for (std::size_t i = 0; i < voices.size(); ++i) {
    std::string bytes;
    EXPECT_TRUE(pack(voices[i], bytes));
    const auto key = static_cast<std::int64_t>(i + 1);
    const StoredVoice stored{VoiceKey{key}, PieceKey{key / 2}, 0, 0, bytes};
    EXPECT_TRUE(set.add(stored, {2, true, true}, i % 2 == 1, i % 3 == 0));
  }
  set.finish();
  return set;
}

std::vector<UnitPair> all_pairs(const PairEngine& engine, std::span<const std::uint32_t> rows, std::size_t strip) {
  std::vector<UnitPair> out;
  Counts counts;
  for (std::size_t begin = 0; begin < rows.size(); begin += strip) {
    EXPECT_TRUE(engine.find(rows.subspan(begin, std::min(strip, rows.size() - begin)), {}, out, counts));
  }
  EXPECT_EQ(counts.found, out.size());
  std::sort(out.begin(), out.end(),
            [](const UnitPair& x, const UnitPair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return out;
}

struct Case {
  Scope scope;
  double least;
  bool both;
};

class ConcordanceEngine : public testing::TestWithParam<Case> {};

TEST_P(ConcordanceEngine, FindsExactlyThePairsThatScoringEveryPairFinds) {
  const Case& now = GetParam();
  std::size_t found = 0;
  for (int round = 0; round < test::rounds(3); ++round) {
    const MelodySet set = hostile_set(static_cast<unsigned>(100 + round), 44);
    // Also with numbers of the system that nobody tuned.
    const std::vector<std::string> settings =
        round % 3 == 2 ? std::vector<std::string>{"near=0.7", "far=0.5", "gap=0.1", "overhang=0", "weight=1"}
                       : std::vector<std::string>{};
    const ChosenSystem system = resolve_system("rondo", settings).value();
    const auto rows = set.rows(now.scope);
    const EngineTask task{set, now.scope, rows, *system.system, {now.least, now.both}};
    const auto fast = make_rondo_engine(task);
    ASSERT_NE(fast, nullptr);
    const auto expected = all_pairs(*make_exhaustive_engine(task), rows, rows.size());
    for (const std::size_t strip : {std::size_t{5}, rows.size()}) EXPECT_EQ(all_pairs(*fast, rows, strip), expected);
    // The same on a card: emulated, with little memory, and real where there is one.
    std::vector<std::shared_ptr<gpu::Card>> cards = {gpu::emulated_card(), gpu::emulated_card({.memory = 4000})};
    if (auto real = gpu::open_card()) cards.push_back(*real);
    for (const auto& card : cards) {
      EngineTask on_card = task;
      on_card.card = card;
      const auto engine = make_rondo_engine(on_card);
      EXPECT_EQ(all_pairs(*engine, rows, 16), expected) << gpu::name_of(*card);
      EXPECT_FALSE(engine->card_failure());
    }
    found += expected.size();
  }
  EXPECT_TRUE(found > 0 || now.least > 0.9) << "nothing was there to be found";
}

INSTANTIATE_TEST_SUITE_P(Scopes, ConcordanceEngine,
                         testing::Values(Case{Scope::all, 0.65, true}, Case{Scope::all, 0.8, false},
                                         Case{Scope::all, 0.2, true}, Case{Scope::all, 0.0, false},
                                         Case{Scope::all, -0.5, true}, Case{Scope::all, 1.0, false},
                                         Case{Scope::all, 1.5, false}, Case{Scope::fresh, 0.6, true},
                                         Case{Scope::fresh, 0.5, false}, Case{Scope::between, 0.6, true},
                                         Case{Scope::between, 0.5, false}));

TEST(ConcordanceEngineAlone, WithAThresholdForEachMelodyFindsWhatScoringEveryPairFinds) {
  const ChosenSystem system = resolve_system("rondo").value();
  for (const bool both : {true, false}) {
    const MelodySet set = hostile_set(both ? 7 : 8, 60);
    std::vector<double> least;
    for (std::size_t unit = 0; unit < set.units(); ++unit) least.push_back(0.15 * static_cast<double>(unit * 5 % 7));
    const auto rows = set.rows(Scope::all);
    least[3] = std::numeric_limits<double>::infinity();  // what it scores as a query says nothing
    const EngineTask task{set, Scope::all, rows, *system.system, {0.0, both}, least};
    const auto expected = all_pairs(*make_exhaustive_engine(task), rows, rows.size());
    EXPECT_GT(expected.size(), 3U);
    for (const UnitPair& pair : expected) {
      const bool there = pair.ab >= least[pair.a];
      const bool back = pair.ba >= least[pair.b];
      EXPECT_TRUE(both ? there && back : there || back);
    }
    EXPECT_EQ(all_pairs(*make_rondo_engine(task), rows, 9), expected);
  }
}

TEST(ConcordanceEngineAlone, FindsEveryPairOfGeneratedIncipits) {
  const Generator generator(3);
  MelodySet set;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(test::rounds(240)); ++i) {
    std::string bytes;
    ASSERT_TRUE(pack(generator.piece(i).voices.front(), bytes));
    const auto key = static_cast<std::int64_t>(i + 1);
    ASSERT_TRUE(set.add({VoiceKey{key}, PieceKey{key}, 0, 0, bytes}, {8, true, true}, false, false));
  }
  set.finish();
  const ChosenSystem system = resolve_system("rondo").value();
  const auto rows = set.rows(Scope::all);
  const EngineTask task{set, Scope::all, rows, *system.system, {0.5, true}};
  const auto expected = all_pairs(*make_exhaustive_engine(task), rows, rows.size());
  EXPECT_GT(expected.size(), 5U);
  EXPECT_EQ(all_pairs(*make_rondo_engine(task), rows, 64), expected);
}

TEST(MelodySet, FoldsTheSameNotesInAnyKeyAndNothingElse) {
  MelodySet set;
  const auto add = [&](std::int64_t key, int higher, std::int64_t last) {
    VoiceBuilder builder;
    Fraction at;
    for (const int pitch : {60, 64, 62, 65}) {
      const Fraction duration(pitch == 65 ? last : 1, 4);
      builder.note(at, duration, Pitch::from_midi(pitch + higher));
      at += duration;
    }
    std::string bytes;
    EXPECT_TRUE(pack(builder.finish().value(), bytes));
    EXPECT_TRUE(set.add({VoiceKey{key}, PieceKey{key}, 0, 0, bytes}, {2, true, true}, false, false));
  };
  add(1, 0, 1);
  add(2, 5, 1);
  add(3, 0, 2);
  set.finish();
  EXPECT_EQ(set.units(), 2U);
  EXPECT_EQ(set.melodies()[0].unit, set.melodies()[1].unit);
  EXPECT_NE(set.melodies()[0].unit, set.melodies()[2].unit);
}

}  // namespace
}  // namespace rondo::concordances
