// Checksums of pages: what is noticed, what is repaired, and what other programs may do to a file without harm.

#include "store/page_checksum.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "rondo/store/import.h"
#include "store/backup.h"
#include "store/log_frames.h"
#include "store/sqlite.h"
#include "store_support.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using test::must;
using test::open_collection;
using test::sample;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kPage = 4096;

/// As another program runs SQL, which knows nothing of checksums.
std::string foreign_sql(const fs::path& path, const std::string& text) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::string out;
  const auto row = [](void* to, int /*columns*/, char** values, char** /*names*/) {
    (*static_cast<std::string*>(to) += values[0] == nullptr ? "" : values[0]) += ' ';
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, text.c_str(), row, &out, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
  return out;
}

/// The pages of a table or index, by number.
std::vector<std::size_t> pages_of(const fs::path& path, const std::string& name) {
  std::istringstream in(foreign_sql(path, "SELECT pageno FROM dbstat WHERE name = '" + name + "' ORDER BY pageno"));
  return {std::istream_iterator<std::size_t>(in), {}};
}

void flip(const fs::path& path, std::size_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const auto byte = static_cast<char>(file.get() ^ 4);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

/// The last byte of a page that is not its checksum: there lies the first row, or what is not in use.
std::size_t last_byte(std::size_t page) { return page * kPage - kPageTrailer - 1; }

class PageChecksum : public testing::Test {
 protected:
  PageChecksum() : path_(scratch_ / "music.db") {
    const std::string file = scratch_.write("music.jsonl", test::json_lines(0, 40));
    Collection music = open_collection(path_);
    paths_ = {file};
    must(import_paths(music, paths_, {}));
  }

  CheckReport examined(bool repair) { return must(open_collection(path_, OpenMode::write).examine(repair)); }
  /// A copy of a file that an earlier version wrote.
  fs::path kept() const {
    fs::copy_file(RONDO_SOURCE_DIR "/tests/kept/1/collection.db", scratch_ / "old.db");
    return scratch_ / "old.db";
  }

  Scratch scratch_;
  fs::path path_;
  std::vector<std::string> paths_;
};

TEST(PageChecksums, CoverThePageAndItsNumberAndNeverChange) {
  std::vector<unsigned char> page(512);
  for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<unsigned char>(i * 7);
  stamp_page(page, 2);
  EXPECT_TRUE(page_intact(page, 2));
  EXPECT_FALSE(page_intact(page, 3)) << "a page that was written elsewhere";
  for (std::size_t bit = 0; bit < page.size() * 8; ++bit) {
    page[bit / 8] = static_cast<unsigned char>(page[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_FALSE(page_intact(page, 2)) << bit;
    page[bit / 8] = static_cast<unsigned char>(page[bit / 8] ^ (1U << (bit % 8)));
  }
  EXPECT_EQ(page_checksum(page, 2), 17979350680511122362U);
  EXPECT_EQ(page_checksum(page, 1), 1502599100230487531U);
  EXPECT_TRUE(page_intact(std::vector<unsigned char>(512), 9)) << "SQLite leaves pages unwritten";
}

TEST_F(PageChecksum, APageThatChangedIsAnErrorOfWhoeverReadsIt) {
  const std::size_t page = pages_of(path_, "feature").back();
  flip(path_, last_byte(page));
  Collection music = open_collection(path_, OpenMode::read);
  auto count = database_of(music).number("SELECT sum(range) FROM feature");
  ASSERT_FALSE(count.has_value());
  EXPECT_EQ(count.error().code, "store-corrupt");
  EXPECT_THAT(count.error().message, HasSubstr("page " + std::to_string(page)));
  EXPECT_THAT(count.error().hint, HasSubstr("rondo check"));
  EXPECT_EQ(count.error().place.file, path_.string());
  EXPECT_TRUE(music.get("id7")) << "other pages are not concerned";
}

TEST_F(PageChecksum, WhatOtherProgramsWriteIsNoticed) {
  foreign_sql(path_, "UPDATE import_run SET paths = 'elsewhere'");
  const CheckReport report = examined(true);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_FALSE(report.findings[0].repaired);
  EXPECT_THAT(report.findings[0].what, HasSubstr("import_run"));
  EXPECT_THAT(report.findings[0].what, HasSubstr("backup"));
}

TEST_F(PageChecksum, WhatFollowsFromOtherRowsIsMadeAnew) {
  for (const char* derived : {"feature", "feature_text", "full_text_data", "full_text_idx", "full_text_docsize",
                              "full_text_config", "cjk_bigram_data", "sqlite_autoindex_piece_1"}) {
    flip(path_, last_byte(pages_of(path_, derived).back()));
    EXPECT_FALSE(examined(false).sound()) << derived;
    const CheckReport repaired = examined(true);
    EXPECT_FALSE(repaired.sound()) << derived;
    for (const auto& finding : repaired.findings) EXPECT_TRUE(finding.repaired) << derived << ": " << finding.what;
    EXPECT_THAT(examined(false).findings, IsEmpty()) << derived;
    EXPECT_EQ(must(must(Collection::open(path_, OpenMode::read)).find("menuet", 50, 0)).size(), 40U);
  }
}

TEST_F(PageChecksum, DamagedPiecesAreReplacedByTheNextImport) {
  std::vector<std::string> all;
  for (int i = 0; i < 40; ++i) all.push_back("id" + std::to_string(i));
  for (const char* table : {"voice", "piece_field", "source_text"}) {
    flip(path_, last_byte(pages_of(path_, table).back()) - 2);
    const CheckReport repaired = examined(true);
    EXPECT_FALSE(repaired.sound()) << table;
    Collection music = open_collection(path_, OpenMode::write);
    EXPECT_EQ(must(import_paths(music, paths_, {})).updated, 1) << table;
    EXPECT_THAT(must(music.examine(false)).findings, IsEmpty()) << table;
    EXPECT_EQ(test::ids_of(music), all);
  }
}

TEST_F(PageChecksum, ADamagedFileIsNotCopiedAndIsReplacedByItsBackup) {
  const fs::path copy = scratch_ / "copy.db";
  must(back_up(path_, copy));
  for (const std::size_t page : pages_of(path_, "voice")) flip(path_, last_byte(page));
  EXPECT_EQ(back_up(path_, scratch_ / "another.db").error().code, "store-corrupt");
  must(restore(copy, path_));
  EXPECT_THAT(examined(false).findings, IsEmpty());
  flip(copy, last_byte(pages_of(copy, "voice").back()));
  EXPECT_EQ(restore(copy, path_).error().code, "store-corrupt");
  EXPECT_THAT(examined(false).findings, IsEmpty());
}

TEST_F(PageChecksum, OtherProgramsMayReadCopyAndTidyUp) {
  // A writer that is killed leaves a log, which the next program copies into the file, whichever it is.
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Collection music = open_collection(path_, OpenMode::write);
    for (int i = 40; i < 120; ++i) must(music.put(sample(i)));
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(path_.string() + "-wal"));
  EXPECT_EQ(foreign_sql(path_, "SELECT count(*) FROM piece"), "120 ");
  EXPECT_FALSE(fs::exists(path_.string() + "-wal"));
  EXPECT_THAT(examined(false).findings, IsEmpty());
  foreign_sql(path_, "PRAGMA journal_mode = DELETE");
  EXPECT_THAT(examined(false).findings, IsEmpty());
  sqlite3* from = nullptr;
  sqlite3* to = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &from), SQLITE_OK);
  ASSERT_EQ(sqlite3_open((scratch_ / "copied.db").c_str(), &to), SQLITE_OK);
  sqlite3_backup* copy = sqlite3_backup_init(to, "main", from, "main");
  EXPECT_EQ(sqlite3_backup_step(copy, -1), SQLITE_DONE);
  sqlite3_backup_finish(copy);
  sqlite3_close(from);
  sqlite3_close(to);
  EXPECT_THAT(must(open_collection(scratch_ / "copied.db", OpenMode::read).examine(false)).findings, IsEmpty());
}

