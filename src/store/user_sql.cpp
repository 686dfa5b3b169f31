#include "store/user_sql.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "base/utf8.h"
#include "store/fts_guard.h"
#include "store/open.h"
#include "store/sql_functions.h"
#include "store/sql_sandbox.h"
#include "store/sql_text_functions.h"
#include "store/sqlite.h"
#include "store/temp_files.h"

namespace rondo {

namespace {

constexpr std::uint64_t kTempBytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t kOwnersTempBytes = std::uint64_t{4} << 30U;

}  // namespace

struct UserSql::State {
  explicit State(const SqlLimits& most)
      : sandbox(most.audience),
        temp_files(sandbox.clock(), most.audience == SqlAudience::owner ? kOwnersTempBytes : kTempBytes),
        limits(most) {}

  // The connection is destroyed first, because it refers to the others.
  SqlSandbox sandbox;
  TempFiles temp_files;
  std::optional<Features> query;
  Database database;
  SqlLimits limits;
};

namespace {

/// A statement of a user. Unlike Statement it keeps SQLite's error codes, which the sandbox explains.
class Question {
 public:
  Question(Database& database, SqlSandbox& sandbox, TempFiles& temp_files, std::size_t prefix)
      : database_(database), sandbox_(sandbox), temp_files_(temp_files), prefix_(prefix) {}
  ~Question() { sqlite3_finalize(handle_); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  [[nodiscard]] Result<void> prepare(std::string_view sql, std::chrono::milliseconds time) {
    sandbox_.start(time);
    temp_files_.reset();
    const char* tail = nullptr;
    const int code = sqlite3_prepare_v2(database_.handle(), sql.data(), static_cast<int>(sql.size()), &handle_, &tail);
    if (code != SQLITE_OK) return fail(explain(code));
    if (handle_ == nullptr) return fail("sql-malformed", "there is no statement");
    const std::string_view rest(tail, static_cast<std::size_t>(sql.data() + sql.size() - tail));
    if (rest.find_first_not_of(" \t\r\n;") != std::string_view::npos) {
      return fail("sql-malformed", fmt::format("there is text after the statement: {}", utf8_prefix(rest, 40)), {},
                  "send one statement at a time");
    }
    if (sqlite3_stmt_readonly(handle_) == 0) return fail("sql-forbidden", "only reading is allowed");
    return {};
  }
  [[nodiscard]] Result<bool> step() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return fail(explain(sqlite3_extended_errcode(database_.handle())));
  }
  [[nodiscard]] sqlite3_stmt* handle() const { return handle_; }

 private:
  [[nodiscard]] Error explain(int code) const {
    if (!temp_files_.was_full()) return sandbox_.explain(database_, code, prefix_);
    return {"sql-space",
            fmt::format("the query sorts or collects more than {} MB", temp_files_.most_bytes() >> 20U),
            {},
            "sort fewer or shorter columns, or exclude more before"};
  }

