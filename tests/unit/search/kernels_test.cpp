#include "search/kernels/chain_align.h"
#include "search/kernels/coinciding.h"
#include "search/kernels/common_amounts.h"
#include "search/kernels/common_time.h"
#include "search/kernels/common_tonic.h"
#include "search/kernels/equal_pitches.h"
#include "search/kernels/keyed_align.h"
#include "search/kernels/letters_align.h"
#include "search/kernels/nearest_work.h"
#include "search/kernels/pitch_edits.h"
#include "search/kernels/rated_align.h"
#include "search/kernels/symbols_align.h"
#include "search/kernels/tally.h"
#include "search/kernels/window_gains.h"
#include "search/kernels/window_losses.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

using Pairing = WindowPlan::Pairing;

TEST(Levels, AtLeastThePlainOneIsThereAndAnUnknownOneIsRefused) {
  EXPECT_EQ(levels().front(), "plain");
  EXPECT_FALSE(use_level("abacus"));
  EXPECT_TRUE(use_level("best"));
}

Rows random_rows(std::mt19937& random, Pairing pairing, std::size_t count) {
  Rows rows;
  rows.match_time = between(random, 0, 500);
  rows.same = between(random, -600, 0);
  rows.other = between(random, -1200, 0);
  rows.opposite = between(random, -8000, 0);
  rows.document_gap = between(random, -1200, 0);
  rows.factor[0] = between(random, 0, 500);
  rows.factor[1] = between(random, 0, 500);
  rows.time_factor[0] = static_cast<float>(between(random, 0, 900)) / 7;
  rows.time_factor[1] = static_cast<float>(between(random, 0, 900)) / 7;
  for (std::size_t i = 0; i < count; ++i) {
    const int first = between(random, -12, 12);
    const int second = between(random, -12, 12);
    rows.match.push_back(between(random, 0, 1000));
    rows.gap.push_back(between(random, -1200, 0));
    const bool shape = pairing == Pairing::shape;
    rows.feature[0].push_back(shape ? both_intervals(first, second) : scaled(first, rows.factor[0]));
    rows.feature[1].push_back(shape ? std::int16_t{1} : scaled(second, rows.factor[1]));
    rows.feature[2].push_back(shape ? std::int16_t{2} : between(random, -6000, 6000));
    rows.feature[3].push_back(between(random, -6000, 6000));
  }
  rows.rest = still_to_gain(rows);
  rows.most = most_to_gain(rows);
  return rows;
}

Columns random_columns(std::mt19937& random, std::size_t notes, std::size_t window) {
  Columns columns;
  columns.reset(notes, window);
  for (std::size_t lane = 0; lane < kBatch; ++lane) {
    const std::size_t own = random() % (notes + 1);
    columns.length[lane] = static_cast<std::uint32_t>(own < window ? 0 : own - window + 1);
    for (std::size_t i = 0; i < notes; ++i) {
      columns.pitch[i * kBatch + lane] = between(random, 0, 127);
      columns.duration[i * kBatch + lane] = static_cast<float>(between(random, 1, 9)) / 12;
    }
  }
  return columns;
}

TEST(WindowAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(7);
    for (int round = 0; round < test::rounds(120); ++round) {
      const auto pairing = static_cast<Pairing>(round % 4);
      const auto aligner = static_cast<Aligner>(round / 4 % 3);
      const Rows rows = random_rows(random, pairing, 1 + random() % 30);
      const Columns columns = random_columns(random, 4 + random() % 30, pairing == Pairing::pitch_and_time ? 4 : 3);
      // What must be reached: nothing, what few reach, what none does.
      const std::int16_t wanted = round % 3 == 0 ? std::int16_t{-32768} : between(random, -500, round % 3 * 4000);
      const Job job{pairing, aligner, &rows, &columns, wanted};
      std::int16_t fast[kBatch];
      std::int16_t slow[kBatch];
      window_align(job, fast);
      window_align_plain(job, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        if (columns.length[lane] == 0) continue;
        ASSERT_EQ(fast[lane], slow[lane]) << level << ", round " << round << ", lane " << lane;
      }
    }
  });
}

