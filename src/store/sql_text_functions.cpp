#include "store/sql_text_functions.h"

#include <string.h>  // NOLINT: memmem is not in <cstring>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_set>

#include "store/sql_call.h"
#include "store/sql_pattern.h"

namespace rondo {
namespace {

SqlClock& clock_of(sqlite3_context* context) { return *static_cast<SqlClock*>(sqlite3_user_data(context)); }

bool any_null(int count, sqlite3_value** values) {
  return std::any_of(values, values + count, [](sqlite3_value* v) { return sqlite3_value_type(v) == SQLITE_NULL; });
}

std::string_view text_argument(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string_view()
                         : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

std::string_view blob_argument(sqlite3_value* value) {
  const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// The C library's search is linear for any needle; that of string_view is not.
std::size_t find_linear(std::string_view text, std::string_view needle, std::size_t from = 0) {
  const void* found = memmem(text.data() + from, text.size() - from, needle.data(), needle.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

void instr(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const bool blobs = sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
  const std::string_view text = blobs ? blob_argument(values[0]) : text_argument(values[0]);
  const std::string_view needle = blobs ? blob_argument(values[1]) : text_argument(values[1]);
  if (!clock_of(context).spend(text.size() + needle.size())) return stop_for_time(context);
  if (needle.empty()) return sqlite3_result_int64(context, 1);
  std::size_t found = find_linear(text, needle);
  // Matches begin at characters; only in malformed text a character begins with a continuation byte.
  if (!blobs && continues(needle.front()) && found != 0) found = std::string_view::npos;
  if (found == std::string_view::npos) return sqlite3_result_int64(context, 0);
  std::int64_t position = static_cast<std::int64_t>(found) + 1;
  const std::string_view before = text.substr(0, found);
  if (!blobs && !before.empty()) position -= std::count_if(before.begin() + 1, before.end(), continues);
  sqlite3_result_int64(context, position);
}

void replace(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  const std::string_view text = text_argument(values[0]);
  const std::string_view from = text_argument(values[1]);
  const std::string_view to = text_argument(values[2]);
  // As with SQLite, a pattern that is empty or begins with NUL replaces nothing.
  if (from.empty() || from.front() == '\0') return sqlite3_result_value(context, values[0]);
  SqlClock& clock = clock_of(context);
  if (!clock.spend(text.size() + from.size())) return stop_for_time(context);
  const auto most =
      static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = find_linear(text, from, at);
    out += text.substr(at, found == std::string_view::npos ? found : found - at);
    if (found != std::string_view::npos) out += to;
    if (out.size() > most) return sqlite3_result_error_toobig(context);
    if (found == std::string_view::npos) break;
    if (!clock.spend(to.size() + 1)) return stop_for_time(context);
    at = found + from.size();
  }
  sqlite3_result_text64(context, out.data(), out.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// The characters that trim takes away, found in constant time.
class CharacterSet {
 public:
  explicit CharacterSet(std::string_view characters) {
    while (!characters.empty()) {
      std::size_t size = 1;
      const bool lead = static_cast<unsigned char>(characters.front()) >= 0xC0;
      while (lead && size < characters.size() && continues(characters[size])) ++size;
      if (size == 1) {
        single_[static_cast<unsigned char>(characters.front())] = true;
      } else {
        long_.insert(characters.substr(0, size));
        longest_ = std::max(longest_, size);
      }
      characters.remove_prefix(size);
    }
    longest_ = std::min(longest_, kLongest);
  }

  [[nodiscard]] std::size_t at_front(std::string_view text) const {
    if (!text.empty() && single_[static_cast<unsigned char>(text.front())]) return 1;
    for (std::size_t size = 2; size <= std::min(longest_, text.size()); ++size) {
      if (long_.contains(text.substr(0, size))) return size;
    }
    return 0;
  }
  [[nodiscard]] std::size_t at_back(std::string_view text) const {
    if (!text.empty() && single_[static_cast<unsigned char>(text.back())]) return 1;
    for (std::size_t size = 2; size <= std::min(longest_, text.size()); ++size) {
      if (long_.contains(text.substr(text.size() - size))) return size;
    }
    return 0;
  }

 private:
  static constexpr std::size_t kLongest = 8;  ///< bytes; longer ones are no characters
  std::array<bool, 256> single_{};
  std::unordered_set<std::string_view> long_;
  std::size_t longest_ = 1;
};

void trim_sides(sqlite3_context* context, int count, sqlite3_value** values, bool left, bool right) {
  if (any_null(count, values)) return sqlite3_result_null(context);
  std::string_view text = text_argument(values[0]);
  const std::string_view characters = count == 2 ? text_argument(values[1]) : std::string_view(" ");
  if (!clock_of(context).spend(text.size() + characters.size())) return stop_for_time(context);
  const CharacterSet set(characters);
  while (left) {
    const std::size_t size = set.at_front(text);
    if (size == 0) break;
    text.remove_prefix(size);
  }
  while (right) {
    const std::size_t size = set.at_back(text);
    if (size == 0) break;
    text.remove_suffix(size);
  }
  sqlite3_result_text64(context, text.empty() ? "" : text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void trim(sqlite3_context* context, int count, sqlite3_value** values) {
  trim_sides(context, count, values, true, true);
}
void ltrim(sqlite3_context* context, int count, sqlite3_value** values) {
  trim_sides(context, count, values, true, false);
}
void rtrim(sqlite3_context* context, int count, sqlite3_value** values) {
  trim_sides(context, count, values, false, true);
}

/// Matches the second argument against the first, compiled once where that is a constant.
template <typename Compile>
void match_pattern(sqlite3_context* context, sqlite3_value** values, const Compile& compile) {
  const std::string_view pattern = text_argument(values[0]);
  const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1);
  if (pattern.size() > static_cast<std::size_t>(most)) {
    return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
  }
  std::unique_ptr<SqlPattern> owner;
  const auto* compiled = static_cast<const SqlPattern*>(sqlite3_get_auxdata(context, 0));
  if (compiled == nullptr) {
    owner = std::make_unique<SqlPattern>(compile(pattern));
    compiled = owner.get();
  }
  const std::optional<bool> found = compiled->matches(text_argument(values[1]), clock_of(context));
  if (!found) return stop_for_time(context);
  sqlite3_result_int(context, *found ? 1 : 0);
  // SQLite may decline to keep it and delete it at once, so this must come last.
  if (owner != nullptr) {
    sqlite3_set_auxdata(context, 0, owner.release(),
                        [](void* kept) { delete static_cast<SqlPattern*>(kept); });  // NOLINT: SQLite owns it
  }
}

/// Debian's SQLite matches no blobs (SQLITE_LIKE_DOESNT_MATCH_BLOBS).
bool any_blob(sqlite3_value** values) {
  return sqlite3_value_type(values[0]) == SQLITE_BLOB || sqlite3_value_type(values[1]) == SQLITE_BLOB;
}

void like(sqlite3_context* context, int count, sqlite3_value** values) {
  char32_t escape = 0;
  if (count == 3) {
    if (sqlite3_value_type(values[2]) == SQLITE_NULL) return sqlite3_result_null(context);
    std::string_view character = text_argument(values[2]);
    if (!character.empty()) escape = take_character(character);
    if (escape == 0 || !character.empty()) {
      return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
    }
  }
  if (any_blob(values)) return sqlite3_result_int(context, 0);
  if (any_null(2, values)) return sqlite3_result_null(context);
  match_pattern(context, values, [&](std::string_view pattern) { return SqlPattern::like(pattern, escape); });
}

void glob(sqlite3_context* context, int count, sqlite3_value** values) {
  if (any_blob(values)) return sqlite3_result_int(context, 0);
  if (any_null(count, values)) return sqlite3_result_null(context);
  match_pattern(context, values, [](std::string_view pattern) { return SqlPattern::glob(pattern); });
}

struct TextFunction {
  const char* name;
  int arguments;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};
constexpr TextFunction kTextFunctions[] = {
    {"instr", 2, sql_call<instr>}, {"replace", 3, sql_call<replace>}, {"trim", 1, sql_call<trim>},
    {"trim", 2, sql_call<trim>},   {"ltrim", 1, sql_call<ltrim>},     {"ltrim", 2, sql_call<ltrim>},
    {"rtrim", 1, sql_call<rtrim>}, {"rtrim", 2, sql_call<rtrim>},     {"like", 2, sql_call<like>},
    {"like", 3, sql_call<like>},   {"glob", 2, sql_call<glob>},
};

}  // namespace

void stop_for_time(sqlite3_context* context) {
  sqlite3_result_error(context, "interrupted", -1);
  sqlite3_result_error_code(context, SQLITE_INTERRUPT);
}

Result<void> register_text_functions(Database& database, SqlClock& clock) {
  for (const TextFunction& function : kTextFunctions) {
    const int code = sqlite3_create_function_v2(database.handle(), function.name, function.arguments,
                                                SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, &clock,
                                                function.call, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return fail(sqlite_error(database.handle(), code));
  }
  return {};
}

}  // namespace rondo
