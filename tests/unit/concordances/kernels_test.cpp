// The kernels of the self-join against their scalar references, and against what they bound.

#include <algorithm>

#include "search/kernels/explained_bound.h"
#include "search/kernels/ordered_pitches.h"
#include "search/kernels/shared_pitches.h"
#include "support/kernel_levels.h"
#include "support/rounds.h"

namespace rondo::kernels {
namespace {

std::vector<std::uint8_t> some_pitches(std::mt19937& random, std::size_t notes, unsigned range) {
  std::vector<std::uint8_t> out(notes);
  for (auto& pitch : out) pitch = static_cast<std::uint8_t>(random() % range);
  return out;
}

TEST(SharedPitches, GivesTheSameHitsWithAndWithoutVectors) {
  std::mt19937 random(5);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(40); ++round) {
      std::vector<SharedGroup> groups(3);
      const unsigned widest = round % 3 == 0 ? 64 : 12;
      for (std::size_t d = 0; d < groups.size() * kSharedGroup; ++d) {
        if (d % 11 == 3) continue;  // Not every lane has a document.
        const std::size_t notes = d % 9 == 0 ? 300 : 1 + random() % 30;
        groups[d / kSharedGroup].set(d % kSharedGroup, some_pitches(random, notes, d % 9 == 0 ? 1 : widest),
                                     static_cast<std::uint8_t>(random() % (round % 5 == 1 ? 256 : 25)));
      }
      const std::size_t notes = round % 5 == 0 ? 600 : 1 + random() % 30;
      const SharedQuery query(some_pitches(random, notes, round % 5 == 0 ? 2 : widest),
                              static_cast<std::uint8_t>(round % 7 == 0 ? 0 : random() % 25), round % 2 == 0);
      SharedHits fast, slow;
      for (SharedHits* hits : {&fast, &slow}) hits->reserve(groups.size());
      const SharedRange range{groups.data(), random() % 100, 100 + random() % 92};
      shared_pitches(query, range, fast);
      shared_pitches_plain(query, range, slow);
      ASSERT_EQ(fast.size, slow.size) << level;
      EXPECT_EQ(fast.distinct, slow.distinct) << level;
      for (std::size_t i = 0; i < fast.size; ++i) {
        EXPECT_EQ(fast.document[i], slow.document[i]) << level;
        EXPECT_EQ(fast.shift[i], slow.shift[i]) << level;
      }
    }
  });
}

TEST(SharedPitches, FindsAMelodyInItsOwnTransposition) {
  std::vector<SharedGroup> groups(2);
  groups[1].set(9, std::vector<std::uint8_t>{5, 7, 9, 5}, 4);
  SharedHits hits;
  hits.reserve(groups.size());
  shared_pitches({std::vector<std::uint8_t>{6, 8, 6, 10}, 4, true}, {groups.data(), 0, 128}, hits);
  ASSERT_EQ(hits.size, 1U);
  EXPECT_EQ(hits.distinct, 1U);
  EXPECT_EQ(hits.transposition(0), -1);
  EXPECT_EQ(hits.document[0], 64U + 9U);
}

TEST(OrderedPitches, CountsTheSameNotesWithAndWithoutVectors) {
  std::mt19937 random(7);
  at_every_level([&](std::string_view level) {
    for (int round = 0; round < test::rounds(40); ++round) {
      const std::size_t notes = round % 7 == 0 ? OrderedQuery::kMostNotes : 1 + random() % OrderedQuery::kMostNotes;
      const OrderedQuery query(some_pitches(random, notes,
                                            round % 4 == 0   ? 64
                                            : round % 4 == 1 ? 32
                                                             : 9),
                               static_cast<std::uint32_t>(random() % 12), round % 2 == 0);
      OrderedDocuments documents;
      SharedHits hits;
      hits.reserve(4);
      constexpr std::uint32_t kFirst = 1024;
      for (std::uint32_t d = 0; d <= static_cast<std::uint32_t>(round); ++d) {
        documents.add(some_pitches(random, random() % 90, round % 3 == 0 ? 64 : 12),
                      static_cast<std::uint32_t>(random() % 12));
        const int far = round % 3 == 0 ? kSharedRange : 6;
        for (int t = -far; t <= far; t += 3) {
          hits.document[hits.size] = kFirst + d;
          hits.shift[hits.size++] = static_cast<std::uint8_t>(t) * 0x01010101U;
        }
      }
      std::vector<OrderedHit> fast, slow;
      ordered_pitches(query, documents, kFirst, hits, fast);
      ordered_pitches_plain(query, documents, kFirst, hits, slow);
      ASSERT_EQ(fast.size(), slow.size()) << level;
      for (std::size_t i = 0; i < fast.size(); ++i) {
        EXPECT_EQ(fast[i].hit, slow[i].hit) << level;
        EXPECT_EQ(fast[i].common, slow[i].common) << level;
      }
    }
  });
}

TEST(OrderedPitches, CountsTheNotesOfASubsequence) {
  const OrderedQuery query(std::vector<std::uint8_t>{0, 2, 4, 0, 5}, 4, true);
  OrderedDocuments documents;
  documents.add(std::vector<std::uint8_t>{7, 3, 5, 1, 3, 8}, 0);  // 3, 5, 3, 8 are 0, 2, 0, 5 three higher.
  SharedHits hits;
  hits.reserve(1);
  for (const std::uint32_t t : {2U, 3U}) hits.shift[hits.size++] = t * 0x01010101U;
  std::vector<OrderedHit> found;
  ordered_pitches(query, documents, 0, hits, found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].hit, 1U);
  EXPECT_EQ(found[0].common, 4U);
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
