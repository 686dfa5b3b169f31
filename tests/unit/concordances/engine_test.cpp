#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "concordances/pair_engine.h"
#include "concordances/rondo_units.h"
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

/// Every third is new, every second of the second collection.
MelodySet set_of(const std::vector<Voice>& voices) {
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

/// Melodies with many variants.
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
  return set_of(voices);
}

/// What the definition of the system says of some units as rows and all others: the pairs that the engines must find.
class Truth {
 public:
  Truth(const MelodySet& set, const System& system, std::vector<std::uint32_t> rows)
      : set_(set), rows_(std::move(rows)), scores_(rows_.size() * set.units()) {
    std::vector<Line> lines(set.units());
    std::vector<std::unique_ptr<PreparedQuery>> queries;
    for (std::uint32_t unit = 0; unit < set.units(); ++unit) {
      set.line(unit, lines[unit]);
      queries.push_back(system.prepare(lines[unit]));
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (std::uint32_t unit = 0; unit < set.units(); ++unit) {
        if (unit == rows_[r]) continue;
        scores_[r * set.units() + unit] = {queries[rows_[r]]->score(lines[unit]).value,
                                           queries[unit]->score(lines[rows_[r]]).value};
      }
    }
  }

  [[nodiscard]] std::vector<UnitPair> pairs(const EngineTask& task) const {
    std::vector<UnitPair> out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const std::uint32_t row = rows_[r];
      if (!std::binary_search(task.rows.begin(), task.rows.end(), row)) continue;
      for (std::uint32_t unit = 0; unit < set_.units(); ++unit) {
        const bool earlier = unit < row && std::binary_search(task.rows.begin(), task.rows.end(), unit);
        if (unit == row || earlier || !set_.wanted(task.scope, row, unit)) continue;
        const auto& [there, back] = scores_[r * set_.units() + unit];
        if (!task.holds(row, unit, there, back)) continue;
        out.push_back(row < unit ? UnitPair{row, unit, there, back} : UnitPair{unit, row, back, there});
      }
    }
    std::sort(out.begin(), out.end(), UnitPair::before);
    return out;
  }

 private:
  const MelodySet& set_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::pair<double, double>> scores_;  ///< by row and unit: of the unit, of the row
};

/// A set that several tests look at, with the truth about it.
struct KnownSet {
  MelodySet set;
  ChosenSystem system;
  Truth truth;
  KnownSet(MelodySet melodies, const std::vector<std::string>& settings)
      : set(std::move(melodies)),
        system(resolve_system("rondo", settings).value()),
        truth(set, *system.system, set.rows(Scope::all)) {}
};

