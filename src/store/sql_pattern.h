#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "store/sql_clock.h"

namespace rondo {

/// A pattern of LIKE or GLOB with SQLite's meaning, matched in time proportional to pattern times text and
/// interruptible by a clock; SQLite's own functions cannot be interrupted. LIKE ignores the case of ASCII letters.
class SqlPattern {
 public:
  /// `escape`: the character of LIKE ... ESCAPE; 0: none.
  [[nodiscard]] static SqlPattern like(std::string_view pattern, char32_t escape = 0);
  [[nodiscard]] static SqlPattern glob(std::string_view pattern);

  /// nullopt: the time was up.
  [[nodiscard]] std::optional<bool> matches(std::string_view text, SqlClock& clock) const;

 private:
  enum class Kind : std::uint8_t { character, any_one, any_number, set, never };
  struct Token {
    Kind kind = Kind::never;
    char32_t character = 0;
    std::uint32_t first_range = 0;  ///< of a set: its part of `ranges_`
    std::uint32_t end_range = 0;
    bool inverted = false;
  };
  struct Range {
    char32_t low;
    char32_t high;
  };

  [[nodiscard]] bool fits(const Token& token, char32_t c) const;
  /// Reads a set after its '['; an unclosed set matches nothing.
  void add_set(std::string_view& pattern);

  std::vector<Token> tokens_;
  std::vector<Range> ranges_;
  bool ignore_case_ = false;
};

/// Removes and returns the next character of a text; malformed UTF-8 is read as leniently as SQLite does.
[[nodiscard]] char32_t take_character(std::string_view& text);

}  // namespace rondo
