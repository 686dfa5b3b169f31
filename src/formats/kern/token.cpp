#include "formats/kern/token.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "melody/limits.h"

namespace rondo::kern {
namespace {

constexpr std::string_view kDigits = "0123456789";

class TokenParser {
 public:
  explicit TokenParser(std::string_view text) : text_(text) {}

  Token parse() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (token_.leftover.empty() && is_out_of_place(c)) token_.leftover = text_.substr(at_);
      if (kDigits.find(c) != std::string_view::npos) {
        number();
      } else if (c == '@') {
        // A tremolo, "@16@": its digits are no duration.
        at_ = std::min(text_.find('@', at_ + 1), text_.size() - 1) + 1;
      } else if (step_of_letter(c) >= 0 && letters_ == 0) {
        letters();
      } else {
        sign(c);
        ++at_;
      }
    }
    finish();
    return token_;
  }

 private:
  /// A second duration or pitch, digits after a dot ("1.5a"), or an unknown character.
  [[nodiscard]] bool is_out_of_place(char c) const {
    if (kDigits.find(c) != std::string_view::npos) return has_number_;
    if (step_of_letter(c) >= 0) return letters_ != 0;
    return c <= ' ' || c >= '\x7f';
  }

  void sign(char c) {
    switch (c) {
      case '.': ++dots_; break;
      case '#': ++alter_; break;
      case '-': --alter_; break;
      case 'r': token_.rest = true; break;
      case 'q': token_.grace = true; break;
      case '[': token_.tied_after = true; break;
      case ']': token_.tied_before = true; break;
      case '_': token_.tied_before = token_.tied_after = true; break;
      case kGuessed: token_.guessed = true; break;
      default: break;
    }
  }

  std::string_view digits() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(kDigits, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  static std::int64_t value(std::string_view digits) {
    std::int64_t number = 0;
    const auto done = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return done.ec == std::errc{} && number <= limits::kDenominator ? number : 0;
  }

  /// The reciprocal of a whole note: 4; 0, 00 and 000 for two, four and eight of them; 3%2 for 2/3.
  void number() {
    const std::string_view first = digits();
    const bool rational =
        at_ + 1 < text_.size() && text_[at_] == '%' && kDigits.find(text_[at_ + 1]) != std::string_view::npos;
    std::string_view second;
    if (rational) {
      ++at_;
      second = digits();
    }
    if (has_number_) return;
    has_number_ = true;
    if (rational) {
      value_ = Fraction(value(second), value(first));
    } else if (first.find_first_not_of('0') == std::string_view::npos) {
      value_ = first.size() <= 5 ? Fraction(std::int64_t{1} << first.size()) : Fraction::invalid();
    } else {
      value_ = Fraction(1, value(first));
    }
  }

  void letters() {
    const char letter = text_[at_];
    const std::size_t end = std::min(text_.find_first_not_of(letter, at_), text_.size());
    letters_ = end - at_;
    letter_ = letter;
    at_ = end;
  }

  void finish() {
    if (has_number_) {
      if (dots_ <= 10) value_ *= Fraction(2) - Fraction(1, std::int64_t{1} << dots_);
      if (dots_ <= 10 && limits::time_ok(value_) && !value_.is_zero()) token_.duration = value_;
    }
    if (token_.rest || letters_ == 0) return;
    const bool low = letter_ < 'a';
    const int count = static_cast<int>(std::min<std::size_t>(letters_, 20));
    Pitch pitch;
    pitch.step = static_cast<std::int8_t>(step_of_letter(letter_));
    pitch.alter = static_cast<std::int8_t>(std::clamp(alter_, -Pitch::kMaxAlter, Pitch::kMaxAlter));
    pitch.octave = static_cast<std::int8_t>(low ? 4 - count : 3 + count);
    token_.pitch = pitch;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
  Fraction value_;
  bool has_number_ = false;
  int dots_ = 0;
  int alter_ = 0;
  std::size_t letters_ = 0;
  char letter_ = 0;
};

/// "4" for 1/4, "0" for 2; empty where it takes more than one number.
std::string plain_value(Fraction value) {
  if (value.num() == 1) return std::to_string(value.den());
  for (int zeros = 1; zeros <= 3; ++zeros) {
    if (value == Fraction(std::int64_t{1} << zeros)) return std::string(static_cast<std::size_t>(zeros), '0');
  }
  return {};
}

}  // namespace

Token parse_token(std::string_view text) { return TokenParser(text).parse(); }

std::string write_duration(Fraction duration) {
  for (int dots = 0; dots <= 2; ++dots) {
    const Fraction dotted = Fraction(2) - Fraction(1, std::int64_t{1} << dots);
    const std::string value = plain_value(duration / dotted);
    if (!value.empty()) return value + std::string(static_cast<std::size_t>(dots), '.');
  }
  return std::to_string(duration.den()) + "%" + std::to_string(duration.num());
}

std::string write_value(Fraction base, int dots) {
  std::string value = plain_value(base);
  if (value.empty()) value = std::to_string(base.den()) + "%" + std::to_string(base.num());
  return value + std::string(static_cast<std::size_t>(dots), '.');
}

std::string write_pitch(Pitch pitch) {
  const char letter = letter_of_step(pitch.step);
  const bool low = pitch.octave < 4;
  const int count = low ? 4 - pitch.octave : pitch.octave - 3;
  std::string out(static_cast<std::size_t>(count), low ? letter : static_cast<char>(letter - 'A' + 'a'));
  out.append(static_cast<std::size_t>(std::abs(pitch.alter)), pitch.alter < 0 ? '-' : '#');
  return out;
}

}  // namespace rondo::kern
