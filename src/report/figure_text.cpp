#include "report/figure_text.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "report/vector_image.h"

namespace rondo::report {
namespace {

/// Widths of Helvetica from blank to tilde, in thousandths of the size (Adobe's font metrics).
constexpr std::array<std::uint16_t, 95> kHelvetica = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr double kUsualWidth = 556;

struct Extra {
  std::uint32_t letter;
  unsigned char byte;
};
/// Characters of Windows-1252 beyond Latin-1 that may occur in our texts.
constexpr std::array kExtra = {Extra{0x20AC, 0x80}, Extra{0x2026, 0x85}, Extra{0x0160, 0x8A}, Extra{0x0152, 0x8C},
                               Extra{0x017D, 0x8E}, Extra{0x2018, 0x91}, Extra{0x2019, 0x92}, Extra{0x201C, 0x93},
                               Extra{0x201D, 0x94}, Extra{0x2022, 0x95}, Extra{0x2013, 0x96}, Extra{0x2014, 0x97},
                               Extra{0x0161, 0x9A}, Extra{0x0153, 0x9C}, Extra{0x017E, 0x9E}, Extra{0x0178, 0x9F},
                               Extra{0x2212, 0x96}};

/// The letters from U+0100 to U+017F without diacritics.
constexpr std::string_view kBareLetters =
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiJjJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUu"
    "Uu"
    "WwYyYZzZzZzs";

/// The next character of a text and its length in bytes; malformed UTF-8 gives one unknown character.
std::uint32_t next_letter(const std::string& text, std::size_t at, std::size_t& bytes) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  bytes = 1;
  if (more == 0) return first < 0x80 ? first : 0xFFFD;
  std::uint32_t letter = first & (0x3FU >> more);
  for (std::size_t i = 1; i <= more; ++i) {
    if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80U) return 0xFFFD;
    letter = letter << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  bytes = 1 + more;
  return letter;
}

unsigned char windows_byte(std::uint32_t letter) {
  if (letter < 0x20 || letter == 0x7F) return ' ';
  if (letter < 0x7F || (letter >= 0xA0 && letter <= 0xFF)) return static_cast<unsigned char>(letter);
  for (const Extra& extra : kExtra) {
    if (extra.letter == letter) return extra.byte;
  }
  if (letter >= 0x100 && letter < 0x100 + kBareLetters.size()) {
    return static_cast<unsigned char>(kBareLetters[letter - 0x100]);
  }
  return '?';
}

}  // namespace

std::string to_windows_1252(const std::string& text) {
  std::string out;
  for (std::size_t i = 0, bytes = 1; i < text.size(); i += bytes) {
    out += static_cast<char>(windows_byte(next_letter(text, i, bytes)));
  }
  return out;
}

double text_width(const std::string& text, double size) {
  double sum = 0;
  for (const char c : to_windows_1252(text)) {
    const auto byte = static_cast<unsigned char>(c);
    sum += byte >= 32 && byte < 32 + kHelvetica.size() ? kHelvetica[byte - 32U] : kUsualWidth;
  }
  return sum * size / 1000;
}

std::string fitted_text(const std::string& text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  std::string out;
  for (std::size_t i = 0, bytes = 1; i < text.size(); i += bytes) {
    next_letter(text, i, bytes);
    std::string longer = out + text.substr(i, bytes);
    if (text_width(longer + "\u2026", size) > width) break;
    out = std::move(longer);
  }
  return out + "\u2026";
}

}  // namespace rondo::report
