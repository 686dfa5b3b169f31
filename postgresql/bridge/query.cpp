#include "bridge/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/utf8.h"
#include "bridge/guard.h"
#include "bridge/melody.h"
#include "bridge/memory.h"
#include "formats/pae.h"
#include "formats/shown.h"
#include "melody/limits.h"
#include "rondo/search/service.h"
#include "search/best_voice.h"
#include "similarity/mixture.h"

namespace rondo::postgresql {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kQueryVersion = 1;
constexpr std::size_t kMostSettings = 256;

/// Counts that indexes gave, by the OID of the index. A statement uses at most as many as it has pins for
/// (server/admin.c), which are fewer than are kept.
struct Statistics {
  std::uint64_t version = 0;
  std::shared_ptr<const WindowCounts> counts;
  std::uint64_t used = 0;
};
constexpr std::size_t kMostStatistics = 32;
std::map<std::uint32_t, Statistics>& all_statistics() {
  static std::map<std::uint32_t, Statistics> all;
  return all;
}
/// Counts up, so that what was used least recently is known.
std::uint64_t now() {
  static std::uint64_t moments = 0;
  return ++moments;
}

/// The least recently used go where there are more than `most`.
template <typename Map>
void keep_newest(Map& map, std::size_t most) {
  while (map.size() > most) {
    map.erase(std::min_element(map.begin(), map.end(),
                               [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
  }
}

void append_number(std::string& out, std::size_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  std::size_t number(std::size_t bytes) {
    std::size_t value = 0;
    const std::string_view text = take(bytes);
    for (std::size_t i = 0; i < text.size(); ++i) value |= std::size_t{static_cast<unsigned char>(text[i])} << (8 * i);
    return value;
  }
  std::string text() { return std::string(take(number(2))); }
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] bool good() const { return good_; }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) {
      good_ = false;
      return {};
    }
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  std::string_view rest_;
  bool good_ = true;
};

Result<WindowCounts> read_counts(std::string_view pairs) {
  const auto bad = [] { return fail("statistics-malformed", "these are not counts of windows of three notes"); };
  if (pairs.size() % 16 != 0) return bad();
  WindowCounts counts;
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < pairs.size(); at += 16) {
    std::uint64_t key = 0;
    std::uint64_t count = 0;
    std::memcpy(&key, pairs.data() + at, 8);
    std::memcpy(&count, pairs.data() + at + 8, 8);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;  // so that sums stay exact in a double
    if (key >> 32U != 1 || count == 0 || count > kMost || counts.count(key) != 0) return bad();
    sum += count;
    if (sum > kMost) return bad();
    counts.add(key, static_cast<std::int64_t>(count));
  }
  return counts;
}

Result<Voice> voice_of(const Query& query) { return unpacked(bytes_of(query.melody)); }

Result<Json> object_of(std::string_view text) {
  auto object = parse_json<Json>(text, {limits::kNesting, JsonLimits().values});
  if (!object) {
    object.error().code = "query-malformed";
    if (object.error().hint.empty()) {
      object.error().hint = R"(for instance {"melody": "'4CDEC", "system": "shapeh"})";
    }
    return object;
  }
  if (!object->is_object()) {
    return fail("query-malformed", "this is not JSON", {}, R"(for instance {"melody": "'4CDEC", "system": "shapeh"})");
  }
  return object;
}

Result<std::string> query_text(const Json& object, const char* name, std::string standard) {
  const auto found = object.find(name);
  if (found == object.end()) return standard;
  if (!found->is_string()) return fail("query-malformed", fmt::format("'{}' must be a text", name));
  return found->get<std::string>();
}

Result<Query> from_json(std::string_view text, Diagnostics& warnings) {
  auto object = object_of(text);
  if (!object) return fail(std::move(object.error()));
  for (const auto& [name, value] : object->items()) {
    if (name != "melody" && name != "system" && name != "settings" && name != "statistics") {
      return fail("query-malformed", fmt::format("a query has no '{}'", name), {},
                  "it has melody, system, settings and statistics");
    }
  }
  Query query;
  auto system = query_text(*object, "system", query.system);
  if (!system) return fail(std::move(system.error()));
  query.system = std::move(*system);
  if (const auto settings = object->find("settings"); settings != object->end()) {
    const bool texts = settings->is_array() &&
                       std::all_of(settings->begin(), settings->end(), [](const Json& one) { return one.is_string(); });
    if (!texts) return fail("query-malformed", "'settings' must be a list of texts");
    for (const Json& one : *settings) query.settings.push_back(one.get<std::string>());
  }
  if (const auto statistics = object->find("statistics"); statistics != object->end()) {
    const bool number = statistics->is_number_unsigned() && statistics->get<std::uint64_t>() <= 0xFFFFFFFFU;
    if (!number) return fail("query-malformed", "'statistics' must be the OID of an index");
    query.statistics = statistics->get<std::uint32_t>();
  }
  auto melody = query_text(*object, "melody", "");
  if (!melody) return fail(std::move(melody.error()));
  auto voice = read_melody(*melody, warnings);
  if (!voice) return fail(std::move(voice.error()));
  auto bytes = packed(*voice);
  if (!bytes) return fail(std::move(bytes.error()));
  query.melody = std::move(*bytes);
  return query;
}

Result<Query> from_typed(std::string_view text, Diagnostics& warnings) {
  auto voice = parse_pae_query(text, warnings);
  if (!voice) return fail(std::move(voice.error()));
  auto bytes = packed(*voice);
  if (!bytes) return fail(std::move(bytes.error()));
  Query query;
  query.melody = std::move(*bytes);
  return query;
}

/// Everything that a query needs is there: an error now is better than one for each row.
Result<std::string> checked(const Query& query) {
  auto voice = voice_of(query);
  if (!voice) return fail(std::move(voice.error()));
  auto chosen = choose(query.system, query.settings);
  if (!chosen) return fail(std::move(chosen.error()));
  HeardQuery heard;
  heard.line = make_line(*voice);
  if (heard.line.size() == 0) {
    return fail("query-empty", "there are no notes in it that can be compared", {}, "add notes, for instance '4CDEC");
  }
  if (auto fits = check_length(heard, *chosen); !fits) return fail(std::move(fits.error()));
  return encode(query);
}

bool learns(const ChosenSystem& chosen) { return chosen.system->learns(); }

}  // namespace

Result<std::string> encode(const Query& query) {
  std::string out(1, kQueryVersion);
  append_number(out, query.statistics, 4);
  constexpr std::size_t kMostText = 0xFFFF;
  if (query.system.size() > kMostText || query.settings.size() > kMostSettings) {
    return fail("query-too-large", "the name of the system or its settings are too long");
  }
  append_number(out, query.system.size(), 2);
  out += query.system;
  append_number(out, query.settings.size(), 2);
  for (const std::string& setting : query.settings) {
    if (setting.size() > kMostText) return fail("query-too-large", "a setting is too long");
    append_number(out, setting.size(), 2);
    out += setting;
  }
  return out + query.melody;
}

Result<Query> decode(std::string_view bytes) {
  const auto damaged = [] { return fail("query-damaged", "these bytes are not a query"); };
  if (bytes.empty() || bytes.front() != kQueryVersion) return damaged();
  Reader reader(bytes.substr(1));
  Query query;
  query.statistics = static_cast<std::uint32_t>(reader.number(4));
  query.system = reader.text();
  const std::size_t settings = reader.number(2);
  if (settings > kMostSettings) return damaged();
  for (std::size_t i = 0; i < settings && reader.good(); ++i) query.settings.push_back(reader.text());
  if (!reader.good()) return damaged();
  query.melody = std::string(reader.rest());
  return query;
}

Result<ChosenSystem> choose(const std::string& system, const std::vector<std::string>& settings) {
  auto chosen = resolve_system(system, settings);
  if (!chosen) return chosen;
  if (chosen->system->mixture() != nullptr) {
    return fail("system-mixture",
                fmt::format("'{}' merges ranked lists; its scores are not those of two melodies", system), {},
                "merge lists in SQL, or choose one of its parts");
  }
  return chosen;
}

namespace {

struct TaughtSystem {
  std::uint64_t version = 0;
  std::uint64_t used = 0;
  std::shared_ptr<const ChosenSystem> chosen;
};
constexpr std::size_t kMostTaught = 64;
std::map<std::string, TaughtSystem>& taught_systems() {
  static std::map<std::string, TaughtSystem> all;
  return all;
}

/// A system that has learnt what the statistics say, made once for all queries that want it: the counts are many.
Result<std::shared_ptr<const ChosenSystem>> taught_system(const Query& query) {
  std::map<std::string, TaughtSystem>& all = taught_systems();
  const auto statistics = all_statistics().find(query.statistics);
  const bool known = query.statistics != 0 && statistics != all_statistics().end();
  const std::uint64_t version = known ? statistics->second.version : 0;
  const std::string key = fmt::format("{} {} {}", query.statistics, query.system, fmt::join(query.settings, " "));
  if (const auto found = all.find(key); found != all.end() && found->second.version == version) {
    found->second.used = now();
    return found->second.chosen;
  }
  auto chosen = choose(query.system, query.settings);
  if (!chosen) return fail(std::move(chosen.error()));
  if (query.statistics != 0 && learns(*chosen)) {
    const SearchPlan plan = chosen->system->plan();
    const auto* windows = std::get_if<WindowPlan>(&plan);
    if (windows == nullptr || windows->counts == nullptr) {
      return fail("system-learns", fmt::format("what '{}' must know of a collection is not kept", query.system));
    }
    if (!known) return fail("statistics-missing", "the statistics have not been read");
    *windows->counts = *statistics->second.counts;
  }
  auto shared = std::make_shared<const ChosenSystem>(std::move(*chosen));
  all[key] = {version, now(), shared};
  keep_newest(all, kMostTaught);
  return shared;
}

}  // namespace

void forget_systems() noexcept { taught_systems().clear(); }

Result<ReadyQuery> make_ready(const Query& query) {
  auto voice = voice_of(query);
  if (!voice) return fail(std::move(voice.error()));
  auto chosen = taught_system(query);
  if (!chosen) return fail(std::move(chosen.error()));
  ReadyQuery out;
  out.chosen = std::move(*chosen);
  out.line = std::make_unique<const Line>(
      make_line(voice->notes.size() > kMostQueryNotes ? beginning_of(*voice, kMostQueryNotes) : *voice));
  out.prepared = out.chosen->system->prepare(*out.line);
  return out;
}

}  // namespace rondo::postgresql