TEST(WindowGains, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(17);
    for (int round = 0; round < test::rounds(120); ++round) {
      const bool shape = round % 2 == 0;
      const auto byte = [&](int most) { return static_cast<std::uint8_t>(between(random, 0, most)); };
      GainRows rows;
      rows.pairing = shape ? Pairing::shape : Pairing::pitch_and_time;
      rows.same = byte(9);
      rows.other = byte(20);
      rows.opposite = byte(255);
      rows.document_gap = byte(20);
      rows.other_gain = byte(3);
      rows.factor[0] = between(random, 0, 128);
      rows.factor[1] = between(random, 0, 128);
      const int range = round % 3 == 0 ? 127 : 3;  // in a few pitches much is identical
      for (std::size_t i = random() % 70; i > 0; --i) {
        const int u = between(random, -range, range);
        const int v = between(random, -range, range);
        const GainFeatures features = gain_features(u, v, between(random, -range, range), rows.factor);
        rows.code.push_back(shape ? shape_code(u, v) : features.code);
        rows.first.push_back(shape ? std::uint8_t{1} : features.whole);
        rows.second.push_back(shape ? std::uint8_t{2} : features.halves);
        rows.match.push_back(byte(13));
        rows.gap.push_back(byte(15));
      }
      Columns columns = random_columns(random, 4 + random() % 16, shape ? 3 : 4);
      for (std::int16_t& pitch : columns.pitch) pitch = static_cast<std::int16_t>(pitch % (range + 1));
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      window_gains(rows, columns, fast);
      window_gains_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        ASSERT_EQ(fast[lane], slow[lane]) << level << ", round " << round << ", lane " << lane;
      }
    }
  });
}

TEST(WindowLosses, EveryLevelGivesTheLanesOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(8);
    int some = 0;
    for (int round = 0; round < test::rounds(240); ++round) {
      LossRows rows;
      LossLimits limits;
      // Sometimes leaps so far that they do not fit into a byte.
      const int far = round % 3 == 0 ? 127 : 1 + round % 3;
      rows.gain_time = static_cast<std::uint8_t>(random() % 20);
      rows.gain_both = static_cast<std::uint8_t>(rows.gain_time + random() % 30);
      limits.needed = static_cast<std::uint8_t>(round % 7 == 0 ? 255 : random() % 100);
      for (std::uint8_t& limit : limits.lane) {
        // Of all nothing, of all as much as can be, or of each something.
        limit = static_cast<std::uint8_t>(round % 4 == 0 ? 0 : round % 5 == 0 ? 254 : random() % 100);
      }
      Columns columns = random_columns(random, 4 + random() % 30, 4);
      for (std::int16_t& pitch : columns.pitch) pitch = between(random, 63 - far / 2, 64 + far / 2);
      const std::size_t count = 1 + random() % 20;
      for (std::size_t i = 0; i < count; ++i) {
        // In half of the rounds they are windows of the first lane.
        const std::int16_t* const at = columns.pitch.data() + std::min(i, columns.columns() - 1) * kBatch;
        const bool known = round % 2 == 0;
        const auto features =
            known ? loss_features(at[kBatch] - at[0], at[2 * kBatch] - at[kBatch], at[3 * kBatch] - at[2 * kBatch])
                  : loss_features(between(random, -far, far), between(random, -far, far), between(random, -far, far));
        rows.whole.push_back(features.whole);
        rows.halves.push_back(features.halves);
        rows.code.push_back(features.code);
        // Windows that cost nothing to leave out, too: repeated notes.
        rows.gap.push_back(static_cast<std::uint8_t>(round % 11 < 3 ? 0 : random() % 60));
      }
      const std::uint64_t expected = window_losses_plain(rows, columns, limits);
      some += expected != 0 && ~expected != 0 ? 1 : 0;
      ASSERT_EQ(window_losses(rows, columns, limits), expected) << level << ", round " << round;
    }
    EXPECT_GT(some, test::rounds(240) / 6);
  });
}

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

