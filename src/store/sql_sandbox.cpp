#include "store/sql_sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rondo {
namespace {

// A table that is not named here cannot be read: what later rooms keep in the file stays private unless they say so.
constexpr std::string_view kTables[] = {
    "candidate",
    "candidate_set",
    "catalogue_number",
    "feature",
    "feature_text",
    "full_text",
    "full_text_config",
    "full_text_content",
    "full_text_data",
    "full_text_docsize",
    "full_text_idx",
    "import_file",
    "import_path",
    "import_problem",
    "import_run",
    "interval_histogram",
    "json_each",
    "melodies",
    "motives",
    "piece",
    "piece_field",
    "piece_words",
    "pieces",
    "problems",
    "removed_voice",
    "source_text",
    "voice",
};

// Left out on purpose: what makes large values from nothing (randomblob, zeroblob), what depends on the moment
// (random), what touches files or the program (load_extension), what tells of the library (sqlite_*).
constexpr std::string_view kAllowedFunctions[] = {
    "abs",
    "acos",
    "asin",
    "atan",
    "atan2",
    "avg",
    "bm25",
    "ceil",
    "char",
    "coalesce",
    "cos",
    "count",
    "date",
    "exp",
    "floor",
    "glob",
    "group_concat",
    "hex",
    "highlight",
    "ifnull",
    "iif",
    "instr",
    "json_array_length",
    "json_extract",
    "->",
    "->>",
    "length",
    "like",
    "ln",
    "log",
    "lower",
    "ltrim",
    "match",
    "max",
    "min",
    "mod",
    "nullif",
    "pow",
    "power",
    "quote",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sin",
    "sqrt",
    "strftime",
    "substr",
    "substring",
    "sum",
    "tan",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unicode",
    "upper",
};

struct ActionName {
  int action;
  std::string_view name;
};
constexpr std::array kActions = {
    ActionName{SQLITE_DELETE, "DELETE"},
    ActionName{SQLITE_INSERT, "INSERT"},
    ActionName{SQLITE_UPDATE, "UPDATE"},
    ActionName{SQLITE_PRAGMA, "PRAGMA"},
    ActionName{SQLITE_ATTACH, "ATTACH"},
    ActionName{SQLITE_DETACH, "DETACH"},
    ActionName{SQLITE_TRANSACTION, "a transaction"},
    ActionName{SQLITE_SAVEPOINT, "SAVEPOINT"},
    ActionName{SQLITE_RECURSIVE, "WITH RECURSIVE"},
    ActionName{SQLITE_ANALYZE, "ANALYZE"},
    ActionName{SQLITE_REINDEX, "REINDEX"},
    ActionName{SQLITE_ALTER_TABLE, "ALTER TABLE"},
};

std::string_view name_of(int action) {
  for (const ActionName& known : kActions) {
    if (known.action == action) return known.name;
  }
  return "CREATE or DROP";
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return out;
}

bool known_table(std::string_view name) {
  const std::string small = lower_case(name);
  return small.empty() || std::find(std::begin(kTables), std::end(kTables), small) != std::end(kTables);
}

struct Limit {
  int what;
  int most;
};
constexpr std::array kLimits = {
    Limit{SQLITE_LIMIT_LENGTH, 16'000'000},
    Limit{SQLITE_LIMIT_SQL_LENGTH, 100'000},
    Limit{SQLITE_LIMIT_COLUMN, 200},
    Limit{SQLITE_LIMIT_EXPR_DEPTH, 100},
    Limit{SQLITE_LIMIT_COMPOUND_SELECT, 20},
    Limit{SQLITE_LIMIT_VDBE_OP, 100'000},
    Limit{SQLITE_LIMIT_FUNCTION_ARG, 20},
    Limit{SQLITE_LIMIT_ATTACHED, 0},
    Limit{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1'000},
    Limit{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    Limit{SQLITE_LIMIT_WORKER_THREADS, 0},
};

constexpr int kTickEvery = 10'000;  ///< instructions of SQLite's machine: well below a millisecond

}  // namespace

SqlSandbox::SqlSandbox() {
  for (const std::string_view name : kAllowedFunctions) functions_.emplace(name);
}

void SqlSandbox::guard(Database& database) {
  sqlite3* handle = database.handle();
  for (const Limit& limit : kLimits) sqlite3_limit(handle, limit.what, limit.most);
  // "Telemann" in double quotes is a column that does not exist, not a text: better said than guessed.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_progress_handler(handle, kTickEvery, tick, this);
  sqlite3_set_authorizer(handle, authorize, this);
}

void SqlSandbox::start(std::chrono::milliseconds time) {
  refused_.clear();
  late_ = false;
  time_ = time;
  until_ = std::chrono::steady_clock::now() + time;
}

int SqlSandbox::tick(void* self) {
  auto& sandbox = *static_cast<SqlSandbox*>(self);
  sandbox.late_ = std::chrono::steady_clock::now() > sandbox.until_;
  return sandbox.late_ ? 1 : 0;
}

int SqlSandbox::authorize(void* self, int action, const char* first, const char* second, const char* /*database*/,
                          const char* /*inside*/) {
  auto& sandbox = *static_cast<SqlSandbox*>(self);
  const auto view = [](const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); };
  return sandbox.allowed(action, view(first), view(second)) ? SQLITE_OK : SQLITE_DENY;
}

bool SqlSandbox::allowed(int action, std::string_view first, std::string_view second) {
  const auto refuse = [&](std::string what) {
    if (refused_.empty()) refused_ = std::move(what);
    return false;
  };
  switch (action) {
    case SQLITE_SELECT: return true;
    case SQLITE_READ: return known_table(first) || refuse(fmt::format("the table {}", first));
    case SQLITE_FUNCTION:
      return functions_.contains(lower_case(second)) || refuse(fmt::format("the function {}()", second));
    case SQLITE_PRAGMA:
      // The full text asks this of itself to notice that the file has changed.
      if (first == "data_version" && second.empty()) return true;
      return refuse(fmt::format("PRAGMA {}", first));
    default: return refuse(std::string(name_of(action)));
  }
}

Error SqlSandbox::explain(const Database& database, int code, std::size_t prefix) const {
  if (!refused_.empty()) {
    return {"sql-forbidden", refused_ + " is not allowed here", {}, "only SELECT on the tables of docs/schema.md is"};
  }
  if (late_ && (code & 0xFF) == SQLITE_INTERRUPT) {
    return {"sql-timeout",
            fmt::format("the question took longer than {} s", static_cast<double>(time_.count()) / 1000),
            {},
            "ask for less, or put the step that excludes most first"};
  }
  const int first = code & 0xFF;
  if (first != SQLITE_ERROR && first != SQLITE_TOOBIG && first != SQLITE_MISMATCH && first != SQLITE_AUTH) {
    return sqlite_error(database.handle(), code);
  }
  Error error{"sql-error", sqlite3_errmsg(database.handle()), {}, ""};
  const int offset = sqlite3_error_offset(database.handle());
  if (offset >= 0 && static_cast<std::size_t>(offset) >= prefix) {
    error.place.column = static_cast<std::uint32_t>(static_cast<std::size_t>(offset) - prefix + 1);
  }
  if (error.message.starts_with("no such column")) {
    error.hint = "docs/schema.md lists the columns of 'melodies'; a text stands in single quotes: 'Telemann'";
  }
  return error;
}

}  // namespace rondo
