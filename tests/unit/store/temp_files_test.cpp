#include "store/temp_files.h"

#include <gtest/gtest.h>

#include "store/sqlite.h"
#include "unit/store/store_support.h"

namespace rondo {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// Sorts 200,000 rows of 100 bytes: 20 MB.
constexpr const char* kSort =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) "
    "SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY printf('%0100d', (i * 7919) % 200003)) FROM n)";

class TempFilesTest : public testing::Test {
 protected:
  Database open(const TempFiles& files) {
    auto database = test::must(
        Database::open((scratch_ / "c.db").string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, files.name()));
    test::must(database.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -1024"));
    return database;
  }

  Scratch scratch_;
  SqlClock clock_;
};

TEST_F(TempFilesTest, ASortWithinTheLimitIsUnchanged) {
  clock_.start(hours(1));
  TempFiles files(clock_, std::uint64_t{256} << 20U);
  Database database = open(files);
  EXPECT_EQ(test::must(database.number(kSort)), 200'000);
  EXPECT_FALSE(files.was_full());
}

TEST_F(TempFilesTest, ASortThatFillsTheDiskIsEnded) {
  clock_.start(hours(1));
  TempFiles files(clock_, std::uint64_t{4} << 20U);
  Database database = open(files);
  EXPECT_FALSE(database.number(kSort));
  EXPECT_TRUE(files.was_full());
  files.reset();
  EXPECT_EQ(test::must(database.number("SELECT count(*) FROM (SELECT 1 ORDER BY 1)")), 1);
  EXPECT_FALSE(database.number(kSort)) << "what the first one took was given back, and is not enough again";
  EXPECT_TRUE(files.was_full());
}

TEST_F(TempFilesTest, ASortEndsWithTheTimeEvenIfNothingElseAsks) {
  TempFiles files(clock_, std::uint64_t{256} << 20U);
  Database database = open(files);
  clock_.start(milliseconds(-1));
  EXPECT_FALSE(database.number(kSort));
  EXPECT_TRUE(clock_.was_late());
  clock_.start(hours(1));
  EXPECT_EQ(test::must(database.number(kSort)), 200'000);
}

}  // namespace
}  // namespace rondo
