#include "store/cjk_bigrams.h"

#include <cstdint>

namespace rondo {
namespace {

constexpr std::size_t kDigits = 5;

struct Sign {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: no CJK character here
};

/// The CJK character whose first byte is at `at`.
Sign sign_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead == 0xF0 ? 4 : 3;
  if (lead != 0xF0 && (lead < 0xE2 || lead > 0xED)) return {};
  if (text.size() - at < length) return {};
  std::uint32_t code = lead & (length == 4 ? 0x07U : 0x0FU);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte & 0x3FU);
  }
  constexpr std::uint32_t kFirst = 0x2E80;  // the radicals; below are signs of all scripts
  if (code < kFirst) return {};
  return {code, length};
}

void append_code(std::uint32_t code, std::string& to) {
  constexpr char kHex[] = "0123456789abcdef";
  for (std::size_t i = kDigits; i-- > 0;) to += kHex[code >> (4 * i) & 15U];
}

/// Calls `visit(sign, next)` for each CJK character; the length of `next` is 0 if no CJK character follows.
template <typename Visit>
void each_sign(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const Sign sign = sign_at(text, at);
    if (sign.length == 0) {
      ++at;
      continue;
    }
    at += sign.length;
    visit(sign, sign_at(text, at));
  }
}

}  // namespace

bool has_cjk(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) >= 0xE2 && sign_at(text, at).length != 0) return true;
  }
  return false;
}

void append_cjk_terms(std::string_view text, std::string& to) {
  each_sign(text, [&](const Sign& sign, const Sign& next) {
    append_code(sign.code, to);
    if (next.length != 0) append_code(next.code, to);
    to += ' ';
  });
}

std::string cjk_condition(std::string_view part) {
  std::string out;
  bool in_pair = false;  // the current character is the second of the previous pair
  each_sign(part, [&](const Sign& sign, const Sign& next) {
    const bool alone = next.length == 0;
    if (!alone || !in_pair) {
      out += out.empty() ? "\"" : " AND \"";
      append_code(sign.code, out);
      if (!alone) append_code(next.code, out);
      // Within a text another character may follow.
      out += alone ? "\" *" : "\"";
    }
    in_pair = !alone;
  });
  return out;
}

bool is_decided_by_bigrams(std::string_view part) {
  const Sign first = sign_at(part, 0);
  if (first.length == 0) return false;
  return first.length == part.size() || first.length + sign_at(part, first.length).length == part.size();
}

}  // namespace rondo
