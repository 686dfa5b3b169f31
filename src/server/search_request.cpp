#include "server/search_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "query/fit.h"
#include "server/app.h"
#include "server/melody_links.h"

namespace rondo::server {
namespace {

/// Converts NAME:VALUE, as in URLs, to NAME=VALUE.
std::vector<std::string> settings_of(std::vector<std::string> settings) {
  for (std::string& setting : settings) {
    if (const std::size_t colon = setting.find(':'); colon != std::string::npos) setting[colon] = '=';
  }
  return settings;
}

/// A plus sign in a URL is decoded as a blank; no system has a blank in its name, but mixtures have plus signs
/// (rrf:shapeh+P3).
std::string system_of(const Arguments& arguments) {
  std::string name(arguments.text("system", std::string(kDefaultSystem)));
  std::replace(name.begin(), name.end(), ' ', '+');
  return name;
}

/// Assigns the value of a Result, or keeps the first error: for reading parameters in sequence.
class Reading {
 public:
  template <typename T>
  void operator()(T& to, Result<T> from) {
    if (from) {
      to = std::move(*from);
    } else if (!error_) {
      error_ = std::move(from.error());
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Error> error_;
};

/// Parameters with alternative names: those of the command line, and former ones.
struct Alias {
  std::string_view name;
  std::string_view also;
};
constexpr std::array kAliases = {Alias{"q", "query"}, Alias{"fold", "fold_duplicates"}};

/// Whether there are conditions other than a melody.
bool has_conditions(const Arguments& arguments) {
  const auto given = [&](std::string_view name) { return !trimmed(arguments.text(name)).empty(); };
  return given("text") || given("where") || given("min_notes") || std::any_of(kFacets.begin(), kFacets.end(), given);
}

void append(std::vector<std::string_view>& to, const std::vector<std::string_view>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string_view> asked_arguments() {
  return {"q", "query", "m", "id", "voice", "system", "set", "anchored", "ignore_repeated", "fold_octaves", "graces"};
}

std::vector<std::string_view> search_arguments() {
  std::vector<std::string_view> names = asked_arguments();
  append(names, {"k", "offset", "text", "where", "min_notes", "fold", "fold_duplicates", "expand", "sort", "format"});
  append(names, {kFacets.begin(), kFacets.end()});
  return names;
}

std::vector<std::string_view> list_arguments() {
  std::vector<std::string_view> names(kFacets.begin(), kFacets.end());
  names.emplace_back("set");
  return names;
}

Result<Arguments> resolve_names(const Arguments& arguments, App& app) {
  Arguments out;
  for (const auto& [name, value] : arguments.pairs()) {
    const auto* const alias =
        std::find_if(kAliases.begin(), kAliases.end(), [&](const Alias& one) { return one.also == name; });
    if (alias == kAliases.end()) {
      out.add(name, value);
    } else if (arguments.has(alias->name)) {
      return fail("argument-both",
                  fmt::format("'{}' and '{}' are names of the same parameter", alias->name, alias->also));
    } else {
      out.add(std::string(alias->name), value);
    }
  }
  if (!out.has("m")) return out;
  if (!trimmed(out.text("q")).empty() || !out.text("id").empty()) {
    return fail("argument-both", "'m' cannot be used together with 'q' or 'id'");
  }
  auto text = app.links().find(arguments.text("m"));
  if (!text) return fail(std::move(text.error()));
  out.remove("m");
  out.remove("q");
  out.add("q", std::move(*text));
  return out;
}

Result<Arguments> arguments_of_body(const Call& call) {
  Arguments out = call.target.arguments;
  const std::string_view type = trimmed(header(call.request.headers, "Content-Type"));
  const std::string_view plain = trimmed(type.substr(0, type.find(';')));
  if (same_word(plain, "application/x-www-form-urlencoded")) {
    auto form = Arguments::parse(trimmed(call.request.body));
    if (!form) return form;
    for (const auto& [name, value] : form->pairs()) out.add(name, value);
    return out;
  }
  if (!same_word(plain, "application/json")) {
    return fail("body-type", "the body must be a JSON object or a form", {},
                "send Content-Type: application/json with {\"q\": \"C4 D4 E4\"}");
  }
  auto parsed = body_json(call.request);
  if (!parsed) return fail(std::move(parsed.error()));
  const Json& body = *parsed;
  const auto malformed = [](std::string_view name) {
    return fail("body-not-json", fmt::format("'{}' must be a string, a number, a Boolean or a list of strings", name));
  };
  if (!body.is_object()) return fail("body-not-json", "the body must be a JSON object");
  if (body.size() > kMostArguments) return fail("target-too-long", "too many parameters");
  for (const auto& [name, value] : body.items()) {
    const auto add = [&](const Json& one) {
      if (one.is_string()) {
        out.add(name, one.get<std::string>());
      } else if (one.is_boolean()) {
        out.add(name, one.get<bool>() ? "1" : "0");
      } else if (one.is_number_integer()) {
        out.add(name, std::to_string(one.get<std::int64_t>()));
      } else {
        return false;
      }
      return true;
    };
    if (value.is_array()) {
      if (value.size() > kMostArguments) return malformed(name);
      for (const Json& one : value) {
        if (!add(one)) return malformed(name);
      }
    } else if (!value.is_null() && !add(value)) {
      return malformed(name);
    }
  }
  return out;
}

Result<AskedMelody> AskedMelody::from(const Arguments& arguments) {
  AskedMelody asked;
  SearchRequest& request = asked.request;
  const std::string q(arguments.text("q"));
  const std::string id(arguments.text("id"));
  request.system = system_of(arguments);
  request.settings = settings_of(arguments.all("set"));
  if (trimmed(q).empty() && id.empty()) {
    return fail("query-missing", "the request has no query", {},
                "give 'q' (notes), 'id' (a melody of the collection) or 'text' (words)");
  }
  if (!trimmed(q).empty() && !id.empty()) return fail("argument-both", "'q' and 'id' cannot be used together");
  Reading read;
  std::size_t voice = 0;
  read(voice, arguments.number("voice", 0, 0, 511));
  read(request.anchored, arguments.flag("anchored", false));
  read(request.heard.ignore_repeated, arguments.flag("ignore_repeated", false));
  read(request.heard.fold_octaves, arguments.flag("fold_octaves", false));
  read(request.heard.graces, arguments.flag("graces", false));
  if (read.error()) return fail(*read.error());
  if (id.empty()) {
    auto typed = read_query_text(q);
    if (!typed) return fail(std::move(typed.error()));
    const auto named = arguments.has("system") ? std::optional(request.system) : std::nullopt;
    const auto anchored = arguments.has("anchored") ? std::optional(request.anchored) : std::nullopt;
    auto fit = fit_system(*typed, named, anchored);
    if (!fit) return fail(std::move(fit.error()));
    request.system = std::move(fit->system);
    request.anchored = fit->anchored;
    request.query = typed->voice();
    request.unknown = typed->unknown;
    asked.warnings = typed->warnings;
    asked.warnings.insert(asked.warnings.end(), fit->warnings.begin(), fit->warnings.end());
    asked.typed = std::move(*typed);
  } else {
    request.like = id;
    request.like_voice = static_cast<std::uint32_t>(voice);
  }
  return asked;
}

Result<AskedSearch> AskedSearch::from(const Arguments& arguments, std::size_t standard_k, std::size_t most_k) {
  AskedSearch asked;
  Reading read;
  asked.words_alone = trimmed(arguments.text("q")).empty() && arguments.text("id").empty() && has_conditions(arguments);
  if (!asked.words_alone) read(asked.melody, AskedMelody::from(arguments));
  read(asked.sort, sort_of(arguments.text("sort", "score")));
  SearchRequest& request = asked.request();
  read(request.k, arguments.number("k", standard_k, 1, most_k));
  read(request.offset, arguments.number("offset", 0, 0, kMostOffset));
  std::size_t least_notes = 0;
  read(least_notes, arguments.number("min_notes", 0, 0, 1'000'000));
  request.least_notes = static_cast<unsigned>(least_notes);
  read(request.fold_duplicates, arguments.flag("fold", false));
  read(request.expand, arguments.flag("expand", false));
  if (read.error()) return fail(*read.error());
  // A trailing blank means that the last word is complete.
  if (!trimmed(arguments.text("text")).empty()) request.text = arguments.text("text");
  request.where = trimmed(arguments.text("where"));
  request.threads = 0;  // as many as useful
  for (std::size_t f = 0; f < kFacets.size(); ++f) asked.choices[f] = arguments.all(kFacets[f]);
  return asked;
}

}  // namespace rondo::server
