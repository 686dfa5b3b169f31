#include "features/motives.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "support/rounds.h"

namespace rondo::motives_test {

using testing::ElementsAre;
using testing::IsEmpty;
using Intervals = std::vector<std::int16_t>;

TEST(Motives, NeedTwoPlacesThatDoNotOverlap) {
  EXPECT_THAT(repeated_motives({}), IsEmpty());
  EXPECT_THAT(repeated_motives(Intervals{0, 0, 0}), IsEmpty()) << "four equal notes: one place";
  EXPECT_THAT(repeated_motives(Intervals{0, 0, 0, 0}), ElementsAre(Motive{0, 2, 2}));
  EXPECT_THAT(repeated_motives(Intervals{1, 2, 1, 2, 1}), ElementsAre(Motive{0, 2, 2}, Motive{1, 2, 2}));
}

TEST(Motives, TellTheLongestOfThoseThatGoTogether) {
  // 1 2 3 twice, with 2 3 once more.
  EXPECT_THAT(repeated_motives(Intervals{1, 2, 3, 9, 1, 2, 3, 8, 2, 3}), ElementsAre(Motive{1, 2, 3}, Motive{0, 3, 2}));
}

TEST(Motives, SignsMatter) { EXPECT_THAT(repeated_motives(Intervals{2, 1, -2, -1}), IsEmpty()); }

/// By the definition, with strings and no thought of speed.
std::vector<Motive> slowly(const Intervals& intervals) {
  std::map<Intervals, Motive> found;
  for (std::size_t length = 1; length <= kLongestMotive + 1; ++length) {
    for (std::size_t at = 0; at + length <= intervals.size(); ++at) {
      const Intervals sequence(intervals.begin() + static_cast<std::ptrdiff_t>(at),
                               intervals.begin() + static_cast<std::ptrdiff_t>(at + length));
      if (found.contains(sequence)) continue;
      Motive motive{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(length), 0};
      for (std::size_t i = at; i + length <= intervals.size();) {
        const bool here =
            std::equal(sequence.begin(), sequence.end(), intervals.begin() + static_cast<std::ptrdiff_t>(i));
        if (here) ++motive.count;
        i += here ? length : 1;
      }
      if (motive.count >= 2) found.emplace(sequence, motive);
    }
  }
  std::vector<Motive> out;
  for (const auto& [sequence, motive] : found) {
    bool part = false;
    for (const auto& [other, longer] : found) {
      part = part ||
             (other.size() == sequence.size() + 1 && longer.count == motive.count && longer.length <= kLongestMotive &&
              std::search(other.begin(), other.end(), sequence.begin(), sequence.end()) != other.end());
    }
    if (!part && motive.length >= 2 && motive.length <= kLongestMotive) out.push_back(motive);
  }
  std::sort(out.begin(), out.end(), [](const Motive& a, const Motive& b) {
    return std::tie(b.count, b.length, a.first) < std::tie(a.count, a.length, b.first);
  });
  if (out.size() > kMostMotives) out.resize(kMostMotives);
  return out;
}

TEST(Motives, AgreeWithTheDefinition) {
  std::mt19937 random(4);
  for (int round = 0; round < test::rounds(600); ++round) {
    Intervals intervals(random() % 40);
    const unsigned letters = 1 + random() % 4;
    for (auto& interval : intervals) interval = static_cast<std::int16_t>(random() % letters - 1);
    EXPECT_EQ(repeated_motives(intervals), slowly(intervals)) << round;
  }
  const Intervals monotonous(150, 0);
  EXPECT_EQ(repeated_motives(monotonous), slowly(monotonous));
}

TEST(Motives, OfAHostileMelodyStayFewAndShort) {
  Intervals intervals(200'000);
  for (std::size_t i = 0; i < intervals.size(); ++i) intervals[i] = static_cast<std::int16_t>(i % 7 * (i % 2));
  const auto motives = repeated_motives(intervals);
  EXPECT_LE(motives.size(), kMostMotives);
  for (const Motive& motive : motives) EXPECT_LE(motive.length, kLongestMotive);
}

}  // namespace rondo::motives_test
