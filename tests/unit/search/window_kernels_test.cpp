// The kernels that align windows of notes, against their scalar references.

#include "search/kernels/window_gains.h"
#include "search/kernels/window_losses.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

using Pairing = WindowPlan::Pairing;

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
    for (int round = 0; round < test::rounds(240); ++round) {
      const auto byte = [&](int most) { return static_cast<std::uint8_t>(between(random, 0, most)); };
      GainRows rows;
      rows.start = byte(60);
      rows.loss_same = byte(9);
      rows.loss_unlike = byte(20);
      rows.loss_opposite = byte(255);
      rows.document_gap = byte(20);
      const int range = round % 3 == 0 ? 127 : 3;  // in a few pitches much is identical
      constexpr std::uint8_t kTests[] = {kValley, kHill, kRise, kFall};
      for (std::size_t i = random() % 70; i > 0; --i) {
        rows.code.push_back(interval_code(between(random, -range, range), between(random, -range, range)));
        const std::size_t test = random() % 4;
        rows.is.push_back(kTests[test]);
        rows.opposite.push_back(kTests[test ^ 1U]);
        rows.match.push_back(byte(13));
        rows.other.push_back(byte(4));
      }
      Columns columns = random_columns(random, 4 + random() % 16, 3);
      for (std::int16_t& pitch : columns.pitch) pitch = static_cast<std::int16_t>(pitch % (range + 1));
      std::uint8_t fast[kBatch];
      std::uint8_t slow[kBatch];
      window_gains(rows, columns, fast);
      window_gains_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        if (columns.length[lane] == 0) continue;
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

}  // namespace
}  // namespace rondo::kernels
