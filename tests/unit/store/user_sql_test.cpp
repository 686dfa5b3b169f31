// What a person, or an enemy, may type into --where.

#include "store/user_sql.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "store_support.h"
#include "support/lines.h"

namespace rondo {
namespace {

using test::must;
using test::open_collection;
using test::sample;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::chrono_literals;

class UserSqlTest : public testing::Test {
 protected:
  UserSqlTest() : path_(scratch_ / "music.db") {
    Collection music = open_collection(path_);
    auto batch = must(music.begin());
    // G4 D5 B4 B4 G5: semitones 7 -3 0 8; contour UDRU.
    add(music, "leaps", "The Leaps", "G4 1/4 D5 1/8 B4 1/8 B4 1/4 G5 1/2");
    // C4 D4 E4 F4: contour UUU.
    add(music, "scale", "A Scale", "C4 1/4 D4 1/4 E4 1/4 F4 1/4");
    // C4 C4 C4: contour RR.
    add(music, "drone", "A Drone", "C4 1/4 C4 1/4 C4 1/4");
    must(batch.commit());
    before_ = test::sql(path_, "SELECT count(*) FROM piece; SELECT count(*) FROM sqlite_schema");
  }

  static void add(Collection& music, const std::string& id, const std::string& title, const std::string& notes) {
    Piece piece;
    piece.id = id;
    piece.metadata.title = title;
    piece.voices = {voice_of(notes)};
    must(music.put(piece));
  }

  UserSql open(const SqlLimits& limits = {}) { return must(UserSql::open(path_, limits)); }

  std::vector<std::string> ids(UserSql& sql, const std::string& expression) {
    std::vector<std::string> out;
    must(sql.select("SELECT id FROM melodies WHERE " + expression + " ORDER BY id",
                    [&](std::span<const std::string>, const SqlRow& row) {
                      out.push_back(row[0]);
                      return true;
                    }));
    EXPECT_EQ(must(sql.where(expression)).size(), out.size()) << expression;
    return out;
  }

  static Error refused(UserSql& sql, const std::string& statement) {
    auto done = sql.select(statement, [](std::span<const std::string>, const SqlRow&) { return true; });
    EXPECT_FALSE(done.has_value()) << statement;
    return done ? Error{} : done.error();
  }

  static Error wrong(UserSql& sql, const std::string& expression) {
    auto done = sql.where(expression);
    EXPECT_FALSE(done.has_value()) << expression;
    return done ? Error{} : done.error();
  }

