// No function that a stranger may call takes long, whatever it is called with.

#include <gmock/gmock.h>

#include <ctime>
#include <map>

#include "store/user_sql.h"
#include "store_support.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using test::must;
using testing::HasSubstr;
using namespace std::chrono_literals;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// A text of nearly the largest length. No function makes one from nothing, so it grows by replace().
std::string large(const std::string& letter, int zeros = 4) {
  std::string text = "'" + letter + letter + letter + letter + letter + letter + letter + letter + letter + "'";
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += letter;
  for (int i = 0; i < zeros; ++i) text = "replace(" + text + ", '" + letter + "', '" + ten + "')";
  return text;
}

/// Of texts so long, the distances take long, as the square of the length. Where every step is checked, a few thousand
/// steps in a row find what many would; how long the largest take is measured by the release build.
const std::string kManySymbols = test::kSanitized ? "2000" : "10000";

/// For each allowed function calls with its largest or worst arguments. A and B are large texts (90,000 letters "a" and
/// 45,000 with a "b" behind), N is a number.
const std::map<std::string, std::vector<std::string>>& calls() {
  static const std::map<std::string, std::vector<std::string>> kCalls = {
      {"abs", {"abs(A)"}},
      {"acos", {"acos(N)"}},
      {"asin", {"asin(N)"}},
      {"atan", {"atan(N)"}},
      {"atan2", {"atan2(N, N)"}},
      {"avg", {"(SELECT avg(A) FROM feature)"}},
      {"bm25", {"(SELECT bm25(full_text, 1, 2, 3) FROM full_text WHERE full_text MATCH 'long')"}},
      {"ceil", {"ceil(N)"}},
      {"char", {"char(1114111,1114111,1114111,1114111,1114111,1114111,1114111,1114111,1114111,1114111)"}},
      {"coalesce", {"coalesce(NULL, A)"}},
      {"cos", {"cos(N)"}},
      {"count", {"(SELECT count(A) FROM feature)"}},
      {"date", {"date(A)", "date('now', A)", "date(2460000, '+99999 years', '-99999 years')"}},
      {"exp", {"exp(N)"}},
      {"floor", {"floor(N)"}},
      {"glob",
       {"A GLOB '*a*a*a*a*a*a*a*a*b'", "A GLOB '*[a-b][a-c][a-d][a-e][a-f]*b'",
        "glob('*' || substr(A, 1, 900) || 'b', A)"}},
      {"group_concat", {"(SELECT group_concat(B, A) FROM feature)", "(SELECT group_concat(A) FROM feature)"}},
      {"hex", {"hex(substr(A, 1, 49000))"}},
      {"ifnull", {"ifnull(A, B)"}},
      {"iif", {"iif(A, A, B)"}},
      {"instr", {"instr(A, B)", "instr(A, B || 'b')"}},
      {"json_array_length", {"json_array_length('[' || replace(substr(A, 1, 40000), 'a', '1,') || '1]')"}},
      {"json_extract",
       {"json_extract('[' || replace(substr(A, 1, 40000), 'a', '1,') || '1]', '$[39999]', '$[39998]', '$[39997]')",
        "json_extract(replace(substr(A, 1, 1900), 'a', '[') || replace(substr(A, 1, 1900), 'a', ']'), '$[0][0]')",
        "json_extract('{' || replace(substr(A, 1, 9000), 'a', '\"k\":1,') || '\"z\":1}', '$.z')",
        "json_extract(A, '$')"}},
      {"->", {"('[' || replace(substr(A, 1, 40000), 'a', '1,') || '1]') -> 39999"}},
      {"->>", {"('[' || replace(substr(A, 1, 40000), 'a', '1,') || '1]') ->> '$[39999]'"}},
      {"length", {"length(A)"}},
      {"like",
       {"A LIKE '%a%a%a%a%a%a%a%a%b'", "A LIKE '%' || substr(A, 1, 900) || 'b'", "like('%_%_%_%_%_%_%_%b', A, '\\')"}},
      {"ln", {"ln(N)"}},
      {"log", {"log(N, N)"}},
      {"lower", {"lower(A)"}},
      {"ltrim", {"ltrim(A, replace(B, 'a', 'c') || 'a')"}},
      {"match",
       {"(SELECT count(*) FROM full_text WHERE full_text MATCH replace(substr(A, 1, 7000), 'a', 'a* OR ') || 'z')",
        "(SELECT count(*) FROM full_text WHERE full_text MATCH replace(substr(A, 1, 30000), 'a', 'a ') || 'z')",
        "(SELECT count(*) FROM full_text WHERE full_text MATCH 'NEAR(' || replace(substr(A, 1, 7000), 'a', 'a ') || "
        "')')"}},
      {"max", {"max(A, A, A, A, A, A)", "(SELECT max(A) FROM feature)"}},
      {"min", {"min(A, A, A, A, A, A)"}},
      {"mod", {"mod(N, N)"}},
      {"nullif", {"nullif(A, A)"}},
      {"pow", {"pow(N, N)"}},
      {"power", {"power(N, N)"}},
      {"quote", {"quote(substr(A, 1, 49000))", "quote(replace(substr(A, 1, 40000), 'a', ''''))"}},
      {"rank", {"(SELECT rank() OVER (ORDER BY A) FROM feature)"}},
      {"replace", {"replace(A, B, 'x')", "replace(A, B || 'b', 'x')", "replace(A, 'a', 'b')"}},
      {"round", {"round(N, 1000000000)"}},
      {"row_number", {"(SELECT row_number() OVER (ORDER BY A) FROM feature)"}},
      {"rtrim", {"rtrim(A, replace(B, 'a', 'c') || 'a')"}},
      {"sign", {"sign(A)"}},
      {"sin", {"sin(N)"}},
      {"sqrt", {"sqrt(N)"}},
      {"strftime", {"strftime(replace(substr(A, 1, 4000), 'a', '%Y'), 'now')", "strftime(A, 'now')"}},
      {"substr", {"substr(A, 45000)", "substr(A, -45000, -40000)"}},
      {"substring", {"substring(A, 45000)"}},
      {"sum", {"(SELECT sum(A) FROM feature)"}},
      {"tan", {"tan(N)"}},
      {"total", {"(SELECT total(A) FROM feature)"}},
      {"trim", {"trim(A, replace(B, 'a', 'c') || 'a')"}},
      {"trunc", {"trunc(N)"}},
      {"typeof", {"typeof(A)"}},
      {"unicode", {"unicode(A)"}},
      {"upper", {"upper(A)"}},
      {"contour_distance",
       {"contour_distance(A, B)",
        "contour_distance(substr(A, 1, " + kManySymbols + "), substr(B, -" + kManySymbols + "))"}},
      {"rhythm_distance", {"rhythm_distance(substr(A, 1, " + kManySymbols + "), substr(B, -" + kManySymbols + "))"}},
      {"has_intervals",
       {"has_intervals(replace(substr(A, 1, 22000), 'a', ' 1') || ' |' || replace(substr(A, 1, 22000), 'a', ' 1'), "
        "'steps"
        " ' || replace(substr(A, 1, 1900), 'a', '1 ') || '2')",
        "has_intervals(A || '|', A)"}},
      {"count_intervals",
       {"count_intervals(replace(substr(A, 1, 22000), 'a', ' 1') || ' |' || replace(substr(A, 1, 22000), 'a', ' 1'),"
        " 'steps ' || replace(substr(A, 1, 1900), 'a', '1 '))"}},
      {"query", {"query(A)", "query('intervals')"}},
  };
  return kCalls;
}

