#include "base/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "base/collection_files.h"
#include "support/scratch.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class OutputFiles : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(const std::string& name) const { return scratch_ / name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
  }
  [[nodiscard]] std::string bytes(const std::string& name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(at("."))) out.push_back(entry.path().filename());
    std::sort(out.begin(), out.end());
    return out;
  }
  void make_database(const std::string& name) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(at(name).c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, "CREATE TABLE t(x)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }
  Scratch scratch_;
};

TEST_F(OutputFiles, AppearWhenTheyAreComplete) {
  put("a", "old");
  {
    auto file = OutputFile::open(at("a"));
    ASSERT_TRUE(file) << file.error().to_string();
    file->stream() << std::string(1'000'000, 'x');
    ASSERT_TRUE(file->flush());
    EXPECT_EQ(bytes("a"), "old");
  }
  EXPECT_EQ(bytes("a"), "old") << "never committed";
  auto file = OutputFile::open(at("a"));
  ASSERT_TRUE(file);
  file->stream() << "new";
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(bytes("a"), "new");
  ASSERT_TRUE(write_output(at("b"), "first"));
  EXPECT_EQ(names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(OutputFiles, LeaveNothingWhenTheProcessIsKilled) {
  put("a", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = OutputFile::open(at("a"));
    if (file) file->stream() << std::string(1'000'000, 'x');
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(bytes("a"), "old");
  // A file system that has no files without a name keeps what was written, under a name of its own.
  const int unnamed = ::open(at(".").c_str(), O_TMPFILE | O_WRONLY, 0600);
  EXPECT_EQ(names().size(), unnamed >= 0 ? 1U : 2U);
  ::close(unnamed);
}

TEST_F(OutputFiles, KeepThePermissionsAndTheLinkOfWhatTheyReplace) {
  put("a", "old");
  ASSERT_EQ(::chmod(at("a").c_str(), 0600), 0);
  fs::create_symlink("a", at("link"));
  fs::create_symlink("not-yet", at("dangling"));
  ASSERT_TRUE(write_output(at("link"), "new"));
  ASSERT_TRUE(write_output(at("dangling"), "new"));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(bytes("a"), "new");
  EXPECT_EQ(bytes("not-yet"), "new");
  EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms(0600));
}

TEST_F(OutputFiles, SayWhyTheyCannotBeWritten) {
  EXPECT_EQ(write_output(at("no/folder"), "x").error().code, "write-failed");
  EXPECT_EQ(write_output(at("."), "x").error().code, "write-failed");
  const auto full = write_output("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, "disk-full");
  EXPECT_EQ(full.error().place.file, "/dev/full");
  EXPECT_TRUE(write_output("/dev/null", "x"));
  EXPECT_EQ(write_output("/dev/fd/987", "x").error().code, "write-failed");
}

TEST_F(OutputFiles, AreNeverACollectionOrWhatBelongsToOne) {
  make_database("c.db");
  for (const char* name :
       {"c.db", "c.db-wal", "c.db-shm", "c.db-journal", "c.db.index", "c.db.index-graces-folded", "c.db.index.lock",
        "c.db.index.new", "c.db.studies", "c.db.studies-wal", "c.db.links", "c.db.concordances",
        "c.db.concordances.journal", "c.db.decisions", "c.db.part", "c.db.lock", "./c.db", "../c.db"}) {
    fs::create_directory(at("sub"));
    const fs::path path = std::string_view(name).starts_with("..") ? at("sub") / name : at(name);
    const auto refused = write_output(path, "x");
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, "output-refused") << name;
  }
  for (const char* name :
       {"c.db.csv", "c.db.index.html", "c.db.studies.csv", "d.db.index", "c.dbx", "index", ".index"}) {
    EXPECT_TRUE(write_output(at(name), "x")) << name;
  }
}

TEST_F(OutputFiles, AreRefusedByWhatIsThere) {
  put("index", std::string(kIndexSlot, '\0') + std::string(kIndexMagic) + "rest");
  put("index2", std::string(kIndexMagic) + "rest");
  put("journal", std::string(kConcordancesMagic) + "1 {}\n");
  put("decisions", R"(0123456789abcdef {"a":["x",0]})");
  put("wal", "\x37\x7F\x06\x82 and so on");
  make_database("base");
  for (const char* name : {"index", "index2", "journal", "decisions", "wal", "base"}) {
    EXPECT_EQ(write_output(at(name), "x").error().code, "output-refused") << name;
    fs::create_hard_link(at(name), at(std::string(name) + ".csv"));
    EXPECT_EQ(write_output(at(std::string(name) + ".csv"), "x").error().code, "output-refused") << name;
  }
  EXPECT_TRUE(check_output(at("journal"), kConcordancesJournalKind));
  EXPECT_FALSE(check_output(at("base"), kConcordancesJournalKind));
}

// Whoever opens and closes the file of a database gives up all locks of the process on it.
TEST_F(OutputFiles, LeaveTheLocksOfOpenDatabases) {
  make_database("c.db");
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(at("c.db").c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  fs::create_hard_link(at("c.db"), at("hard.csv"));
  EXPECT_FALSE(check_output(at("c.db")));
  EXPECT_FALSE(check_output(at("hard.csv")));
  EXPECT_FALSE(check_output(at("c.db.index")));
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(at("c.db").c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000000;  // where SQLite locks
    lock.l_len = 1024;
    ::_exit(file >= 0 && ::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "another process would see no lock";
  sqlite3_close(database);
}

TEST_F(OutputFiles, AreAskedAboutAgainWhenTheyAreComplete) {
  auto file = OutputFile::open(at("a.csv"));
  ASSERT_TRUE(file);
  file->stream() << "x";
  make_database("a.csv");
  const std::string database = bytes("a.csv");
  EXPECT_EQ(file->commit().error().code, "output-refused");
  EXPECT_EQ(bytes("a.csv"), database);
}

TEST(CollectionFiles, FindTheDatabaseThatANameBelongsTo) {
  EXPECT_EQ(companion_of("music.db", Companion::concordances_journal), "music.db.concordances.journal");
  EXPECT_TRUE(database_of_companion("/nowhere/music.db.index").empty());
}

}  // namespace
}  // namespace rondo
