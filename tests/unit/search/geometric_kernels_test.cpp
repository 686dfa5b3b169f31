// The kernels of the geometric systems, against their scalar references.

#include <algorithm>

#include "search/kernels/coinciding.h"
#include "search/kernels/common_time.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

/// A query, the first of 100 rounds with far more notes than usual.
struct Query {
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint32_t> time;
};
Query random_query(std::mt19937& random, int round) {
  Query out;
  for (int pitch = 40; pitch < (round % 5 == 0 ? 41 : 80); ++pitch) {
    for (std::uint32_t k = 0, count = static_cast<std::uint32_t>(round == 0 ? 512 : random() % 30); k < count; ++k) {
      out.pitch.push_back(static_cast<std::uint8_t>(pitch));
      out.time.push_back(static_cast<std::uint32_t>(round == 0 ? k : random()));
    }
  }
  out.pitch.push_back(60);
  out.time.push_back(0);
  return out;
}

std::uint8_t random_pitch(std::mt19937& random, int round) {
  return static_cast<std::uint8_t>(round % 2 == 0 ? 60 + random() % 8 : random() % 128);
}

TimedNotes random_notes(std::mt19937& random, int round) {
  TimedNotes out;
  out.resize(round == 0 ? 300 : random() % 40);
  for (std::size_t i = 0; i < out.notes; ++i) {
    out.pitch[i] = random_pitch(random, round);
    out.onset[i] = static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 4 * 64 : random());
  }
  return out;
}

/// Documents as bytes, one after the other; what is behind the last of them is anything.
struct Documents {
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint8_t> place;
  std::vector<PlacedNotes> notes;
  std::size_t longest = 0;
};
Documents random_documents(std::mt19937& random, int round, std::uint32_t places) {
  Documents out;
  for (std::size_t left = 1 + random() % 40; left > 0; --left) {
    PlacedNotes& document = out.notes.emplace_back();
    document.notes = round == 0 && left == 1 ? 300 : 1 + random() % 40;
    out.longest = std::max(out.longest, document.notes);
    for (std::size_t i = 0; i < document.notes; ++i) {
      out.pitch.push_back(random_pitch(random, round));
      out.place.push_back(static_cast<std::uint8_t>(random() % (places + 1)));
    }
  }
  for (std::size_t i = 0; i < PlacedNotes::kRoom; ++i) {
    out.pitch.push_back(static_cast<std::uint8_t>(random()));
    out.place.push_back(static_cast<std::uint8_t>(random()));
  }
  std::size_t first = 0;
  for (PlacedNotes& document : out.notes) {
    document.pitch = out.pitch.data() + first;
    document.place = out.place.data() + first;
    first += document.notes;
  }
  return out;
}

TEST(Coinciding, EveryLevelFindsTranspositionsAsThePlainOneDoes) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(14);
    for (int round = 0; round < test::rounds(60); ++round) {
      const Query notes = random_query(random, round);
      const RoughCircle query(1, notes.pitch, notes.time);
      Documents fast = random_documents(random, round, query.places());
      std::vector<PlacedNotes> slow = fast.notes;
      std::vector<std::uint32_t> rows(fast.longest + PlacedNotes::kRoom);
      // From no transposition at all to as many as there may be.
      const int lowest = -static_cast<int>(random() % 128);
      const Reach reach{lowest, lowest + static_cast<int>(random() % (round % 4 == 0 ? 128 : 30)) - 10};
      for (std::uint32_t least = 1; least <= fast.longest + 1; least += round == 0 ? 127 : 1 + least / 4) {
        enough_roughly(query, fast.notes, reach, least, rows.data());
        enough_roughly_plain(query, slow, reach, least, rows.data());
        for (std::size_t d = 0; d < slow.size(); ++d) {
          ASSERT_EQ(fast.notes[d].any, slow[d].any) << level << ", round " << round << ", " << least;
          ASSERT_EQ(fast.notes[d].chances, slow[d].chances) << level << ", round " << round << ", " << least;
        }
      }
    }
  });
}

