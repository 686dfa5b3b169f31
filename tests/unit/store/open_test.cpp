#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rondo/store/collection.h"
#include "store/schema.h"
#include "store_support.h"
#include "support/data.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using test::must;
using test::open_collection;
using test::sample;
using testing::HasSubstr;

Error open_error(const fs::path& path, OpenMode mode) {
  auto collection = Collection::open(path, mode);
  EXPECT_FALSE(collection.has_value()) << "opened " << path;
  return collection ? Error{} : collection.error();
}

std::string open_code(const fs::path& path, OpenMode mode) { return open_error(path, mode).code; }

std::string bytes_of(const fs::path& path) { return slurp(path); }

TEST(OpenCollection, MissingFilesAndFoldersAreSaidToBeMissing) {
  Scratch scratch;
  EXPECT_EQ(open_code(scratch / "none.db", OpenMode::read), "store-missing");
  EXPECT_EQ(open_code(scratch / "none.db", OpenMode::write), "store-missing");
  const Error error = open_error(scratch / "no/folder/x.db", OpenMode::create);
  EXPECT_EQ(error.code, "store-no-folder");
  EXPECT_THAT(error.message, HasSubstr("no/folder"));
  EXPECT_THAT(error.place.file, HasSubstr("x.db"));
  EXPECT_EQ(open_code(scratch.path(), OpenMode::create), "store-unreadable");
  EXPECT_FALSE(fs::exists(scratch / "none.db"));
}

TEST(OpenCollection, AnyOtherFileIsRefusedAndNotTouched) {
  Scratch scratch;
  const fs::path text = scratch.write("notes.txt", std::string(5000, 'x'));
  const fs::path small = scratch.write("small.txt", "hello");
  for (const fs::path& path : {text, small}) {
    for (const OpenMode mode : {OpenMode::read, OpenMode::write, OpenMode::create}) {
      EXPECT_EQ(open_code(path, mode), "store-not-sqlite") << path;
    }
  }
  EXPECT_EQ(bytes_of(text), std::string(5000, 'x'));
  EXPECT_EQ(bytes_of(small), "hello");
}

TEST(OpenCollection, AnotherProgramsDatabaseIsRefusedAndNotTouched) {
  Scratch scratch;
  const fs::path path = scratch / "other.db";
  test::sql(path, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
  const std::string before = bytes_of(path);
  for (const OpenMode mode : {OpenMode::read, OpenMode::write, OpenMode::create}) {
    EXPECT_EQ(open_code(path, mode), "store-foreign");
  }
  test::sql(path, "PRAGMA application_id = 1234; PRAGMA user_version = 1");
  EXPECT_EQ(open_code(path, OpenMode::create), "store-foreign");
  test::sql(path, "PRAGMA application_id = 0; PRAGMA user_version = 0");
  EXPECT_EQ(test::sql(path, "PRAGMA journal_mode"), "delete");
  EXPECT_EQ(test::sql(path, "SELECT x FROM theirs"), "1");
}

TEST(OpenCollection, AnEmptyFileBecomesACollectionOnlyWhenAskedTo) {
  Scratch scratch;
  const fs::path path = scratch.write("empty.db", "");
  EXPECT_EQ(open_code(path, OpenMode::read), "store-foreign");
  EXPECT_EQ(open_code(path, OpenMode::write), "store-foreign");
  open_collection(path, OpenMode::create);
  open_collection(path, OpenMode::read);
}

TEST(OpenCollection, ANewerFileIsRefusedWithItsVersion) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  must(open_collection(path).put(sample(1)));
  test::sql(path, "PRAGMA user_version = 999");
  for (const OpenMode mode : {OpenMode::read, OpenMode::write, OpenMode::create}) {
    const Error error = open_error(path, mode);
    EXPECT_EQ(error.code, "store-newer");
    EXPECT_THAT(error.message, HasSubstr("999"));
  }
  EXPECT_EQ(test::sql(path, "SELECT id FROM piece"), "id1");
}

TEST(OpenCollection, AnOlderFileIsOnlyReadAfterItWasBroughtUpToDate) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  test::sql(path, "CREATE TABLE x (y); PRAGMA application_id = " + std::to_string(kApplicationId));
  EXPECT_EQ(open_code(path, OpenMode::read), "store-older");
}

TEST(OpenCollection, ATruncatedOrOverwrittenFileIsCorrupt) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  {
    Collection music = open_collection(path);
    auto batch = must(music.begin());
    for (int i = 0; i < 500; ++i) must(music.put(sample(i)));
    must(batch.commit());
  }
  const std::string good = bytes_of(path);
  const auto damaged = [&](const std::string& bytes) -> std::string {
    std::ofstream(path, std::ios::binary) << bytes;
    auto music = Collection::open(path, OpenMode::read);
    if (!music) return music.error().code;
    auto checked = music->check();
    return checked ? "fine" : checked.error().code;
  };
  ASSERT_EQ(damaged(good), "fine");
  EXPECT_EQ(damaged(good.substr(0, good.size() / 2)), "store-corrupt");
  EXPECT_EQ(damaged(good.substr(0, 50)), "store-corrupt");
  std::string overwritten = good;
  std::fill(overwritten.begin() + 100, overwritten.begin() + 4096, '\x55');
  EXPECT_EQ(damaged(overwritten), "store-corrupt");
  overwritten = good;
  std::fill(overwritten.begin() + 3 * 4096, overwritten.end() - 4096, '\x55');
  EXPECT_EQ(damaged(overwritten), "store-corrupt");
}

