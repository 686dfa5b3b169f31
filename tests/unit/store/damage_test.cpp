// Bits that flip on the disk, noticed when they are read; what can be repaired; copies of a collection in use.

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "rondo/store/import.h"
#include "store/backup.h"
#include "store/schema.h"
#include "store_support.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using test::must;
using test::open_collection;
using test::sample;
using testing::HasSubstr;
using testing::IsEmpty;

class DamageTest : public testing::Test {
 protected:
  DamageTest() : path_(scratch_ / "music.db") {
    Collection music = open_collection(path_);
    auto batch = must(music.begin());
    for (int i = 0; i < 20; ++i) must(music.put(sample(i)));
    must(batch.commit());
  }

  CheckReport examined(bool repair) { return must(open_collection(path_, OpenMode::write).examine(repair)); }

  Scratch scratch_;
  fs::path path_;
};

TEST_F(DamageTest, EveryChangedRowOfMusicAndMetadataIsNoticedWhenItIsRead) {
  for (const char* change :
       {"UPDATE voice SET notes = CAST(substr(notes, 1, 9) || x'7F' || substr(notes, 11) AS BLOB) WHERE piece = 3",
        "UPDATE voice SET number = 7 WHERE piece = 3 AND number = 1", "UPDATE voice SET note_count = 9 WHERE piece = 3",
        "UPDATE voice SET checksum = checksum + 1 WHERE piece = 3", "UPDATE piece SET title = 'Menuet 9' WHERE key = 3",
        "UPDATE piece SET composer = '' WHERE key = 3", "UPDATE piece SET id = 'id2x' WHERE key = 3",
        "UPDATE piece SET year = 'ca. 1799' WHERE key = 3", "UPDATE piece SET hash = hash + 1 WHERE key = 3",
        "UPDATE piece_field SET value = 'x' WHERE piece = 3 AND position = 1",
        "DELETE FROM catalogue_number WHERE piece = 3 AND position = 1",
        "UPDATE source_text SET text = 'the record 2 as it is' WHERE piece = 3"}) {
    const fs::path copy = scratch_ / "copy.db";
    fs::remove(copy);
    must(back_up(path_, copy));
    test::sql(copy, change);
    Collection music = open_collection(copy, OpenMode::write);
    auto piece = music.get(PieceKey{3});
    ASSERT_FALSE(piece.has_value()) << change;
    EXPECT_EQ(piece.error().code, "store-corrupt") << change;
    EXPECT_THAT(piece.error().hint, HasSubstr("rondo check"));
    EXPECT_TRUE(music.get(PieceKey{4})) << "others are not concerned";
    auto all = music.each_piece([](const StoredPiece&) { return true; });
    EXPECT_FALSE(all.has_value()) << change;
    EXPECT_FALSE(music.examine(false)->sound()) << change;
  }
}

TEST_F(DamageTest, ChangedNotesAreNoticedWhereOnlyVoicesAreRead) {
  test::sql(path_,
            "UPDATE voice SET notes = CAST(substr(notes, 1, 9) || x'7F' || substr(notes, 11) AS BLOB) WHERE key = 5");
  Collection music = open_collection(path_, OpenMode::read);
  auto read = music.each_voice([](const StoredVoice&) { return true; });
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, "store-corrupt");
}

TEST_F(DamageTest, BitsOfTheFileAreNeverReadWrongInSilence) {
  // Any bit of the file: then all pieces are read as they were, or there is an error.
  {
    Collection music = open_collection(path_);
    EXPECT_EQ(test::ids_of(music).size(), 20U);
  }
  test::sql(path_, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
  std::string original(fs::file_size(path_), '\0');
  std::ifstream(path_, std::ios::binary).read(original.data(), static_cast<std::streamsize>(original.size()));
  std::uint64_t random = 12345;
  int noticed = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    std::string bytes = original;
    const std::size_t at = 100 + (random >> 20U) % (bytes.size() - 100);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random >> 60U & 7U)));
    const fs::path copy = scratch_ / "flipped.db";
    std::ofstream(copy, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    fs::remove(copy.string() + "-wal");
    fs::remove(copy.string() + "-shm");
    auto music = Collection::open(copy, OpenMode::read);
    int number = 0;
    auto read = music ? music->each_piece([&](const StoredPiece& stored) {
      test::expect_same(stored.piece, sample(number++));
      return true;
    })
                      : Result<void>(fail(music.error()));
    if (!read) {
      ++noticed;
    } else {
      EXPECT_EQ(number, 20) << "pieces are missing after a change at " << at;
    }
  }
  EXPECT_GT(noticed, 20);
}

