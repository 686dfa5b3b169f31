#include "server/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/utf8.h"

namespace rondo::server {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size() || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0) return std::nullopt;
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += text[i] == '+' && plus_is_blank ? ' ' : text[i];
    }
  }
  if (out.find('\0') != std::string::npos || !is_utf8(out)) return std::nullopt;
  return out;
}

Failure malformed(std::string_view what) {
  return fail("target-malformed", fmt::format("{} is not correctly encoded", what), {},
              "encode it as UTF-8, with % before the two digits of each special byte");
}

}  // namespace

Result<Arguments> Arguments::parse(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('&', begin), text.size());
    const std::string_view pair = text.substr(begin, end - begin);
    begin = end + 1;
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    auto name = decoded(pair.substr(0, equals), true);
    auto value = decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!name || !value) return malformed("the part of the URL after '?'");
    if (pairs.size() == kMostArguments) {
      return fail("target-too-long", fmt::format("the URL has more than {} parameters", kMostArguments));
    }
    pairs.emplace_back(std::move(*name), std::move(*value));
  }
  return Arguments(std::move(pairs));
}

Result<Target> Target::parse(std::string_view text) {
  if (text.size() > kLongestTarget) {
    return fail("target-too-long", fmt::format("the URL is longer than {} bytes", kLongestTarget), {},
                "send a long melody with POST /api/v1/search");
  }
  Target target;
  // The absolute form that proxies use.
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::size_t slash = text.find_first_of("/?#", scheme.size());
    target.authority = text.substr(scheme.size(), slash - scheme.size());
    if (target.authority.empty()) return malformed("the address");
    if (slash != std::string_view::npos && text[slash] != '/') return malformed("the address");
    text = slash == std::string_view::npos ? "/" : text.substr(slash);
  }
  text = text.substr(0, text.find('#'));
  if (!text.starts_with('/')) return malformed("the address");
  const std::size_t question = std::min(text.find('?'), text.size());
  std::string_view path = text.substr(0, question);
  auto whole = decoded(path, false);
  if (!whole) return malformed("the path of the URL");
  target.path = std::move(*whole);
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    target.segments.push_back(decoded(path.substr(0, end), false).value_or(""));
    path.remove_prefix(end);
  }
  auto arguments = Arguments::parse(text.substr(std::min(question + 1, text.size())));
  if (!arguments) return fail(std::move(arguments.error()));
  target.arguments = std::move(*arguments);
  return target;
}

bool Arguments::has(std::string_view name) const {
  return std::any_of(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == name; });
}

std::string_view Arguments::text(std::string_view name, std::string_view standard) const {
  for (const auto& [key, value] : pairs_) {
    if (key == name) return value;
  }
  return standard;
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : pairs_) {
    if (key == name) values.push_back(value);
  }
  return values;
}

Result<std::size_t> Arguments::number(std::string_view name, std::size_t standard, std::size_t least,
                                      std::size_t most) const {
  if (!has(name)) return standard;
  const std::string_view written = text(name);
  std::size_t value = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), value);
  if (read.ec != std::errc{} || read.ptr != written.data() + written.size() || value < least || value > most) {
    return fail("argument-number", fmt::format("'{}' must be a whole number from {} to {}", name, least, most));
  }
  return value;
}

Result<bool> Arguments::flag(std::string_view name, bool standard) const {
  if (!has(name)) return standard;
  const std::string_view written = text(name);
  if (written == "1" || written == "true") return true;
  if (written == "0" || written == "false") return false;
  return fail("argument-switch", fmt::format("'{}' must be 0 or 1", name));
}

Result<void> Arguments::only(const std::vector<std::string_view>& known,
                             const std::vector<std::string_view>& lists) const {
  const auto contains = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : pairs_) {
    if (!contains(known, name)) {
      return fail("argument-unknown", fmt::format("unknown parameter '{}'", name), {},
                  fmt::format("there are: {}", fmt::join(known, ", ")));
    }
    if (contains(seen, name) && !contains(lists, name)) {
      return fail("argument-repeated", fmt::format("the parameter '{}' is given more than once", name));
    }
    seen.push_back(name);
  }
  return {};
}

}  // namespace rondo::server
