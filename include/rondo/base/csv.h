#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// One record as RFC 4180 has it, but ended by LF alone, which every reader takes and pipes prefer.
[[nodiscard]] inline std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (const std::string& cell : cells) {
    if (&cell != cells.data()) out += ',';
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      out += cell;
      continue;
    }
    out += '"';
    for (const char c : cell) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  return out + "\n";
}

}  // namespace rondo
