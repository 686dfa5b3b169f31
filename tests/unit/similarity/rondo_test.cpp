#include "similarity/systems/rondo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

double rondo_score(const Line& query, const Line& document) { return score_of("rondo", query, document).value; }

Line notes_of(const Line& line, std::size_t from, std::size_t count) {
  Line out = line;
  const auto keep = [&](auto& column) {
    column.erase(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(from));
    column.resize(count);
  };
  keep(out.pitch);
  keep(out.base40);
  keep(out.onset);
  keep(out.duration);
  return out;
}

TEST(RondoSystem, IsOneForTheSameMelodyInAnotherKeyAndTempo) {
  EXPECT_EQ(rondo_score(line_of("C4 1/4 D4 1/8 Eb4 1/8 C4 1/2"), line_of("G4 1/2 A4 1/4 Bb4 1/4 G4 1/1")), 1);
}

TEST(RondoSystem, OneNoteIsNoMelody) {
  const auto* row = find_system("rondo");
  const auto system = row->make(Parameters(row->parameters));
  EXPECT_FALSE(system->prepare(quarters("C4"))->score(quarters("C4 D4")).comparable);
  EXPECT_FALSE(system->prepare(quarters("C4 D4"))->score(quarters("C4")).comparable);
}

TEST(RondoSystem, PairsByPitchAndNextInterval) {
  // In 256ths. C and D are equal and go on equally: 256 each. E goes on by another interval: (1024 - 225) / 4 = 200. F
  // against G is a whole tone apart: 154 / 4 = 39. All of 4 x 256.
  EXPECT_EQ(rondo_score(quarters("C4 D4 E4 F4"), quarters("C4 D4 E4 G4")), 751.0 / 1024);
  // F against B is none of the near ones: -154 / 4 = -38. To leave out F (192) and B (256) costs more.
  EXPECT_EQ(rondo_score(quarters("C4 D4 E4 F4"), quarters("C4 D4 E4 B4")), (256 + 256 + 200 - 38) / 1024.0);
}

TEST(RondoSystem, NotesLeftOutCostAndSoDoesEachEndOfALongerDocument) {
  // D goes on by another interval than D in the document (E is missing there): 200. E costs 192. F and G: 256 each.
  EXPECT_EQ(rondo_score(quarters("C4 D4 E4 F4 G4"), quarters("C4 D4 F4 G4")), (256 + 200 - 192 + 512) / 1280.0);
  // The document goes on: 192 for a note, once 256 for many; at both ends twice.
  const Line query = quarters("C4 D4 E4 F4");
  EXPECT_EQ(rondo_score(query, quarters("C4 D4 E4 F4 G4")), (1024 - 192) / 1024.0);
  EXPECT_EQ(rondo_score(query, quarters("G3 C4 D4 E4 F4")), (1024 - 192) / 1024.0);
  EXPECT_EQ(rondo_score(query, quarters("G3 A3 C4 D4 E4 F4")), 0.75);
  EXPECT_EQ(rondo_score(query, quarters("C4 D4 E4 F4 G4 A4 B4 C5 G4")), 0.75);
  EXPECT_EQ(rondo_score(query, quarters("A4 C5 C4 D4 E4 F4 G4 B4")), 0.5);
}

TEST(RondoSystem, WhatOfTheQueryLiesBeyondTheDocumentCostsLess) {
  // Four equal notes, the last with no next one to compare; two more cost 58 each, 0.3 x 192.
  const Line query = quarters("C4 D4 E4 F4 G4 A4");
  EXPECT_EQ(rondo_score(query, quarters("C4 D4 E4 F4")), (1024 - 2 * 58) / 1536.0);
  EXPECT_EQ(rondo_score(query, quarters("E4 F4 G4 A4")), (1024 - 2 * 58) / 1536.0);
  EXPECT_EQ(rondo_score(query, quarters("E4 F4")), (512 - 4 * 58) / 1536.0);
}

