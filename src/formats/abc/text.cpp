#include "formats/abc/text.h"

#include <array>

#include "base/utf8.h"

namespace rondo::abc {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// The accents of ABC's mnemonics and the letters they go on, with the Latin-1 code points that result.
struct Accent {
  char mark;
  std::string_view entity;
  std::string_view letters;
  std::array<std::uint8_t, 12> codes;
};
constexpr std::array kAccents = {
    Accent{'`', "grave", "AEIOUaeiou", {0xC0, 0xC8, 0xCC, 0xD2, 0xD9, 0xE0, 0xE8, 0xEC, 0xF2, 0xF9}},
    Accent{'\'', "acute", "AEIOUYaeiouy", {0xC1, 0xC9, 0xCD, 0xD3, 0xDA, 0xDD, 0xE1, 0xE9, 0xED, 0xF3, 0xFA, 0xFD}},
    Accent{'^', "circ", "AEIOUaeiou", {0xC2, 0xCA, 0xCE, 0xD4, 0xDB, 0xE2, 0xEA, 0xEE, 0xF4, 0xFB}},
    Accent{'~', "tilde", "ANOano", {0xC3, 0xD1, 0xD5, 0xE3, 0xF1, 0xF5}},
    Accent{'"', "uml", "AEIOUaeiouy", {0xC4, 0xCB, 0xCF, 0xD6, 0xDC, 0xE4, 0xEB, 0xEF, 0xF6, 0xFC, 0xFF}},
    Accent{'c', "cedil", "Cc", {0xC7, 0xE7}},
    Accent{'/', "slash", "Oo", {0xD8, 0xF8}},
};

struct Ligature {
  std::string_view mnemonic;
  std::string_view entity;
  std::uint8_t code;
};
constexpr std::array kLigatures = {
    Ligature{"AA", "Aring", 0xC5}, Ligature{"aa", "aring", 0xE5}, Ligature{"AE", "AElig", 0xC6},
    Ligature{"ae", "aelig", 0xE6}, Ligature{"ss", "szlig", 0xDF}, Ligature{"DH", "ETH", 0xD0},
    Ligature{"dh", "eth", 0xF0},   Ligature{"TH", "THORN", 0xDE}, Ligature{"th", "thorn", 0xFE},
};

bool append_accented(std::string& out, const Accent& accent, char letter) {
  const std::size_t at = accent.letters.find(letter);
  if (letter == '\0' || at == std::string_view::npos) return false;
  append_utf8(out, accent.codes.at(at));
  return true;
}

std::optional<std::uint32_t> hex4(std::string_view digits) {
  if (digits.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : digits.substr(0, 4)) {
    const char low = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    } else if (low >= 'a' && low <= 'f') {
      value = value * 16 + static_cast<std::uint32_t>(low - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  const bool surrogate = value >= 0xD800 && value < 0xE000;
  return value == 0 || surrogate ? std::nullopt : std::optional(value);
}

/// Reads what follows a backslash; the number of characters it took, 0 when it is no mnemonic.
std::size_t decode_mnemonic(std::string_view rest, std::string& out) {
  if (rest.empty()) return 0;
  if (rest[0] == '%' || rest[0] == '&' || rest[0] == '\\') {
    out.push_back(rest[0]);
    return 1;
  }
  if (rest[0] == 'u') {
    const auto code = hex4(rest.substr(1));
    if (!code) return 0;
    append_utf8(out, *code);
    return 5;
  }
  for (const Ligature& ligature : kLigatures) {
    if (rest.starts_with(ligature.mnemonic)) {
      append_utf8(out, ligature.code);
      return 2;
    }
  }
  for (const Accent& accent : kAccents) {
    if (rest.size() > 1 && rest[0] == accent.mark && append_accented(out, accent, rest[1])) return 2;
  }
  return 0;
}

/// The same for what follows an ampersand.
std::size_t decode_entity(std::string_view rest, std::string& out) {
  const std::size_t end = rest.substr(0, 12).find(';');
  if (end == std::string_view::npos || end < 2) return 0;
  const std::string_view name = rest.substr(0, end);
  for (const Ligature& ligature : kLigatures) {
    if (name == ligature.entity) {
      append_utf8(out, ligature.code);
      return end + 1;
    }
  }
  for (const Accent& accent : kAccents) {
    if (name.substr(1) == accent.entity && append_accented(out, accent, name[0])) return end + 1;
  }
  return 0;
}

std::string from_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view text) {
  std::string out(1, '\'');
  out.append(text).push_back('\'');
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return out;
}

std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '%') {
      return text.substr(0, i);
    }
  }
  return text;
}

std::string decode(std::string_view text) {
  std::string latin;
  if (!is_utf8(text)) {
    latin = from_latin1(text);
    text = latin;
  }
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i++];
    std::size_t taken = 0;
    if (c == '\\') taken = decode_mnemonic(text.substr(i), out);
    if (c == '&') taken = decode_entity(text.substr(i), out);
    if (taken == 0 && c != '\0') out.push_back(c);
    i += taken;
  }
  return out;
}

std::string encode(std::string_view text) {
  std::string out;
  for (const char c : trim(text)) {
    if (c == '\\' || c == '%' || c == '&') out.push_back('\\');
    const bool breaks = c == '\n' || c == '\r' || c == '\0';
    out.push_back(breaks ? ' ' : c);
  }
  return out;
}

void Cursor::skip_spaces() {
  while (!done() && is_space(text_[at_])) ++at_;
}

std::optional<std::int64_t> Cursor::number() {
  constexpr std::int64_t kEnough = 100'000'000'000'000'000;
  if (!is_digit(peek())) return std::nullopt;
  std::int64_t value = 0;
  while (is_digit(peek())) {
    const int digit = take() - '0';
    value = value >= kEnough ? 10 * kEnough : value * 10 + digit;
  }
  return value;
}

Length scan_length(Cursor& in) {
  Length length;
  if (const auto times = in.number()) {
    length.value = *times;
    length.written = true;
  }
  while (in.skip('/')) {
    length.written = true;
    length.value /= in.number().value_or(2);
  }
  if (!length.value.valid() || length.value.is_zero()) {
    length.valid = false;
    length.value = 1;
  }
  return length;
}

}  // namespace rondo::abc