class SqlLimitsTest : public testing::Test {
 protected:
  SqlLimitsTest() : path_(scratch_ / "music.db") {
    Collection music = test::open_collection(path_);
    auto batch = must(music.begin());
    for (int i = 0; i < 3; ++i) {
      Piece piece = test::sample(i);
      piece.metadata.title = "long";
      for (int w = 0; w < 2000; ++w) piece.metadata.title += " a" + std::to_string(w);
      must(music.put(piece));
    }
    must(batch.commit());
  }

  [[nodiscard]] UserSql open(std::chrono::milliseconds time) {
    UserSql sql = must(UserSql::open(path_, {.time = time}));
    sql.set_query(features_of(test::melody(1)));
    return sql;
  }

  /// The statement with its arguments, made anew for each row so that nothing of it is worked out only once.
  static std::string statement(const std::string& call) {
    return "SELECT " + call +
           " AS x FROM (SELECT A AS A, substr(A, 1, 45000) || 'b' AS B, voice * 1.5 AS N FROM"
           " (SELECT " +
           large("a") + " || substr('', voice) AS A, voice FROM feature LIMIT 1)) AS arguments";
  }

  Scratch scratch_;
  std::filesystem::path path_;
};

TEST_F(SqlLimitsTest, EveryAllowedFunctionIsQuickOnItsLargestArguments) {
  UserSql sql = open(10s * test::kPatience);
  for (const std::string& name : sql.functions()) {
    ASSERT_TRUE(calls().contains(name)) << "say here what the worst arguments of " << name << "() are";
  }
  for (const auto& [name, expressions] : calls()) {
    for (const std::string& call : expressions) {
      const double before = cpu_seconds();
      auto done = sql.select(statement(call), [](auto, const SqlRow&) { return true; });
      const double spent = cpu_seconds() - before;
      // Less than the server's limit for a whole request.
      EXPECT_LT(spent, 4.0 * test::kPatience) << call;
      // Whatever it gives, the arguments must have reached it.
      if (!done) {
        EXPECT_NE(done.error().code, "sql-forbidden") << call << ": " << done.error().message;
        EXPECT_NE(done.error().code, "sql-timeout") << call;
        EXPECT_THAT(done.error().message, testing::Not(HasSubstr("no such"))) << call;
        EXPECT_THAT(done.error().message, testing::Not(HasSubstr("wrong number"))) << call;
      }
    }
  }
}

