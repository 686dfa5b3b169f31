#include "store/sql_sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

namespace rondo {
namespace {

// An allow-list: tables that other modules keep in the file stay private unless they are listed here.
constexpr std::string_view kTables[] = {
    "catalogue_number",  "feature",        "feature_text",      "full_text",     "full_text_config",
    "full_text_content", "full_text_data", "full_text_docsize", "full_text_idx", "interval_histogram",
    "json_each",         "melodies",       "motives",           "piece",         "piece_field",
    "piece_words",       "pieces",         "removed_voice",     "source_text",   "voice",
};

// Paths of this machine, and the melodies that experts are asked to judge: hidden from visitors.
constexpr std::string_view kOwnersTables[] = {
    "candidate", "candidate_set", "import_file", "import_path", "import_problem", "import_run", "problems",
};

// The view `pieces` shows these two of them to everybody: a file name without its folder, and a time.
struct Column {
  std::string_view table;
  std::string_view column;
};
constexpr Column kColumnsOfPieces[] = {
    {"import_file", "name"}, {"import_file", "key"}, {"import_run", "started"}, {"import_run", "key"}};

// Excluded on purpose: functions that make large values from nothing (randomblob, zeroblob), that are not deterministic
// (random), that access files or the program (load_extension), that reveal the library (sqlite_*), and that copy their
// result once for each match without a limit (highlight, snippet).
constexpr std::string_view kAllowedFunctions[] = {
    "abs",          "acos",
    "asin",         "atan",
    "atan2",        "avg",
    "bm25",         "ceil",
    "char",         "coalesce",
    "cos",          "count",
    "date",         "exp",
    "floor",        "glob",
    "group_concat", "hex",
    "ifnull",       "iif",
    "instr",        "json_array_length",
    "json_extract", "->",
    "->>",          "length",
    "like",         "ln",
    "log",          "lower",
    "ltrim",        "match",
    "max",          "min",
    "mod",          "nullif",
    "pow",          "power",
    "quote",        "rank",
    "replace",      "round",
    "row_number",   "rtrim",
    "sign",         "sin",
    "sqrt",         "strftime",
    "substr",       "substring",
    "sum",          "tan",
    "total",        "trim",
    "trunc",        "typeof",
    "unicode",      "upper",
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

template <std::size_t Size>
bool contains(const std::string_view (&names)[Size], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

struct Limit {
  int what;
  int most;
};
constexpr std::array kLimits = {
    Limit{SQLITE_LIMIT_SQL_LENGTH, 20'000}, Limit{SQLITE_LIMIT_COLUMN, 200},
    Limit{SQLITE_LIMIT_EXPR_DEPTH, 100},    Limit{SQLITE_LIMIT_COMPOUND_SELECT, 20},
    Limit{SQLITE_LIMIT_VDBE_OP, 25'000},    Limit{SQLITE_LIMIT_FUNCTION_ARG, 20},
    Limit{SQLITE_LIMIT_ATTACHED, 0},        Limit{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1'000},
    Limit{SQLITE_LIMIT_TRIGGER_DEPTH, 1},   Limit{SQLITE_LIMIT_WORKER_THREADS, 0},
};

// Instructions of SQLite's virtual machine between two checks of the clock. An instruction may call a function that is
// linear in texts of maximal length, some ten microseconds each; a check costs a hundredth of these instructions.
constexpr int kTickEvery = 100;

}  // namespace

SqlSandbox::SqlSandbox(SqlAudience audience) : audience_(audience) {
  for (const std::string_view name : kAllowedFunctions) functions_.emplace(name);
}

void SqlSandbox::guard(Database& database) {
  sqlite3* handle = database.handle();
  for (const Limit& limit : kLimits) sqlite3_limit(handle, limit.what, limit.most);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(most_bytes(audience_)));
  // "Telemann" in double quotes is an unknown column, not a string: an error is better than a guess.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_progress_handler(handle, kTickEvery, tick, this);
  sqlite3_set_authorizer(handle, authorize, this);
}

void SqlSandbox::start(std::chrono::milliseconds time) {
  refused_.clear();
  clock_.start(time);
}

int SqlSandbox::tick(void* self) { return static_cast<SqlSandbox*>(self)->clock_.tick() ? 1 : 0; }

int SqlSandbox::authorize(void* self, int action, const char* first, const char* second, const char* /*database*/,
                          const char* inside) {
  auto& sandbox = *static_cast<SqlSandbox*>(self);
  const auto view = [](const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); };
  try {
    return sandbox.allowed(action, view(first), view(second), view(inside)) ? SQLITE_OK : SQLITE_DENY;
  } catch (const std::bad_alloc&) {  // must not pass SQLite's frames
    return SQLITE_DENY;
  }
}

bool SqlSandbox::readable(std::string_view table, std::string_view column, std::string_view inside) const {
  const std::string small = lower_case(table);
  if (small.empty() || contains(kTables, small)) return true;
  if (!contains(kOwnersTables, small)) return false;
  if (audience_ == SqlAudience::owner) return true;
  // A user cannot create a view of the same name, so this is Rondo's view.
  return inside == "pieces" && std::any_of(std::begin(kColumnsOfPieces), std::end(kColumnsOfPieces),
                                           [&](auto& shown) { return shown.table == small && shown.column == column; });
}

bool SqlSandbox::allowed(int action, std::string_view first, std::string_view second, std::string_view inside) {
  const auto refuse = [&](std::string what) {
    if (refused_.empty()) refused_ = std::move(what);
    return false;
  };
  switch (action) {
    case SQLITE_SELECT: return true;
    case SQLITE_READ: return readable(first, second, inside) || refuse(fmt::format("the table {}", first));
    case SQLITE_FUNCTION:
      return functions_.contains(lower_case(second)) || refuse(fmt::format("the function {}()", second));
    case SQLITE_PRAGMA:
      // FTS5 uses this itself to detect changes of the file.
      if (first == "data_version" && second.empty()) return true;
      return refuse(fmt::format("PRAGMA {}", first));
    default: return refuse(std::string(name_of(action)));
  }
}

Error SqlSandbox::explain(const Database& database, int code, std::size_t prefix) const {
  if (!refused_.empty()) {
    return {"sql-forbidden", refused_ + " is not allowed here", {}, "only SELECT on the tables of docs/schema.md is"};
  }
  if (clock_.too_many_words()) {
    return {
        "sql-error",
        fmt::format("a full text query has more than {} words (a word with '*' counts as ten)", SqlClock::kMostWords),
        {},
        "use fewer words"};
  }
  if (clock_.was_late() && (code & 0xFF) == SQLITE_INTERRUPT) {
    return {"sql-timeout",
            fmt::format("the query took longer than {} s", static_cast<double>(clock_.time().count()) / 1000),
            {},
            "simplify the query, or put the step that excludes most first"};
  }
  if ((code & 0xFF) == SQLITE_TOOBIG) {
    return {"sql-error",
            fmt::format("a text in the query is longer than {} bytes", most_bytes(audience_)),
            {},
            "compare parts of it, with substr()"};
  }
  const int first = code & 0xFF;
  if (first != SQLITE_ERROR && first != SQLITE_MISMATCH && first != SQLITE_AUTH) {
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
