#include <algorithm>

#include "query/draft.h"

namespace rondo::query {

Result<OpenText> open_text(std::string_view text) {
  OpenText out{std::string(text)};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dots = text.substr(i).starts_with("...");
    if (!dots && text[i] != '?' && text[i] != '*') continue;
    out.signs.push_back({i, text[i] != '?'});
    const std::size_t length = dots ? 3 : 1;
    out.text.replace(i, length, length, ' ');
    i += length - 1;
  }
  if (out.signs.size() > kMostUnknown) {
    return fail("query-wildcards", "there are more than 64 wildcards", {}, "leave some of them out");
  }
  // What stands before each sign is read once more.
  constexpr std::size_t kLongest = 20'000;
  if (!out.signs.empty() && text.size() > kLongest) {
    return fail("query-wildcards", "the text with wildcards is too long", {}, "leave them out, or send less of it");
  }
  return out;
}

void set_unknown(Draft& draft, const OpenText& open, const std::function<std::size_t(std::string_view)>& notes_before) {
  std::size_t last = 0;
  for (const OpenText::Sign& sign : open.signs) {
    draft.events.push_back({.kind = sign.stretch ? Event::Kind::unknown_stretch : Event::Kind::unknown_note});
    last = std::max(last, notes_before(std::string_view(open.text).substr(0, sign.at)));
    const auto before = static_cast<std::uint32_t>(last);
    if (draft.unknown.empty() || draft.unknown.back().before != before) draft.unknown.push_back({.before = before});
    draft.unknown.back().notes += sign.stretch ? 0 : 1;
    draft.unknown.back().more = draft.unknown.back().more || sign.stretch;
  }
}

}  // namespace rondo::query
