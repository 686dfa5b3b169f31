// The kernel of GAR, against its scalar reference.

#include "search/kernels/equal_pitches.h"

#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

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

}  // namespace
}  // namespace rondo::kernels
