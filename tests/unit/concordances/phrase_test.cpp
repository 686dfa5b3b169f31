#include "concordances/phrase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "concordances/groups.h"
#include "rondo/melody/builder.h"
#include "support/rounds.h"
#include "support/scratch.h"

/// Melodies that cite each other are told apart from variants of one tune.
namespace rondo::concordances {
namespace {

using Kind = Step::Kind;

/// The steps of an alignment: `=` an equal pair, `x` a pair that differs, `q` and `d` a note of only one of the two.
Explanation aligned(std::string_view kinds) {
  Explanation out;
  std::uint32_t query = 0, document = 0;
  for (const char kind : kinds) {
    Step step;
    step.kind = kind == '='   ? Kind::match
                : kind == 'x' ? Kind::mismatch
                : kind == 'q' ? Kind::gap_in_document
                              : Kind::gap_in_query;
    const std::uint32_t of_query = kind == 'd' ? 0 : 1;
    const std::uint32_t of_document = kind == 'q' ? 0 : 1;
    step.query = {query, query + of_query};
    step.document = {document, document + of_document};
    query += of_query;
    document += of_document;
    out.steps.push_back(step);
  }
  return out;
}

Explanation turned_round(std::string_view kinds) {
  std::string other(kinds);
  for (char& kind : other) kind = kind == 'q' ? 'd' : kind == 'd' ? 'q' : kind;
  return aligned(other);
}

bool is_phrase(std::string_view kinds) { return phrase_in_common(aligned(kinds), turned_round(kinds)); }

std::vector<std::uint32_t> stretch_of(std::string_view kinds) {
  const Explanation why = aligned(kinds);
  const Stretch stretch = densest_stretch(why.steps);
  return {stretch.equal, stretch.query, stretch.document};
}

TEST(PhraseInCommon, IsTheStretchWithTheMostEqualNotesTogether) {
  using testing::ElementsAre;
  EXPECT_THAT(stretch_of(""), ElementsAre(0, 0, 0));
  EXPECT_THAT(stretch_of("xxqd"), ElementsAre(0, 0, 0));
  EXPECT_THAT(stretch_of("xx====xx"), ElementsAre(4, 4, 4));
  EXPECT_THAT(stretch_of("==xxx====xxx=="), ElementsAre(4, 4, 4));
  EXPECT_THAT(stretch_of("==xx====xx=="), ElementsAre(8, 12, 12)) << "of equal sums that with more equal notes";
  EXPECT_THAT(stretch_of("xx===q==d===xx"), ElementsAre(8, 9, 9)) << "a note more on either side interrupts nothing";
  EXPECT_THAT(stretch_of("===xxxx====="), ElementsAre(5, 5, 5));
}

TEST(PhraseInCommon, CoversLessThanHalfOfBoth) {
  EXPECT_TRUE(is_phrase("xxxxxx=====xxxxxx"));
  EXPECT_TRUE(is_phrase("qqqqqqdddddd=====dddqqq"));
  EXPECT_FALSE(is_phrase("xxxxxx====xxxxxx")) << "four notes are no phrase";
  EXPECT_FALSE(is_phrase("xx=======xxx")) << "more than half";
  EXPECT_FALSE(is_phrase("xxx======xxx")) << "half";
  EXPECT_FALSE(is_phrase("qqqqqq======qqqqqq")) << "all of the second: that is a part";
  EXPECT_FALSE(is_phrase("dddddd======dddddd"));
}

TEST(PhraseInCommon, HasThreeFifthsOfTheEqualNotes) {
  EXPECT_TRUE(is_phrase("======xxx=xx=xx=xx=xx")) << "6 of 10";
  EXPECT_FALSE(is_phrase("======xxx=xx=xx=xx=xx=xx")) << "6 of 11: variants that differ everywhere";
}

TEST(PhraseInCommon, MustBeSaidByBothExplanations) {
  const Explanation phrase = aligned("xxxxxx=====xxxxxx");
  const Explanation tune = aligned("xx===========xxxx");
  EXPECT_TRUE(phrase_in_common(phrase, phrase));
  EXPECT_FALSE(phrase_in_common(phrase, tune));
  EXPECT_FALSE(phrase_in_common(tune, phrase));
}

Voice voice_with(const std::vector<int>& pitches) {
  VoiceBuilder builder;
  for (std::size_t i = 0; i < pitches.size(); ++i) {
    builder.note(Fraction(static_cast<std::int64_t>(i), 4), Fraction(1, 4), Pitch::from_midi(pitches[i]));
  }
  return builder.finish().value();
}

class CitedMelodies : public testing::Test {
 protected:
  void put(const char* id, const std::vector<int>& pitches) {
    Piece piece;
    piece.id = id;
    piece.voices.push_back(voice_with(pitches));
    ASSERT_TRUE(collection_.put(piece));
  }

