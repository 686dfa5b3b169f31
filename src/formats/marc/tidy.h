#pragma once

#include <string>
#include <string_view>

namespace rondo::marc {

/// A subfield as clean text: trimmed, with line ends and other control characters as spaces (a line end with the
/// following indentation is one space), and with doubly escaped entities ("&amp;apos;") decoded. Sets `unescaped` if
/// there were any; otherwise does not change it.
[[nodiscard]] std::string tidy(std::string_view text, bool& unescaped);

/// The code point of an XML or common HTML entity given without & and ; ("amp", "#39", "#x27"); 0: not known.
[[nodiscard]] char32_t entity(std::string_view name);

}  // namespace rondo::marc
