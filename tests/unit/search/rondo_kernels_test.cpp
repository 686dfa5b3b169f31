// The kernels of the system rondo against their scalar references.

#include <algorithm>
#include <cmath>

#include "search/kernels/common_notes.h"
#include "search/kernels/explained_align.h"
#include "search/kernels/explained_features.h"
#include "search/kernels/explained_loss.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

TEST(ExplainedAlign, GivesTheSameNumbersWithAndWithoutVectors) {
  std::mt19937 random(31);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(30); ++round) {
      ExplainedRows rows;
      const std::size_t notes = 1 + random() % 24;
      for (std::size_t i = 0; i < notes; ++i) {
        rows.pitch.push_back(between(random, 60, 72));
        rows.next.push_back(between(random, -3, 3));
        rows.length.push_back(between(random, -4096, 4096));
        rows.change.push_back(between(random, -4096, 4096));
        rows.place.push_back(between(random, 0, 16384));
        rows.weight.push_back(between(random, 800, 24576));
        rows.gap.push_back(between(random, 0, 600));
        rows.beyond.push_back(between(random, 0, 600));
      }
      rows.near = between(random, -2048, 1024);
      rows.far = between(random, -2048, 1024);
      rows.overhang = between(random, 0, 1500);
      rows.number_values();
      ExplainedColumns columns;
      columns.resize(1 + random() % 30);
      for (auto* part : {&columns.length, &columns.change}) {
        for (auto& value : *part) value = between(random, -4096, 4096);
      }
      for (auto& value : columns.pitch) value = between(random, 58, 74);
      for (auto& value : columns.other) value = between(random, 58, 74);
      for (auto& value : columns.next) value = between(random, -3, 3);
      rows.interval = between(random, 0, 1024);
      for (auto& value : columns.place) value = between(random, 0, 16384);
      for (auto& value : columns.gap) value = between(random, 0, 10000);
      columns.place_factor = between(random, 0, 16384);
      std::int32_t fast[kBatch];
      std::int32_t wide[kBatch];
      std::int32_t slow[kBatch];
      std::int32_t relative[kBatch];
      explained_align(rows, columns, ExplainedNumbers::narrow, fast);
      explained_align(rows, columns, ExplainedNumbers::relative, relative);
      explained_align(rows, columns, ExplainedNumbers::wide, wide);
      explained_align_plain(rows, columns, ExplainedNumbers::wide, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        ASSERT_EQ(fast[lane], slow[lane]) << level << " " << lane;
        ASSERT_EQ(relative[lane], slow[lane]) << level << " " << lane;
        ASSERT_EQ(wide[lane], slow[lane]) << level << " " << lane;
      }
    }
  });
}

TEST(ExplainedAlign, RelativeNumbersHoldForAnyQuery) {
  std::mt19937 random(32);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(12); ++round) {
      ExplainedRows rows;
      const std::size_t notes = 200 + random() % 400;  // far more than 16 bits hold otherwise
      for (std::size_t i = 0; i < notes; ++i) {
        rows.pitch.push_back(between(random, 60, 72));
        rows.next.push_back(between(random, -3, 3));
        rows.length.push_back(between(random, -4096, 4096));
        rows.change.push_back(between(random, -4096, 4096));
        rows.place.push_back(between(random, 0, 16384));
        rows.weight.push_back(between(random, 800, 9000));
        rows.beyond.push_back(between(random, 0, 200));
        rows.gap.push_back(between(random, rows.beyond.back(), 600));
      }
      rows.near = between(random, -2048, 1024);
      rows.far = between(random, -2048, 1024);
      rows.interval = between(random, 0, 1024);
      rows.overhang = between(random, 0, 1500);
      rows.number_values();
      ExplainedColumns columns;
      columns.resize(1 + random() % 24);
      for (auto* part : {&columns.length, &columns.change}) {
        for (auto& value : *part) value = between(random, -4096, 4096);
      }
      for (auto& value : columns.pitch) value = between(random, 58, 74);
      for (auto& value : columns.other) value = between(random, 58, 74);
      for (auto& value : columns.next) value = between(random, -3, 3);
      for (auto& value : columns.place) value = between(random, 0, 16384);
      for (auto& value : columns.gap) value = between(random, 0, 500);
      columns.place_factor = between(random, 0, 16384);
      std::int32_t relative[kBatch];
      std::int32_t wide[kBatch];
      std::int32_t slow[kBatch];
      explained_align(rows, columns, ExplainedNumbers::relative, relative);
      explained_align(rows, columns, ExplainedNumbers::wide, wide);
      explained_align_plain(rows, columns, ExplainedNumbers::wide, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        ASSERT_EQ(relative[lane], slow[lane]) << level << " " << lane;
        ASSERT_EQ(wide[lane], slow[lane]) << level << " " << lane;
      }
    }
  });
}

