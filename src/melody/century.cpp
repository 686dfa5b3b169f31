#include "melody/century.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace rondo {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// What follows the number of a century: in words, and in the ways of RISM (18.sc, 18.me, 18.1d) and of German titles.
bool says_century(std::string_view after) {
  constexpr std::array<std::string_view, 14> kMarks = {"th",  "st",  "nd",  "rd",  ".sc", ".in", ".me",
                                                       ".ex", ".1d", ".2d", ".1t", ".2t", ".3t", ".Jh"};
  return after.starts_with(". Jh") ||
         std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) { return after.starts_with(mark); });
}

std::optional<int> by_digits(std::string_view digits, std::string_view after) {
  int value = 0;
  if (digits.size() > 4) return {};
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.size() == 4 && value >= 1000 && value < 2100) return value / 100 + 1;
  if (digits.size() != 2) return {};
  if (after.starts_with("..") || after.starts_with("--") || after.starts_with("xx")) return value + 1;
  if (says_century(after)) return value;
  return {};
}

/// "XVIII" and, as in French, "XVIIIe".
std::optional<int> by_roman(std::string_view word) {
  constexpr std::array<std::string_view, 11> kFromEleven = {"XI",   "XII",   "XIII", "XIV", "XV", "XVI",
                                                            "XVII", "XVIII", "XIX",  "XX",  "XXI"};
  const std::size_t end = word.find_first_not_of("XVI");
  const std::string_view numeral = word.substr(0, end);
  if (end != std::string_view::npos && word.substr(end) != "e") return {};
  const auto* const found = std::find(kFromEleven.begin(), kFromEleven.end(), numeral);
  if (found == kFromEleven.end()) return {};
  return 11 + static_cast<int>(found - kFromEleven.begin());
}

}  // namespace

std::optional<int> century_of(std::string_view year) {
  for (std::size_t i = 0; i < year.size();) {
    const auto same = is_digit(year[i]) ? is_digit : is_letter;
    std::size_t end = i;
    while (end < year.size() && same(year[end])) ++end;
    const std::string_view run = year.substr(i, end - i);
    if (!run.empty()) {
      const auto found = same == is_digit ? by_digits(run, year.substr(end)) : by_roman(run);
      if (found) return found;
    }
    i = std::max(end, i + 1);
  }
  return {};
}

}  // namespace rondo
