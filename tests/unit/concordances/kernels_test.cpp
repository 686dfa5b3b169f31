// The kernels of the self-join against their scalar references, and against what they bound.

#include <algorithm>

#include "search/kernels/explained_bound.h"
#include "search/kernels/ordered_pitches.h"
#include "search/kernels/shared_pitches.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

TEST(SharedPitches, GivesTheSameHitsWithAndWithoutVectors) {
  std::mt19937 random(5);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(20); ++round) {
      constexpr std::size_t kDocuments = 40;
      std::vector<std::uint8_t> rows(kDocuments * kSharedRow, 0);
      std::vector<std::uint8_t> least(kDocuments);
      for (std::size_t d = 0; d < kDocuments; ++d) {
        const unsigned range = 1 + random() % (kSharedRange + 1);
        for (int notes = 0; notes < 30; ++notes) ++rows[d * kSharedRow + kSharedBefore + random() % range];
        if (d % 9 == 0) rows[d * kSharedRow + kSharedBefore] = 255;
        least[d] = static_cast<std::uint8_t>(random() % 25);
      }
      SharedQuery query;
      for (std::uint8_t pitch = 0; pitch <= kSharedRange; ++pitch) {
        if (random() % 5 != 0) continue;
        query.pitch.push_back(pitch);
        query.count.push_back(static_cast<std::uint8_t>(round % 5 == 0 ? 255 : 1 + random() % 6));
      }
      query.first = static_cast<int>(random() % (2 * kSharedRange + 1)) - kSharedRange;
      query.least = static_cast<std::uint8_t>(random() % 25);
      query.both = round % 2 == 0;
      std::vector<SharedHit> fast(kDocuments), slow(kDocuments);
      fast.resize(shared_pitches(query, rows.data(), least.data(), 3, kDocuments, fast.data()));
      slow.resize(shared_pitches_plain(query, rows.data(), least.data(), 3, kDocuments, slow.data()));
      ASSERT_EQ(fast.size(), slow.size()) << level;
      for (std::size_t i = 0; i < fast.size(); ++i) {
        EXPECT_EQ(fast[i].document, slow[i].document) << level;
        EXPECT_EQ(fast[i].transpositions, slow[i].transpositions) << level;
      }
    }
  });
}

TEST(SharedPitches, FindsAMelodyInItsOwnTransposition) {
  std::vector<std::uint8_t> rows(kSharedRow, 0);
  for (const int pitch : {5, 7, 9, 5}) ++rows[kSharedBefore + static_cast<std::size_t>(pitch)];
  SharedQuery query{{0, 2, 4}, {2, 1, 1}, 0, 4, true};
  const std::uint8_t least = 4;
  SharedHit hit;
  ASSERT_EQ(shared_pitches(query, rows.data(), &least, 0, 1, &hit), 1U);
  EXPECT_EQ(hit.transpositions, 1U << 5U);
}

TEST(OrderedPitches, KeepsTheSameTranspositionsWithAndWithoutVectors) {
  std::mt19937 random(7);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(40); ++round) {
      const auto melody = [&](std::size_t notes, unsigned range) {
        std::vector<std::uint8_t> out(notes);
        for (auto& pitch : out) pitch = static_cast<std::uint8_t>(random() % range);
        return out;
      };
      const auto pitches = melody(1 + random() % OrderedQuery::kMostNotes, round % 4 == 0 ? 64 : 9);
      const OrderedQuery query(round % 7 == 0 ? melody(OrderedQuery::kMostNotes, 9) : pitches);
      std::vector<std::vector<std::uint8_t>> melodies;
      std::vector<OrderedDocument> fast;
      for (int d = 0; d < 9; ++d) melodies.push_back(melody(1 + random() % 50, round % 3 == 0 ? 64 : 12));
      for (const auto& one : melodies) {
        fast.push_back({one.data(), static_cast<std::uint32_t>(one.size()), static_cast<std::uint32_t>(random() % 12),
                        static_cast<std::uint32_t>(random())});
      }
      auto slow = fast;
      const int first = static_cast<int>(random() % (2 * kSharedRange + 1)) - kSharedRange;
      ordered_pitches(query, first, fast);
      ordered_pitches_plain(query, first, slow);
      for (std::size_t d = 0; d < fast.size(); ++d) {
        EXPECT_EQ(fast[d].transpositions, slow[d].transpositions) << level;
      }
    }
  });
}

TEST(ExplainedBound, GivesTheSameNumbersWithAndWithoutVectors) {
  std::mt19937 random(6);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(20); ++round) {
      BoundRows rows;
      const std::size_t notes = 1 + random() % 24;
      for (std::size_t i = 0; i < notes; ++i) {
        rows.pitch.push_back(between(random, 0, 12));
        rows.next.push_back(between(random, -3, 3));
        rows.length.push_back(between(random, -4096, 4096));
        rows.change.push_back(between(random, -4096, 4096));
        rows.place.push_back(between(random, 0, 16384));
        rows.weight.push_back(between(random, 800, 24576));
        rows.gap.push_back(between(random, 0, 600));
      }
      rows.near = between(random, -2048, 1024);
      rows.far = between(random, -2048, 1024);
      BoundColumns columns;
      columns.resize(1 + random() % 30);
      for (auto* part : {&columns.length, &columns.change}) {
        for (auto& value : *part) value = between(random, -4096, 4096);
      }
      for (auto& value : columns.pitch) value = between(random, -2, 14);
      for (auto& value : columns.next) value = between(random, -3, 3);
      for (auto& value : columns.place) value = between(random, 0, 16384);
      for (auto& value : columns.weight) value = between(random, 800, 24576);
      for (auto& value : columns.gap) value = between(random, 0, 600);
      for (auto& value : columns.interval) value = between(random, 0, 1024);
      for (auto& value : columns.place_factor) value = between(random, 0, 16384);
      for (std::size_t lane = 0; lane < kBatch; lane += 7) columns.fill_up((columns.columns - 1) * kBatch + lane);
      std::int16_t fast[kBatch];
      std::int16_t slow[kBatch];
      explained_bound(rows, columns, fast);
      explained_bound_plain(rows, columns, slow);
      for (std::size_t lane = 0; lane < kBatch; ++lane) EXPECT_EQ(fast[lane], slow[lane]) << level << " lane " << lane;
    }
  });
}

}  // namespace
}  // namespace rondo::kernels
