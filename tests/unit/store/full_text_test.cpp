#include "rondo/store/full_text.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

std::string query(std::string_view typed) {
  auto made = full_text_query(typed);
  return made ? *made : made.error().code;
}

TEST(FullTextQuery, WordsMustAllBeThere) { EXPECT_EQ(query("  ave\tmaria "), R"("ave" AND "maria")"); }

TEST(FullTextQuery, AQuotedPhraseStaysTogetherAndMayBeLeftOpen) {
  EXPECT_EQ(query(R"("ave maria" gloria)"), R"("ave maria" AND "gloria")");
  EXPECT_EQ(query(R"("ave maria)"), R"("ave maria")");
}

TEST(FullTextQuery, AStarAsksForABeginning) { EXPECT_EQ(query("glor*"), R"("glor" *)"); }

TEST(FullTextQuery, AColumnNarrowsAndAMinusExcludes) {
  EXPECT_EQ(query("composer:bach -title:\"h moll\""), R"((composer : "bach") NOT (title : "h moll"))");
  EXPECT_EQ(query("a b -c -d*"), R"(("a" AND "b") NOT ("c" OR "d" *))");
}

TEST(FullTextQuery, WhatLooksLikeSyntaxButIsNoneIsText) {
  EXPECT_EQ(query("BWV:1007"), R"("BWV:1007")");
  EXPECT_EQ(query("d'amour AND (x"), R"("d'amour" AND "AND" AND "(x")");
  EXPECT_EQ(query("a\"b"), R"("a""b")");
  EXPECT_EQ(query("title: x"), R"("title:" AND "x")");
}

TEST(FullTextQuery, SignsWithoutALetterAskForNothing) {
  EXPECT_EQ(query("Bach & Söhne \xE2\x80\x93 \xC2\xA7"), "\"Bach\" AND \"Söhne\"");
}

TEST(FullTextQuery, WithoutAWordItSaysSo) {
  EXPECT_EQ(query(""), "text-query");
  EXPECT_EQ(query("- * \"\" :"), "text-query");
  EXPECT_EQ(query("-requiem"), "text-query");
}

TEST(FullTextQuery, AZeroByteEndsAWordAndNotTheQuestion) {
  EXPECT_EQ(query(std::string_view("a\0b", 3)), R"("a" AND "b")");
}

TEST(FullTextQuery, HasALargestNumberOfWords) {
  const auto repeated = [](const std::string& word, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += word;
    return full_text_query(out);
  };
  EXPECT_TRUE(repeated("ave ", 200));
  EXPECT_TRUE(repeated("a* ", 20));
  for (const auto& query : {repeated("ave ", 201), repeated("a* ", 21), repeated("a-", 201)}) {
    ASSERT_FALSE(query.has_value());
    EXPECT_EQ(query.error().code, "text-query");
  }
}

}  // namespace
}  // namespace rondo
