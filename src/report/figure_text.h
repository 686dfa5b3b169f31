#pragma once

#include <string>

namespace rondo::report {

/// UTF-8 as the bytes of Windows-1252, which PDF calls WinAnsiEncoding; what it has no letter for becomes '?', control
/// characters blanks.
[[nodiscard]] std::string to_windows_1252(const std::string& text);

}  // namespace rondo::report