TEST(LettersAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(9);
    for (int round = 0; round < test::rounds(60); ++round) {
      std::vector<std::uint16_t> query(random() % 30);
      for (std::uint16_t& letter : query) letter = static_cast<std::uint16_t>(random() % 3);
      LetterColumns columns;
      columns.columns = random() % 40;
      columns.letter.resize(columns.columns * kBatch);
      for (std::uint16_t& letter : columns.letter) letter = static_cast<std::uint16_t>(random() % 3);
      for (std::uint32_t& length : columns.length)
        length = static_cast<std::uint32_t>(random() % (columns.columns + 1));
      const auto cost = [&] { return static_cast<std::uint16_t>(random() % 20); };
      const LetterCosts costs{cost(), cost(), cost(), cost()};
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      letters_align(query, columns, costs, fast);
      letters_align_plain(query, columns, costs, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(PitchEdits, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(13);
    for (int round = 0; round < test::rounds(120); ++round) {
      std::vector<std::uint8_t> query(1 + random() % 30);
      for (std::uint8_t& pitch : query) pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 131));
      PitchColumns columns;
      columns.columns = random() % 40;
      columns.pitch.resize(columns.columns * kBatch);
      for (std::uint8_t& pitch : columns.pitch)
        pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 141));
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        for (std::size_t j = random() % 41; j < columns.columns; ++j) {
          columns.pitch[j * kBatch + lane] = PitchColumns::kNoPitch;
        }
      }
      for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{5}, std::size_t{12}, query.size()}) {
        std::uint8_t fast[kBatch];
        std::uint8_t slow[kBatch];
        pitch_edits(query, columns, static_cast<std::uint8_t>(most), fast);
        pitch_edits_plain(query, columns, static_cast<std::uint8_t>(most), slow);
        for (std::size_t lane = 0; lane < kBatch; ++lane) {
          ASSERT_EQ(fast[lane], slow[lane]) << level << ", round " << round << ", most " << most;
        }
      }
    }
  });
}

