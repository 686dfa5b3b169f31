#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/melody/fraction.h"

/// Small helpers on the text of an ABC file, shared by its reader and its writer.
namespace rondo::abc {

/// A line of a tune without its end, and its number in the file.
struct Line {
  std::uint32_t number = 0;
  std::string text;
};

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] std::string_view trim(std::string_view text);
/// 'text', for messages.
[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);
/// The text before the first % that no backslash protects.
[[nodiscard]] std::string_view without_comment(std::string_view text);

/// A text string of a field as UTF-8: mnemonics (\'e, \ss, \u00e9, &eacute; for the accents of Latin-1), \% \& \\ as
/// the characters. What is not UTF-8 is taken for Latin-1, the default of ABC before version 2.
[[nodiscard]] std::string decode(std::string_view text);
/// The inverse for the writer: one line that `decode` reads back.
[[nodiscard]] std::string encode(std::string_view text);

/// A forward-only position in a line.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  /// The character `ahead` of here; NUL beyond the end (a NUL in the text is no symbol of ABC either).
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  /// The character before here; NUL at the beginning.
  [[nodiscard]] char previous() const { return at_ == 0 ? '\0' : text_[at_ - 1]; }
  char take() { return done() ? '\0' : text_[at_++]; }
  bool skip(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void skip_spaces();
  void advance(std::size_t by) { at_ = by > text_.size() - at_ ? text_.size() : at_ + by; }
  void finish() { at_ = text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  /// Counted from 1.
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(at_ + 1); }

  /// The digits here as a number; nullopt if there are none. Saturates far above every limit.
  [[nodiscard]] std::optional<std::int64_t> number();

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

[[nodiscard]] inline bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// The multiplier after a note: "3", "3/2", "/", "//", "/4".
struct Length {
  Fraction value = 1;
  bool written = false;  ///< false: there was none, so 1
  bool valid = true;     ///< false: zero or out of range; value is then 1
};
[[nodiscard]] Length scan_length(Cursor& in);

}  // namespace rondo::abc
