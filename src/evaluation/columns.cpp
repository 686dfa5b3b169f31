#include "columns.h"

#include <algorithm>

#include "base/utf8.h"

namespace rondo::evaluation {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::string guarded(std::string text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.insert(0, "\xEF\xBB\xBF");
  return text;
}

bool is_clean_text(std::string_view text) {
  // Nearly all text is ASCII; the compiler vectorises this loop without branches.
  unsigned odd = 0;
  for (const char each : text) {
    const auto c = static_cast<unsigned char>(each);
    odd |= static_cast<unsigned>(c < 0x20) | static_cast<unsigned>(c >= 0x7F);
  }
  if (odd == 0) return true;
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if ((c < 0x20 && c != '\t') || c == 0x7F) return false;
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

Result<bool> ColumnReader::next() {
  std::string_view line;
  for (;;) {
    auto more = lines_.next(line);
    if (!more) {
      more.error().place.file = file_;
      return fail(std::move(more.error()));
    }
    if (!*more) return false;
    if (lines_.number() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    std::size_t found = 0;
    std::size_t at = 0;
    for (;;) {
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at == line.size()) break;
      const std::size_t begin = at;
      while (at < line.size() && !is_blank(line[at])) ++at;
      if (found < count_) columns_[found] = line.substr(begin, at - begin);
      ++found;
    }
    if (found == 0) continue;
    if (!is_clean_text(line)) {
      return fail(error("text", "the line holds control characters or is not UTF-8", "convert the file to UTF-8"));
    }
    if (found == count_) return true;
    return fail(error("columns",
                      "the line has " + std::to_string(found) + " columns instead of " + std::to_string(count_),
                      "write " + layout_));
  }
}

std::uint32_t ColumnReader::line() const {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(lines_.number(), kMost));
}

Error ColumnReader::error(std::string_view what, std::string message, std::string hint) const {
  Place place;
  place.file = file_;
  place.line = line();
  return {prefix_ + "-" + std::string(what), std::move(message), std::move(place), std::move(hint)};
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  return out + (text.size() > kMost ? "...\"" : "\"");
}

}  // namespace rondo::evaluation
