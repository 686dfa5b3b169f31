#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// UTF-8, the only encoding used internally.
namespace rondo {

/// Bytes of the well-formed sequence that a text begins with, 0 when it begins with none (Unicode, table 3-7): no
/// overlong forms, no surrogates, nothing beyond U+10FFFF. The text must not be empty.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

[[nodiscard]] bool is_ascii(std::string_view text);
/// Well-formed from beginning to end.
[[nodiscard]] bool is_utf8(std::string_view text);
/// The beginning of a text, at most so many bytes; no letter is cut.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t bytes);
/// The text with U+FFFD in the place of each byte that is not part of well-formed UTF-8.
[[nodiscard]] std::string repair_utf8(std::string_view text);
/// A surrogate or a number beyond Unicode becomes U+FFFD.
void append_utf8(std::string& out, char32_t code);

}  // namespace rondo