  Database& database_;
  SqlSandbox& sandbox_;
  TempFiles& temp_files_;
  std::size_t prefix_;
  sqlite3_stmt* handle_ = nullptr;
};

std::string cell(sqlite3_stmt* row, int column) {
  const auto* text = static_cast<const char*>(sqlite3_column_blob(row, column));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

// Texts of long voices would exceed the maximal length and fail the whole query: visitors see NULL instead. A note
// takes at most five characters in each of `diatonic` and `chromatic`, and `intervals` holds both.
constexpr const char* kStrangersViews = R"sql(
CREATE TEMP VIEW feature_text AS
  SELECT t.* FROM main.feature f JOIN main.feature_text t ON t.voice = f.voice WHERE f.notes <= 10000;
CREATE TEMP VIEW melodies AS
  SELECT f.voice AS key, p.id, v.number AS voice, v.name, v.note_count, v.clef, v.key_signature, v.musical_key, v.time,
    p.title, p.composer, p.source, p.library, p.shelfmark, p.year, f.piece,
    f.notes, max(f.notes - 1, 0) AS interval_count, f.range, f.range_steps, f.max_interval, f.max_interval_steps,
    f.duration_ratio, f.lowest, f.highest,
    f.unisons, f.seconds, f.thirds, f.fourths, f.fifths, f.sixths, f.sevenths, f.octaves, f.larger,
    t.contour, t.rhythm, t.diatonic, t.chromatic, t.diatonic || '|' || t.chromatic AS intervals, t.motives
  FROM main.feature f
    LEFT JOIN main.feature_text t ON t.voice = f.voice AND f.notes <= 10000
    LEFT JOIN main.voice v ON v.key = f.voice
    LEFT JOIN main.piece p ON p.key = f.piece;
CREATE TEMP VIEW interval_histogram AS
  SELECT f.voice AS key, 'diatonic' AS kind, e.value AS interval, count(*) AS count,
    count(*) * 1.0 / (f.notes - 1) AS share
  FROM main.feature f JOIN main.feature_text t ON t.voice = f.voice AND f.notes <= 10000
    JOIN json_each('[' || replace(trim(t.diatonic), ' ', ',') || ']') e
  GROUP BY f.voice, e.value
  UNION ALL
  SELECT f.voice, 'chromatic', e.value, count(*), count(*) * 1.0 / (f.notes - 1)
  FROM main.feature f JOIN main.feature_text t ON t.voice = f.voice AND f.notes <= 10000
    JOIN json_each('[' || replace(trim(t.chromatic), ' ', ',') || ']') e
  GROUP BY f.voice, e.value;
)sql";

constexpr std::string_view kEach = "SELECT (";

/// SELECT (expression) FROM melodies WHERE key = ?1
std::string for_one(std::string_view expression) {
  return fmt::format("{}{}\n) FROM melodies WHERE key = ?1", kEach, expression);
}

}  // namespace

UserSql::UserSql(std::unique_ptr<State> state) : state_(std::move(state)) {}
UserSql::~UserSql() = default;
UserSql::UserSql(UserSql&&) noexcept = default;
UserSql& UserSql::operator=(UserSql&&) noexcept = default;

Result<UserSql> UserSql::open(const std::filesystem::path& path, const SqlLimits& limits) {
  auto state = std::make_unique<State>(limits);
  auto database = open_database(path, state->temp_files.name());
  if (!database) {
    if (database.error().place.file.empty()) database.error().place.file = path.string();
    return fail(std::move(database.error()));
  }
  state->database = std::move(*database);
  // Sorts use temporary files, which are limited; memory would not be. What SQLite sorts in memory before it writes it
  // to a file is as large as its cache, and sorted in one go.
  auto done = state->database.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -2048");
  if (done) done = register_text_functions(state->database, state->sandbox.clock());
  if (done && limits.audience == SqlAudience::strangers) {
    done = limit_full_text_words(state->database, state->sandbox.clock());
  }
  if (done) done = register_feature_functions(state->database, {state->query, state->sandbox.clock()});
  if (done && limits.audience == SqlAudience::strangers) done = state->database.execute(kStrangersViews);
  if (done) done = state->database.execute("PRAGMA query_only = ON; BEGIN");
  if (!done) return fail(std::move(done.error()));
  state->sandbox.clock().stop_with(limits.stop);
  state->sandbox.clock().start(limits.time);
  // FTS5 initialises itself at its first use, with statements that users are not allowed to run.
  auto words =
      state->database.number("SELECT count(*) FROM (SELECT 1 FROM full_text WHERE full_text MATCH 'a' LIMIT 1)");
  if (!words) return fail(std::move(words.error()));
  for (const std::string_view name : feature_functions()) state->sandbox.allow_function(std::string(name));
  state->sandbox.guard(state->database);
  return UserSql(std::move(state));
}

void UserSql::set_query(const Features& query) { state_->query = query; }
Database& UserSql::database() { return state_->database; }
void UserSql::allow_function(std::string name) { state_->sandbox.allow_function(std::move(name)); }
std::function<bool()> UserSql::out_of_time() {
  return [&clock = state_->sandbox.clock()] { return clock.late(); };
}
SqlAudience UserSql::audience() const { return state_->limits.audience; }
std::vector<std::string> UserSql::functions() const {
  return {state_->sandbox.functions().begin(), state_->sandbox.functions().end()};
}

Result<void> UserSql::select(std::string_view sql, const Visitor& visit) {
  Question question(state_->database, state_->sandbox, state_->temp_files, 0);
  if (auto done = question.prepare(sql, state_->limits.time); !done) return done;
  const int columns = sqlite3_column_count(question.handle());
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i) names.emplace_back(sqlite3_column_name(question.handle(), i));
  SqlRow cells(static_cast<std::size_t>(columns));
  for (std::size_t rows = 0;; ++rows) {
    auto row = question.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
    if (rows == state_->limits.rows) {
      return fail("sql-rows", fmt::format("there are more than {} rows", rows), {}, "add LIMIT to the statement");
    }
    for (int i = 0; i < columns; ++i) cells[static_cast<std::size_t>(i)] = cell(question.handle(), i);
    if (!visit(names, cells)) return {};
  }
}