using namespace rondo;              // NOLINT(google-build-using-namespace): definitions of C functions
using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace)

RondoStatus rondo_query_make(RondoBytes query, bool is_packed, RondoBytes system, const RondoBytes* settings,
                             size_t count, uint32_t statistics, RondoBytes* out) {
  return guarded([&]() -> Result<void> {
    memory::expect(is_packed ? 0 : memory::to_read(query.size));
    Query made;
    Diagnostics warnings;
    if (is_packed) {
      made.melody = std::string(view(query));
    } else {
      auto typed = from_typed(view(query), warnings);
      if (!typed) return fail(std::move(typed.error()));
      made = std::move(*typed);
    }
    made.system = std::string(view(system));
    made.settings = strings(settings, count);
    made.statistics = statistics;
    auto bytes = checked(made);
    if (!bytes) return fail(std::move(bytes.error()));
    *out = keep(std::move(*bytes));
    remember_warnings(warnings);
    return {};
  });
}

RondoStatus rondo_query_in(RondoBytes text, RondoBytes* out) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_read(text.size));
    const std::string_view all = view(text);
    const std::size_t first = all.find_first_not_of(" \t\r\n");
    const bool json =
        first != std::string_view::npos && all[first] == '{' && all.find("\"melody\"") != std::string_view::npos;
    Diagnostics warnings;
    auto query = json ? from_json(all, warnings) : from_typed(all, warnings);
    if (!query) return fail(std::move(query.error()));
    auto bytes = checked(*query);
    if (!bytes) return fail(std::move(bytes.error()));
    *out = keep(std::move(*bytes));
    remember_warnings(warnings);
    return {};
  });
}