/// In every third round with numbers of the system that nobody tuned.
const KnownSet& known_set(int round) {
  static std::map<int, KnownSet> all;
  const std::vector<std::string> settings =
      round % 3 == 2 ? std::vector<std::string>{"near=0.7", "far=0.5", "gap=0.1", "overhang=0", "weight=1"}
                     : std::vector<std::string>{};
  return all.try_emplace(round, hostile_set(static_cast<unsigned>(100 + round), test::kSanitized ? 24 : 44), settings)
      .first->second;
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
    const KnownSet& known = known_set(round);
    const auto rows = known.set.rows(now.scope);
    const EngineTask task{known.set, now.scope, rows, *known.system.system, {now.least, now.both}};
    const auto fast = make_rondo_engine(task);
    ASSERT_NE(fast, nullptr);
    const auto expected = known.truth.pairs(task);
    for (const std::size_t strip : {std::size_t{5}, rows.size()}) EXPECT_EQ(all_pairs(*fast, rows, strip), expected);
    // The same on a card: emulated, and real where there is one.
    std::vector<std::shared_ptr<gpu::Card>> cards = {gpu::emulated_card()};
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
    const MelodySet set = hostile_set(both ? 7 : 8, test::kSanitized ? 30 : 60);
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

/// Some rows, and all units behind them, in several blocks of many groups: where one ends and the next begins.
TEST(ConcordanceEngineAlone, LosesNothingAtTheBordersOfBlocks) {
  std::mt19937 random(23);
  std::vector<Voice> voices;
  for (std::size_t i = 0; i < 2600; ++i) {
    const bool again = i > 0 && below(random, 3) == 0;
    voices.push_back(again ? varied(random, voices[random() % voices.size()])
                           : voice_from(random, 8 + random() % 3,
                                        i % 97 == 0  ? 2
                                        : i % 5 == 0 ? 1
                                                     : 0));
    if (voices.back().notes.size() < 2) voices.back() = voice_from(random, 9, 0);
  }
  const MelodySet set = set_of(voices);
  ASSERT_GT(set.units(), 2U * 1024 + 64);
  std::vector<std::uint32_t> some = {0, 63, 64, 1022, 1023, 1024, 1087, 1088, 2047, 2048, 2060};
  some.resize(static_cast<std::size_t>(test::rounds(static_cast<int>(some.size()))));
  const ChosenSystem system = resolve_system("rondo").value();
  const Truth truth(set, *system.system, some);
  const auto rows = set.rows(Scope::all);
  for (const bool both : {true, false}) {
    const EngineTask all{set, Scope::all, rows, *system.system, {0.15, both}};
    const auto expected = truth.pairs(all);
    EXPECT_GT(expected.size(), some.size());
    EXPECT_EQ(all_pairs(*make_rondo_engine(all), some, 3), expected);
    const EngineTask few{set, Scope::fresh, some, *system.system, {0.15, both}};
    EXPECT_EQ(all_pairs(*make_rondo_engine(few), some, some.size()), truth.pairs(few));
  }
}

/// One or all pitches, one or all lengths, rests, the widest leaps, the fewest and the most notes.
TEST(ConcordanceEngineAlone, HoldsForExtremeMelodies) {
  std::mt19937 random(31);
  std::vector<Voice> voices;
  const auto add = [&](std::size_t notes, const auto& pitch, const auto& length, const auto& rest) {
    VoiceBuilder builder;
    Fraction at;
    for (std::size_t i = 0; i < notes; ++i) {
      const Fraction duration = length(i);
      builder.note(at, duration, Pitch::from_midi(pitch(i)));
      at += duration + rest(i);
    }
    voices.push_back(builder.finish().value());
  };
  const auto quarter = [](std::size_t) { return Fraction(1, 4); };
  const auto none = [](std::size_t) { return Fraction(0, 1); };
  const auto mixed = [](std::size_t i) { return i % 3 == 0 ? Fraction(1, 1024) : Fraction(4, 1); };
  const auto some_rest = [](std::size_t i) { return i % 4 == 0 ? Fraction(8, 1) : Fraction(0, 1); };
  const std::size_t many = test::kSanitized ? 5 : 300;
  const std::size_t most = test::kSanitized ? 70 : 2100;  // more than the system looks at
  for (const std::size_t notes : {std::size_t{2}, std::size_t{3}, std::size_t{test::kSanitized ? 4 : 63},
                                  std::size_t{64}, std::size_t{65}, many, most}) {
    add(
        notes, [](std::size_t) { return 60; }, quarter, none);
    add(
        notes, [](std::size_t i) { return i % 2 == 0 ? 0 : 63; }, mixed, none);  // as wide as the bounds know
    if (notes > 65) continue;
    add(
        notes, [](std::size_t i) { return i % 2 == 0 ? 0 : 64; }, quarter, none);  // wider
    add(
        notes, [](std::size_t i) { return i % 2 == 0 ? 0 : 127; }, mixed, some_rest);
    add(
        notes, [](std::size_t i) { return 60 + static_cast<int>(i * i % 12); }, mixed, some_rest);
    add(
        notes, [](std::size_t i) { return 60 + static_cast<int>(i * i % 12); }, quarter, some_rest);
    add(
        notes, [&](std::size_t) { return 60 + below(random, 2); }, mixed, none);
  }
  const KnownSet known(set_of(voices), {});
  const auto rows = known.set.rows(Scope::all);
  for (const Case& now : {Case{Scope::all, 0.9, true}, Case{Scope::all, 0.5, false}, Case{Scope::all, 0.1, true}}) {
    const EngineTask task{known.set, Scope::all, rows, *known.system.system, {now.least, now.both}};
    EXPECT_EQ(all_pairs(*make_rondo_engine(task), rows, 7), known.truth.pairs(task)) << now.least;
  }
}

/// The last bound before scoring, in every transposition, against what the definition gives in either direction.
TEST(ConcordanceEngineAlone, BoundsEveryAlignmentOfTwoMelodies) {
  const KnownSet& known = known_set(0);
  const auto rows = known.set.rows(Scope::all);
  const EngineTask task{known.set, Scope::all, rows, *known.system.system, {0.5, false}};
  const RondoPlan plan = std::get<RondoPlan>(known.system.system->plan());
  const RondoUnits units(task, plan);
  std::vector<explained::Features> features(units.size());
  std::vector<int> lowest;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    Line line;
    known.set.line(unit, line);
    explained::make_features(line.pitch, line.onset, line.duration, features[unit]);
    lowest.push_back(*std::min_element(line.pitch.begin(), line.pitch.end()));
  }
  std::size_t reached = 0;
  kernels::BoundColumns columns;
  for (std::size_t a = 0; a < units.size(); a += test::kSanitized ? 5 : 2) {
    for (std::size_t b = 0; b < units.size(); ++b) {
      if (a == b || units.is_odd(a) || units.is_odd(b)) continue;
      for (const bool rhythm : {units.rhythm(a), units.rhythm(b)}) {
        kernels::BoundRows query;
        units.fill_rows(a, rhythm, query);
        columns.resize(units.notes(b));
        for (std::size_t lane = 0; lane < kernels::kBatch; ++lane) {
          units.fill_lane(b, rhythm, static_cast<int>(lane) - 32, lane, columns);
          columns.place_factor[lane] = units.place_factor(rhythm, a, b);
        }
        std::int16_t bound[kernels::kBatch];
        kernels::explained_bound(query, columns, bound);
        for (int t = -12; t <= 12; t += 3) {
          const int there = lowest[b] - lowest[a] + t;
          std::int32_t total = 0;
          if (units.rhythm(a) == rhythm) total = explained::align(units.costs(rhythm), features[a], features[b], there);
          if (units.rhythm(b) == rhythm) {
            total = std::max(total, explained::align(units.costs(rhythm), features[b], features[a], -there));
          }
          const std::int32_t most = bound[t + 32];
          EXPECT_TRUE(most >= total || most >= kernels::kMostBounded) << a << ' ' << b << ' ' << t;
          reached += total > 0 && total * 10 > most * 9 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(reached, 0U) << "a bound that is never near says little";
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