  Scratch scratch_;
  std::filesystem::path path_;
  std::string before_;
};

TEST_F(UserSqlTest, FeaturesAreColumns) {
  UserSql sql = open();
  EXPECT_THAT(ids(sql, "range = 12"), ElementsAre("leaps"));
  EXPECT_THAT(ids(sql, "max_interval BETWEEN 0 AND 2"), ElementsAre("drone", "scale"));
  EXPECT_THAT(ids(sql, "duration_ratio < 0.3"), ElementsAre("leaps"));
  EXPECT_THAT(ids(sql, "seconds = interval_count"), ElementsAre("scale"));
  EXPECT_THAT(ids(sql, "title LIKE '%the%' OR contour = 'RR'"), ElementsAre("drone", "leaps"));
  EXPECT_EQ(must(sql.size()), 3U);
}

TEST_F(UserSqlTest, IntervalsAreFoundHoweverWritten) {
  UserSql sql = open();
  EXPECT_THAT(ids(sql, "has_intervals(intervals, 'fifth up, third down, unison, sixth up')"), ElementsAre("leaps"));
  EXPECT_THAT(ids(sql, "has_intervals(intervals, '+7 -3')"), ElementsAre("leaps"));
  EXPECT_THAT(ids(sql, "has_intervals(intervals, 'C4 C4')"), ElementsAre("drone", "leaps"));
  EXPECT_THAT(ids(sql, "count_intervals(intervals, 'unison') = 2"), ElementsAre("drone"));
  EXPECT_THAT(wrong(sql, "has_intervals(intervals, 'fith up')").message, HasSubstr("'fith'"));
  EXPECT_THAT(wrong(sql, "has_intervals(contour, 'fifth up')").message, HasSubstr("column intervals"));
}

TEST_F(UserSqlTest, DistancesTakeTwoStringsOrTheQuery) {
  UserSql sql = open();
  EXPECT_THAT(ids(sql, "contour_distance('UUU', contour) = 0"), ElementsAre("scale"));
  // RR against UUU: two repeats for ups, one inserted: 3. With other costs: 2 * 0.5 + 4.
  EXPECT_THAT(ids(sql, "id = 'drone' AND contour_distance(contour, 'UUU') = 3"), ElementsAre("drone"));
  EXPECT_THAT(ids(sql, "id = 'drone' AND contour_distance(contour, 'UUU', 4, 1, 0.5, 2) = 5"), ElementsAre("drone"));
  EXPECT_THAT(wrong(sql, "contour_distance(contour) < 1").message, HasSubstr("--like"));
  sql.set_query(features_of(voice_of("D4 1/4 E4 1/4 F4 1/4 G4 1/4")));
  EXPECT_THAT(ids(sql, "contour_distance(contour) = 0"), ElementsAre("scale"));
  EXPECT_THAT(ids(sql, "rhythm_distance(rhythm) = 0 AND range = query('range')"), ElementsAre("scale"));
  EXPECT_THAT(ids(sql, "contour_distance(contour, 1, 1, 1, 2) = 0"), ElementsAre("scale")) << "the query, with costs";
  EXPECT_THAT(wrong(sql, "contour_distance(contour, 'U', 1) = 0").message, HasSubstr("costs"));
  EXPECT_THAT(wrong(sql, "contour_distance(contour, 'U', -1, 1, 1, 1) = 0").message, HasSubstr("between 0"));
  EXPECT_THAT(wrong(sql, "query('colour') = 1").message, HasSubstr("'colour'"));
}

TEST_F(UserSqlTest, ValuesOrderMelodies) {
  UserSql sql = open();
  const auto all = must(sql.where("1"));
  const auto values = must(sql.values("nullif(range, 0)", all));
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0], 12);
  EXPECT_EQ(values[1], 5);
  EXPECT_TRUE(std::isnan(values[2])) << "NULL";
  EXPECT_THAT(must(sql.where("range > 6", all)), ElementsAre(all[0]));
}

TEST_F(UserSqlTest, MistakesNameTheWord) {
  UserSql sql = open();
  const Error error = wrong(sql, "rnage > 3");
  EXPECT_EQ(error.code, "sql-error");
  EXPECT_THAT(error.message, HasSubstr("rnage"));
  EXPECT_EQ(error.place.column, 1U) << "counted in what was typed";
  EXPECT_EQ(wrong(sql, "range > 3 AND colour = 1").place.column, 15U);
  EXPECT_THAT(wrong(sql, "composer = \"Bach\"").message, HasSubstr("Bach")) << "double quotes are no text";
  EXPECT_THAT(wrong(sql, "range >").code, "sql-error");
}

TEST_F(UserSqlTest, WhatIsNotOneExpressionIsRefused) {
  UserSql sql = open();
  for (const char* text : {"", "  ", "1; DELETE FROM piece", "1) UNION SELECT 1, 2 --", "1) OR (1", "(1", "1)", "'open",
                           "\"open", "[open", "1 /* x", "?1", "?", ":a", "@a", "$a", "1 -- x"}) {
    EXPECT_EQ(wrong(sql, text).code, "sql-malformed") << text;
  }
  EXPECT_EQ(check_expression(std::string_view("1\0 2", 4)).error().code, "sql-malformed");
  EXPECT_TRUE(check_expression("title = ';--(' AND x[1] IS NOT \")\" OR a = 'it''s ('"));
}