TEST_F(PageChecksum, RolledBackAndLargeTransactionsKeepTheLogWhole) {
  // More pages than the cache holds: pages of one transaction are written to the log more than once.
  const auto spill = "PRAGMA cache_size = 10";
  {
    Collection music = open_collection(path_, OpenMode::write);
    must(database_of(music).execute(spill));
    for (int round = 0; round < 4; ++round) {
      auto batch = must(music.begin());
      for (int i = 0; i < 60; ++i) must(music.put(sample(1000 * (round + 1) + i)));
      must(database_of(music).execute("SAVEPOINT one; UPDATE voice SET name = name || 'x'; ROLLBACK TO one"));
      for (int i = 0; i < 20; ++i) must(music.remove("id" + std::to_string(1000 * (round + 1) + i)));
      if (round % 2 == 0) must(batch.commit());
    }
    // As after a crash: another program recovers the log from what is on the disk.
    for (const char* part : {"", "-wal"})
      fs::copy_file(path_.string() + part, (scratch_ / "crashed.db").string() + part);
    EXPECT_THAT(must(music.examine(false)).findings, IsEmpty());
  }
  EXPECT_EQ(foreign_sql(scratch_ / "crashed.db", "SELECT count(*) FROM piece; PRAGMA integrity_check"), "120 ok ");
  for (const fs::path& file : {path_, scratch_ / "crashed.db"}) {
    Collection music = open_collection(file, OpenMode::read);
    EXPECT_THAT(must(music.examine(false)).findings, IsEmpty());
    EXPECT_EQ(must(music.size()).pieces, 120);
  }
}