template <typename Unit, typename Align>
void compare_losses(std::mt19937& random, std::string_view level, const Align& align) {
  const auto byte = [&](int low, int high) { return static_cast<std::int8_t>(between(random, low, high)); };
  const auto unit = [&](int most) { return static_cast<Unit>(between(random, 0, most)); };
  ExplainedLossRows<Unit> rows;
  const std::size_t notes = 1 + random() % 40;
  for (int i = 0; i < 5; ++i) {
    rows.rhythms.push_back({between(random, -16, 16), between(random, -16, 16),
                            static_cast<std::uint16_t>(random() % (random() % 2 == 0 ? 65536 : 2000))});
    rows.intervals.push_back(byte(-3, 3));
  }
  const int most = random() % 4 == 0 ? 255 : 30;  // some sums saturate
  for (std::size_t i = 0; i < notes; ++i) {
    rows.rhythm.push_back(static_cast<std::uint16_t>(random() % rows.rhythms.size()));
    rows.next.push_back(static_cast<std::uint16_t>(random() % rows.intervals.size()));
    rows.unequal.push_back(unit(most));
    rows.interval.push_back(unit(most / 2));
    rows.left_out.push_back(unit(most));
    rows.beyond.push_back(unit(most / 2));
    rows.place.push_back(static_cast<std::uint8_t>(random() % 256));
  }
  rows.length_cost = static_cast<std::uint16_t>(random() % 257);
  rows.change_cost = static_cast<std::uint16_t>(random() % 257);
  rows.gap_base = between(random, -3000, 3000);
  rows.gap_slope = between(random, 0, 32'000);
  rows.gap_least = between(random, 0, 40);
  rows.overhang = unit(60);
  std::vector<std::uint16_t> place;
  if (sizeof(Unit) == 2 && random() % 3 != 0) {
    for (std::size_t i = 0; i < notes; ++i) place.push_back(static_cast<std::uint16_t>(random() % 3000));
  }
  const std::size_t columns = 1 + random() % 30;
  std::vector<std::int8_t> steps[3];
  std::vector<std::uint8_t> places;
  for (std::size_t at = 0; at < columns * kBatch; ++at) {
    steps[0].push_back(byte(-3, 3));
    steps[1].push_back(byte(-16, 16));
    steps[2].push_back(byte(-16, 16));
    places.push_back(static_cast<std::uint8_t>(random() % 256));
  }
  align(rows, ExplainedLossColumns{columns, steps[0].data(), steps[1].data(), steps[2].data(), places.data()}, place,
        level);
}

TEST(ExplainedLoss, IsTheSameWithAndWithoutVectors) {
  std::mt19937 random(34);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(60); ++round) {
      compare_losses<std::uint8_t>(random, level, [](const auto& rows, const auto& columns, const auto&, auto at) {
        std::uint8_t fast[kBatch];
        std::uint8_t slow[kBatch];
        explained_loss(rows, columns, fast);
        explained_loss_plain(rows, columns, slow);
        for (std::size_t lane = 0; lane < kBatch; ++lane) ASSERT_EQ(fast[lane], slow[lane]) << at << " " << lane;
      });
      compare_losses<std::uint16_t>(random, level,
                                    [](const auto& rows, const auto& columns, const auto& place, auto at) {
                                      std::uint16_t fast[kBatch];
                                      std::uint16_t slow[kBatch];
                                      explained_loss(rows, columns, place, fast);
                                      explained_loss_plain(rows, columns, place, slow);
                                      for (std::size_t lane = 0; lane < kBatch; ++lane)
                                        ASSERT_EQ(fast[lane], slow[lane]) << at << " " << lane;
                                    });
    }
  });
}

