#include "store/full_text.h"

#include <gtest/gtest.h>

namespace rondo {
namespace {

std::string query(std::string_view typed) {
  auto made = full_text_query(typed);
  if (!made) return made.error().code;
  std::string out = made->match;
  if (!made->without.empty()) out += "without " + made->without;
  for (const TextPart& part : made->parts) {
    out += (part.exclude ? "-[" : "[") + part.column + (part.column.empty() ? "" : ":") + part.text + "]";
  }
  return out;
}

TEST(FullTextQuery, TheLastWordMayBeTheBeginningOfOne) {
  EXPECT_EQ(query("ave mar"), R"("ave" AND "mar" *)");
  EXPECT_EQ(query("composer:tel"), R"(composer : "tel" *)");
  EXPECT_EQ(query("ave mar "), R"("ave" AND "mar")") << "a blank ends it";
  EXPECT_EQ(query("ave \"mar\""), R"("ave" AND "mar")") << "so do quotes";
  EXPECT_EQ(query("ave -mar"), R"(("ave") NOT ("mar"))");
  EXPECT_EQ(query("a"), R"("a")") << "of one letter there are too many";
}

TEST(FullTextQuery, ScriptsWithoutBlanksAreLookedForWithinTexts) {
  EXPECT_EQ(query("\u6708\u591c"), "[\u6708\u591c]");
  EXPECT_EQ(query("\u3055\u304f\u3089 song "), "\"song\"[\u3055\u304f\u3089]");
  EXPECT_EQ(query("\uc544\ub9ac\ub791"), "[\uc544\ub9ac\ub791]");
  EXPECT_EQ(query("\u00e9t\u00e9 "), "\"\u00e9t\u00e9\"");
  EXPECT_EQ(query("title:\u6708 -\u591c"), "[title:\u6708]-[\u591c]");
  EXPECT_EQ(query("\u6708 -mass"), "without \"mass\"[\u6708]");
  EXPECT_EQ(query("-\u6708"), "text-query");
}

TEST(FullTextQuery, WordsMustAllBeThere) { EXPECT_EQ(query("  ave\tmaria "), R"("ave" AND "maria")"); }

TEST(FullTextQuery, AQuotedPhraseStaysTogetherAndMayBeLeftOpen) {
  EXPECT_EQ(query(R"("ave maria" gloria )"), R"("ave maria" AND "gloria")");
  EXPECT_EQ(query(R"("ave maria)"), R"("ave maria")");
}

TEST(FullTextQuery, AStarAsksForABeginning) { EXPECT_EQ(query("glor*"), R"("glor" *)"); }

TEST(FullTextQuery, AColumnNarrowsAndAMinusExcludes) {
  EXPECT_EQ(query("composer:bach -title:\"h moll\""), R"((composer : "bach") NOT (title : "h moll"))");
  EXPECT_EQ(query("a b -c -d*"), R"(("a" AND "b") NOT ("c" OR "d" *))");
}

TEST(FullTextQuery, WhatLooksLikeSyntaxButIsNoneIsText) {
  EXPECT_EQ(query("BWV:1007 "), R"("BWV:1007")");
  EXPECT_EQ(query("d'amour AND (x "), R"("d'amour" AND "AND" AND "(x")");
  EXPECT_EQ(query("a\"b "), R"("a""b")");
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
  EXPECT_TRUE(repeated("\u6708", 150)) << "a line of a song";
  for (const auto& query : {repeated("ave ", 201), repeated("a* ", 21), repeated("a-", 201)}) {
    ASSERT_FALSE(query.has_value());
    EXPECT_EQ(query.error().code, "text-query");
  }
}

}  // namespace
}  // namespace rondo
