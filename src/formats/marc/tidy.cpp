#include "formats/marc/tidy.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"

namespace rondo::marc {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
bool is_blank(char c) { return c == ' ' || is_control(c); }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Replaces the entities in place; false when there was none.
bool unescape(std::string& text) {
  constexpr std::size_t kLongest = 10;  // "&#x10FFFF;"
  bool any = false;
  std::size_t from = 0;
  std::string out;
  for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
    const std::size_t end = text.find(';', at);
    if (end == std::string::npos) break;
    if (end - at > kLongest) continue;
    const char32_t code = entity(std::string_view(text).substr(at + 1, end - at - 1));
    if (code == 0) continue;
    out.append(text, from, at - from);
    append_utf8(out, code);
    from = end + 1;
    at = end;
    any = true;
  }
  if (!any) return false;
  out.append(text, from);
  text = std::move(out);
  return true;
}

void blank_controls(std::string& text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    bool control = false;
    while (end < text.size() && is_blank(text[end])) control = is_control(text[end++]) || control;
    if (end == at) {
      out += text[at++];
    } else {
      out.append(control ? 1 : end - at, ' ');
      at = end;
    }
  }
  text = std::move(out);
}

}  // namespace

char32_t entity(std::string_view name) {
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const bool hex = name.starts_with('x') || name.starts_with('X');
    if (hex) name.remove_prefix(1);
    std::uint32_t value = 0;
    const char* end = name.data() + name.size();
    const auto [stop, problem] = std::from_chars(name.data(), end, value, hex ? 16 : 10);
    return problem == std::errc{} && stop == end && value <= 0x10FFFF ? value : 0;
  }
  if (name == "amp") return '&';
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "quot") return '"';
  if (name == "apos") return '\'';
  return name == "nbsp" ? 0xA0 : 0;
}

std::string tidy(std::string_view text, bool& unescaped) {
  std::string out(trim(text));
  if (out.find('&') != std::string::npos) {
    // "&amp;amp;apos;" has been seen; deeper nesting has not.
    for (int round = 0; round < 3 && unescape(out); ++round) unescaped = true;
    out = std::string(trim(out));
  }
  if (std::any_of(out.begin(), out.end(), is_control)) blank_controls(out);
  return out;
}

}  // namespace rondo::marc
