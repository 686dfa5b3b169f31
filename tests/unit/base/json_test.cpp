#include "base/json.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Json, WhatIsDeepIsRefusedBeforeItIsBuilt) {
  EXPECT_TRUE(parse_json(repeated("[", 64) + repeated("]", 64)));
  const auto deep = parse_json("{\n" + repeated("[", 16'000'000));
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().code, "json-nesting");
  EXPECT_EQ(deep.error().place.line, 2U);
  EXPECT_EQ(deep.error().place.column, 64U);
}

TEST(Json, BracketsInStringsDoNotCount) {
  EXPECT_TRUE(parse_json(R"({"a": ")" + repeated("[{,", 1000) + R"(\"[["})", {2, 10}));
}

TEST(Json, ValuesAreCounted) {
  const JsonLimits few{64, 100};
  EXPECT_TRUE(parse_json("[" + repeated("1,", 97) + "1]", few));
  for (const char* value : {"1,", "[],", "{},", "\"\","}) {
    const auto many = parse_json("[" + repeated(value, 100) + "1]", few);
    ASSERT_FALSE(many) << value;
    EXPECT_EQ(many.error().code, "json-values");
  }
}

TEST(Json, SyntaxErrorsHaveTheirPlace) {
  const auto wrong = parse_json<nlohmann::ordered_json>("{\"a\": 1,\n \"b\" 2}");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, "json-syntax");
  EXPECT_EQ(wrong.error().place.line, 2U);
  EXPECT_EQ(wrong.error().place.column, 6U);
  EXPECT_FALSE(parse_json("\"\xff\""));
  EXPECT_FALSE(parse_json(""));
  EXPECT_EQ(json_error(wrong.error(), "study").code, "study-syntax");
  EXPECT_TRUE(json_or_null("nonsense").is_null());
}

}  // namespace
}  // namespace rondo