RondoStatus rondo_query_out(RondoBytes bytes, RondoBytes* text) {
  return guarded([&]() -> Result<void> {
    memory::expect(memory::to_write(bytes.size));
    auto query = decode(view(bytes));
    if (!query) return fail(std::move(query.error()));
    auto voice = voice_of(*query);
    if (!voice) return fail(std::move(voice.error()));
    auto melody = write_melody(*voice);
    if (!melody) return fail(std::move(melody.error()));
    Json object = {{"melody", *melody}, {"system", query->system}};
    if (!query->settings.empty()) object["settings"] = query->settings;
    if (query->statistics != 0) object["statistics"] = query->statistics;
    *text = keep(object.dump(-1, ' ', false, Json::error_handler_t::replace));
    return {};
  });
}

RondoStatus rondo_query_check(RondoBytes bytes) {
  return guarded([&]() -> Result<void> {
    auto query = decode(view(bytes));
    if (!query) return fail(std::move(query.error()));
    if (!is_utf8(query->system)) return fail("query-damaged", "the name of the system is not UTF-8");
    for (const std::string& setting : query->settings) {
      if (!is_utf8(setting)) return fail("query-damaged", "a setting is not UTF-8");
    }
    auto again = checked(*query);
    if (!again) return fail(std::move(again.error()));
    return {};
  });
}

