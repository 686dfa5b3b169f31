// Our LIKE, instr() and their like against SQLite's own.

#include "store/sql_text_functions.h"

#include <gtest/gtest.h>

#include <random>

#include "store/sqlite.h"
#include "store_support.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using test::must;

class SqlTextFunctionsTest : public testing::Test {
 protected:
  SqlTextFunctionsTest()
      : original_(must(Database::open(":memory:", SQLITE_OPEN_READWRITE))),
        ours_(must(Database::open(":memory:", SQLITE_OPEN_READWRITE))) {
    clock_.start(std::chrono::hours(1));
    must(register_text_functions(ours_, clock_));
  }

  /// Type and value of an expression over ?1, ?2, ?3, or the error.
  static std::string value(Database& database, const std::string& expression, const std::vector<std::string>& texts) {
    auto statement = must(database.prepare("SELECT typeof(x), hex(x) FROM (SELECT " + expression + " AS x)"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      statement.bind(static_cast<int>(i) + 1, std::string_view(texts[i]));
    }
    auto row = statement.step();
    if (!row) return "error " + row.error().message;
    return std::string(statement.bytes(0)) + " " + std::string(statement.bytes(1));
  }

  void expect_same(const std::string& expression, const std::vector<std::string>& texts = {}) {
    std::string shown = expression;
    for (const std::string& text : texts) shown += " [" + text + "]";
    EXPECT_EQ(value(ours_, expression, texts), value(original_, expression, texts)) << shown;
  }

  std::string some_text(std::mt19937& random, std::size_t most, const std::vector<std::string>& letters) {
    std::string out;
    for (std::size_t left = random() % (most + 1); left > 0; --left) out += letters[random() % letters.size()];
    return out;
  }

  SqlClock clock_;
  Database original_;
  Database ours_;
};

TEST_F(SqlTextFunctionsTest, AgreeWithSqliteOnRandomTexts) {
  std::mt19937 random(7);
  const std::vector<std::string> letters = {"a", "A", "b", "é", "É", "𝄞", " ", "%", "\\"};
  const std::vector<std::string> like = {"a", "B", "é", "%", "%", "_", "\\", "𝄞"};
  const std::vector<std::string> glob = {"a", "b", "é", "*", "*", "?", "[", "]", "^", "-", "a-b", "[^a]", "𝄞"};
  for (int i = 0; i < test::rounds(4000); ++i) {
    const std::string text = some_text(random, 10, letters);
    const std::string other = some_text(random, 2, letters);
    const std::string third = some_text(random, 3, letters);
    const std::string pattern = some_text(random, 6, like);
    expect_same("instr(?1, ?2)", {text, other});
    expect_same("replace(?1, ?2, ?3)", {text, other, third});
    expect_same("trim(?1, ?2)", {text, third});
    expect_same("ltrim(?1, ?2)", {text, third});
    expect_same("rtrim(?1, ?2)", {text, third});
    expect_same("trim(?1)", {text});
    expect_same("?1 LIKE ?2", {text, pattern});
    expect_same("?1 LIKE ?2 ESCAPE '\\'", {text, pattern});
    expect_same("?1 GLOB ?2", {text, some_text(random, 6, glob)});
  }
}

TEST_F(SqlTextFunctionsTest, AgreeWithSqliteOnCorners) {
  for (const char* expression : {"instr(NULL, 'a')",
                                 "instr('a', NULL)",
                                 "instr('', '')",
                                 "instr('abc', '')",
                                 "instr(x'616263', x'63')",
                                 "instr(x'C3A962', x'62')",
                                 "instr('é2', 2)",
                                 "instr(123, 23)",
                                 "instr(x'A9A9', 'b')",
                                 "replace('a', '', 'x')",
                                 "replace(12, 1, 3)",
                                 "replace(12, '', 3)",
                                 "replace(NULL, 'a', 'b')",
                                 "replace('a', 'a', NULL)",
                                 "replace('aaa', 'aa', 'b')",
                                 "trim(NULL)",
                                 "trim('  a ', NULL)",
                                 "trim('xax', '')",
                                 "trim(5, 5)",
                                 "ltrim('   ')",
                                 "NULL LIKE 'a'",
                                 "'a' LIKE NULL",
                                 "'a' LIKE 'a' ESCAPE NULL",
                                 "'a' LIKE 'a' ESCAPE 'ab'",
                                 "'a' LIKE 'a' ESCAPE ''",
                                 "'a%' LIKE 'a%%' ESCAPE '%'",
                                 "'a_' LIKE 'a__' ESCAPE '_'",
                                 "'a' LIKE 'a\\' ESCAPE '\\'",
                                 "'' LIKE ''",
                                 "'' LIKE '%'",
                                 "'' LIKE '_'",
                                 "'' GLOB '*'",
                                 "'' GLOB '?'",
                                 "12 LIKE '1_'",
                                 "x'61' LIKE 'A'",
                                 "'a' LIKE x'61'",
                                 "x'61' GLOB NULL",
                                 "'a]' GLOB 'a[]]'",
                                 "'a' GLOB '[a'",
                                 "'-' GLOB '[a-]'",
                                 "'b' GLOB '[a-c]'",
                                 "'b' GLOB '[^a-c]'",
                                 "'^' GLOB '[^^]'",
                                 "']' GLOB '[^]]'",
                                 "'a' GLOB '[]-a]'",
                                 "'É' LIKE 'é'",
                                 "'aXbXc' GLOB 'a*X*c'",
                                 "'a' || char(0) || 'b' LIKE 'a'",
                                 "CAST(x'61C3' AS TEXT) LIKE 'a_'"}) {
    expect_same(expression);
  }
}

TEST_F(SqlTextFunctionsTest, LongPatternsAreRefusedLikeSqlites) {
  for (Database* database : {&original_, &ours_}) {
    sqlite3_limit(database->handle(), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10);
  }
  expect_same("'a' LIKE 'aaaaaaaaaa'");
  expect_same("'a' LIKE 'aaaaaaaaaaa'");
  expect_same("'a' GLOB 'aaaaaaaaaaa'");
}

TEST_F(SqlTextFunctionsTest, EndWhenTheTimeIsOver) {
  clock_.start(std::chrono::milliseconds(0));
  const std::string much(90'000, 'a');
  for (const char* expression :
       {"instr(?1, 'b')", "replace(?1, 'b', 'c')", "trim(?1, 'b')", "?1 LIKE '%a%a%b'", "?1 GLOB '*a*a*b'"}) {
    EXPECT_NE(value(ours_, expression, {much}).find("interrupted"), std::string::npos) << expression;
  }
}

}  // namespace
}  // namespace rondo
