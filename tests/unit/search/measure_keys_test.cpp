#include "search/index/measure_keys.h"

#include <gtest/gtest.h>

#include "generate/generate.h"
#include "search/index.h"
#include "search/index/snapshot.h"
#include "search/search.h"
#include "similarity/simile.h"

namespace rondo {
namespace {

using index::MeasureKeys;

TEST(MeasureKeys, KeepAllKeysOfFewMeasuresAndTheNumberOfMany) {
  const MeasureKeys kept(3);
  EXPECT_FALSE(kept.of(0).counted());
  EXPECT_FALSE(kept.of(0).keyed());
  kept.keep(0, 12);
  EXPECT_TRUE(kept.of(0).counted());
  EXPECT_FALSE(kept.of(0).keyed());
  EXPECT_EQ(kept.of(0).measures(), 12U);
  std::vector<std::int8_t> keys = {23, 0, 11, 12, 5, 23, 7, 1, 20, 0, 16, 23};
  ASSERT_EQ(keys.size(), MeasureKeys::kMostKeys);
  kept.keep(0, keys);
  ASSERT_TRUE(kept.of(0).keyed());
  ASSERT_EQ(kept.of(0).measures(), keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(kept.of(0).key(i), keys[i]);
  keys.push_back(3);
  kept.keep(1, keys);
  EXPECT_FALSE(kept.of(1).keyed());
  EXPECT_EQ(kept.of(1).measures(), 13U);
  kept.keep(1, 5000);
  EXPECT_EQ(kept.of(1).measures(), 5000U);
  EXPECT_FALSE(kept.of(2).counted());
}

TEST(MeasureKeys, AreFilledInBySearchesAndSharedByAllViewsOfASegment) {
  Corpus corpus;
  const Generator generator(12);
  for (std::uint64_t i = 0; i < 300; ++i) corpus.documents.push_back(make_document(generator.piece(i)));
  const Index index = Index::of(corpus).value();
  const Index opening = index.opening(6);
  const index::Segment& segment = index.snapshot().segments.front();
  const MeasureKeys* const kept = segment.measure_keys();
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(opening.snapshot().segments.front().measure_keys(), kept);
  const SystemRow& row = *find_system("opti3");
  const auto system = row.make(Parameters(row.parameters));
  for (const std::size_t like : {3U, 90U, 200U}) {
    const Line& query = corpus.documents[like].voices.front();
    // That of what it sees, not of the whole documents, must not be kept.
    (void)search(opening, row, *system, query, {.k = 100});
    (void)search(index, row, *system, query, {.k = 100});
  }
  std::size_t keyed = 0;
  Line line;
  std::vector<std::int8_t> keys;
  for (index::DocumentId d = 0; d < segment.size(); ++d) {
    const MeasureKeys::Word word = kept->of(d);
    segment.line(d, line);
    if (word.counted()) {
      EXPECT_EQ(word.measures(), simile::measures_with_notes(line)) << d;
    }
    if (!word.keyed()) continue;
    ++keyed;
    simile::bar_keys(line, keys);
    ASSERT_EQ(word.measures(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(word.key(i), keys[i]) << d;
  }
  EXPECT_GT(keyed, segment.size() / 4);
}

}  // namespace
}  // namespace rondo