TEST_F(DamageTest, WhatFollowsFromOtherRowsIsRepaired) {
  EXPECT_THAT(examined(false).findings, IsEmpty());
  test::sql(path_,
            "UPDATE feature SET range = 99 WHERE voice = 4; DELETE FROM feature_text WHERE voice = 6;"
            "INSERT INTO full_text (full_text) VALUES ('delete-all')");
  const CheckReport before = examined(false);
  EXPECT_EQ(before.findings.size(), 3U);
  for (const auto& finding : before.findings) EXPECT_FALSE(finding.repaired) << finding.what;
  const CheckReport repaired = examined(true);
  EXPECT_EQ(repaired.findings.size(), 3U);
  for (const auto& finding : repaired.findings) EXPECT_TRUE(finding.repaired) << finding.what;
  EXPECT_THAT(examined(false).findings, IsEmpty());
  EXPECT_EQ(repaired.pieces, 20U);
  EXPECT_EQ(repaired.voices, 40U);
}

TEST_F(DamageTest, AnImportReplacesPiecesThatTheCheckFoundDamaged) {
  const fs::path db = scratch_ / "imported.db";
  const std::string file = scratch_.write("music.jsonl", test::json_lines(0, 5));
  const std::vector<std::string> paths = {file};
  {
    Collection music = open_collection(db);
    must(import_paths(music, paths, {}));
  }
  test::sql(db,
            "UPDATE voice SET notes = CAST(substr(notes, 1, 9) || x'7F' || substr(notes, 11) AS BLOB) WHERE piece = 2");
  Collection music = open_collection(db);
  const CheckReport found = must(music.examine(true));
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_FALSE(found.findings[0].repaired);
  EXPECT_THAT(found.findings[0].what, HasSubstr("next import"));
  EXPECT_EQ(must(import_paths(music, paths, {})).updated, 1);
  EXPECT_TRUE(must(music.examine(false)).sound());
  EXPECT_EQ(must(music.get("id1")).voices, sample(1).voices);
}

TEST_F(DamageTest, ACopyIsOneFileOfOneMoment) {
  const fs::path copy = scratch_ / "copy.db";
  EXPECT_GT(must(back_up(path_, copy)), 10'000U);
  EXPECT_FALSE(fs::exists(copy.string() + "-wal"));
  EXPECT_FALSE(fs::exists(copy.string() + ".part"));
  Collection music = open_collection(copy, OpenMode::read);
  EXPECT_EQ(must(music.size()).pieces, 20);
  EXPECT_TRUE(must(music.examine(false)).sound());
  EXPECT_EQ(back_up(path_, copy).error().code, "backup-exists");
  EXPECT_EQ(back_up(scratch_ / "none.db", scratch_ / "x.db").error().code, "store-missing");
  EXPECT_FALSE(back_up(path_, scratch_ / "no/folder/x.db").has_value());
}

TEST_F(DamageTest, CopiesAreMadeWhileOthersWrite) {
  std::jthread writer([&](const std::stop_token& stop) {
    Collection music = open_collection(path_, OpenMode::write);
    for (int i = 100; !stop.stop_requested(); i += 3) {
      auto batch = must(music.begin());
      for (int k = 0; k < 3; ++k) must(music.put(sample(i + k)));
      must(batch.commit());
    }
  });
  for (int i = 0; i < 8; ++i) {
    const fs::path copy = scratch_ / ("copy" + std::to_string(i) + ".db");
    must(back_up(path_, copy));
    Collection music = open_collection(copy, OpenMode::read);
    EXPECT_EQ((must(music.size()).pieces - 20) % 3, 0) << "no half of a batch";
    EXPECT_TRUE(must(music.examine(false)).sound());
  }
}

TEST_F(DamageTest, ARestoreShowsInProgramsThatHaveTheFileOpen) {
  const fs::path copy = scratch_ / "copy.db";
  must(back_up(path_, copy));
  Collection reader = open_collection(path_, OpenMode::read);
  {
    Collection music = open_collection(path_, OpenMode::write);
    must(music.remove("id3"));
    must(music.put(sample(50)));
  }
  EXPECT_FALSE(must(reader.contains("id3")));
  must(restore(copy, path_));
  EXPECT_TRUE(must(reader.contains("id3")));
  EXPECT_FALSE(must(reader.contains("id50")));
  EXPECT_TRUE(must(reader.examine(false)).sound());
  must(restore(copy, scratch_ / "new.db"));
  EXPECT_EQ(must(open_collection(scratch_ / "new.db", OpenMode::write).size()).pieces, 20);
}

TEST_F(DamageTest, ADamagedCopyIsNotRestored) {
  const fs::path copy = scratch_ / "copy.db";
  must(back_up(path_, copy));
  fs::resize_file(copy, fs::file_size(copy) / 2);
  EXPECT_FALSE(restore(copy, path_).has_value());
  EXPECT_TRUE(examined(false).sound());
}

/// Runs `work` in a process of its own and kills it after a while.
void kill_during(std::chrono::microseconds after, const std::function<void()>& work) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work();
    ::_exit(0);
  }
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_F(DamageTest, KilledBackupsAndRestoresHarmNothing) {
  const fs::path good = scratch_ / "good.db";
  must(back_up(path_, good));
  for (int i = 0; i < 20; ++i) {
    const fs::path copy = scratch_ / ("k" + std::to_string(i) + ".db");
    kill_during(std::chrono::microseconds(500 * i), [&] { (void)back_up(path_, copy); });
    if (fs::exists(copy)) {
      EXPECT_TRUE(must(open_collection(copy, OpenMode::read).examine(false)).sound()) << i;
    }
    kill_during(std::chrono::microseconds(500 * i), [&] { (void)restore(good, path_); });
    EXPECT_TRUE(examined(false).sound()) << i;
    EXPECT_EQ(must(open_collection(path_).size()).pieces, 20) << i;
  }
}

