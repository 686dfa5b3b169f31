// The kernels of the geometric systems, against their scalar references.

#include "search/kernels/coinciding.h"
#include "search/kernels/common_time.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

/// Notes of a document, and some of a query; the first of 100 rounds with far more than usual.
struct Meeting {
  TurnedRows rows;
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint32_t> time;
};
Meeting random_meeting(std::mt19937& random, int round) {
  Meeting out;
  out.rows.resize(round == 0 ? 300 : random() % 40);
  out.rows.halvings = round % 3;
  for (std::size_t i = 0; i < out.rows.notes; ++i) {
    out.rows.pitch[i] = static_cast<std::uint8_t>(round % 2 == 0 ? 60 + random() % 8 : random() % 128);
    out.rows.onset[i] = static_cast<std::uint32_t>(random() % 3 == 0 ? random() % 4 * 64 : random());
  }
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

TEST(Coinciding, EveryLevelFindsTranspositionsAsThePlainOneDoes) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(14);
    for (int round = 0; round < test::rounds(120); ++round) {
      const Meeting meeting = random_meeting(random, round);
      const RoughCircle query(1, meeting.pitch, meeting.time);
      const int lowest = static_cast<int>(random() % 160) - 80;
      const int highest = lowest + static_cast<int>(random() % (round % 4 == 0 ? 256 : 40));
      for (std::uint32_t least = 1; least <= meeting.rows.notes + 1; least += round == 0 ? 127 : 1 + least / 4) {
        Transpositions fast;
        Transpositions slow;
        ASSERT_EQ(enough_roughly(query, meeting.rows, lowest, highest, least, fast),
                  enough_roughly_plain(query, meeting.rows, lowest, highest, least, slow));
        ASSERT_EQ(fast, slow) << level << ", round " << round << ", " << least << " of " << meeting.rows.notes;
      }
    }
  });
}

TEST(Coinciding, EveryLevelFindsNotesThatMeetAsThePlainOneDoes) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(15);
    for (int round = 0; round < test::rounds(120); ++round) {
      const Meeting meeting = random_meeting(random, round);
      const FineCircles query(std::size_t{1} << round % 4, meeting.pitch, meeting.time);
      const int first = static_cast<int>(random() % 60) - 30;
      for (std::uint32_t least = 1; least <= meeting.rows.notes + 1; least += round == 0 ? 127 : 1 + least / 8) {
        ASSERT_EQ(enough_coincide(query, meeting.rows, first, least),
                  enough_coincide_plain(query, meeting.rows, first, least))
            << level << ", round " << round << ", " << least << " of " << meeting.rows.notes;
      }
    }
  });
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
