#include "store/sql_functions.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "features/interval_pattern.h"
#include "features/letters.h"
#include "rondo/features/edit_distance.h"
#include "store/feature_writer.h"
#include "store/sql_call.h"
#include "store/sql_text_functions.h"

namespace rondo {
namespace {

using Query = std::optional<Features>;

const FeatureContext& context_of(sqlite3_context* context) {
  return *static_cast<const FeatureContext*>(sqlite3_user_data(context));
}
const Query& query_of(sqlite3_context* context) { return context_of(context).query; }

std::string_view text_of(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string_view()
                         : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

void give_error(sqlite3_context* context, const std::string& message) {
  sqlite3_result_error(context, message.data(), static_cast<int>(message.size()));
}

void give_text(sqlite3_context* context, const std::string& text) {
  sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

constexpr const char* kNoQuery = "there is no melody to compare with; give one with --like or --query";

/// DISTANCE(document), DISTANCE(query, document), and either followed by the four costs: insertion, deletion, neutral,
/// opposite.
void distance(sqlite3_context* context, int count, sqlite3_value** values, std::string Features::*of_query,
              char neutral) {
  if (count != 1 && count != 2 && count != 5 && count != 6) {
    return give_error(context, "a distance takes one or two strings, and none or four costs");
  }
  const int strings = count % 4;  // 1 or 2
  for (int i = 0; i < count; ++i) {
    if (sqlite3_value_type(values[i]) == SQLITE_NULL) return sqlite3_result_null(context);
  }
  const Query& query = query_of(context);
  if (strings == 1 && !query) return give_error(context, kNoQuery);
  const std::string_view from = strings == 1 ? std::string_view((*query).*of_query) : text_of(values[0]);
  EditCosts costs;
  if (count > 2) {
    const std::array<double*, 4> each = {&costs.insertion, &costs.deletion, &costs.to_neutral, &costs.opposite};
    for (std::size_t i = 0; i < each.size(); ++i) {
      *each[i] = sqlite3_value_double(values[static_cast<std::size_t>(strings) + i]);
      if (!(*each[i] >= 0 && *each[i] <= 1000)) return give_error(context, "a cost lies between 0 and 1000");
    }
  }
  constexpr std::size_t kMost = 10'000;  // letters; the time is proportional to the product of two lengths
  const std::string_view to = text_of(values[strings - 1]);
  if (from.size() > kMost || to.size() > kMost) return sqlite3_result_null(context);
  // One distance of the largest size takes some tenths of a second and cannot be interrupted; the next one can.
  if (!context_of(context).clock.spend(from.size() * to.size())) return stop_for_time(context);
  sqlite3_result_double(context, edit_distance(from, to, neutral, costs));
}

void contour_distance(sqlite3_context* context, int count, sqlite3_value** values) {
  distance(context, count, values, &Features::contour, kContourNeutral);
}

void rhythm_distance(sqlite3_context* context, int count, sqlite3_value** values) {
  distance(context, count, values, &Features::rhythm, kRhythmNeutral);
}

/// The second argument as a pattern, parsed once where it is a constant.
const IntervalPattern* pattern_of(sqlite3_context* context, sqlite3_value* value,
                                  std::unique_ptr<IntervalPattern>& owner) {
  if (auto* kept = static_cast<IntervalPattern*>(sqlite3_get_auxdata(context, 1))) return kept;
  constexpr std::size_t kMostBytes = 4000;  // the time is proportional to its length times that of the melody
  if (text_of(value).size() > kMostBytes) {
    give_error(context, fmt::format("an interval sequence is longer than {} bytes", kMostBytes));
    return nullptr;
  }
  auto parsed = IntervalPattern::parse(text_of(value));
  if (!parsed) {
    give_error(context, parsed.error().message);
    return nullptr;
  }
  owner = std::make_unique<IntervalPattern>(std::move(*parsed));
  return owner.get();
}

/// Caches the parsed pattern for the next row. SQLite may decline and delete it at once, so this must come last.
void keep_pattern(sqlite3_context* context, std::unique_ptr<IntervalPattern> owner) {
  if (owner == nullptr) return;
  sqlite3_set_auxdata(context, 1, owner.release(),
                      [](void* pattern) { delete static_cast<IntervalPattern*>(pattern); });  // NOLINT
}

template <typename Answer>
void look_for(sqlite3_context* context, sqlite3_value** values, Answer answer) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL) {
    return sqlite3_result_null(context);
  }
  std::unique_ptr<IntervalPattern> owner;
  const IntervalPattern* pattern = pattern_of(context, values[1], owner);
  if (pattern == nullptr) return;
  const std::string_view both = text_of(values[0]);
  if (!context_of(context).clock.spend(both.size() * 16)) return stop_for_time(context);
  const std::size_t bar = both.find('|');
  if (bar == std::string_view::npos) {
    return give_error(context, "the first argument is the column intervals, which holds both kinds");
  }
  sqlite3_result_int64(context, answer(*pattern, both.substr(0, bar), both.substr(bar + 1)));
  keep_pattern(context, std::move(owner));
}

void has_intervals(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  look_for(context, values, [](const IntervalPattern& pattern, std::string_view diatonic, std::string_view chromatic) {
    return sqlite3_int64{pattern.occurs(diatonic, chromatic) ? 1 : 0};
  });
}

void count_intervals(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  look_for(context, values, [](const IntervalPattern& pattern, std::string_view diatonic, std::string_view chromatic) {
    return static_cast<sqlite3_int64>(pattern.count(diatonic, chromatic));
  });
}

struct NumberColumn {
  std::string_view name;
  double (*value)(const Features&);
};
constexpr std::array kNumbers = {
    NumberColumn{"notes", [](const Features& f) { return static_cast<double>(f.notes); }},
    NumberColumn{"range", [](const Features& f) { return static_cast<double>(f.range); }},
    NumberColumn{"range_steps", [](const Features& f) { return static_cast<double>(f.range_steps); }},
    NumberColumn{"max_interval", [](const Features& f) { return static_cast<double>(f.max_interval); }},
    NumberColumn{"max_interval_steps", [](const Features& f) { return static_cast<double>(f.max_interval_steps); }},
    NumberColumn{"duration_ratio", [](const Features& f) { return f.duration_ratio; }},
    NumberColumn{"lowest", [](const Features& f) { return static_cast<double>(f.lowest); }},
    NumberColumn{"highest", [](const Features& f) { return static_cast<double>(f.highest); }},
};

struct TextColumn {
  std::string_view name;
  std::string (*value)(const Features&);
};
constexpr std::array kTexts = {
    TextColumn{"contour", [](const Features& f) { return f.contour; }},
    TextColumn{"rhythm", [](const Features& f) { return f.rhythm; }},
    TextColumn{"diatonic", [](const Features& f) { return interval_text(f.diatonic); }},
    TextColumn{"chromatic", [](const Features& f) { return interval_text(f.chromatic); }},
    TextColumn{"intervals",
               [](const Features& f) { return interval_text(f.diatonic) + "|" + interval_text(f.chromatic); }},
    TextColumn{"key_signature", [](const Features& f) { return f.key_signature; }},
    TextColumn{"musical_key", [](const Features& f) { return f.key; }},
    TextColumn{"time", [](const Features& f) { return f.time; }},
    TextColumn{"clef", [](const Features& f) { return f.clef; }},
};

/// query('range'): a feature of the query melody.
void query_feature(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const Query& query = query_of(context);
  if (!query) return give_error(context, kNoQuery);
  const std::string_view name = text_of(values[0]);
  for (const NumberColumn& column : kNumbers) {
    if (column.name == name) return sqlite3_result_double(context, column.value(*query));
  }
  for (const TextColumn& column : kTexts) {
    if (column.name == name) return give_text(context, column.value(*query));
  }
  give_error(context, fmt::format("the query has no feature '{}'", name));
}

struct Function {
  const char* name;
  int arguments;
  void (*call)(sqlite3_context*, int, sqlite3_value**);
};
constexpr std::array kFunctions = {
    Function{"contour_distance", -1, sql_call<contour_distance>},
    Function{"rhythm_distance", -1, sql_call<rhythm_distance>},
    Function{"has_intervals", 2, sql_call<has_intervals>},
    Function{"count_intervals", 2, sql_call<count_intervals>},
    Function{"query", 1, sql_call<query_feature>},
};
constexpr std::array<std::string_view, kFunctions.size()> kFunctionNames = {
    kFunctions[0].name, kFunctions[1].name, kFunctions[2].name, kFunctions[3].name, kFunctions[4].name};

}  // namespace

Result<void> register_feature_functions(Database& database, const FeatureContext& context) {
  for (const Function& function : kFunctions) {
    // The query changes only between statements, so the functions are deterministic in SQLite's sense.
    const int code = sqlite3_create_function_v2(
        database.handle(), function.name, function.arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
        new FeatureContext(context), function.call, nullptr, nullptr,
        [](void* kept) { delete static_cast<FeatureContext*>(kept); });  // NOLINT: SQLite owns it, even on failure
    if (code != SQLITE_OK) return fail(sqlite_error(database.handle(), code));
  }
  return {};
}

std::span<const std::string_view> feature_functions() { return kFunctionNames; }

}  // namespace rondo
