#include "study/order.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace rondo::study {
namespace {

using testing::UnorderedElementsAre;

TEST(Order, IsAPermutationAndTheSameEveryTime) {
  const auto order = query_order(1, 1, 5);
  EXPECT_THAT(order, UnorderedElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(order, query_order(1, 1, 5));
  EXPECT_TRUE(query_order(1, 1, 0).empty());
}

TEST(Order, DiffersBetweenSeedsParticipantsAndQueries) {
  std::set<std::vector<std::size_t>> seen;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (std::int64_t participant = 1; participant <= 5; ++participant) {
      seen.insert(query_order(seed, participant, 20));
      for (std::size_t query = 0; query < 5; ++query) seen.insert(candidate_order(seed, participant, query, 20));
    }
  }
  EXPECT_EQ(seen.size(), 5U * 5U * 6U);
}

TEST(Order, GivesEveryCandidateEveryPlaceEquallyOften) {
  // 6000 shuffles of 4 things: each of the 24 orders is expected 250 times, with a deviation of about 15.
  std::map<std::vector<std::size_t>, int> counts;
  for (std::int64_t participant = 1; participant <= 6000; ++participant)
    ++counts[candidate_order(3, participant, 0, 4)];
  EXPECT_EQ(counts.size(), 24U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 250, 80);
}

}  // namespace
}  // namespace rondo::study