RondoStatus rondo_query_statistics(RondoBytes bytes, uint32_t* statistics, bool* learning) {
  return guarded([&]() -> Result<void> {
    auto query = decode(view(bytes));
    if (!query) return fail(std::move(query.error()));
    auto chosen = choose(query->system, query->settings);
    if (!chosen) return fail(std::move(chosen.error()));
    *statistics = query->statistics;
    *learning = learns(*chosen);
    return {};
  });
}

RondoStatus rondo_query_bind(RondoBytes bytes, uint32_t statistics, RondoBytes* out) {
  return guarded([&]() -> Result<void> {
    auto query = decode(view(bytes));
    if (!query) return fail(std::move(query.error()));
    query->statistics = statistics;
    auto encoded = encode(*query);
    if (!encoded) return fail(std::move(encoded.error()));
    *out = keep(std::move(*encoded));
    return {};
  });
}

RondoStatus rondo_query_melody(RondoBytes bytes, RondoBytes* melody) {
  return guarded([&]() -> Result<void> {
    auto query = decode(view(bytes));
    if (!query) return fail(std::move(query.error()));
    *melody = keep(std::move(query->melody));
    return {};
  });
}

bool rondo_statistics_known(uint32_t index, uint64_t version) {
  const auto found = all_statistics().find(index);
  if (found == all_statistics().end() || found->second.version != version) return false;
  found->second.used = now();
  return true;
}

RondoStatus rondo_statistics_keep(uint32_t index, uint64_t version, RondoBytes pairs) {
  return guarded([&]() -> Result<void> {
    auto counts = read_counts(view(pairs));
    if (!counts) return fail(std::move(counts.error()));
    all_statistics()[index] = {version, std::make_shared<const WindowCounts>(std::move(*counts)), now()};
    keep_newest(all_statistics(), kMostStatistics);
    return {};
  });
}

RondoStatus rondo_statistics_check(RondoBytes pairs) {
  return guarded([&]() -> Result<void> {
    auto counts = read_counts(view(pairs));
    if (!counts) return fail(std::move(counts.error()));
    return {};
  });
}