Result<std::vector<SelectedMelody>> UserSql::where(std::string_view expression) {
  if (auto done = check_expression(expression); !done) return fail(std::move(done.error()));
  constexpr std::string_view kBefore = "SELECT key, piece FROM melodies WHERE (";
  Question question(state_->database, state_->sandbox, state_->temp_files, kBefore.size());
  if (auto done = question.prepare(fmt::format("{}{}\n) ORDER BY key", kBefore, expression), state_->limits.time);
      !done) {
    return fail(std::move(done.error()));
  }
  std::vector<SelectedMelody> out;
  for (;;) {
    auto row = question.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return out;
    out.push_back(
        {VoiceKey{sqlite3_column_int64(question.handle(), 0)}, PieceKey{sqlite3_column_int64(question.handle(), 1)}});
  }
}

Result<std::vector<SelectedMelody>> UserSql::where(std::string_view expression, std::span<const SelectedMelody> among) {
  // "IS TRUE" turns every value, including NULL, into 0 or 1.
  auto truths = values(fmt::format("({}\n) IS TRUE", expression), among);
  if (!truths) return fail(std::move(truths.error()));
  std::vector<SelectedMelody> out;
  for (std::size_t i = 0; i < among.size(); ++i) {
    if ((*truths)[i] == 1) out.push_back(among[i]);
  }
  return out;
}

Result<std::vector<double>> UserSql::values(std::string_view expression, std::span<const SelectedMelody> among) {
  if (auto done = check_expression(expression); !done) return fail(std::move(done.error()));
  Question question(state_->database, state_->sandbox, state_->temp_files, kEach.size());
  if (auto done = question.prepare(for_one(expression), state_->limits.time); !done)
    return fail(std::move(done.error()));
  std::vector<double> out;
  out.reserve(among.size());
  for (const SelectedMelody& melody : among) {
    sqlite3_reset(question.handle());
    sqlite3_bind_int64(question.handle(), 1, static_cast<sqlite3_int64>(melody.voice));
    auto row = question.step();
    if (!row) return fail(std::move(row.error()));
    const bool known = *row && sqlite3_column_type(question.handle(), 0) != SQLITE_NULL;
    out.push_back(known ? sqlite3_column_double(question.handle(), 0) : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

Result<std::uint64_t> UserSql::size() {
  state_->sandbox.start(state_->limits.time);
  auto count = state_->database.number("SELECT count(*) FROM feature");
  if (!count) return fail(std::move(count.error()));
  return static_cast<std::uint64_t>(*count);
}

}  // namespace rondo