TEST(PitchEdits, EveryLevelFindsTheGainsOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(23);
    for (int round = 0; round < test::rounds(40); ++round) {
      std::vector<std::uint8_t> query(round % 4 == 0 ? 400 : 1 + random() % 60);
      for (std::uint8_t& pitch : query) pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 131));
      PitchColumns columns;
      columns.columns = round % 5 == 0 ? kMostGainColumns : random() % 40;
      columns.pitch.resize(columns.columns * kBatch);
      for (std::size_t j = 0; j < columns.columns; ++j) {
        for (std::size_t lane = 0; lane < kBatch; ++lane) {
          const auto pitch = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 6 : 141));
          columns.pitch[j * kBatch + lane] = j > 20 + lane ? PitchColumns::kNoPitch : pitch;
          // One that has all the query has.
          if (lane == 3) columns.pitch[j * kBatch + lane] = query[j % query.size()];
        }
      }
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      pitch_gains(query, columns, fast);
      pitch_gains_plain(query, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(EqualPitches, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(15);
    for (int round = 0; round < test::rounds(80); ++round) {
      PitchLengths batch;
      const std::size_t rows = 1 + random() % 20;
      batch.columns = 1 + random() % 25;
      // Up to what may be in all.
      const int longest = round % 3 == 0 ? static_cast<int>(PitchLengths::kMostUnits / 45) : round % 3 == 1 ? 8 : 2;
      for (std::size_t i = 0; i < rows; ++i) batch.query_pitch.push_back(between(random, 60, 62));
      for (std::size_t i = 0; i < rows; ++i) batch.query_length.push_back(between(random, 1, longest));
      for (std::size_t i = 0; i < batch.columns * kBatch; ++i) {
        const bool there = random() % 9 != 0;
        batch.pitch.push_back(there ? between(random, 60, 63) : PitchLengths::kNoPitch);
        batch.length.push_back(there ? between(random, 1, longest) : std::int16_t{0});
      }
      std::int16_t fast[kBatch];
      std::int16_t slow[kBatch];
      equal_pitches(batch, fast);
      equal_pitches_plain(batch, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(EqualPitches, InBytesEveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(16);
    int small = 0;
    for (int round = 0; round < test::rounds(90); ++round) {
      RoughLengths batch;
      const std::size_t rows = 1 + random() % 20;
      batch.columns = 1 + random() % 25;
      const int longest = round % 3 == 0 ? int{RoughLengths::kLongest} : round % 3 == 1 ? 6 : 2;
      const int pitches = round % 2 == 0 ? 2 : 5;
      for (std::size_t i = 0; i < rows; ++i) {
        batch.query_pitch.push_back(static_cast<std::uint8_t>(between(random, 60, 60 + pitches)));
        batch.query_length.push_back(static_cast<std::uint8_t>(between(random, 1, longest)));
      }
      // One lane far away, so that its pitches leave those of bytes with a sign.
      for (std::int8_t& moved : batch.transposition) moved = static_cast<std::int8_t>(between(random, -3, 3));
      batch.transposition[1] = -127;
      batch.transposition[2] = 127;
      for (std::size_t i = 0; i < batch.columns * kBatch; ++i) {
        const bool there = random() % 9 != 0;
        batch.pitch.push_back(there ? static_cast<std::uint8_t>(between(random, 58, 62 + pitches))
                                    : RoughLengths::kNoPitch);
        batch.length.push_back(there ? static_cast<std::uint8_t>(between(random, 1, longest)) : std::uint8_t{0});
      }
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      equal_roughly(batch, fast);
      equal_roughly_plain(batch, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
        small += slow[lane] > 0 && slow[lane] < 255 ? 1 : 0;
      }
    }
    EXPECT_GT(small, test::rounds(90) * 20);
  });
}

TEST(EqualPitches, OneNoteAgainstTwoOfItsPitchCountsBothLengths) {
  // A half note against two quarters, in quarters: 24 x 4 hundredths with nothing left over.
  PitchLengths batch;
  batch.columns = 2;
  batch.query_pitch = {60};
  batch.query_length = {2};
  batch.pitch.assign(2 * kBatch, 60);
  batch.length.assign(2 * kBatch, 1);
  std::int16_t best[kBatch];
  equal_pitches(batch, best);
  EXPECT_EQ(12 * best[0], 96);
  EXPECT_EQ(12 * best[kBatch - 1], 96);
}

TEST(EqualPitches, OneNoteAsLongAsMayBeDoesNotLeaveTheNumbers) {
  PitchLengths batch;
  batch.columns = 1;
  batch.query_pitch = {60};
  batch.query_length = {1};
  batch.pitch.assign(kBatch, 60);
  batch.length.assign(kBatch, static_cast<std::int16_t>(PitchLengths::kMostUnits - 1));
  batch.length[1] = static_cast<std::int16_t>(PitchLengths::kMostUnits / 2);
  for (const std::int64_t own : {PitchLengths::kMostUnits / 2, std::int64_t{1}}) {
    batch.query_length = {static_cast<std::int16_t>(own)};
    std::int16_t fast[kBatch];
    std::int16_t slow[kBatch];
    equal_pitches(batch, fast);
    equal_pitches_plain(batch, slow);
    EXPECT_EQ(fast[1], slow[1]);
    if (own == 1) {
      EXPECT_EQ(fast[0], slow[0]);
    }
  }
}

TEST(CommonAmounts, EveryLevelGivesTheNumbersOfThePlainOne) {
  const auto check = [](std::string_view level, auto amount, std::mt19937& random) {
    using Amount = decltype(amount);
    PitchAmounts<Amount> query;
    for (std::size_t p = random() % 20; p < 128; p += 1 + random() % 12) {
      query.pitch.push_back(static_cast<std::uint8_t>(p));
      query.amount.push_back(static_cast<Amount>(random() % 9));
    }
    std::vector<Amount> document(512);
    for (Amount& one : document) one = static_cast<Amount>(random() % 3 == 0 ? random() % 120 : 0);
    const std::size_t size = 1 + random() % 250;
    std::vector<Amount> fast(512);
    std::vector<Amount> slow(512);
    EXPECT_EQ(common_amounts(query, document.data(), size, fast.data()),
              common_amounts_plain(query, document.data(), size, slow.data()))
        << level;
    EXPECT_EQ(fast, slow) << level;
  };
  at_every_level([&](std::string_view level) {
    std::mt19937 random(19);
    for (int round = 0; round < test::rounds(80); ++round) {
      check(level, std::uint8_t{}, random);
      check(level, std::int16_t{}, random);
    }
  });
}

TEST(SymbolsAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(17);
    for (int round = 0; round < test::rounds(80); ++round) {
      SymbolColumns columns;
      columns.columns = random() % 40;
      columns.symbol.resize(columns.columns * kBatch);
      for (std::uint8_t& symbol : columns.symbol) symbol = static_cast<std::uint8_t>(random() % 6);
      std::vector<std::uint8_t> query(random() % 30);
      for (std::uint8_t& symbol : query) symbol = static_cast<std::uint8_t>(random() % 6);
      std::vector<std::uint8_t> longer(random() % 600);
      for (std::uint8_t& symbol : longer) symbol = static_cast<std::uint8_t>(random() % 6);
      std::vector<SymbolScores> scores(query.size());
      for (SymbolScores& one : scores) {
        for (std::uint8_t& score : one) score = static_cast<std::uint8_t>(random() % 7);
      }
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      equal_symbols(query, columns, fast);
      equal_symbols_plain(query, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
      for (const auto& symbols : {query, longer}) {
        edits_saved(symbols, columns, fast);
        edits_saved_plain(symbols, columns, slow);
        for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
      }
      scored_symbols(scores, columns, fast);
      scored_symbols_plain(scores, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(RatedAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(21);
    for (int round = 0; round < test::rounds(90); ++round) {
      RatedRows rows;
      rows.band = round % 5 > 0;
      rows.places = round % 5 == 2 || round % 5 == 4;
      rows.beats = round % 5 >= 3;
      rows.gap = between(random, 0, 300);
      const int highest = 110 + between(random, 0, 3) * 300;  // from one octave to many
      const auto pitch = [&] { return static_cast<std::int16_t>(between(random, 100, highest) * kRatedStep); };
      for (std::size_t i = 1 + random() % 30; i > 0; --i) {
        rows.pitch.push_back(pitch());
        rows.place.push_back(between(random, 0, kRatedWhole));
        rows.beat.push_back(between(random, 0, kRatedBeat));
      }
      RatedColumns columns;
      columns.columns = 1 + random() % 30;
      columns.farthest = static_cast<std::int16_t>((highest - 100) * kRatedStep);
      for (std::size_t j = 0; j < columns.columns * kBatch; ++j) {
        columns.pitch.push_back(pitch());
        columns.place.push_back(between(random, 0, kRatedWhole));
        columns.beat.push_back(rated_beat(static_cast<std::uint8_t>(between(random, 0, 255))));
      }
      std::int16_t fast[kBatch];
      std::int16_t slow[kBatch];
      rated_align(rows, columns, fast);
      rated_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(ChainAlign, HasCostsWorkedOutByHand) {
  at_every_level([](std::string_view) {
    ChainRows rows{.kind = {4}, .part = {{300}, {343}, {0}}, .gap = {1200}, .forms = 470, .kinds = 587};
    const auto cost = [&](std::int16_t kind, std::int16_t size, std::int16_t direction, std::uint16_t gap) {
      ChainColumns columns;
      columns.reach(1);
      std::fill(std::begin(columns.length), std::end(columns.length), 1U);
      std::fill(columns.kind.begin(), columns.kind.end(), kind);
      std::fill(columns.part[kChainSize].begin(), columns.part[kChainSize].end(), size);
      std::fill(columns.part[kChainDirection].begin(), columns.part[kChainDirection].end(), direction);
      std::fill(columns.gap.begin(), columns.gap.end(), gap);
      std::uint16_t out[kBatch];
      chain_align(rows, columns, out);
      EXPECT_EQ(out[0], out[kBatch - 1]);
      return out[0];
    };
    EXPECT_EQ(cost(4, 300, 343, 800), 0);
    EXPECT_EQ(cost(5, 300, 343, 800), 470);
    EXPECT_EQ(cost(6, 300, 343, 800), 587);
    EXPECT_EQ(cost(7, 400, -343, 800), 587 + 100 + 686);
    EXPECT_EQ(cost(7, 9000, 343, 100), 1300);  // both stand alone
    EXPECT_EQ(cost(7, 9000, 343, 65'535), 587 + 8700);
    rows.gap[0] = 65'535;
    EXPECT_EQ(cost(31, 30'000, 0, 65'535), 587 + 29'700 + 343);
  });
}

TEST(ChainAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(22);
    for (int round = 0; round < test::rounds(90); ++round) {
      ChainRows rows;
      rows.forms = between(random, 400, 500);
      rows.kinds = between(random, 501, 799);
      const int most = round % 3 == 0 ? 7000 : 300;  // sums that stop at the greatest number, too
      const auto part = [&] { return between(random, -most / 3, most); };
      const auto gap = [&] { return static_cast<std::uint16_t>(random() % (round % 2 == 0 ? 1500 : 30'000)); };
      for (std::size_t i = random() % 30; i > 0; --i) {
        rows.kind.push_back(between(random, 0, kChainKinds - 1));
        for (auto& one : rows.part) one.push_back(part());
        rows.gap.push_back(gap());
      }
      ChainColumns columns;
      columns.reach(1 + random() % 30);
      for (std::uint32_t& length : columns.length)
        length = static_cast<std::uint32_t>(random() % (columns.columns + 1));
      for (std::size_t at = 0; at < columns.columns * kBatch; ++at) {
        columns.kind[at] = between(random, 0, kChainKinds - 1);
        for (auto& one : columns.part) one[at] = part();
        columns.gap[at] = gap();
      }
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      chain_align(rows, columns, fast);
      chain_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

/// A row for a note or a rest; every note on a code of its own costs `weight` steps, one step more if it is higher.
void add_row(KeyedRows& rows, std::int16_t pitch, std::uint16_t length, std::uint8_t weight) {
  KeyedRows::Kind kind{.pitch = pitch, .rest = 2};
  kind.below.fill(weight);
  kind.above.fill(static_cast<std::uint8_t>(weight + 1));
  rows.kind.push_back(static_cast<std::uint16_t>(rows.kinds.size()));
  rows.kinds.push_back(kind);
  rows.length.push_back(length);
}

/// The same element in every lane.
void add_column(KeyedColumns& columns, std::int16_t pitch, std::uint16_t length) {
  const bool note = pitch != KeyedColumns::kRest && pitch != KeyedColumns::kNothing;
  ++columns.columns;
  columns.pitch.resize(columns.columns * kBatch, pitch);
  columns.code.resize(columns.columns * kBatch, note ? KeyedColumns::coded(3) : KeyedColumns::kNoCode);
  columns.length.resize(columns.columns * kBatch, length);
}

std::uint16_t keyed_cost(const KeyedRows& rows, const KeyedColumns& columns) {
  std::uint16_t cost[kBatch];
  keyed_align(rows, columns, cost);
  EXPECT_EQ(cost[0], cost[kBatch - 1]);
  return cost[0];
}

TEST(KeyedAlign, HasCostsWorkedOutByHand) {
  at_every_level([](std::string_view) {
    KeyedRows rows;
    rows.step = 10;
    add_row(rows, 5, 100, 3);
    KeyedColumns same, longer, higher, rest, halves, nothing;
    add_column(same, 5, 100);
    EXPECT_EQ(keyed_cost(rows, same), 0);  // equal pitch and length, whatever the weight
    add_column(longer, 5, 140);
    EXPECT_EQ(keyed_cost(rows, longer), 30 + 40);
    add_column(higher, 6, 100);
    EXPECT_EQ(keyed_cost(rows, higher), 40);
    add_column(rest, KeyedColumns::kRest, 90);
    EXPECT_EQ(keyed_cost(rows, rest), 20 + 10);
    add_column(halves, 4, 50);
    add_column(halves, 6, 45);
    EXPECT_EQ(keyed_cost(rows, halves), 30 + 40 + 5);  // one against two
    add_column(halves, KeyedColumns::kNothing, 0);
    EXPECT_EQ(keyed_cost(rows, halves), 75);
    EXPECT_EQ(keyed_cost(rows, nothing), 100);
    add_row(rows, 2, 40, 0);
    EXPECT_EQ(keyed_cost(rows, longer), 30 + 10);  // two against one, which is higher than the second
    EXPECT_EQ(keyed_cost(rows, same), 40);         // the second left out
    EXPECT_EQ(keyed_cost(KeyedRows{}, halves), 95);
  });
}

/// Elements of a query that last up to `longest` each, with weights up to `heaviest`.
template <typename Unit>
KeyedRowsOf<Unit> random_keyed_rows(std::mt19937& random, int longest, unsigned heaviest) {
  using Pitch = typename KeyedRowsOf<Unit>::Pitch;
  KeyedRowsOf<Unit> rows;
  for (std::size_t kind = 1 + random() % 9; kind > 0; --kind) {
    typename KeyedRowsOf<Unit>::Kind one;
    one.pitch = kind == 1 ? KeyedColumnsOf<Unit>::kRest : static_cast<Pitch>(between(random, 0, 9));
    for (std::uint8_t& weight : one.above) weight = static_cast<std::uint8_t>(random() % heaviest);
    for (std::uint8_t& weight : one.below) weight = static_cast<std::uint8_t>(random() % heaviest);
    one.rest = static_cast<std::uint8_t>(random() % 4);
    rows.kinds.push_back(one);
  }
  for (std::size_t i = random() % 16; i > 0; --i) {
    rows.kind.push_back(static_cast<std::uint16_t>(random() % rows.kinds.size()));
    rows.length.push_back(static_cast<Unit>(between(random, 0, longest)));
  }
  return rows;
}

template <typename Unit>
KeyedColumnsOf<Unit> random_keyed_columns(std::mt19937& random, int longest) {
  using Columns = KeyedColumnsOf<Unit>;
  Columns columns;
  columns.columns = random() % 16;
  std::size_t ends[kBatch];
  for (std::size_t& end : ends) end = random() % 9 == 0 ? 0 : columns.columns - random() % (columns.columns / 2 + 1);
  for (std::size_t j = 0; j < columns.columns; ++j) {
    for (const std::size_t end : ends) {
      const bool rest = random() % 6 == 0;
      const auto pitch = rest ? Columns::kRest : static_cast<typename Columns::Pitch>(between(random, -3, 12));
      const Unit code = rest ? Columns::kNoCode : Columns::coded(random() % kKeyedCodes);
      columns.pitch.push_back(j < end ? pitch : Columns::kNothing);
      columns.code.push_back(j < end ? code : Columns::kNoCode);
      columns.length.push_back(static_cast<Unit>(j < end ? between(random, 0, longest) : 0));
    }
  }
  return columns;
}

TEST(KeyedAlign, EveryLevelGivesTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(27);
    for (int round = 0; round < test::rounds(40); ++round) {
      // Long ones reach the most that sums may have.
      const int longest = round % 3 == 0 ? 2000 : 30;
      auto rows = random_keyed_rows<std::uint16_t>(random, longest, 53);
      rows.step = static_cast<std::uint16_t>(1 + random() % 50);
      const auto columns = random_keyed_columns<std::uint16_t>(random, longest);
      std::uint16_t fast[kBatch];
      std::uint16_t slow[kBatch];
      keyed_align(rows, columns, fast);
      keyed_align_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
    }
  });
}

TEST(KeyedAlign, InBytesEveryLevelGivesTheNumbersOfThePlainOneOrLessOfWhatLastsLong) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(28);
    int small = 0;
    for (int round = 0; round < test::rounds(60); ++round) {
      const bool is_long = round % 3 == 0;
      const int longest = is_long ? kMostRoughUnits : 16;
      const auto rows = random_keyed_rows<std::uint8_t>(random, longest, round % 2 == 0 ? 53 : 5);
      const auto columns = random_keyed_columns<std::uint8_t>(random, longest);
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      keyed_roughly(rows, columns, 255, fast);
      keyed_roughly_plain(rows, columns, 255, slow);
      const auto limit = static_cast<std::uint8_t>(round % 2 == 0 ? random() % 250 : 20);
      std::uint8_t limited[kBatch];
      keyed_roughly(rows, columns, limit, limited);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        if (fast[lane] <= limit) {
          ASSERT_EQ(limited[lane], fast[lane]) << level << " " << round;
        } else {
          ASSERT_GT(limited[lane], limit) << level << " " << round;
        }
        if (is_long) {
          ASSERT_LE(fast[lane], slow[lane]) << level << " " << round;
        } else {
          ASSERT_EQ(fast[lane], slow[lane]) << level << " " << round;
        }
        small += slow[lane] > 0 && slow[lane] < 255 ? 1 : 0;
      }
    }
    EXPECT_GT(small, test::rounds(60) * 20);
  });
}

TEST(CommonTonic, EveryLevelFindsTheTonicOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(29);
    for (int round = 0; round < test::rounds(400); ++round) {
      TonicQuery query;
      ClassTicks document;
      // Few different times, so that many tonics are equally good.
      const unsigned most = round % 2 == 0 ? 3 : 100'000;
      for (double& time : query.time) time = random() % 3 == 0 ? static_cast<double>(random() % most) : 0;
      for (const double time : query.time) query.total += time;
      for (std::size_t i = 0; i < 12; ++i) {
        document.time[i] = random() % 3 == 0 ? static_cast<std::int32_t>(random() % most) : 0;
      }
      const int first = static_cast<int>(random() % 12);
      ASSERT_EQ(common_tonic(query, document, first), common_tonic_plain(query, document, first)) << level << round;
    }
  });
}

TEST(NearestWork, EveryLevelGivesNearlyTheNumbersOfThePlainOne) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(19);
    const auto heaps = [&] {
      Heaps out;
      out.clear(1 + random() % 40);
      for (std::size_t i = 0; i < out.size; ++i) {
        out.time[i] = static_cast<float>(random() % 4000) / 100;
        out.pitch[i] = static_cast<float>(100 + random() % 80);
        out.weight[i] = 1 / static_cast<float>(out.size);
      }
      out.pad();
      return out;
    };
    for (int round = 0; round < test::rounds(60); ++round) {
      const Heaps query = heaps();
      const Heaps document = heaps();
      const std::vector<HeapPlacing> placings = {{1, 0}, {0.8F, 3}, {1.25F, -6}};
      for (const HeapSides sides : {HeapSides{true, true}, HeapSides{true, false}, HeapSides{false, true}}) {
        float fast[3];
        float slow[3];
        nearest_work(query, document, placings, sides, 1e9F, fast);
        nearest_work_plain(query, document, placings, sides, 0, slow);
        for (std::size_t p = 0; p < 3; ++p) ASSERT_NEAR(fast[p], slow[p], 1e-4F) << level << " " << round;
        nearest_work(query, document, placings, sides, slow[1] / 2, fast);
        EXPECT_GE(fast[1], slow[1] / 2 - 1e-4F);
        EXPECT_LE(fast[1], slow[1] + 1e-4F);
      }
    }
  });
}

TEST(NearestWork, EveryHeapGoesToTheNearestPlace) {
  // One heap at (0, 0) and one at (3, 4), half the weight each, against one place at the origin: half of 5. The other
  // way round the one heap is there already.
  Heaps query;
  query.clear(2);
  query.time = {0, 3};
  query.pitch = {0, 4};
  query.weight = {0.5F, 0.5F};
  query.pad();
  Heaps document;
  document.clear(1);
  document.time = {0};
  document.pitch = {0};
  document.weight = {1};
  document.pad();
  const std::vector<HeapPlacing> placings = {{1, 0}};
  float work = -1;
  nearest_work(query, document, placings, {true, true}, 1e9F, &work);
  EXPECT_FLOAT_EQ(work, 2.5F);
  nearest_work(query, document, placings, {false, true}, 1e9F, &work);
  EXPECT_FLOAT_EQ(work, 0.0F);
}

TEST(TallyKernels, EveryLevelDoesWhatThePlainOneDoes) {
  at_every_level([](std::string_view level) {
    std::mt19937 random(11);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1000}}) {
      std::vector<std::uint8_t> bits((size + 63) / 64 * 8);
      for (std::uint8_t& byte : bits) byte = static_cast<std::uint8_t>(random());
      std::vector<std::uint8_t> fast(size);
      for (std::uint8_t& byte : fast) byte = static_cast<std::uint8_t>(random());
      std::vector<std::uint8_t> slow = fast;
      add_where(bits.data(), 100, fast);
      add_where_plain(bits.data(), 100, slow);
      ASSERT_EQ(fast, slow) << level << " " << size;
      for (const int least : {0, 1, 127, 128, 200, 255}) {
        const auto border = static_cast<std::uint8_t>(least);
        std::vector<std::uint32_t> found;
        std::vector<std::uint32_t> expected;
        at_least(fast, border, 5, found);
        at_least_plain(fast, border, 5, expected);
        EXPECT_EQ(found, expected) << level;
        EXPECT_EQ(count_at_least(fast, border), expected.size()) << level;
      }
    }
  });
}

}  // namespace
}  // namespace rondo::kernels