TEST(Coinciding, EveryLevelFindsNotesThatMeetAsThePlainOneDoes) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(15);
    for (int round = 0; round < test::rounds(120); ++round) {
      const Query notes = random_query(random, round);
      const TimedNotes document = random_notes(random, round);
      const FineCircles query(std::size_t{1} << round % 4, notes.pitch, notes.time);
      const int first = static_cast<int>(random() % 60) - 30;
      for (std::uint32_t least = 1; least <= document.notes + 1; least += round == 0 ? 127 : 1 + least / 8) {
        ASSERT_EQ(enough_coincide(query, document, first, least), enough_coincide_plain(query, document, first, least))
            << level << ", round " << round << ", " << least << " of " << document.notes;
      }
    }
  });
}

TEST(Coinciding, NotesThatMeetInTimeAndPitchAreFound) {
  // Three of the query's four notes, seven semitones higher and a whole circle and five ticks later, and one that is
  // joined with another and so meets nothing.
  const std::vector<std::uint8_t> pitch = {60, 62, 64, 65};
  const std::vector<std::uint32_t> time = {0, 8, 16, 24};
  const RoughCircle query(1, pitch, time);
  std::vector<std::uint8_t> pitches = {67, 69, 71, 72};
  std::vector<std::uint8_t> places = {5, 13, 21, static_cast<std::uint8_t>(query.places())};
  pitches.resize(pitches.size() + PlacedNotes::kRoom);
  places.resize(places.size() + PlacedNotes::kRoom);
  std::vector<PlacedNotes> documents(1);
  documents[0] = {4, pitches.data(), places.data(), {}, false};
  std::vector<std::uint32_t> rows(4 + PlacedNotes::kRoom);
  enough_roughly(query, documents, {-65, -60}, 3, rows.data());
  ASSERT_TRUE(documents[0].any);
  EXPECT_EQ(documents[0].chances, (Transpositions{2, {1U << 5U}}));
  enough_roughly(query, documents, {-65, -60}, 4, rows.data());
  EXPECT_FALSE(documents[0].any);
}

TEST(CommonTime, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(16);
    for (int round = 0; round < test::rounds(120); ++round) {
      const std::size_t steps = 1 + random() % 400;
      std::vector<std::int16_t> turns(steps * kSweeps);
      for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t pairs = random() % 12; pairs > 0; --pairs) {
          // Two notes begin to overlap, until one lies within the other, and so back.
          const std::size_t rise = 1 + random() % 60;
          const std::size_t flat = random() % 60;
          const std::size_t from = random() % 300;
          if (from + 2 * rise + flat >= steps) continue;
          ++turns[from * kSweeps + sweep];
          --turns[(from + rise) * kSweeps + sweep];
          --turns[(from + rise + flat) * kSweeps + sweep];
          ++turns[(from + 2 * rise + flat) * kSweeps + sweep];
        }
      }
      ASSERT_EQ(longest_common(turns.data(), steps), longest_common_plain(turns.data(), steps))
          << level << ", round " << round;
    }
  });
}

TEST(CommonTime, TwoPairsOfNotesAreLongestTogetherWhereTheyMeet) {
  // Notes of 3 and 3 steps are together for up to 3 steps, at step 4; a pair of 2 and 2, at step 6 for up to 2. At step
  // 5 they have 2 and 1, which is 3 as well; at 4 there are 3 and 0. With the second pair one step earlier: 3 and 1.
  std::vector<std::int16_t> turns(12 * kSweeps);
  const auto pair = [&](std::size_t sweep, std::size_t at, std::size_t length) {
    ++turns[(at - length) * kSweeps + sweep];
    turns[at * kSweeps + sweep] = static_cast<std::int16_t>(turns[at * kSweeps + sweep] - 2);
    ++turns[(at + length) * kSweeps + sweep];
  };
  pair(0, 4, 3);
  pair(0, 6, 2);
  EXPECT_EQ(longest_common(turns.data(), 12), 3);
  pair(kSweeps - 1, 4, 3);
  pair(kSweeps - 1, 5, 2);
  EXPECT_EQ(longest_common(turns.data(), 12), 4);
}

}  // namespace
}  // namespace rondo::kernels