TEST_F(UserSqlTest, NothingButReadingIsAllowed) {
  UserSql sql = open();
  for (const char* text : {"DELETE FROM piece",
                           "UPDATE piece SET title = 'x'",
                           "INSERT INTO removed_voice VALUES (1)",
                           "CREATE TABLE x (y)",
                           "CREATE TEMP TABLE x (y)",
                           "DROP TABLE piece",
                           "DROP VIEW melodies",
                           "VACUUM",
                           "VACUUM INTO '/tmp/rondo-stolen.db'",
                           "ATTACH '/etc/passwd' AS p",
                           "ATTACH ':memory:' AS m",
                           "PRAGMA query_only = OFF",
                           "PRAGMA journal_mode = DELETE",
                           "PRAGMA table_info(piece)",
                           "BEGIN",
                           "COMMIT",
                           "ROLLBACK",
                           "SAVEPOINT x",
                           "REINDEX",
                           "ANALYZE",
                           "ALTER TABLE piece ADD x",
                           "DETACH main",
                           "CREATE VIEW v AS SELECT 1",
                           "CREATE TRIGGER t AFTER INSERT ON piece BEGIN SELECT 1; END",
                           "CREATE VIRTUAL TABLE v USING fts5(a)",
                           "INSERT INTO full_text(full_text) VALUES ('delete-all')",
                           "WITH x AS (SELECT 1) DELETE FROM piece",
                           "EXPLAIN DELETE FROM piece"}) {
    const Error error = refused(sql, text);
    EXPECT_EQ(error.code, "sql-forbidden") << text << ": " << error.message;
  }
  EXPECT_THAT(refused(sql, "DELETE FROM piece").message, HasSubstr("DELETE"));
  EXPECT_THAT(refused(sql, "PRAGMA journal_mode").message, HasSubstr("PRAGMA journal_mode"));
  EXPECT_EQ(test::sql(path_, "SELECT count(*) FROM piece; SELECT count(*) FROM sqlite_schema"), before_);
  EXPECT_FALSE(std::filesystem::exists("/tmp/rondo-stolen.db"));
}

TEST_F(UserSqlTest, OnlyKnownTablesAndFunctionsAreAllowed) {
  test::sql(path_, "CREATE TABLE secret (token TEXT); INSERT INTO secret VALUES ('x')");
  UserSql sql = open();
  for (const char* text :
       {"SELECT * FROM secret", "SELECT sql FROM sqlite_schema", "SELECT name FROM sqlite_master",
        "SELECT * FROM pragma_table_info('piece')", "SELECT load_extension('x')", "SELECT randomblob(1000000000)",
        "SELECT zeroblob(1000000000)", "SELECT random()", "SELECT sqlite_version()", "SELECT * FROM generate_series(1)",
        "SELECT fts5('x')", "SELECT last_insert_rowid()", "SELECT sqlite_compileoption_get(1)"}) {
    const Error error = refused(sql, text);
    EXPECT_TRUE(error.code == "sql-forbidden" || error.code == "sql-error") << text << ": " << error.to_string();
  }
  EXPECT_THAT(refused(sql, "SELECT token FROM secret").message, HasSubstr("secret"));
  EXPECT_THAT(wrong(sql, "(SELECT count(*) FROM secret) > 0").message, HasSubstr("secret"));
  EXPECT_THAT(wrong(sql, "length(randomblob(9)) > 0").message, HasSubstr("randomblob"));
}

TEST_F(UserSqlTest, EveryViewAndTheFullTextCanBeReadByTheOwner) {
  UserSql sql = open(SqlLimits::owner());
  for (const char* view : {"pieces", "melodies", "problems", "piece_words", "motives", "interval_histogram",
                           "candidate_set", "candidate", "feature", "feature_text", "import_run"}) {
    must(sql.select(std::string("SELECT * FROM ") + view, [](auto, const SqlRow&) { return true; }));
  }
  EXPECT_THAT(ids(sql, "piece IN (SELECT rowid FROM full_text WHERE full_text MATCH 'scale')"), ElementsAre("scale"));
  EXPECT_THAT(ids(sql, "key IN (SELECT key FROM interval_histogram WHERE kind = 'diatonic' AND share = 1)"),
              ElementsAre("drone", "scale"));
}

