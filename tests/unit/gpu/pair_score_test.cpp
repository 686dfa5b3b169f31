#include "gpu/pair_score.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "gpu/card.h"
#include "gpu/cost_tables.h"
#include "rondo/similarity/system.h"
#include "similarity/systems/rondo.h"
#include "support/rounds.h"

/// What a thread of a card computes against the definition (similarity/systems/rondo.h).
namespace rondo::gpu {
namespace {

using explained::Features;

int below(std::mt19937& random, unsigned limit) { return static_cast<int>(random() % limit); }

RondoPlan standard_plan() {
  RondoPlan plan;
  plan.near = 0.15;
  plan.far = -0.15;
  plan.length = 0.5;
  plan.change = 0.2;
  plan.place = 0.8;
  plan.interval = 0.22;
  plan.weight = 0.25;
  plan.gap = 0.75;
  plan.long_notes = 0.8;
  plan.overhang = 1;
  plan.beyond = 0.3;
  return plan;
}

/// The greatest numbers that are let in: sums of 64 notes do not fit into 16 bits.
RondoPlan extreme_plan() {
  RondoPlan plan;
  plan.near = -2;
  plan.far = -2;
  plan.length = 2;
  plan.change = 2;
  plan.place = 4;
  plan.interval = 1;
  plan.weight = 1;
  plan.gap = 20;
  plan.long_notes = 1;
  plan.overhang = 60;
  plan.beyond = 1;
  return plan;
}

/// Pitches from 0 on, at most kMostPitch.
Line line_from(std::mt19937& random, std::size_t notes, int kind) {
  Line out;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < notes; ++i) {
    int p = below(random, 13);
    std::int64_t length = 1 + below(random, 4);
    if (kind == 1) length = 1;                                      // no rhythm
    if (kind == 2) p = below(random, 2) * kMostPitch;               // as wide as can be
    if (kind == 3) p = 0;                                           // one pitch: more notes than levels
    if (kind == 4) length = below(random, 4) == 0 ? 1'000'000 : 1;  // extreme lengths
    if (kind == 5) p = below(random, kMostPitch + 1);
    if (kind == 6) p = static_cast<int>(i % 2) * 2, length = 1 + static_cast<std::int64_t>(i % 2);  // ties everywhere
    out.pitch.push_back(static_cast<std::int16_t>(p));
    out.onset.push_back(at);
    out.duration.push_back(length);
    at += length;
  }
  const std::int16_t low = *std::min_element(out.pitch.begin(), out.pitch.end());
  for (std::int16_t& p : out.pitch) p = static_cast<std::int16_t>(p - low);
  return out;
}

Features hostile_features(std::mt19937& random, std::size_t notes, int kind) {
  const Line line = line_from(random, notes, kind);
  Features out;
  explained::make_features(line.pitch, line.onset, line.duration, out);
  return out;
}

std::vector<Note> notes_of(const Features& features, const explained::Costs& rhythmic) {
  std::vector<Note> out;
  for (std::size_t i = 0; i < features.size(); ++i) {
    Note note{};
    note.pitch = static_cast<std::uint8_t>(features.pitch[i]);
    note.next = static_cast<std::int8_t>(features.next[i]);
    note.length = static_cast<std::int8_t>(features.length[i]);
    note.change = static_cast<std::int8_t>(features.change[i]);
    note.place = static_cast<std::uint16_t>(features.place[i]);
    note.gap = static_cast<std::int16_t>(rhythmic.gap(features.length[i]));
    out.push_back(note);
  }
  return out;
}

Melody melody_of(const Features& features) {
  Melody out{};
  out.notes = static_cast<std::uint8_t>(features.size());
  out.rhythm = features.rhythm ? 1 : 0;
  out.range = static_cast<std::uint8_t>(*std::max_element(features.pitch.begin(), features.pitch.end()));
  return out;
}

std::size_t some_length(std::mt19937& random, int round) {
  constexpr std::array<std::size_t, 8> kEdges = {1, 2, 3, 31, 32, 33, 63, 64};
  return round % 3 == 0 ? kEdges[random() % kEdges.size()] : 1 + random() % kMostNotes;
}

TEST(PairScore, AlignmentIsThatOfTheDefinition) {
  std::mt19937 random(1);
  for (const RondoPlan& plan : {standard_plan(), extreme_plan()}) {
    ASSERT_TRUE(fits_card(plan));
    const explained::Settings settings = explained::settings_of(plan);
    const explained::Costs rhythmic(settings, true);
    const auto tables = cost_tables(explained::Costs(settings, false), rhythmic);
    std::int32_t lowest = 0;
    for (int round = 0; round < 300; ++round) {
      const Features query = hostile_features(random, some_length(random, round), below(random, 7));
      const Features document = hostile_features(random, some_length(random, round + 1), below(random, 7));
      const std::vector<Note> query_notes = notes_of(query, rhythmic);
      const std::vector<Note> document_notes = notes_of(document, rhythmic);
      const explained::Costs costs(settings, query.rhythm);
      std::int32_t cells[kMostNotes + 1] = {};
      for (const int transposition : {-kMostPitch, -3, 0, below(random, 12), kMostPitch}) {
        const std::int32_t total = align(
            *tables, query.rhythm, query_notes.data(), static_cast<std::uint32_t>(query.size()), document_notes.data(),
            static_cast<std::uint32_t>(document.size()), transposition, costs.perfect(query), kNoTotal, cells);
        ASSERT_EQ(total, explained::align(costs, query, document, transposition)) << "round " << round;
        // With a least total: the same if it is reached, and less than it if not.
        const std::int32_t least = total + 50 - below(random, 100);
        const std::int32_t bounded = align(
            *tables, query.rhythm, query_notes.data(), static_cast<std::uint32_t>(query.size()), document_notes.data(),
            static_cast<std::uint32_t>(document.size()), transposition, costs.perfect(query), least, cells);
        ASSERT_TRUE(total >= least ? bounded == total : bounded < least) << "round " << round;
        lowest = std::min(lowest, total);
      }
    }
    if (plan.gap == 20) {
      EXPECT_LT(lowest, -100'000) << "the test did not leave 16 bits";
    }
  }
}

TEST(PairScore, CommonNotesAreThoseOfTheDefinition) {
  std::mt19937 random(2);
  for (int round = 0; round < test::rounds(300); ++round) {
    const Features query = hostile_features(random, some_length(random, round), below(random, 7));
    const Features document = hostile_features(random, some_length(random, round + 1), below(random, 7));
    const auto rhythmic = explained::Costs(explained::settings_of(standard_plan()), true);
    const Query prepared = make_query(melody_of(query), notes_of(query, rhythmic), 0, {}, CostTables{});
    std::vector<explained::CommonNotes::Found> found;
    explained::CommonNotes(query.pitch).find(document.pitch, found);
    const auto pitch = [&](std::uint32_t j) { return static_cast<std::uint32_t>(document.pitch[j]); };
    for (int transposition = -kMostPitch; transposition <= kMostPitch; ++transposition) {
      const auto at =
          std::find_if(found.begin(), found.end(), [&](const auto& one) { return one.transposition == transposition; });
      const std::uint32_t expected = at == found.end() ? 0 : at->notes;
      const auto notes = static_cast<std::uint32_t>(query.size());
      const auto columns = static_cast<std::uint32_t>(document.size());
      ASSERT_EQ(common_notes<std::uint64_t>(prepared.where, notes, pitch, columns, transposition), expected);
      if (notes < 32) {
        ASSERT_EQ(common_notes<std::uint32_t>(prepared.where, notes, pitch, columns, transposition), expected);
      }
    }
  }
}

/// The sum over pitches of the lesser number of notes; a document that has `levels` on a pitch has as many as the
/// query.
std::uint32_t shared_by_counting(const Features& query, const Features& document, int transposition,
                                 std::uint32_t levels) {
  std::array<std::uint32_t, 256> one{};
  std::array<std::uint32_t, 256> other{};
  for (const std::int16_t p : query.pitch) ++one[static_cast<std::size_t>(p + transposition + 64)];
  for (const std::int16_t p : document.pitch) ++other[static_cast<std::size_t>(p + 64)];
  std::uint32_t out = 0;
  for (std::size_t p = 0; p < one.size(); ++p) out += other[p] >= levels ? one[p] : std::min(one[p], other[p]);
  return out;
}

TEST(PairScore, SharedPitchesAreCountedInEveryTransposition) {
  std::mt19937 random(3);
  for (int round = 0; round < test::rounds(60); ++round) {
    const Features query = hostile_features(random, some_length(random, round), below(random, 7));
    const Features document = hostile_features(random, some_length(random, round + 1), below(random, 7));
    const auto rhythmic = explained::Costs(explained::settings_of(standard_plan()), true);
    const auto range = static_cast<std::uint32_t>(*std::max_element(document.pitch.begin(), document.pitch.end()));
    std::array<std::uint64_t, kLevels> levels{};
    for (const std::int16_t p : document.pitch) add_pitch(levels, static_cast<std::uint32_t>(p));
    for (std::uint32_t need = 0; need <= query.size(); need += static_cast<std::uint32_t>(1 + below(random, 5))) {
      const Query prepared = make_query(melody_of(query), notes_of(query, rhythmic), 0, {range, need}, CostTables{});
      Transpositions left{};
      const bool any = query.size() < 32 ? shared_transpositions<5>(prepared, levels, need, left)
                                         : shared_transpositions<7>(prepared, levels, need, left);
      bool expected_any = false;
      for (int transposition = -kMostPitch; transposition <= kMostPitch; ++transposition) {
        const bool expected = shared_by_counting(query, document, transposition, kLevels) >= need;
        const int bit = transposition - prepared.lowest;
        const bool inside = bit >= 0 && bit < 32 * prepared.words;
        const bool has =
            inside && ((left.word[static_cast<std::size_t>(bit / 32)] >> static_cast<unsigned>(bit % 32)) & 1U) != 0;
        // With as many notes on a pitch as there are levels the window may be narrower than what is counted, never
        // narrower than what is shared.
        const bool truly = shared_by_counting(query, document, transposition, kMostNotes) >= need;
        if (inside) {
          ASSERT_EQ(has, expected) << "round " << round << ", need " << need << ", " << transposition;
        }
        if (truly && need > 0) {
          ASSERT_TRUE(has) << "a transposition that shares enough notes was lost";
        }
        expected_any = expected_any || has;
      }
      EXPECT_TRUE(any || !expected_any);
    }
  }
}

TEST(PairScore, TheExactTotalIsThatOfTheSystem) {
  int narrow_ones = 0;
  std::mt19937 random(5);
  const explained::Settings settings = explained::settings_of(standard_plan());
  const explained::Costs rhythmic(settings, true);
  const auto tables = cost_tables(explained::Costs(settings, false), rhythmic);
  const ChosenSystem system = resolve_system("rondo").value();
  for (int round = 0; round < test::rounds(400); ++round) {
    const Line query = line_from(random, std::max<std::size_t>(2, some_length(random, round)), below(random, 7));
    const Line document = line_from(random, std::max<std::size_t>(2, some_length(random, round)), below(random, 7));
    Features features;
    explained::make_features(query.pitch, query.onset, query.duration, features);
    Features other;
    explained::make_features(document.pitch, document.onset, document.duration, other);
    Melody melody = melody_of(features);
    melody.perfect = explained::Costs(settings, features.rhythm).perfect(features);
    const Query prepared = make_query(melody, notes_of(features, rhythmic), 0, {}, *tables);
    const std::vector<Note> notes = notes_of(other, rhythmic);
    std::int32_t cells[kMostNotes + 1] = {};
    const auto pitch = [&](std::uint32_t j) { return notes[j].pitch; };
    const double expected = system.system->prepare(query)->score(document).value;
    // One transposition after the other, and both at once.
    for (const bool narrow : {false, prepared.narrow != 0}) {
      const auto total_from = [&](std::int32_t least) {
        return exact_total<std::uint64_t>(*tables, prepared.melody, prepared.note, prepared.where, narrow,
                                          melody_of(other), pitch, notes.data(), least, cells);
      };
      const std::int32_t total = total_from(kNoTotal);
      ASSERT_EQ(static_cast<double>(total) / melody.perfect, expected) << "round " << round;
      ASSERT_EQ(total_from(total), total) << "round " << round;
      ASSERT_LT(total_from(total + 1), total + 1) << "round " << round;
    }
    narrow_ones += prepared.narrow;
  }
  EXPECT_GT(narrow_ones, test::rounds(300));
}

TEST(PairScore, NoPairThatReachesItsThresholdIsLost) {
  std::mt19937 random(4);
  const RondoPlan plan = standard_plan();
  const explained::Settings settings = explained::settings_of(plan);
  const explained::Costs rhythmic(settings, true);
  const auto tables = cost_tables(explained::Costs(settings, false), rhythmic);
  int reached = 0;
  for (int round = 0; round < test::rounds(400); ++round) {
    const int kind = below(random, 7);
    const Features query = hostile_features(random, some_length(random, round), kind);
    // A variant, so that some reach it.
    const Features document = round % 2 == 0 ? query : hostile_features(random, some_length(random, round), kind);
    if (query.size() < 2 || document.size() < 2) continue;
    std::vector<explained::CommonNotes::Found> found;
    explained::CommonNotes(query.pitch).find(document.pitch, found);
    const explained::Costs costs(settings, query.rhythm);
    if (found.empty()) continue;
    std::int32_t total = std::numeric_limits<std::int32_t>::min();
    std::uint32_t common = 0;
    for (std::size_t k = 0; k < std::min(explained::kTranspositions, found.size()); ++k) {
      const std::int32_t its = explained::align(costs, query, document, found[k].transposition);
      if (its > total) common = found[k].notes;
      total = std::max(total, its);
    }
    Melody melody = melody_of(query);
    melody.least_total = total;
    melody.perfect = costs.perfect(query);
    const Query prepared = make_query(melody, notes_of(query, rhythmic), 0, {kMostPitch, 1, true}, *tables);
    const std::vector<Note> notes = notes_of(document, rhythmic);
    std::array<std::uint64_t, kLevels> levels{};
    for (const Note& note : notes) add_pitch(levels, note.pitch);
    Transpositions left{};
    ASSERT_TRUE(shared_transpositions<7>(prepared, levels, common, left));
    const auto pitch = [&](std::uint32_t j) { return notes[j].pitch; };
    const auto length = [&](std::uint32_t j) { return notes[j].length + kMostLengthSteps; };
    const OrderedQuery<decltype(prepared.where), decltype(prepared.alike)> ordered{
        prepared.where, prepared.alike, prepared.least_alike, prepared.melody.notes, prepared.by_length != 0};
    const OrderedDocument<decltype(pitch), decltype(length)> with{pitch, length,
                                                                  static_cast<std::uint32_t>(notes.size())};
    ASSERT_TRUE(ordered_transpositions<std::uint64_t>(prepared, ordered, with, common, left)) << "round " << round;
    std::int32_t cells[kMostNotes + 1] = {};
    bool holds = false;
    for (int t = -kMostPitch; t <= kMostPitch; ++t) {
      const auto bit = static_cast<unsigned>(t - prepared.lowest);
      if (t < prepared.lowest || bit >= 32U * prepared.words || (left.word[bit / 32] >> (bit % 32) & 1U) == 0) continue;
      holds =
          holds || may_hold(*tables, {0, 0}, prepared, melody_of(document), notes.data(), notes.data(), t, left, cells);
    }
    ASSERT_TRUE(holds) << "round " << round;
    ++reached;
  }
  EXPECT_GT(reached, test::rounds(100));
}

}  // namespace
}  // namespace rondo::gpu
