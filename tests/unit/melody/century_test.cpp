#include "melody/century.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

TEST(Century, IsReadAsCataloguesWriteIt) {
  for (const char* year : {"1782", "ca. 1750-1760", "17..", "17--", "17xx", "18th century", "12. 3. 1799", "18.sc",
                           "18.me", "18.in-19.in", "18.2d", "18. Jh.", "18.Jh.", "s. XVIII", "XVIIIe siècle", "1700"}) {
    EXPECT_EQ(century_of(year), 18) << year;
  }
  EXPECT_EQ(century_of("1800"), 19) << "as one counts by the first digits";
  EXPECT_EQ(century_of("sec. XVI"), 16);
  EXPECT_EQ(century_of("21st century"), 21);
}

TEST(Century, IsNotGuessed) {
  for (const char* year :
       {"", "n.d.", "99999999999999999999", "18", "18. 3.", "3000", "X", "op. 18", "MIX", "XVIIII", "18.5"}) {
    EXPECT_EQ(century_of(year), std::nullopt) << year;
  }
}

}  // namespace
}  // namespace rondo
