#pragma once

#include <string>
#include <string_view>

namespace rondo {

/// Text of a format that does not name its encoding, as UTF-8: kept where it is UTF-8 already, else taken as Latin-1.
[[nodiscard]] std::string to_utf8(std::string_view bytes);

/// The same on one line: control characters become blanks, and outer blanks are removed.
[[nodiscard]] std::string to_utf8_line(std::string_view bytes);

}  // namespace rondo