TEST(RondoSystem, ComparesLengthChangePlaceAndWeighsLongNotes) {
  // Average length of the query 4/3 quarters: lengths -3 -3 5 -3 eighths of an octave, changes 0 0 8 -8; the document
  // has 0 throughout. A step of length costs 64 of 1024, of change 26. Places 0 1/4 1/2 1 against 0 1/3 2/3 1 cost 0,
  // 68, 136, 0. Weights of the notes 0.90625 and 1.15625.
  //   first  1024 - 3x64              =  832, weighted 189
  //   second 1024 - 3x64 - 68         =  764, weighted 173
  //   third  1024 - 5x64 - 8x26 - 136 =  360, weighted 104
  //   fourth 1024 - 3x64 - 8x26       =  624, weighted 141
  // With itself 232 + 232 + 296 + 232 = 992.
  const Line query = line_of("C4 1/4 D4 1/4 E4 1/2 F4 1/4");
  EXPECT_EQ(rondo_score(query, quarters("C4 D4 E4 F4")), 607.0 / 992);
}

TEST(RondoSystem, AQueryOfEqualNotesIsComparedWithoutRhythm) {
  EXPECT_EQ(rondo_score(quarters("C4 D4 E4 F4"), line_of("C4 1/4 D4 1/8 E4 3/4 F4 1/2")), 1);
}

TEST(RondoSystem, AMelodyWithTheQueryRanksBeforeAFragmentThatTheQueryHas) {
  std::mt19937 random(5);
  for (int round = 0; round < test::rounds(40); ++round) {
    const Line tune = random_line(random, 40);
    for (const std::size_t from : {std::size_t{0}, std::size_t{11}}) {
      const Line query = notes_of(tune, from, 20);
      const double found = rondo_score(query, tune);
      for (std::size_t at = 0; at + 6 <= 40; ++at) EXPECT_GT(found, rondo_score(query, notes_of(tune, at, 6)));
    }
  }
}

/// The notes of the query that the document has in their order, by the table of the textbook.
std::size_t common_slowly(const Line& query, const Line& document, int transposition) {
  std::vector<std::vector<std::size_t>> most(query.size() + 1, std::vector<std::size_t>(document.size() + 1, 0));
  for (std::size_t i = 1; i <= query.size(); ++i) {
    for (std::size_t j = 1; j <= document.size(); ++j) {
      const bool equal = query.pitch[i - 1] + transposition == document.pitch[j - 1];
      most[i][j] = equal ? most[i - 1][j - 1] + 1 : std::max(most[i - 1][j], most[i][j - 1]);
    }
  }
  return most[query.size()][document.size()];
}

TEST(RondoSystem, TakesTheBetterOfTheTwoTranspositionsWithMostCommonNotes) {
  std::mt19937 random(6);
  const auto system = system_named("rondo");
  const explained::Settings settings = explained::settings_of(std::get<RondoPlan>(system->plan()));
  for (int round = 0; round < test::rounds(60); ++round) {
    const Line query = random_line(random, 2 + random() % 90);
    const Line document = random_line(random, 2 + random() % 40);
    explained::Features q;
    explained::Features d;
    explained::make_features(query.pitch, query.onset, query.duration, q);
    explained::make_features(document.pitch, document.onset, document.duration, d);
    const explained::Costs costs(settings, q.rhythm);
    std::vector<std::pair<std::size_t, int>> found;
    for (int t = -80; t <= 80; ++t) {
      if (const std::size_t common = common_slowly(query, document, t); common > 0) found.emplace_back(common, -t);
    }
    std::sort(found.rbegin(), found.rend());
    std::int32_t most = explained::align(costs, q, d, -found[0].second);
    if (found.size() > 1) most = std::max(most, explained::align(costs, q, d, -found[1].second));
    EXPECT_EQ(system->prepare(query)->score(document).value, static_cast<double>(most) / costs.perfect(q));
  }
}

TEST(RondoSystem, StepsAddUpAndTellEveryNote) {
  std::mt19937 random(7);
  const auto system = system_named("rondo");
  for (int round = 0; round < test::rounds(60); ++round) {
    const Line query = random_line(random, 2 + random() % 20);
    const Line document = random_line(random, 2 + random() % 30);
    const Explanation why = system->prepare(query)->explain(document);
    double sum = 0;
    std::uint32_t next_query = 0;
    std::uint32_t next_document = 0;
    for (const Step& step : why.steps) {
      sum += step.score;
      if (!step.query.empty()) {
        EXPECT_EQ(step.query.begin, next_query);
        next_query = step.query.end;
      }
      if (!step.document.empty()) {
        EXPECT_EQ(step.document.begin, next_document);
        next_document = step.document.end;
      }
    }
    EXPECT_EQ(sum, why.total);
    EXPECT_EQ(next_query, query.size());
    EXPECT_EQ(next_document, document.size());
  }
}

}  // namespace
}  // namespace rondo
