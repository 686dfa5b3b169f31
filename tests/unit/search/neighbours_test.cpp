#include "search/neighbours.h"

#include <gmock/gmock.h>

#include "rondo/similarity/system.h"
#include "support/lines.h"

namespace rondo {
namespace {

using testing::ElementsAre;

TEST(Neighbours, WhatResemblesALikeMelodyComesNearer) {
  // The query is like 1; 1 is like 3; 2 is a little more like the query than 3 is, and like nothing else.
  const std::vector<double> alike = {1.0,  0.8, 0.45, 0.4,  //
                                     0.8,  1.0, 0.0,  0.8,  //
                                     0.45, 0.0, 1.0,  0.0,  //
                                     0.4,  0.8, 0.0,  1.0};
  EXPECT_THAT(order_by_neighbours(alike, 4), ElementsAre(0, 2, 1));
}

TEST(Neighbours, OneHitOrNoneStays) {
  EXPECT_THAT(order_by_neighbours(std::vector<double>{1}, 1), ElementsAre());
  EXPECT_THAT(order_by_neighbours(std::vector<double>{1, 0.5, 0.5, 1}, 2), ElementsAre(0));
}

TEST(Neighbours, TheOrderDoesNotDependOnThreads) {
  auto chosen = resolve_system("rondo");
  ASSERT_TRUE(chosen);
  std::vector<Line> lines;
  for (const char* notes : {"C4 D4 E4 C4 G4", "C4 D4 E4 C4 A4", "C4 D4 E4 F4 A4", "G4 F4 E4 D4 C4", "C4 D4 E4 F4 G4"}) {
    lines.push_back(quarters(notes));
  }
  const auto never = [] { return false; };
  const auto one = order_by_neighbours(*chosen->system, lines, 1, never);
  const auto three = order_by_neighbours(*chosen->system, lines, 3, never);
  ASSERT_TRUE(one && three);
  EXPECT_EQ(*one, *three);
  EXPECT_FALSE(order_by_neighbours(*chosen->system, lines, 2, [] { return true; }));
}

}  // namespace
}  // namespace rondo