  Concordances found(unsigned threads, std::string_view system = kDefaultSystem) {
    Options options;
    options.system = system;
    options.least_score = system == kDefaultSystem ? 0.15 : -1e6;
    options.threads = threads;
    Job job = Job::prepare(collection_, nullptr, options).value();
    const std::filesystem::path journals[] = {scratch_ / ("journal" + std::to_string(++runs_))};
    EXPECT_TRUE(job.run(journals[0]).value());
    return job.collect(journals).value();
  }

  /// "a b phrase in common": by pair, however it is stored.
  static std::vector<std::string> relations(const Concordances& all) {
    std::vector<std::string> out;
    for (const Pair& pair : all.pairs) {
      out.push_back(all.melodies[pair.a].id + " " + all.melodies[pair.b].id + " " +
                    std::string(to_string(pair.relation)));
    }
    return out;
  }

  Scratch scratch_;
  Collection collection_ = Collection::open(scratch_ / "a.db", OpenMode::create).value();
  int runs_ = 0;
};

const std::vector<int> kCitingOne = {60, 60, 62, 60, 62, 60, 67, 69, 71, 72, 74, 71, 67, 72, 60, 62, 60, 60, 62, 60};
const std::vector<int> kCitingOther = {79, 81, 79, 83, 79, 81, 67, 69, 71, 72, 74, 71, 67, 72, 83, 79, 81, 84, 79, 81};

TEST_F(CitedMelodies, AreNotOneGroup) {
  put("one", kCitingOne);
  put("other", kCitingOther);
  const Concordances all = found(1);
  EXPECT_THAT(relations(all), testing::ElementsAre("one other phrase in common"));
  const Grouping grouping = make_groups(all, 0.15);
  EXPECT_TRUE(grouping.groups.empty());
  EXPECT_THAT(grouping.links, testing::ElementsAre(0));
  EXPECT_TRUE(single_linkage(all).groups.empty());
}

TEST_F(CitedMelodies, AreTheSameInTheOtherOrder) {
  put("one", kCitingOther);
  put("other", kCitingOne);
  EXPECT_THAT(relations(found(1)), testing::ElementsAre("one other phrase in common"));
  EXPECT_EQ(turned(Relation::phrase), Relation::phrase);
}

TEST_F(CitedMelodies, AreNotVariantsWithScatteredChanges) {
  std::vector<int> varied = kCitingOne;
  for (std::size_t i = 2; i < varied.size(); i += 4) varied[i] += 2;
  put("one", kCitingOne);
  put("varied", varied);
  const Concordances all = found(1);
  EXPECT_THAT(relations(all), testing::ElementsAre("one varied variant"));
  EXPECT_EQ(make_groups(all, 0.15).groups.size(), 1U);
}

TEST_F(CitedMelodies, AreTheSameForAnyNumberOfThreads) {
  std::mt19937 random(3);
  for (int i = 0; i < (test::kSanitized ? 30 : 60); ++i) {
    std::vector<int> pitches = i % 2 == 0 ? kCitingOne : kCitingOther;
    for (int changes = 0; changes < 4; ++changes)
      pitches[random() % pitches.size()] = 60 + static_cast<int>(random() % 24);
    put(("m" + std::to_string(i)).c_str(), pitches);
  }
  const Concordances one = found(1);
  EXPECT_EQ(one.pairs, found(4).pairs);
  EXPECT_THAT(relations(one), testing::Contains(testing::HasSubstr("phrase in common")));
  EXPECT_THAT(relations(one), testing::Contains(testing::HasSubstr("variant")));
}

TEST_F(CitedMelodies, AreVariantsForSystemsThatDoNotAlignAllNotes) {
  put("one", kCitingOne);
  put("other", kCitingOther);
  EXPECT_THAT(relations(found(1, "LDP")), testing::ElementsAre("one other variant"));
}

}  // namespace
}  // namespace rondo::concordances
