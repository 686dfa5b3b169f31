#include "base/utf8.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

TEST(Utf8, IsWellFormedOrNot) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9D\x84\x9E"));
  EXPECT_FALSE(is_utf8("\x80"));
  EXPECT_FALSE(is_utf8("\xC3"));
  EXPECT_FALSE(is_utf8("\xE2\x82"));
  EXPECT_FALSE(is_utf8("\xC0\xAF")) << "longer than need be";
  EXPECT_FALSE(is_utf8("\xED\xA0\x80")) << "half of a pair";
  EXPECT_FALSE(is_utf8("\xF4\x90\x80\x80")) << "beyond the last character";
}

TEST(Utf8, EveryCodePointComesBack) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string text;
    append_utf8(text, code);
    ASSERT_EQ(utf8_length(text), text.size()) << static_cast<std::uint32_t>(code);
  }
}

TEST(Utf8, WhatIsNoCharacterBecomesTheReplacement) {
  std::string text;
  append_utf8(text, 0xD800);
  append_utf8(text, 0x110000);
  EXPECT_EQ(text, "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Utf8, APrefixCutsNoLetter) {
  const std::string text = "a\u00fc\u65e5\U0001D11Ez";
  const std::size_t ends[] = {0, 1, 3, 6, 10, 11};
  for (std::size_t bytes = 0; bytes <= text.size() + 2; ++bytes) {
    std::size_t whole = 0;
    for (const std::size_t end : ends) whole = end <= bytes ? end : whole;
    EXPECT_EQ(utf8_prefix(text, bytes), std::string_view(text).substr(0, whole)) << bytes;
  }
  EXPECT_EQ(utf8_prefix("\x80\x80\x80", 2), "\x80\x80") << "what is no letter is cut anywhere";
}

TEST(Utf8, RepairReplacesByteByByte) {
  EXPECT_EQ(repair_utf8("a\xC3\xA4\xC3z\x80"), "a\xC3\xA4\xEF\xBF\xBDz\xEF\xBF\xBD");
}

TEST(Utf8, AsciiIsSeenInLongTextsToo) {
  EXPECT_TRUE(is_ascii(std::string(100, 'x')));
  for (std::size_t i = 0; i < 20; ++i) {
    std::string text(20, 'x');
    text[i] = '\x80';
    EXPECT_FALSE(is_ascii(text)) << i;
    EXPECT_FALSE(is_utf8(text)) << i;
  }
}

}  // namespace
}  // namespace rondo
