#include "store/sql_pattern.h"

namespace rondo {
namespace {

char32_t small_letter(char32_t c) { return c >= U'A' && c <= U'Z' ? c | 0x20U : c; }

/// SQLite's patterns and texts end at a NUL.
std::string_view until_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

/// 0 at the end.
char32_t next_or_end(std::string_view& text) { return text.empty() ? 0 : take_character(text); }

}  // namespace

char32_t take_character(std::string_view& text) {
  constexpr char32_t kMalformed = 0xFFFD;
  const auto lead = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (lead < 0xC0) return lead;
  // The bits after the leading ones and their zero.
  char32_t c = lead >= 0xFE   ? 0
               : lead >= 0xFC ? lead & 1U
               : lead >= 0xF8 ? lead & 3U
               : lead >= 0xF0 ? lead & 7U
               : lead >= 0xE0 ? lead & 15U
                              : lead & 31U;
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80) {
    c = (c << 6U) + (static_cast<unsigned char>(text.front()) & 0x3FU);
    text.remove_prefix(1);
  }
  const bool surrogate = (c & 0xFFFFF800U) == 0xD800;
  return c < 0x80 || surrogate || (c & 0xFFFFFFFEU) == 0xFFFE ? kMalformed : c;
}

SqlPattern SqlPattern::like(std::string_view pattern, char32_t escape) {
  SqlPattern out;
  out.ignore_case_ = true;
  pattern = until_nul(pattern);
  while (!pattern.empty()) {
    const char32_t c = take_character(pattern);
    if (escape != 0 && c == escape) {
      const char32_t literal = next_or_end(pattern);
      out.tokens_.push_back({literal == 0 ? Kind::never : Kind::character, small_letter(literal)});
    } else if (c == U'%') {
      out.tokens_.push_back({Kind::any_number});
    } else {
      out.tokens_.push_back({c == U'_' ? Kind::any_one : Kind::character, small_letter(c)});
    }
  }
  return out;
}

SqlPattern SqlPattern::glob(std::string_view pattern) {
  SqlPattern out;
  pattern = until_nul(pattern);
  while (!pattern.empty()) {
    const char32_t c = take_character(pattern);
    if (c == U'[') {
      out.add_set(pattern);
    } else if (c == U'*') {
      out.tokens_.push_back({Kind::any_number});
    } else {
      out.tokens_.push_back({c == U'?' ? Kind::any_one : Kind::character, c});
    }
  }
  return out;
}

void SqlPattern::add_set(std::string_view& pattern) {
  Token set{Kind::set};
  set.first_range = static_cast<std::uint32_t>(ranges_.size());
  char32_t c = next_or_end(pattern);
  if (c == U'^') {
    set.inverted = true;
    c = next_or_end(pattern);
  }
  if (c == U']') {  // at the beginning it stands for itself
    ranges_.push_back({c, c});
    c = next_or_end(pattern);
  }
  char32_t before = 0;
  for (; c != 0 && c != U']'; c = next_or_end(pattern)) {
    if (c == U'-' && before != 0 && !pattern.empty() && pattern.front() != ']') {
      ranges_.push_back({before, take_character(pattern)});
      before = 0;
    } else {
      ranges_.push_back({c, c});
      before = c;
    }
  }
  set.end_range = static_cast<std::uint32_t>(ranges_.size());
  if (c == 0) set.kind = Kind::never;
  tokens_.push_back(set);
}

bool SqlPattern::fits(const Token& token, char32_t c) const {
  switch (token.kind) {
    case Kind::character: return token.character == (ignore_case_ ? small_letter(c) : c);
    case Kind::any_one: return true;
    case Kind::any_number:
    case Kind::never: return false;
    case Kind::set: break;
  }
  for (std::uint32_t i = token.first_range; i < token.end_range; ++i) {
    if (c >= ranges_[i].low && c <= ranges_[i].high) return !token.inverted;
  }
  return token.inverted;
}

std::optional<bool> SqlPattern::matches(std::string_view text, SqlClock& clock) const {
  text = until_nul(text);
  // Backtracking: when a comparison fails, continue after the last '%', one character further than before. An earlier
  // '%' need not be retried, because its match could only grow.
  std::size_t at = 0;
  std::size_t retry_token = 0;
  std::string_view retry_text;
  bool can_retry = false;
  std::size_t steps = 0;
  for (;;) {
    constexpr std::size_t kReportEvery = 1024;
    // The cost of a set is its number of ranges.
    steps += at < tokens_.size() ? 1 + tokens_[at].end_range - tokens_[at].first_range : 1;
    if (steps >= kReportEvery) {
      if (!clock.spend(steps)) return std::nullopt;
      steps = 0;
    }
    if (at < tokens_.size() && tokens_[at].kind == Kind::any_number) {
      can_retry = true;
      retry_token = ++at;
      retry_text = text;
      if (at == tokens_.size()) return true;
      continue;
    }
    if (text.empty() && at == tokens_.size()) return true;
    if (!text.empty() && at < tokens_.size()) {
      std::string_view rest = text;
      if (fits(tokens_[at], take_character(rest))) {
        text = rest;
        ++at;
        continue;
      }
    }
    if (!can_retry || retry_text.empty()) return clock.spend(steps) ? std::optional(false) : std::nullopt;
    (void)take_character(retry_text);
    text = retry_text;
    at = retry_token;
  }
}

}  // namespace rondo