TEST_F(UserSqlTest, StrangersCannotReadPathsOrCandidates) {
  test::sql(path_,
            "INSERT INTO import_run (key, started, paths) VALUES (1, '2026', '[\"/home/secret\"]');"
            "INSERT INTO import_path (key, path, run) VALUES (1, '/home/secret/a.abc', 1);"
            "INSERT INTO import_file (key, location, name, path) VALUES (1, '/home/secret/a.abc', 'a.abc', 1);"
            "UPDATE piece SET file = 1, run = 1");
  UserSql sql = open();
  for (const char* table :
       {"import_path", "import_file", "import_run", "import_problem", "problems", "candidate", "candidate_set"}) {
    EXPECT_EQ(refused(sql, std::string("SELECT * FROM ") + table).code, "sql-forbidden") << table;
    EXPECT_EQ(refused(sql, std::string("SELECT count(*) FROM main.") + table).code, "sql-forbidden") << table;
    EXPECT_EQ(wrong(sql, fmt::format("EXISTS (SELECT 1 FROM {})", table)).code, "sql-forbidden") << table;
    EXPECT_EQ(wrong(sql, fmt::format("id IN (WITH pieces AS (SELECT * FROM {}) SELECT 1 FROM pieces)", table)).code,
              "sql-forbidden")
        << table << " under the name of a view";
  }
  EXPECT_EQ(wrong(sql, "id IN (WITH pieces AS (SELECT name, location FROM import_file) SELECT name FROM pieces)").code,
            "sql-forbidden");
  EXPECT_EQ(wrong(sql, "(SELECT p.id FROM piece p JOIN import_path i ON i.path GLOB '/home/*') IS NOT NULL").code,
            "sql-forbidden");
  EXPECT_EQ(ids(sql, "id IN (SELECT id FROM pieces WHERE file = 'a.abc' AND imported = '2026')").size(), 3U)
      << "the view shows the name without its folder";
  for (const char* view : {"pieces", "melodies", "piece_words", "motives", "interval_histogram", "feature",
                           "feature_text", "source_text"}) {
    must(sql.select(std::string("SELECT * FROM ") + view, [](auto, const SqlRow&) { return true; }));
  }
}

TEST_F(UserSqlTest, BombsAreDefused) {
  UserSql sql = open({.time = 100ms, .rows = 1000});
  EXPECT_EQ(refused(sql, "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c").code,
            "sql-forbidden");
  // 3^16 rows: far more than a tenth of a second.
  std::string tables = "feature a0";
  for (int i = 1; i < 16; ++i) tables += ", feature a" + std::to_string(i);
  EXPECT_EQ(refused(sql, "SELECT count(*) FROM " + tables).code, "sql-timeout");
  EXPECT_EQ(refused(sql, "SELECT 1 FROM " + tables).code, "sql-rows");
  EXPECT_EQ(wrong(sql, "(SELECT count(*) FROM " + tables + ") > 1").code, "sql-timeout");
  EXPECT_EQ(refused(sql, "SELECT 1 UNION " + std::string(200'000, ' ') + "SELECT 2").code, "sql-error");
  std::string deep = "1";
  for (int i = 0; i < 500; ++i) deep = "(" + deep + "+1)";
  EXPECT_EQ(wrong(sql, deep).code, "sql-error");
  std::string replaced = "'aaaaaaaaaa'";
  for (int i = 0; i < 8; ++i) replaced = "replace(" + replaced + ", 'a', 'aaaaaaaaaa')";
  EXPECT_FALSE(sql.where("length(" + replaced + ") > 1").has_value()) << "a billion letters";
  EXPECT_EQ(must(sql.where("range > 0")).size(), 2U) << "and it still answers";
}

TEST_F(UserSqlTest, SeveralStatementsAreNotOne) {
  UserSql sql = open();
  EXPECT_EQ(refused(sql, "SELECT 1; SELECT 2").code, "sql-malformed");
  EXPECT_EQ(refused(sql, "").code, "sql-malformed");
  EXPECT_EQ(refused(sql, "-- nothing").code, "sql-malformed");
}

}  // namespace
}  // namespace rondo
