#include "server/melody_links.h"

#include <gtest/gtest.h>

#include "server/sort_orders.h"

namespace melody_links_test {

using namespace rondo;
using namespace rondo::server;

std::unique_ptr<MelodyLinks> links_in(const std::string& file, std::int64_t links = 100, std::int64_t bytes = 1000) {
  return std::move(MelodyLinks::open_file(file, links, bytes).value());
}

TEST(MelodyLinks, GiveBackWhatWasKept) {
  const auto links = links_in(":memory:");
  const std::string key = links->keep("C4 D4 E4").value();
  EXPECT_EQ(key.size(), 16U);
  EXPECT_EQ(links->find(key).value(), "C4 D4 E4");
  EXPECT_EQ(links->keep("C4 D4 E4").value(), key) << "the same melody has the same key";
  EXPECT_NE(links->keep("C4 D4 F4").value(), key);
  EXPECT_EQ(MelodyLinks::key_of("C4 D4 E4"), key) << "whatever the server";
  EXPECT_EQ(links->find("nothing").error().code, "link-unknown");
  EXPECT_EQ(links->keep(std::string(MelodyLinks::kLongest + 1, 'C')).error().code, "link-too-long");
}

TEST(MelodyLinks, WhatWasNotUsedForLongestMakesRoom) {
  const auto links = links_in(":memory:", 10, 1'000'000);
  const std::string first = links->keep("melody 0").value();
  const std::string second = links->keep("melody 1").value();
  for (int i = 2; i < 10; ++i) (void)links->keep("melody " + std::to_string(i));
  ASSERT_TRUE(links->keep("melody 0")) << "used again";
  ASSERT_TRUE(links->keep("one more"));
  EXPECT_TRUE(links->find(first));
  EXPECT_FALSE(links->find(second));
}

TEST(MelodyLinks, TakeNoMoreThanTheirBytes) {
  const auto links = links_in(":memory:", 1000, 1000);
  const std::string first = links->keep(std::string(400, 'a')).value();
  const std::string last = [&] {
    std::string key;
    for (char c = 'b'; c < 'f'; ++c) key = links->keep(std::string(400, c)).value();
    return key;
  }();
  EXPECT_FALSE(links->find(first));
  EXPECT_TRUE(links->find(last));
}

TEST(SortOrders, YearsAreReadAsTheyAreWritten) {
  EXPECT_EQ(year_of("1782"), 1782);
  EXPECT_EQ(year_of("ca. 1750-1760"), 1750);
  EXPECT_EQ(year_of("17.."), 1700);
  EXPECT_EQ(year_of("18th century"), 1700);
  EXPECT_EQ(year_of("n.d."), 9999);
  EXPECT_EQ(year_of(""), 9999);
}

}  // namespace melody_links_test
