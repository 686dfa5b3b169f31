// Confidence intervals of shares.

#include "statistics/proportion.h"

#include <gtest/gtest.h>

namespace {

using rondo::statistics::wilson_interval;

// The values are those of R: prop.test(successes, trials, conf.level, correct = FALSE)$conf.int.
TEST(WilsonInterval, IsThatOfRsPropTest) {
  struct Case {
    std::uint64_t successes, trials;
    double level, low, high;
  };
  for (const Case& one :
       {Case{0, 10, 0.95, 0, 0.277532799863}, Case{1, 10, 0.95, 0.017876213095, 0.404150026795},
        Case{7, 28, 0.95, 0.126764949193, 0.433556703190}, Case{180, 200, 0.95, 0.850594187567, 0.934329551331},
        Case{197, 200, 0.95, 0.956834271207, 0.994885762207}, Case{200, 200, 0.95, 0.981154673623, 1},
        Case{30, 40, 0.9, 0.624027059540, 0.844296216137}}) {
    const auto found = wilson_interval(one.successes, one.trials, one.level);
    EXPECT_NEAR(found.low, one.low, 1e-10) << one.successes << " of " << one.trials;
    EXPECT_NEAR(found.high, one.high, 1e-10) << one.successes << " of " << one.trials;
  }
}

TEST(WilsonInterval, NothingTriedSaysNothing) {
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

}  // namespace
