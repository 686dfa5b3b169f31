#pragma once

#include <gtest/gtest.h>

#include <random>

#include "search/kernels/level.h"

namespace rondo::kernels {

/// Every instruction set of this machine, one after the other; at the end the best again.
template <typename Test>
void at_every_level(const Test& test) {
  for (const std::string_view level : levels()) {
    ASSERT_TRUE(use_level(level));
    test(level);
  }
  EXPECT_TRUE(use_level("best"));
}

inline std::int16_t between(std::mt19937& random, int low, int high) {
  return static_cast<std::int16_t>(std::uniform_int_distribution<int>(low, high)(random));
}

}  // namespace rondo::kernels
