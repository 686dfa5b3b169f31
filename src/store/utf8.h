#pragma once

#include <string_view>

namespace rondo {

/// True for well-formed UTF-8 without NUL: what SQLite's text functions and people's tools take for text.
[[nodiscard]] bool is_plain_utf8(std::string_view text);

}  // namespace rondo