TEST(OpenCollection, NamesThatSqliteWouldTakeForSomethingElseAreFiles) {
  Scratch scratch;
  for (const char* name : {":memory:", "file:x?mode=memory", "with space %41#?.db"}) {
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path());
    must(open_collection(name).put(sample(1)));
    EXPECT_TRUE(fs::exists(scratch / name)) << name;
    EXPECT_TRUE(must(open_collection(name, OpenMode::read).contains("id1")));
    fs::current_path(before);
  }
}

TEST(OpenCollection, ReadingNeverWrites) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  must(open_collection(path).put(sample(1)));
  Collection music = open_collection(path, OpenMode::read);
  test::expect_same(must(music.get("id1")), sample(1));
  EXPECT_EQ(music.put(sample(2)).error().code, "store-read-only");
  EXPECT_EQ(music.remove("id1").error().code, "store-read-only");
  must(music.check());
}

/// Runs `what` as a user without rights; root would be let in everywhere. The code it returns comes back.
std::string as_nobody(const std::function<std::string()>& what) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(1);
    const std::string code = what();
    (void)!::write(ends[1], code.data(), code.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string code(100, '\0');
  code.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(ends[0], code.data(), code.size()))));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return code;
}

TEST(OpenCollection, AFileThatMayOnlyBeReadCanBeReadWhereverItLies) {
  Scratch scratch;
  const fs::path folder = scratch / "medium";
  fs::create_directory(folder);
  const fs::path path = folder / "music.db";
  must(open_collection(path).put(sample(1)));
  fs::permissions(scratch.path(), fs::perms(0755));
  fs::permissions(path, fs::perms(0444));
  fs::permissions(folder, fs::perms(0555));
  EXPECT_EQ(as_nobody([&]() -> std::string {
              auto music = Collection::open(path, OpenMode::read);
              if (!music) return music.error().to_string();
              auto piece = music->get("id1");
              return piece ? piece->metadata.title : piece.error().to_string();
            }),
            "Menuet 1");
  EXPECT_EQ(as_nobody([&] { return Collection::open(path, OpenMode::write).error().code; }), "store-read-only");
  EXPECT_EQ(as_nobody([&] { return Collection::open(folder / "new.db", OpenMode::create).error().code; }),
            "store-unreadable");
  fs::permissions(path, fs::perms(0));
  EXPECT_EQ(as_nobody([&] { return Collection::open(path, OpenMode::read).error().code; }), "store-unreadable");
  fs::permissions(folder, fs::perms(0755));
}

TEST(OpenCollection, ASecondWriterIsToldThatTheFirstIsBusy) {
  Scratch scratch;
  Collection first = open_collection(scratch / "music.db");
  Collection second = open_collection(scratch / "music.db");
  sqlite3_busy_timeout(database_of(second).handle(), 20);
  auto batch = must(first.begin());
  must(first.put(sample(1)));
  EXPECT_EQ(second.put(sample(2)).error().code, "store-busy");
  EXPECT_FALSE(must(second.contains("id1"))) << "and reads what was committed";
  must(batch.commit());
  must(second.put(sample(2)));
}

TEST(Schema, StepsAreTakenOneAfterTheOtherAndAFailingOneIsUndone) {
  Scratch scratch;
  const fs::path path = scratch / "x.db";
  auto database = must(Database::open(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  const Migration good[] = {{"one", "CREATE TABLE a (x)"}, {"two", "CREATE TABLE b (x); INSERT INTO a VALUES (1)"}};
  must(migrate(database, std::span(good).first(1)));
  EXPECT_EQ(test::sql(path, "PRAGMA user_version"), "1");
  const Migration bad[] = {good[0], {"two", "CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)"}};
  EXPECT_FALSE(migrate(database, bad).has_value());
  EXPECT_EQ(test::sql(path, "PRAGMA user_version; SELECT count(*) FROM sqlite_schema"), "1\n1");
  must(migrate(database, good));
  must(migrate(database, good));
  EXPECT_EQ(test::sql(path, "PRAGMA user_version; SELECT count(*) FROM a"), "2\n1");
}

TEST(Schema, EveryTableIsStrictAndEveryNameIsExplainedInTheDocument) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  open_collection(path);
  EXPECT_EQ(test::sql(path,
                      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
                      " AND strict = 0 AND name NOT LIKE 'sqlite_%'"),
            "");
  EXPECT_EQ(test::sql(path, "PRAGMA journal_mode"), "wal");
  const std::string document = slurp(fs::path(RONDO_SOURCE_DIR) / "docs" / "schema.md");
  const std::string names =
      test::sql(path,
                "SELECT DISTINCT t.name || ' ' || c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c"
                " WHERE t.schema = 'main' AND t.type IN ('table', 'view', 'virtual') AND t.name NOT LIKE 'sqlite_%'");
  std::istringstream lines(names);
  std::string table;
  std::string column;
  int count = 0;
  while (lines >> table >> column) {
    EXPECT_THAT(document, HasSubstr("`" + table + "`")) << "docs/schema.md does not speak of " << table;
    EXPECT_THAT(document, HasSubstr("`" + column + "`"))
        << "docs/schema.md does not speak of " << table << "." << column;
    ++count;
  }
  EXPECT_GT(count, 60);
  EXPECT_THAT(document, HasSubstr("version " + std::to_string(migrations().size())));
}

}  // namespace
}  // namespace rondo
