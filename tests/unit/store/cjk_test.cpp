#include <gmock/gmock.h>

#include <random>

#include "store/cjk_bigrams.h"
#include "store/find_text.h"
#include "store/schema.h"
#include "store_support.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using test::must;
using test::open_collection;
using test::sample;
using testing::ElementsAre;
using testing::IsEmpty;

std::string terms(std::string_view text) {
  std::string out;
  append_cjk_terms(text, out);
  return out;
}

TEST(CjkBigrams, AreThePairsOfSignsAndTheLastSignAlone) {
  EXPECT_EQ(terms("春の海"), "066250306e 0306e06d77 06d77 ");
  EXPECT_EQ(terms("Op. 3 海, 春"), "06d77 06625 ");
  EXPECT_EQ(terms("가𠀋"), "0ac002000b 2000b ");
  EXPECT_EQ(terms("Für \u2013 \u00e9t\u00e9 \u2669"), "") << "signs of other scripts";
}

TEST(CjkBigrams, OfBrokenTextAreThoseOfItsWholeSigns) {
  const std::string text = "春の海";
  EXPECT_EQ(terms(text.substr(0, 5)), "06625 ");
  EXPECT_EQ(terms(text.substr(1)), "0306e06d77 06d77 ");
  EXPECT_FALSE(has_cjk(text.substr(0, 2)));
  EXPECT_FALSE(has_cjk(text.substr(1, 2)));
  EXPECT_TRUE(has_cjk("a " + text));
}

TEST(CjkBigrams, AConditionAsksForAllPairsOrForABeginning) {
  EXPECT_EQ(cjk_condition("春の海"), R"("066250306e" AND "0306e06d77")");
  EXPECT_EQ(cjk_condition("海"), R"("06d77" *)");
  EXPECT_EQ(cjk_condition("海3春"), R"("06d77" * AND "06625" *)");
  EXPECT_TRUE(is_decided_by_bigrams("海"));
  EXPECT_TRUE(is_decided_by_bigrams("春の"));
  EXPECT_FALSE(is_decided_by_bigrams("春の海"));
  EXPECT_FALSE(is_decided_by_bigrams("海3"));
  EXPECT_FALSE(is_decided_by_bigrams("3海"));
}

/// Texts over so few signs that most pairs occur in many.
class RandomTexts {
 public:
  std::string text(int longest) {
    static const std::vector<std::string> kSigns = {"春", "の", "海", "月", "夜", "가", "𠀋",
                                                    "a",  "A",  " ",  "3",  "、", "é"};
    std::string out;
    for (int left = pick(longest + 1); left > 0; --left) out += kSigns[static_cast<std::size_t>(pick(13))];
    return out;
  }
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  Piece piece(int number) {
    Piece made = sample(number);
    Metadata& about = made.metadata;
    about.title += text(8);
    about.composer = text(3);
    about.source = text(2);
    about.library = text(2);
    about.shelfmark = text(2);
    about.catalogue = {text(2), text(2)};
    about.fields = {{"text", text(6)}, {"scoring", text(2)}, {"text", text(2)}};
    return made;
  }

 private:
  std::mt19937 random_{7};
};

