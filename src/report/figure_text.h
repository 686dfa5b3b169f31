#pragma once

#include <string>

namespace rondo::report {

/// UTF-8 as the bytes of Windows-1252, which PDF calls WinAnsiEncoding; letters of
/// Latin that it lacks lose their accents, all others become '?', control characters blanks.
[[nodiscard]] std::string to_windows_1252(const std::string& text);

}  // namespace rondo::report