TEST_F(DamageTest, WhatACrashLeftHalfWrittenIsRolledBackBeforeAnythingIsRead) {
  const fs::path single = scratch_ / "single.db";  // has no write-ahead log, so that changes go into the file itself
  must(back_up(path_, single));
  {
    sqlite3* raw = nullptr;
    ASSERT_EQ(sqlite3_open(single.c_str(), &raw), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(raw,
                           "PRAGMA cache_size = 1; BEGIN; UPDATE piece SET title = 'half' || zeroblob(3000);"
                           "UPDATE voice SET notes = zeroblob(3000)",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    for (const char* name : {"read", "copied"}) {
      fs::copy_file(single, scratch_ / name);
      fs::copy_file(single.string() + "-journal", scratch_ / (std::string(name) + "-journal"));
    }
    sqlite3_close(raw);
  }
  must(back_up(scratch_ / "copied", scratch_ / "copy"));
  for (const char* name : {"read", "copy"}) {
    Collection music = open_collection(scratch_ / name, OpenMode::read);
    EXPECT_EQ(must(music.get("id3")).metadata.title, sample(3).metadata.title) << name;
    EXPECT_TRUE(must(music.examine(false)).sound()) << name;
  }
}

/// A file as version 2 of the tables wrote it.
void make_version_2(const fs::path& path, int pieces) {
  {
    Collection music = open_collection(path);
    auto batch = must(music.begin());
    for (int i = 0; i < pieces; ++i) must(music.put(sample(i)));
    must(batch.commit());
  }
  test::sql(path,
            "ALTER TABLE piece DROP COLUMN checksum; ALTER TABLE voice DROP COLUMN checksum;"
            "DROP TABLE cjk_bigram; PRAGMA user_version = 2");
}

TEST_F(DamageTest, FilesOfTheVersionBeforeGetTheirChecksums) {
  const fs::path old = scratch_ / "old.db";
  make_version_2(old, 12);
  EXPECT_EQ(Collection::open(old, OpenMode::read).error().code, "store-older");
  test::sql(old, "UPDATE piece SET title = 'damaged before' WHERE id = 'id4'");
  Collection music = open_collection(old, OpenMode::write);
  EXPECT_EQ(test::sql(old, "PRAGMA user_version"), std::to_string(migrations().size()));
  for (int i = 0; i < 12; ++i) {
    auto piece = music.get("id" + std::to_string(i));
    if (i == 4) {
      EXPECT_FALSE(piece.has_value()) << "what no longer fitted its hash is known to be damaged";
    } else {
      test::expect_same(must(std::move(piece)), sample(i));
    }
  }
}

TEST_F(DamageTest, KilledMigrationsAreDoneByTheNext) {
  for (int i = 0; i < 12; ++i) {
    const fs::path old = scratch_ / ("old" + std::to_string(i) + ".db");
    make_version_2(old, 60);
    kill_during(std::chrono::microseconds(400 * i), [&] { (void)Collection::open(old, OpenMode::write); });
    Collection music = open_collection(old, OpenMode::write);
    EXPECT_TRUE(must(music.examine(false)).sound()) << i;
    EXPECT_EQ(must(music.size()).pieces, 60);
  }
}

}  // namespace
}  // namespace rondo
