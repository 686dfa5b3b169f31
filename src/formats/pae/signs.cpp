#include "formats/pae/signs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace rondo::pae {
namespace {

constexpr std::size_t kLongestTime = 32;

/// Reads a number of a time signature off the front of `text`.
std::optional<std::uint16_t> take_number(std::string_view& text) {
  std::uint16_t value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || value == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

bool take(std::string_view& text, char sign) {
  if (text.empty() || text.front() != sign) return false;
  text.remove_prefix(1);
  return true;
}

/// "n/m" and nothing after it.
std::optional<TimeSignature> read_fraction(std::string_view text) {
  const auto beats = take_number(text);
  if (!beats || !take(text, '/')) return std::nullopt;
  const auto unit = take_number(text);
  if (!unit || !text.empty()) return std::nullopt;
  return TimeSignature{*beats, *unit, {}};
}

/// A single number. Sources mean different units by it; 2 is the old sign for alla breve, and for others the quarter is
/// the most common interpretation.
std::optional<TimeSignature> read_bare_number(std::string_view text) {
  std::string symbol(text);
  const auto beats = take_number(text);
  if (!beats || !text.empty()) return std::nullopt;
  return TimeSignature{*beats, static_cast<std::uint16_t>(*beats == 2 ? 2 : 4), std::move(symbol)};
}

/// c and o with dot, slash and figures. Alone, c and c/ are the modern signs. As a mensuration the measure is a breve:
/// two (c) or three (o) semibreves of two minims, three with the dot; a slash halves it; figures are a proportion.
std::optional<TimeSignature> read_mensuration(std::string_view text) {
  std::string symbol(text);
  const bool perfect = take(text, 'o');
  if (!perfect && !take(text, 'c')) return std::nullopt;
  if (symbol == "c") return TimeSignature{4, 4, std::move(symbol)};
  if (symbol == "c/") return TimeSignature{2, 2, std::move(symbol)};
  bool dotted = take(text, '.');
  const bool diminished = take(text, '/');
  if (!dotted) dotted = take(text, '.');
  TimeSignature time{static_cast<std::uint16_t>((perfect ? 3 : 2) * (dotted ? 3 : 1)),
                     static_cast<std::uint16_t>((dotted ? 2 : 1) * (diminished ? 2 : 1)), std::move(symbol)};
  if (text.empty()) return time;
  const auto beats = take_number(text);
  if (!beats) return std::nullopt;
  time.beats = *beats;
  time.unit = diminished ? 2 : 1;
  if (take(text, '/')) {
    const auto unit = take_number(text);
    if (!unit) return std::nullopt;
    time.unit = *unit;
  }
  return text.empty() ? std::optional(std::move(time)) : std::nullopt;
}

std::optional<TimeSignature> read_one_time(std::string_view text) {
  if (auto time = read_fraction(text)) return time;
  if (auto time = read_bare_number(text)) return time;
  return read_mensuration(text);
}

constexpr bool parts_times(char c) { return c == '|' || c == ';' || is_blank(c); }

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

FieldText bare_field(std::string_view field, char sign) {
  std::string_view text = trimmed(field);
  const std::size_t blankless = text.size();
  if (const std::size_t escape = text.find('\\'); escape != std::string_view::npos) text = text.substr(0, escape);
  if (!text.empty() && text.front() == sign) text.remove_prefix(1);
  while (!text.empty() && std::string_view("?;!,\" ").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  if (sign != '$' && text.size() > 2 && text.front() == '[' && text.back() == ']') {
    text.remove_prefix(1);
    text.remove_suffix(1);
  }
  return {trimmed(text), text.size() != blankless};
}

std::optional<Clef> read_clef(std::string_view text) {
  const std::array<char, 3> dashed = {text.size() == 2 ? text[0] : '\0', '-', text.size() == 2 ? text[1] : '\0'};
  auto clef = Clef::parse(text.size() == 2 ? std::string_view(dashed.data(), 3) : text);
  if (!clef || std::string_view("GgCF").find(clef->shape) == std::string_view::npos) return std::nullopt;
  return clef;
}

std::optional<KeySignature> read_key_signature(std::string_view text, const KeySignature& before) {
  const bool cancels =
      text.find_first_of("xb") == std::string_view::npos && text.find_first_of("ABCDEFG") != std::string_view::npos;
  KeySignature key = cancels ? before : KeySignature{};
  std::int8_t alter = 0;
  bool signed_letter = false;
  for (const char c : text) {
    if (c == 'x' || c == 'b' || c == 'n') {
      alter = static_cast<std::int8_t>(c == 'x' ? 1 : c == 'b' ? -1 : 0);
      signed_letter = true;
    } else if (c >= 'A' && c <= 'G' && signed_letter) {
      key.alter[static_cast<std::size_t>(step_of_letter(c))] = alter;
    } else if (c != '[' && c != ']' && !is_blank(c)) {
      return std::nullopt;
    }
  }
  return key;
}

std::optional<TimeSignature> read_time(std::string_view text) {
  if (text.size() > kLongestTime) return std::nullopt;
  std::optional<TimeSignature> first;
  std::string symbol;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = static_cast<std::size_t>(
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), parts_times) - text.begin());
    if (end > at) {
      auto time = read_one_time(text.substr(at, end - at));
      if (!time) return std::nullopt;
      if (count > 0) symbol += ' ';
      symbol += time->to_string();
      if (++count == 1) first = std::move(time);
    }
    at = end + 1;
  }
  if (first && count > 1) first->symbol = std::move(symbol);
  return first;
}

std::size_t clef_extent(std::string_view text) {
  if (text.size() >= 3 && Clef::parse(text.substr(0, 3))) return 3;
  if (text.size() >= 2 && read_clef(text.substr(0, 2))) return 2;
  return 0;
}

std::size_t key_signature_extent(std::string_view text) {
  return std::min(text.find_first_not_of("xbnABCDEFG[]"), text.size());
}

std::size_t time_extent(std::string_view text) {
  const auto one = [&text](std::size_t from) {
    return std::min(text.find_first_not_of("co0123456789./|", from), text.size());
  };
  std::size_t end = one(0);
  // "3/4 4/4 ": a second fraction after the space, itself followed by a space, belongs to an alternating time
  // signature; as notation it would be two values with a bar line between them and no notes.
  for (;;) {
    std::size_t next = end;
    if (next < text.size() && text[next] == ';') ++next;
    if (next == 0 || next >= text.size() || text[next] != ' ') return end;
    const std::size_t stop = one(next + 1);
    const bool fraction = read_fraction(text.substr(next + 1, stop - next - 1)).has_value();
    if (!fraction || (stop < text.size() && std::string_view(" \t;%$@").find(text[stop]) == std::string_view::npos) ||
        stop == text.size()) {
      return next > end ? next : end;
    }
    end = stop;
  }
}

}  // namespace rondo::pae