TEST(ExplainedFeatures, AreTheSameWithAndWithoutVectors) {
  std::mt19937 random(33);
  std::size_t lanes = 0;
  std::size_t in_doubt = 0;
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(60); ++round) {
      ExplainedNotes notes;
      notes.resize(1 + random() % 30);
      const int longest = round % 4 == 0 ? 5'000'000 : 64;  // so long that products of places overflow
      for (auto& value : notes.pitch) value = between(random, 40, 90);
      for (auto& value : notes.length) value = std::uniform_int_distribution(1, longest)(random);
      for (std::size_t at = 0; at < notes.length.size(); ++at) {
        notes.octaves[at] = static_cast<float>(std::log2(static_cast<double>(notes.length[at])));
      }
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        std::int64_t all = 0;
        for (std::size_t j = 0; j + 1 < notes.columns; ++j) all += notes.length[j * kBatch + lane];
        if (all == 0) all = notes.length[lane];
        notes.all[lane] = static_cast<std::int32_t>(all);
        const auto steps = static_cast<double>(std::max<std::size_t>(1, notes.columns - 1));
        notes.average[lane] = static_cast<float>(std::log2(static_cast<double>(all)) - std::log2(steps));
        notes.first[lane] = between(random, -20, 20);
        notes.second[lane] = between(random, -20, 20);
      }
      const ExplainedCosts costs{round % 5 != 0,
                                 between(random, 0, 256),
                                 between(random, 0, 256),
                                 {between(random, 0, 30'000) * 512, between(random, 0, 1000) * 512, 20}};
      ExplainedColumns fast;
      ExplainedColumns slow;
      fast.resize(notes.columns);
      slow.resize(notes.columns);
      bool doubtful[kBatch];
      bool never[kBatch];
      explained_features(notes, costs, fast, doubtful);
      explained_features_plain(notes, costs, slow, never);
      for (std::size_t lane = 0; lane < kBatch; ++lane) {
        ++lanes;
        in_doubt += doubtful[lane] ? 1 : 0;
        if (doubtful[lane]) continue;
        for (std::size_t at = lane; at < slow.pitch.size(); at += kBatch) {
          ASSERT_EQ(fast.pitch[at], slow.pitch[at]) << level;
          ASSERT_EQ(fast.other[at], slow.other[at]) << level;
          ASSERT_EQ(fast.next[at], slow.next[at]) << level;
          ASSERT_EQ(fast.length[at], slow.length[at]) << level;
          ASSERT_EQ(fast.change[at], slow.change[at]) << level;
          ASSERT_EQ(fast.place[at], slow.place[at]) << level;
          ASSERT_EQ(fast.gap[at], slow.gap[at]) << level;
        }
      }
    }
  });
  EXPECT_LT(in_doubt, lanes / 20);
}

TEST(CommonNotes, AreTheSameWithAndWithoutVectors) {
  std::mt19937 random(32);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(60); ++round) {
      const auto melody = [&](std::size_t notes) {
        const int low = between(random, 0, 60);
        const int high = low + between(random, 0, round % 5 == 0 ? kMostRange : 14);
        std::vector<std::int16_t> out;
        for (std::size_t i = 0; i < notes; ++i) out.push_back(between(random, low, high));
        return out;
      };
      const CommonQuery query(melody(1 + random() % (round % 3 == 0 ? kMostCommon : 64)));
      const std::size_t notes = 1 + random() % 40;
      const std::vector<std::int16_t> pitches = melody(notes);
      const auto [low, high] = std::minmax_element(pitches.begin(), pitches.end());
      const CommonDocument document{pitches.data(), notes, *low, *high};
      ASSERT_EQ(common_transpositions(query, document), common_transpositions_plain(query, document)) << level;
    }
  });
}

}  // namespace
}  // namespace rondo::kernels