void expect_as_scanned(Collection& music, const std::string& words) {
  const auto told = [](const Result<std::vector<TextHit>>& hits) {
    std::string out = hits ? "" : hits.error().code;
    if (hits) {
      for (const TextHit& hit : *hits) out += hit.id + ":" + std::to_string(hit.score) + " ";
    }
    return out;
  };
  const auto hits = music.find(words, 10'000);
  EXPECT_EQ(told(hits), told(find_text(database_of(music), words, 10'000, 0, true))) << words;
  const auto keys = find_keys(database_of(music), words);
  ASSERT_EQ(keys.has_value(), hits.has_value()) << words;
  if (!hits) return;
  std::vector<PieceKey> sorted;
  for (const TextHit& hit : *hits) sorted.push_back(hit.key);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(*keys, sorted) << words;
}

TEST(CjkIndex, GivesTheAnswersOfAScan) {
  const Scratch scratch;
  RandomTexts random;
  Collection music = open_collection(scratch / "music.db");
  {
    auto batch = must(music.begin());
    for (int i = 0; i < 400; ++i) must(music.put(random.piece(i)));
    for (int i = 0; i < 400; i += 3) must(music.put(random.piece(i)));
    for (int i = 0; i < 400; i += 7) must(music.remove("id" + std::to_string(i)));
    must(batch.commit());
  }
  must(music.check());
  std::size_t found = 0;
  for (int i = 0; i < test::rounds(600); ++i) {
    std::string words = random.text(4);
    if (i % 3 == 1) words += " " + random.text(3);
    if (i % 5 == 1) words += " menuet";
    if (i % 5 == 2) words = "title:" + words;
    if (i % 5 == 3) words += " -" + random.text(2);
    if (i % 7 == 4) words = "fields:" + words + " -text:月";
    expect_as_scanned(music, words);
    if (auto hits = music.find(words, 10'000)) found += hits->size();
  }
  EXPECT_GT(found, test::rounds(5000U)) << "the questions were of use";
}

TEST(CjkIndex, FindsOneSignTwoAndMoreInEveryText) {
  const Scratch scratch;
  Collection music = open_collection(scratch / "music.db");
  Piece piece = sample(1);
  piece.metadata.title = "荒城の月";
  piece.metadata.composer = "滝 廉太郎";
  piece.metadata.library = "国立国会図書館";
  piece.metadata.catalogue = {"歌曲集1"};
  piece.metadata.fields = {{"text", "春高楼の花の宴"}, {"scoring", "独唱"}};
  must(music.put(piece));
  must(music.put(sample(2)));
  for (const char* words : {"月", "城の", "荒城の月", "廉太郎", "図書館", "歌曲", "花の宴", "独唱", "月 廉", "title:月",
                            "月 -夜", "月 -telemann", "荒城の月*"}) {
    EXPECT_THAT(test::ids_of(must(music.find(words, 10))), ElementsAre("id1")) << words;
  }
  for (const char* words :
       {"夜", "月の", "荒城月", "title:春", "月 -花", "-title:城の 月", "月 menuet", "月 -ronly -荒"}) {
    EXPECT_THAT(must(music.find(words, 10)), IsEmpty()) << words;
  }
  piece.metadata.title = "花";
  must(music.put(piece));
  EXPECT_THAT(must(music.find("荒城", 10)), IsEmpty()) << "replaced";
  EXPECT_THAT(test::ids_of(must(music.find("花", 10))), ElementsAre("id1"));
  must(music.remove("id1"));
  EXPECT_THAT(must(music.find("花", 10)), IsEmpty());
  must(music.check());
}

TEST(CjkIndex, AFileOfTheVersionBeforeIsReadByAScanAndUpgradedWhenWritten) {
  const Scratch scratch;
  const std::filesystem::path path = scratch / "music.db";
  {
    Collection music = open_collection(path);
    RandomTexts random;
    auto batch = must(music.begin());
    for (int i = 0; i < 50; ++i) must(music.put(random.piece(i)));
    must(batch.commit());
  }
  const std::vector<std::string> now = test::ids_of(must(open_collection(path, OpenMode::read).find("月", 100)));
  ASSERT_FALSE(now.empty());
  test::sql(path, "DROP TABLE cjk_bigram; PRAGMA user_version = 3");
  Collection before = open_collection(path, OpenMode::read);
  EXPECT_EQ(test::ids_of(must(before.find("月", 100))), now);
  EXPECT_EQ(test::sql(path, "PRAGMA user_version"), "3");
  Collection music = open_collection(path, OpenMode::write);
  EXPECT_EQ(test::sql(path, "PRAGMA user_version"), std::to_string(migrations().size()));
  EXPECT_EQ(test::ids_of(must(music.find("月", 100))), now);
  EXPECT_EQ(test::ids_of(must(before.find("月", 100))), now) << "of one who has it open meanwhile";
  must(music.check());
}

TEST(CjkIndex, ThatDoesNotAgreeWithThePiecesIsFoundAndMadeAnew) {
  struct Damage {
    const char* title;
    const char* sql;
  };
  for (const auto& [title, damage] :
       {Damage{"月", "INSERT INTO cjk_bigram (cjk_bigram) VALUES ('delete-all')"},
        Damage{"花", "INSERT INTO cjk_bigram (rowid, terms) VALUES (2, '06708')"},
        Damage{"月", "INSERT INTO cjk_bigram (cjk_bigram, rowid, terms) VALUES ('delete', 1, '06708')"}}) {
    const Scratch scratch;
    Collection music = open_collection(scratch / "music.db");
    Piece piece = sample(1);
    piece.metadata.title = title;
    must(music.put(piece));
    EXPECT_TRUE(must(music.examine(false)).sound());
    test::sql(scratch / "music.db", damage);
    EXPECT_FALSE(must(music.examine(false)).sound()) << damage;
    const CheckReport repaired = must(music.examine(true));
    ASSERT_EQ(repaired.findings.size(), 1U) << damage;
    EXPECT_TRUE(repaired.findings.front().repaired);
    EXPECT_TRUE(must(music.examine(false)).sound()) << damage;
    EXPECT_EQ(must(music.find(title, 10)).size(), 1U) << damage;
  }
}

}  // namespace
}  // namespace rondo