TEST_F(PageChecksum, FilesOfTheVersionBeforeAreReadAndGetThemWhenTheyAreWritten) {
  const fs::path old = kept();
  std::vector<std::string> before;
  {
    Collection music = open_collection(old, OpenMode::read);
    before = test::ids_of(music);
    EXPECT_EQ(foreign_sql(old, "PRAGMA user_version"), "3 ") << "reading changes nothing";
  }
  {
    Collection music = open_collection(old, OpenMode::write);
    EXPECT_EQ(test::ids_of(music), before);
    EXPECT_THAT(must(music.examine(false)).findings, IsEmpty());
    EXPECT_TRUE(must(scan_pages(database_of(music))).checked);
  }
  flip(old, last_byte(pages_of(old, "candidate_set").back()));
  EXPECT_THAT(must(open_collection(old, OpenMode::read).examine(false)).findings, testing::SizeIs(1));
}

TEST_F(PageChecksum, DamageFromBeforeIsReportedAndNotGivenAChecksum) {
  const fs::path old = kept();
  std::fstream file(old, std::ios::binary | std::ios::in | std::ios::out);
  const std::size_t page = pages_of(old, "sqlite_autoindex_piece_1").back();
  file.seekp(static_cast<std::streamoff>((page - 1) * kPage + 4));  // how many entries the page has
  file.put('\1');
  file.close();
  auto opened = Collection::open(old, OpenMode::write);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, "store-corrupt");
  EXPECT_THAT(opened.error().hint, HasSubstr("backup"));
  EXPECT_EQ(foreign_sql(old, "PRAGMA user_version"), "4 ") << "the step before it was taken";
}

TEST_F(PageChecksum, ABackupOfTheVersionBeforeIsRestoredAndWrittenTo) {
  // The program that has the file open goes on writing pages that then have no room for a checksum.
  Collection music = open_collection(path_, OpenMode::write);
  must(restore(kept(), path_));
  EXPECT_EQ(must(music.size()).pieces, 12);
  for (int i = 0; i < 30; ++i) must(music.put(sample(i)));
  EXPECT_EQ(foreign_sql(path_, "PRAGMA integrity_check; SELECT count(*) FROM piece"), "ok 42 ");
  EXPECT_THAT(examined(false).findings, IsEmpty());
  EXPECT_EQ(must(music.size()).pieces, 42);
}

}  // namespace
}  // namespace rondo
