#include "formats/marc/marc8.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/utf8.h"
#include "formats/marc/compositions.h"

namespace rondo::marc {
namespace {

constexpr unsigned char kEscape = 0x1B;

// ANSEL 0xA1 to 0xC8 (0: not defined).
constexpr std::array<char16_t, 40> kLetters = {
    0x0141, 0x00D8, 0x0110, 0x00DE, 0x00C6, 0x0152, 0x02B9, 0x00B7, 0x266D, 0x00AE, 0x00B1, 0x01A0, 0x01AF, 0x02BC,
    0,      0x02BB, 0x0142, 0x00F8, 0x0111, 0x00FE, 0x00E6, 0x0153, 0x02BA, 0x0131, 0x00A3, 0x00F0, 0,      0x01A1,
    0x01B0, 0,      0,      0x00B0, 0x2113, 0x2117, 0x00A9, 0x266F, 0x00BF, 0x00A1, 0x00DF, 0x20AC};

// ANSEL 0xE0 to 0xFE: marks, which stand before their letter.
constexpr std::array<char16_t, 31> kMarks = {0x0309, 0x0300, 0x0301, 0x0302, 0x0303, 0x0304, 0x0306, 0x0307,
                                             0x0308, 0x030C, 0x030A, 0xFE20, 0xFE21, 0x0315, 0x030B, 0x0310,
                                             0x0327, 0x0328, 0x0323, 0x0324, 0x0325, 0x0333, 0x0332, 0x0326,
                                             0x031C, 0x032E, 0xFE22, 0xFE23, 0,      0,      0x0313};

/// Unicode's combining class of these marks: attached below, below, above, above right.
int combining_class(char16_t mark) {
  switch (mark) {
    case 0x0327:
    case 0x0328: return 202;
    case 0x0315: return 232;
    case 0x0323:
    case 0x0324:
    case 0x0325:
    case 0x0326:
    case 0x031C:
    case 0x032E:
    case 0x0332:
    case 0x0333: return 220;
    default: return 230;
  }
}

char16_t compose(char16_t letter, char16_t mark) {
  const auto before = [](const Composition& a, const Composition& b) {
    return a.letter != b.letter ? a.letter < b.letter : a.mark < b.mark;
  };
  const Composition wanted{letter, mark, 0};
  const auto found = std::lower_bound(kCompositions.begin(), kCompositions.end(), wanted, before);
  const bool there = found != kCompositions.end() && found->letter == letter && found->mark == mark;
  return there ? found->composed : char16_t{0};
}

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  std::string run(bool& lost) {
    while (at_ < bytes_.size()) step();
    for (const char16_t mark : marks_) append_utf8(out_, mark);  // marks without a letter
    lost = lost || lost_;
    return std::move(out_);
  }

 private:
  void step() {
    const auto byte = static_cast<unsigned char>(bytes_[at_]);
    if (byte == kEscape) {
      escape();
      return;
    }
    if (foreign(byte)) {
      at_ += width_of(byte);
      unknown();
      return;
    }
    ++at_;
    if (byte < 0x80) {
      letter(byte);
    } else if (byte >= 0xA1 && byte <= 0xC8 && kLetters[byte - 0xA1U] != 0) {
      letter(kLetters[byte - 0xA1U]);
    } else if (byte >= 0xE0 && byte <= 0xFE && kMarks[byte - 0xE0U] != 0) {
      marks_.push_back(kMarks[byte - 0xE0U]);
    } else if (byte != 0x88 && byte != 0x89 && byte != 0x8D && byte != 0x8E) {
      unknown();  // those four mark words ignored in sorting, and join letters: not part of the text
    }
  }

  [[nodiscard]] bool foreign(unsigned char byte) const {
    const bool graphic = (byte & 0x7FU) > 0x20 && byte != 0x7F;
    return graphic && (byte < 0x80 ? low_width_ != 0 : high_width_ != 0);
  }
  [[nodiscard]] std::size_t width_of(unsigned char byte) const { return byte < 0x80 ? low_width_ : high_width_; }

  void letter(char16_t code) {
    std::stable_sort(marks_.begin(), marks_.end(),
                     [](char16_t a, char16_t b) { return combining_class(a) < combining_class(b); });
    std::vector<char16_t> loose;
    for (const char16_t mark : marks_) {
      // A mark of the same class that found no composed letter stands between this one and the letter.
      const bool blocked = !loose.empty() && combining_class(loose.back()) == combining_class(mark);
      const char16_t composed = blocked ? char16_t{0} : compose(code, mark);
      if (composed != 0) {
        code = composed;
      } else {
        loose.push_back(mark);
      }
    }
    append_utf8(out_, code);
    for (const char16_t mark : loose) append_utf8(out_, mark);
    marks_.clear();
  }

  void unknown() {
    lost_ = true;
    letter('?');
  }

  /// ESC ( B and ESC ) E (also written with , - ! and $) choose the sets of the lower and upper half; ESC g b p are
  /// Greek symbols, subscript and superscript for the lower half until ESC s.
  void escape() {
    ++at_;
    const auto take = [this] { return at_ < bytes_.size() ? bytes_[at_++] : '\0'; };
    char c = take();
    if (c == 's') {
      low_width_ = 0;
      return;
    }
    if (c == 'b' || c == 'p') {  // digits and signs stay what they are
      low_width_ = 0;
      return;
    }
    if (c == 'g') {
      low_width_ = 1;
      return;
    }
    const bool wide = c == '$';
    if (wide) c = take();
    const bool upper = c == ')' || c == '-';
    const bool chooses = upper || c == '(' || c == ',';
    if (chooses) c = take();
    if (c == '!') c = take();
    const std::size_t width = wide ? 3 : (c == 'B' || c == 'E' || c == 's') ? 0 : 1;
    (upper ? high_width_ : low_width_) = width;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<char16_t> marks_;
  std::size_t low_width_ = 0;   ///< bytes of a character of the foreign set in force; 0: ASCII
  std::size_t high_width_ = 0;  ///< likewise; 0: ANSEL
  bool lost_ = false;
};

}  // namespace

std::string from_marc8(std::string_view bytes, bool& lost) {
  if (is_ascii(bytes) && bytes.find(static_cast<char>(kEscape)) == std::string_view::npos) return std::string(bytes);
  return Decoder(bytes).run(lost);
}

}  // namespace rondo::marc
