#pragma once

#include <string>
#include <string_view>

namespace rondo::marc {

/// A subfield as text to keep: trimmed, with line ends and other control characters as spaces (a line end with what
/// indents the next line is one space), and with what was escaped twice on its way ("&amp;apos;") unescaped.
/// Sets `unescaped` when there was something to unescape, and leaves it alone otherwise.
[[nodiscard]] std::string tidy(std::string_view text, bool& unescaped);

/// The code point of an XML or common HTML entity given without & and ; ("amp", "#39", "#x27"); 0: not known.
[[nodiscard]] char32_t entity(std::string_view name);

}  // namespace rondo::marc
