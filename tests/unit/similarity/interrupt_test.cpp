#include "base/interrupt.h"

#include <gtest/gtest.h>

#include <random>

#include "rondo/similarity/system.h"
#include "support/lines.h"

namespace rondo {
namespace {

Line long_line(std::size_t notes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::string text;
  constexpr const char* kNames[] = {"C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5", "D5"};
  constexpr const char* kDurations[] = {"1/4", "1/8", "1/2"};
  for (std::size_t i = 0; i < notes; ++i) {
    text += std::string(text.empty() ? "" : " ") + kNames[random() % 9] + " " + kDurations[random() % 3];
  }
  return line_of(text);
}

TEST(Interrupt, IsWantedOnlyWithinAScope) {
  EXPECT_FALSE(interrupted());
  bool wanted = true;
  const auto ask = [](void* context) { return *static_cast<bool*>(context); };
  {
    const InterruptScope scope(ask, &wanted);
    EXPECT_TRUE(interrupted());
    bool never = false;
    {
      const InterruptScope inner(ask, &never);
      EXPECT_FALSE(interrupted());
    }
    EXPECT_TRUE(interrupted());
    wanted = false;
    EXPECT_FALSE(interrupted());
  }
  wanted = true;
  EXPECT_FALSE(interrupted());
}

/// Systems whose time grows with the product of the two lengths.
TEST(Interrupt, IsAskedForWhileTwoLongMelodiesAreCompared) {
  const Line query = long_line(400, 1);
  const Line document = long_line(3000, 2);
  for (const char* name :
       {"spline", "shapeh", "shapel", "shapeg", "time", "2010-domain", "2010-pitchderiv", "2011-pitch", "pioi", "LDP",
        "P1", "P2", "P3", "EMD", "GAM", "vk-pitch", "mongeau-sankoff"}) {
    const SystemRow* row = find_system(name);
    ASSERT_NE(row, nullptr) << name;
    const auto system = row->make(Parameters(row->parameters));
    if (system->learns()) system->learn(document);
    const auto prepared = system->prepare(query);
    int asked = 0;
    const InterruptScope scope(
        [](void* count) {
          ++*static_cast<int*>(count);
          return true;
        },
        &asked);
    (void)prepared->score(document);
    EXPECT_GE(asked, 1) << name;
    EXPECT_LE(asked, 100) << name << " goes on although it was interrupted";
  }
}

}  // namespace
}  // namespace rondo
