#include "rondo/store/collection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "melody/packed.h"
#include "store/sqlite.h"
#include "store_support.h"
#include "support/any_voice.h"

namespace rondo {
namespace {

using test::must;
using test::open_collection;
using test::sample;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class CollectionTest : public testing::Test {
 protected:
  Scratch scratch_;
  std::filesystem::path path_ = scratch_ / "music.db";
  Collection music_ = open_collection(path_);
};

std::vector<std::int64_t> voice_keys(Collection& collection, VoiceKey after = VoiceKey{0}) {
  std::vector<std::int64_t> keys;
  must(collection.each_voice(
      [&](const StoredVoice& voice) {
        keys.push_back(static_cast<std::int64_t>(voice.key));
        return true;
      },
      after));
  return keys;
}

TEST_F(CollectionTest, APieceComesBackAsItWasPut) {
  EXPECT_EQ(must(music_.put(sample(1))), PutOutcome::added);
  test::expect_same(must(music_.get("id1")), sample(1));
}

TEST_F(CollectionTest, APieceWithoutAnythingButAnIdComesBack) {
  Piece bare;
  bare.id = "bare";
  must(music_.put(bare));
  test::expect_same(must(music_.get("bare")), bare);
}

TEST_F(CollectionTest, BytesThatAreNoTextComeBackInEveryPlace) {
  Piece odd = sample(1);
  const std::string bytes("a\0b\xFF\xC3\"'\n", 8);
  odd.id = bytes;
  odd.source_text = bytes;
  odd.metadata = {
      bytes, bytes, bytes, bytes, bytes, {bytes, "", bytes}, bytes, bytes, {{bytes, bytes}, {"", ""}, {"text", bytes}}};
  odd.voices[0].name = bytes;
  must(music_.put(odd));
  test::expect_same(must(music_.get(bytes)), odd);
  must(music_.check());
  odd.metadata.title = "now it is text";
  EXPECT_EQ(must(music_.put(odd)), PutOutcome::updated);
  must(music_.check());
}

TEST_F(CollectionTest, RandomPiecesComeBackAndTheFileStaysSoundWhileTheyChange) {
  std::mt19937 random(5);
  std::map<std::string, Piece> expected;
  for (int i = 0; i < 400; ++i) {
    Piece piece = sample(static_cast<int>(random() % 1000));
    piece.id = fmt::format("p{}", random() % 60);
    piece.voices.clear();
    for (auto n = random() % 4; n > 0; --n) piece.voices.push_back(test::any_voice(random));
    if (random() % 4 == 0) {
      EXPECT_EQ(must(music_.remove(piece.id)), expected.erase(piece.id) == 1);
    } else {
      must(music_.put(piece));
      expected[piece.id] = piece;
    }
  }
  must(music_.check());
  std::size_t seen = 0;
  must(music_.each_piece([&](const StoredPiece& stored) {
    test::expect_same(stored.piece, expected.at(stored.piece.id));
    ++seen;
    return true;
  }));
  EXPECT_EQ(seen, expected.size());
}

TEST_F(CollectionTest, TheSamePieceAgainIsUnchangedAndNothingIsWritten) {
  must(music_.put(sample(1)));
  const auto keys = voice_keys(music_);
  const int before = sqlite3_total_changes(database_of(music_).handle());
  EXPECT_EQ(must(music_.put(sample(1))), PutOutcome::unchanged);
  EXPECT_EQ(sqlite3_total_changes(database_of(music_).handle()), before);
  EXPECT_EQ(voice_keys(music_), keys);
}

TEST_F(CollectionTest, EveryPartOfAPieceCountsAsAChange) {
  const auto changes = std::vector<std::function<void(Piece&)>>{
      [](Piece& p) { p.metadata.title += "x"; },
      [](Piece& p) { p.metadata.composer += "x"; },
      [](Piece& p) { p.metadata.source += "x"; },
      [](Piece& p) { p.metadata.library += "x"; },
      [](Piece& p) { p.metadata.shelfmark += "x"; },
      [](Piece& p) { p.metadata.uri += "x"; },
      [](Piece& p) { p.metadata.year += "x"; },
      [](Piece& p) { std::swap(p.metadata.catalogue[0], p.metadata.catalogue[1]); },
      [](Piece& p) { p.metadata.catalogue.pop_back(); },
      [](Piece& p) { std::swap(p.metadata.fields[0], p.metadata.fields[1]); },
      [](Piece& p) { p.metadata.fields[0].first = "words"; },
      [](Piece& p) { p.metadata.fields.emplace_back("", ""); },
      [](Piece& p) { p.voices[1].notes.pop_back(); },
      [](Piece& p) { p.voices[0].name = "Flauto"; },
      [](Piece& p) { p.voices.pop_back(); },
      [](Piece& p) { p.format = "abc"; },
      [](Piece& p) { p.source_text.clear(); },
  };
  Piece piece = sample(1);
  must(music_.put(piece));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    changes[i](piece);
    EXPECT_EQ(must(music_.put(piece)), PutOutcome::updated) << "change " << i;
    test::expect_same(must(music_.get(piece.id)), piece);
  }
  must(music_.check());
}

TEST_F(CollectionTest, AChangedPieceKeepsItsPlaceInTheOrder) {
  for (int i = 0; i < 3; ++i) must(music_.put(sample(i)));
  Piece changed = sample(0);
  changed.metadata.title = "another";
  must(music_.put(changed));
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id0", "id1", "id2"));
}

TEST_F(CollectionTest, AKeyOfAVoiceAlwaysNamesTheSameNotes) {
  must(music_.put(sample(1)));
  EXPECT_THAT(voice_keys(music_), ElementsAre(1, 2));
  Piece changed = sample(1);
  changed.metadata.title = "only words";
  must(music_.put(changed));
  EXPECT_THAT(voice_keys(music_), ElementsAre(1, 2)) << "notes that stay keep their key";
  changed.voices[1] = test::melody(77);
  must(music_.put(changed));
  EXPECT_THAT(voice_keys(music_), ElementsAre(1, 3)) << "other notes, another key";
  must(music_.remove("id1"));
  must(music_.put(sample(1)));
  EXPECT_THAT(voice_keys(music_), ElementsAre(4, 5)) << "keys are never used again";
  EXPECT_EQ(test::sql(path_, "SELECT group_concat(key) FROM removed_voice"), "1,2,3");
}

TEST_F(CollectionTest, VoicesAddedSinceAKeyAreFoundByIt) {
  for (int i = 0; i < 3; ++i) must(music_.put(sample(i)));
  EXPECT_THAT(voice_keys(music_, VoiceKey{4}), ElementsAre(5, 6));
}

TEST_F(CollectionTest, VoicesAreGivenWithTheirNotes) {
  must(music_.put(sample(3)));
  std::vector<Voice> voices;
  must(music_.each_voice([&](const StoredVoice& stored) {
    voices.emplace_back();
    EXPECT_TRUE(unpack(stored.packed, voices.back()).has_value());
    EXPECT_EQ(stored.number, voices.size() - 1);
    EXPECT_EQ(stored.note_count, 8U);
    return true;
  }));
  EXPECT_EQ(voices, sample(3).voices);
}

TEST_F(CollectionTest, AWalkEndsWhenTheCallbackSaysSo) {
  for (int i = 0; i < 5; ++i) must(music_.put(sample(i)));
  int pieces = 0;
  must(music_.each_piece([&](const StoredPiece&) { return ++pieces < 2; }));
  EXPECT_EQ(pieces, 2);
  int voices = 0;
  must(music_.each_voice([&](const StoredVoice&) { return ++voices < 3; }));
  EXPECT_EQ(voices, 3);
  must(music_.put(sample(9)));  // and holds no lock afterwards
}

TEST_F(CollectionTest, PiecesCanBeReadDuringAWalk) {
  for (int i = 0; i < 3; ++i) must(music_.put(sample(i)));
  must(music_.each_piece([&](const StoredPiece& stored) {
    test::expect_same(must(music_.get(stored.key)), stored.piece);
    EXPECT_THAT(test::ids_of(music_), testing::SizeIs(3));
    return true;
  }));
}

TEST_F(CollectionTest, AMissingPieceIsSaidToBeMissing) {
  auto piece = music_.get("nobody");
  ASSERT_FALSE(piece.has_value());
  EXPECT_EQ(piece.error().code, "piece-missing");
  EXPECT_THAT(piece.error().message, HasSubstr("nobody"));
  EXPECT_FALSE(must(music_.contains("nobody")));
  EXPECT_FALSE(must(music_.remove("nobody")));
}

TEST_F(CollectionTest, RemovingTakesEverythingOfAPieceAndNothingElse) {
  for (int i = 0; i < 3; ++i) must(music_.put(sample(i)));
  EXPECT_TRUE(must(music_.remove("id1")));
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id0", "id2"));
  EXPECT_TRUE(must(music_.find("Menuet 1")).empty());
  for (const char* table : {"voice", "catalogue_number", "piece_field", "source_text"}) {
    EXPECT_EQ(test::sql(path_, std::string("SELECT count(*) FROM ") + table + " WHERE piece = 2"), "0") << table;
  }
  const CollectionSize size = must(music_.size());
  EXPECT_EQ(size.pieces, 2);
  EXPECT_EQ(size.voices, 4);
  EXPECT_EQ(size.notes, 32);
  must(music_.check());
}

TEST_F(CollectionTest, WordsAreFoundInEveryPlaceAndOnlyThere) {
  for (int i = 1; i < 5; ++i) must(music_.put(sample(i)));
  const auto find = [&](std::string_view words) { return test::ids_of(must(music_.find(words))); };
  EXPECT_THAT(find("menuet 3"), ElementsAre("id3"));
  EXPECT_THAT(find("handel"), UnorderedElementsAre("id1", "id3")) << "accents and case do not matter";
  EXPECT_THAT(find("composer:händel -title:1"), ElementsAre("id3"));
  EXPECT_THAT(find("title:handel"), ElementsAre());
  EXPECT_THAT(find("\"RISM 2\""), ElementsAre("id2"));
  EXPECT_THAT(find("catalogue:twv tele*"), UnorderedElementsAre("id2", "id4"));
  EXPECT_THAT(find("text:\"maria 4\""), ElementsAre("id4"));
  EXPECT_THAT(find("orch \"sammlung 2\""), ElementsAre("id2"));
  EXPECT_THAT(find("shelfmark:dl \"mus 2\""), ElementsAre("id2"));
  EXPECT_EQ(must(music_.find("menuet", 2)).size(), 2U);
  EXPECT_EQ(must(music_.find("menuet", 10, 3)).size(), 1U);
}

TEST_F(CollectionTest, WordsFollowAChange) {
  must(music_.put(sample(1)));
  Piece changed = sample(1);
  changed.metadata.title = "Sarabande";
  changed.metadata.fields[0].second = "Salve Regina";
  must(music_.put(changed));
  EXPECT_TRUE(must(music_.find("menuet")).empty());
  EXPECT_TRUE(must(music_.find("maria")).empty());
  EXPECT_EQ(must(music_.find("sarabande regina gratia")).size(), 1U);
  must(music_.check());
}

TEST_F(CollectionTest, ABatchThatIsNotCommittedLeavesNothing) {
  must(music_.put(sample(0)));
  {
    auto batch = must(music_.begin());
    must(music_.put(sample(1)));
    must(music_.remove("id0"));
  }
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id0"));
  EXPECT_TRUE(must(music_.find("\"menuet 1\"")).empty());
  must(music_.check());
}

TEST_F(CollectionTest, APieceThatCannotBeStoredLeavesTheBatchAlone) {
  auto batch = must(music_.begin());
  must(music_.put(sample(1)));
  Piece broken = sample(2);
  broken.voices[1].notes[0].onset = Fraction(-1);
  auto put = music_.put(broken);
  ASSERT_FALSE(put.has_value());
  EXPECT_EQ(put.error().code, "time-out-of-range");
  EXPECT_EQ(put.error().place.record, "id2");
  EXPECT_THAT(put.error().message, HasSubstr("voice 2"));
  EXPECT_EQ(music_.put(Piece{}).error().code, "id-missing");
  must(music_.put(sample(3)));
  must(batch.commit());
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id1", "id3"));
}

TEST_F(CollectionTest, ABatchThatHasRunOutOfRoomKeepsNothingOfWhatComesAfterEither) {
  must(music_.put(sample(0)));
  const std::string pages = must(database_of(music_).text("PRAGMA page_count"));
  must(database_of(music_).execute("PRAGMA max_page_count = " + pages));
  {
    auto batch = must(music_.begin());
    int failed = 0;
    for (int i = 1; i < 100; ++i) {
      auto put = music_.put(sample(i));
      if (put) continue;
      ++failed;
      EXPECT_EQ(put.error().code, "disk-full");
      must(database_of(music_).execute("PRAGMA max_page_count = 1000000"));  // too late for this batch
    }
    EXPECT_GT(failed, 1);
    EXPECT_EQ(batch.commit().error().code, "disk-full");
  }
  EXPECT_THAT(test::ids_of(music_), ElementsAre("id0"));
  must(music_.put(sample(1)));
  must(music_.check());
}

TEST_F(CollectionTest, ABatchWithinABatchIsPartOfIt) {
  {
    auto outer = must(music_.begin());
    must(music_.put(sample(0)));
    {
      auto inner = must(music_.begin());
      must(music_.put(sample(1)));
      must(inner.commit());
    }
    must(music_.put(sample(2)));
  }
  EXPECT_TRUE(test::ids_of(music_).empty());
}

TEST_F(CollectionTest, WhatAPersonSeesInTheViewsIsTrue) {
  must(music_.put(sample(4)));
  EXPECT_EQ(test::sql(path_, "SELECT id, title, catalogue, voices, notes, file FROM pieces"),
            "id4|Menuet 4|TWV 4; RISM 4|2|16|NULL");
  EXPECT_EQ(test::sql(path_, "SELECT id, voice, name, note_count, clef, key_signature, time FROM melodies"),
            "id4|0|Violino I|8|G-2|xFC|3/4\nid4|1||8|G-2|bBE|3/4");
  EXPECT_EQ(test::sql(path_, "SELECT text FROM source_text"), "the record 4 as it was");
}

TEST_F(CollectionTest, ACheckNoticesAFullTextThatDoesNotAgree) {
  must(music_.put(sample(1)));
  test::sql(path_, "INSERT INTO full_text (full_text) VALUES ('delete-all')");
  auto checked = music_.check();
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code, "store-corrupt");
  test::sql(path_, "INSERT INTO full_text (full_text) VALUES ('rebuild')");
  must(music_.check());
}

TEST_F(CollectionTest, ACheckNoticesDamagedNotes) {
  must(music_.put(sample(1)));
  test::sql(path_, "UPDATE voice SET notes = x'0102' WHERE key = 2");
  EXPECT_EQ(music_.check().error().code, "store-corrupt");
  auto piece = music_.get("id1");
  ASSERT_FALSE(piece.has_value());
  EXPECT_EQ(piece.error().place.record, "id1");
}

}  // namespace
}  // namespace rondo