TEST_F(SqlLimitsTest, ManyExpensiveCallsEndSoonAfterTheirTime) {
  // Hundreds of calls without a loop between them, over many rows: none of it may outlast the limit by much.
  for (const auto& [name, expressions] : calls()) {
    for (const std::string& call : expressions) {
      std::string many = "length(" + call + ")";
      for (int i = 0; i < 4 && many.size() < 4000; ++i) many = "(" + many + " + " + many + ")";
      UserSql sql = open(50ms);
      const double before = cpu_seconds();
      (void)sql.select("SELECT count(" + many + ") FROM (SELECT A, B, N FROM (" + statement("A AS A, B AS B, N") +
                           ") JOIN feature JOIN feature JOIN feature JOIN feature)",
                       [](auto, const SqlRow&) { return true; });
      EXPECT_LT(cpu_seconds() - before, 4.0) << name << ": " << many.substr(0, 100);
    }
  }
}

TEST_F(SqlLimitsTest, TheAttackThatStoppedTheServerEndsInTime) {
  UserSql sql = open(200ms);
  const double before = cpu_seconds();
  const std::string x = large("a", 6);
  auto done = sql.where("instr(" + x + ", " + large("a", 5) + " || 'b') > 0");
  ASSERT_FALSE(done.has_value());
  EXPECT_THAT(done.error().message, HasSubstr("100000 bytes"));
  EXPECT_LT(cpu_seconds() - before, 2.0);
}

TEST_F(SqlLimitsTest, FullTextQueriesHaveAFewWords) {
  UserSql sql = open(10s);
  const auto asked = [&](const std::string& words) {
    return sql.where("piece IN (SELECT rowid FROM full_text WHERE full_text MATCH '" + words + "')");
  };
  EXPECT_EQ(must(asked("long a1 a2 a* title:a12")).size(), 6U);
  std::string forty = "a0";
  for (int i = 1; i < 40; ++i) forty += " a" + std::to_string(i);
  EXPECT_EQ(must(asked(forty)).size(), 6U);
  for (const std::string& words : {forty + " a40", std::string("a* b* c* d* a*"), "\"" + forty + " a40\""}) {
    auto done = asked(words);
    ASSERT_FALSE(done.has_value()) << words;
    EXPECT_THAT(done.error().message, HasSubstr("more than 40 words"));
  }
  EXPECT_EQ(must(asked("long")).size(), 6U) << "and it still answers";
}

TEST_F(SqlLimitsTest, LongVoicesDoNotBreakTheQueriesOfStrangers) {
  {
    Collection music = test::open_collection(path_);
    Piece piece;
    piece.id = "endless";
    std::string notes;
    for (int i = 0; i < 30'000; ++i) notes += i % 2 == 0 ? "C4 1/4 " : "C6 1/4 ";
    piece.voices = {voice_of(notes)};
    must(music.put(piece));
  }
  UserSql sql = open(10s);
  EXPECT_GT(must(sql.where("has_intervals(intervals, '+1') OR notes > 0")).size(), 3U);
  EXPECT_EQ(must(sql.where("id = 'endless' AND intervals IS NULL AND contour IS NULL AND notes = 30000")).size(), 1U);
  EXPECT_EQ(must(sql.where("key IN (SELECT key FROM interval_histogram) AND id = 'endless'")).size(), 0U);
  UserSql owner = must(UserSql::open(path_, SqlLimits::owner()));
  EXPECT_EQ(must(owner.where("has_intervals(intervals, '+24 -24 +24') AND id = 'endless'")).size(), 1U);
}

}  // namespace
}  // namespace rondo
