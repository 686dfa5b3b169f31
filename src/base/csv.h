#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"

namespace rondo {

/// One record as in RFC 4180, but ended by LF alone, which every reader accepts and pipes prefer.
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

struct CsvRecord {
  std::vector<std::string> cells;
  std::uint32_t line = 0;  ///< where it begins, from 1
};

/// Every record of a text as in RFC 4180; lines end in LF, CRLF or CR; empty lines and a byte order mark are skipped.
/// Error `csv-quote` when a quoted cell does not end, or something follows its end.
[[nodiscard]] Result<std::vector<CsvRecord>> parse_csv(std::string_view text);

}  // namespace rondo
