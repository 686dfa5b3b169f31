#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// Where in the input something happened. Empty or zero parts are unknown and not printed.
/// Line and column count from 1; in a MARC record the column is that of the subfield named in `field`.
struct Place {
  std::string file;
  std::string record;
  std::string field;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// "file.xml: record 00001: 031 $p: line 3, column 7"; empty when nothing is known.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Place&, const Place&) = default;
};

/// One remark about the input. `code` is stable ("pae-beam-unbalanced"): scripts and tests rely on it, so it is
/// never reworded; message and hint are for people and may be.
struct Diagnostic {
  std::string code;
  std::string message;
  Place place;
  std::string hint;

  [[nodiscard]] std::string to_string() const;
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace rondo
