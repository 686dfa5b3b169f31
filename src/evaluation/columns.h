#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/streams.h"
#include "rondo/base/result.h"

namespace rondo::evaluation {

/// True for UTF-8 without control characters other than tabs, so that every id can go into JSON and a terminal.
[[nodiscard]] bool is_clean_text(std::string_view text);

/// Escapes a leading byte order mark in output: readers remove one, so a text that begins with one gets another.
[[nodiscard]] std::string guarded(std::string text);

/// Reads lines of blank-separated columns, for runs and truths. Skips empty lines and a byte order mark. Error codes
/// begin with `prefix` ("run", "truth").
class ColumnReader {
 public:
  static constexpr std::size_t kMaxColumns = 6;

  ColumnReader(ByteSource& source, std::string file, std::string prefix, std::size_t columns, std::string layout)
      : lines_(source, kMaxLine),
        file_(std::move(file)),
        prefix_(std::move(prefix)),
        layout_(std::move(layout)),
        count_(columns) {}

  /// false at the end. The columns are valid until the next call.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] std::string_view operator[](std::size_t column) const { return columns_[column]; }
  [[nodiscard]] std::uint32_t line() const;

  /// An error of the current line: code `prefix-what`.
  [[nodiscard]] Error error(std::string_view what, std::string message, std::string hint = {}) const;

 private:
  static constexpr std::size_t kMaxLine = std::size_t{64} * 1024;

  LineReader lines_;
  std::string file_;
  std::string prefix_;
  std::string layout_;
  std::size_t count_;
  std::array<std::string_view, kMaxColumns> columns_;
};

/// The whole text as a number, or nullopt.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Input text for a message: truncated, in quotes, printable characters only.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace rondo::evaluation
