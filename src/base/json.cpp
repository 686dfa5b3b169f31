#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/utf8.h"

namespace rondo {
namespace {

Place place_of(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const std::size_t line = before.rfind('\n');
  Place place;
  place.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  place.column = static_cast<std::uint32_t>(line == std::string_view::npos ? before.size() + 1 : before.size() - line);
  return place;
}

/// The parser's message about a text without its prefix, as UTF-8. It quotes what was read up to the byte at which the
/// parser stopped (number `byte`, from 1), which may be the first of a letter: then it gets the whole letter.
std::string explanation_of(std::string_view what, std::string_view text = {}, std::size_t byte = 0) {
  const std::size_t colon = what.find(": ");
  const std::string_view message = colon == std::string_view::npos ? what : what.substr(colon + 2);
  std::size_t whole = 0;
  while (whole < message.size()) {
    const std::size_t length = utf8_length(message.substr(whole));
    if (length == 0) break;
    whole += length;
  }
  std::string out(message);
  if (whole < message.size() && byte >= 1 && byte <= text.size()) {
    const std::string_view rest = text.substr(byte - 1);
    out.replace(whole, 1, rest.substr(0, utf8_length(rest)));
  }
  return repair_utf8(out);
}

}  // namespace

Result<void> check_json(std::string_view text, const JsonLimits& limits) {
  std::size_t depth = 0;
  std::size_t values = 1;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    switch (c) {
      case '"': in_string = true; break;
      case '[':
      case '{':
        ++values;
        if (++depth > limits.depth) {
          return fail("json-nesting", fmt::format("brackets are nested more than {} deep", limits.depth),
                      place_of(text, i));
        }
        break;
      case ']':
      case '}': depth -= depth > 0 ? 1 : 0; break;
      case ',': ++values; break;
      default: break;
    }
    if (values > limits.values) {
      return fail("json-values", fmt::format("there are more than {} values", limits.values), place_of(text, i),
                  "divide it into several parts");
    }
  }
  return {};
}

template <typename Json>
Result<Json> parse_json(std::string_view text, const JsonLimits& limits,
                        const typename Json::parser_callback_t& watch) {
  if (auto fine = check_json(text, limits); !fine) return fail(std::move(fine.error()));
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const typename Json::parse_error& error) {
    const std::size_t at = error.byte == 0 ? 0 : error.byte - 1;
    return fail("json-syntax", "this is not JSON: " + explanation_of(error.what(), text, error.byte),
                place_of(text, at));
  } catch (const typename Json::exception& error) {
    return fail("json-syntax", "this is not JSON: " + explanation_of(error.what()));
  }
}

template Result<nlohmann::json> parse_json(std::string_view, const JsonLimits&,
                                           const nlohmann::json::parser_callback_t&);
template Result<nlohmann::ordered_json> parse_json(std::string_view, const JsonLimits&,
                                                   const nlohmann::ordered_json::parser_callback_t&);

Error json_error(Error error, std::string_view prefix) {
  constexpr std::string_view kJson = "json";
  if (error.code.starts_with(kJson)) error.code.replace(0, kJson.size(), prefix);
  return error;
}

}  // namespace rondo
