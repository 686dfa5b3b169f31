#include "concordances/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "concordances/group_facts.h"
#include "generate/generate.h"
#include "support/scratch.h"

/// What files of results say of pairs, of what editors decided, and of two collections.
namespace rondo::concordances {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Three melodies: a and b are one tune, a is part of c; and what an editor decides about them.
class ConcordanceFiles : public testing::Test {
 protected:
  ConcordanceFiles() : decisions_(Decisions::open(scratch_ / "decisions").value()) {
    for (const char* id : {"a", "b", "c"}) {
      found_.melodies.push_back({PieceKey{1}, 0, false, id});
      Source& source = sources_.emplace_back();
      source.metadata.title = std::string("title ") + id;
      source.voice = Generator(1).piece(0).voices.front();
    }
    found_.pairs = {{0, 1, 0.9, 0.8, Relation::variant}, {0, 2, 0.9, 0.3, Relation::part}};
  }

  std::string written(void (*write)(std::ostream&, const Shown&)) {
    const Grouping grouping = make_groups(found_, 0.5);
    std::ostringstream out;
    write(out, {found_, grouping, sources_, *system_.system, {}, "title", &decisions_});
    return out.str();
  }

  /// The record of a piece.
  std::string record(const std::string& id) {
    const std::string all = written(write_marcxml);
    const std::size_t begin = all.find("<controlfield tag=\"001\">" + id + "<");
    if (begin == std::string::npos) return {};
    return all.substr(begin, all.find("</record>", begin) - begin);
  }

  Scratch scratch_;
  Decisions decisions_;
  Concordances found_;
  std::vector<Source> sources_;
  ChosenSystem system_ = resolve_system("rondo").value();
};

TEST_F(ConcordanceFiles, ALinkSaysWhatItsOwnRecordIsOfTheOther) {
  EXPECT_THAT(record("a"), HasSubstr("(part of, score 0.300)"));
  EXPECT_THAT(record("c"), HasSubstr("(has as part, score 0.300)"));
  EXPECT_THAT(record("c"), Not(HasSubstr("(part of")));
}

TEST_F(ConcordanceFiles, WhatAnEditorRejectedIsNotHandedOn) {
  EXPECT_THAT(written(write_turtle), HasSubstr("<urn:rondo:melody:b:1> schema:exampleOfWork <urn:rondo:tune:a:1>"));
  EXPECT_THAT(written(write_turtle), HasSubstr("<urn:rondo:melody:a:1> schema:isPartOf <urn:rondo:melody:c:1>"));
  ASSERT_TRUE(decisions_.decide({{"a", 0}, {"b", 0}, Verdict::rejected, "", {}}));
  ASSERT_TRUE(decisions_.decide({{"a", 0}, {"c", 0}, Verdict::accepted, "", {}}));
  EXPECT_THAT(written(write_turtle), Not(HasSubstr("<urn:rondo:melody:b:1> schema:exampleOfWork")));
  EXPECT_THAT(written(write_turtle), HasSubstr("<urn:rondo:melody:a:1> schema:isPartOf <urn:rondo:melody:c:1>"));
  EXPECT_EQ(record("b"), "");
  EXPECT_THAT(record("a"), Not(HasSubstr("title b")));
  EXPECT_THAT(record("a"), HasSubstr("(part of, score 0.300, accepted)"));
  EXPECT_THAT(written(write_pairs_csv), HasSubstr("rejected")) << "a table of all pairs has them, with the decision";
}

TEST_F(ConcordanceFiles, APhraseInCommonIsNamedEverywhereAndClaimsNoTune) {
  found_.pairs[1].relation = Relation::phrase;
  EXPECT_THAT(record("a"), HasSubstr("(phrase in common, score 0.300)"));
  EXPECT_THAT(record("c"), HasSubstr("(phrase in common, score 0.300)"));
  EXPECT_THAT(written(write_turtle), HasSubstr("<urn:rondo:melody:a:1> dcterms:relation <urn:rondo:melody:c:1>"));
  EXPECT_THAT(written(write_turtle), Not(HasSubstr("<urn:rondo:melody:c:1> schema:exampleOfWork")));
  EXPECT_THAT(written(write_pairs_csv), HasSubstr("a,1,c,1,phrase in common,"));
  EXPECT_THAT(written(write_json), HasSubstr("\"relation\": \"phrase in common\""));
  EXPECT_THAT(written(write_page), HasSubstr("<td>a</td><td>phrase in common</td><td>c</td>"));
}

TEST_F(ConcordanceFiles, APieceIsLinkedOnceHoweverManyVoicesAreAlike) {
  found_.melodies.push_back({PieceKey{1}, 1, false, "c"});
  sources_.push_back(sources_[2]);
  found_.pairs.push_back({0, 3, 0.95, 0.95, Relation::variant});
  const std::string own = record("a");
  EXPECT_EQ(own.find("title c"), own.rfind("title c"));
  EXPECT_THAT(own, HasSubstr("(variant, score 0.950)"));
}

TEST_F(ConcordanceFiles, OfTwoCollectionsTellWhichIsWhich) {
  found_.melodies[1].second = true;
  found_.melodies[1].id = "a";
  EXPECT_THAT(written(write_page), HasSubstr("in the second collection"));
  EXPECT_THAT(written(write_groups_csv), HasSubstr(",2\n"));
  EXPECT_THAT(written(write_turtle), HasSubstr("<urn:rondo:second:a:1> schema:exampleOfWork"));
  const std::string all = written(write_marcxml);
  EXPECT_EQ(all.find(">a</controlfield>"), all.rfind(">a</controlfield>")) << "records are those of the first";
  EXPECT_THAT(record("a"), HasSubstr("title b"));
}

TEST_F(ConcordanceFiles, AnAddressThatIsNoneIsReplacedByAName) {
  sources_[0].metadata.uri = "https://example.org/a\nb";
  sources_[1].metadata.uri = "https://example.org/b#1";
  found_.melodies[1].voice = 1;
  const std::string text = written(write_turtle);
  EXPECT_THAT(text, HasSubstr("<urn:rondo:melody:a:1> a schema:MusicComposition"));
  EXPECT_THAT(text, HasSubstr("<https://example.org/b#1-voice2> a schema:MusicComposition"));
}

TEST_F(ConcordanceFiles, CenturiesAndComposersAreComparedAndNotTheirSpelling) {
  const auto facts = [&] { return facts_of({found_, {}, sources_, *system_.system, {}, {}}, {{0, 1}, {}, 0, 0}); };
  const auto set = [&](const char* composer, const char* other, const char* year, const char* other_year) {
    sources_[0].metadata.composer = composer;
    sources_[1].metadata.composer = other;
    sources_[0].metadata.year = year;
    sources_[1].metadata.year = other_year;
  };
  set("Haydn, Joseph (1732-1809)", "Joseph Haydn", "1780", "18th century");
  EXPECT_FALSE(facts().different_composers());
  EXPECT_FALSE(facts().across_centuries());
  set("Haydn, Joseph", "Hoffmann, Leopold", "17.sc", "1780");
  EXPECT_TRUE(facts().different_composers());
  EXPECT_TRUE(facts().across_centuries());
  set("Anonymus", "Traditional, Scotland", "", "1780");
  EXPECT_FALSE(facts().different_composers());
  EXPECT_FALSE(facts().across_centuries());
  set("Anonymus", "Haydn, Joseph", "", "");
  EXPECT_TRUE(facts().different_composers()) << "who has no name here has one there";
}

}  // namespace
}  // namespace rondo::concordances
