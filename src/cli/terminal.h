#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::cli {

/// Columns a text takes in a terminal: code points, wide ones twice, combining marks not at all.
[[nodiscard]] std::size_t display_width(std::string_view utf8);
/// The text cut to `width` columns, with an ellipsis where something was cut.
[[nodiscard]] std::string fit(std::string_view utf8, std::size_t width);
/// Columns of the terminal behind `file`; 0 when it is none (a pipe, a file).
[[nodiscard]] std::size_t terminal_width(std::FILE* file);
/// 1234567 -> "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t number);
/// For a terminal or a table: control characters (an escape sequence in a title) become spaces.
[[nodiscard]] std::string printable(std::string_view text);
/// For a Markdown table, where a bar would end the cell.
[[nodiscard]] std::string markdown_cell(std::string_view text);

/// Rows of text in aligned columns. On a terminal the widest flexible column gives way so that a row fits: its cells
/// are broken at words, and words that are longer still are cut. In a pipe nothing ever is.
class Table {
 public:
  enum class Align : std::uint8_t { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
    bool flexible = false;  ///< may be broken to fit the terminal
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// `width` 0: no limit.
  [[nodiscard]] std::string render(std::size_t width) const;
  void print(std::FILE* out) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// One line on standard error that is drawn over itself; silent when `on` is false.
class ProgressBar {
 public:
  /// `unit`: what is counted.
  ProgressBar(std::string label, bool on, std::string unit = "records")
      : label_(std::move(label)), unit_(std::move(unit)), on_(on), start_(Clock::now()), drawn_(start_) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `total` 0: unknown, then there is no bar and no remaining time.
  void update(std::uint64_t done, std::uint64_t total, std::uint64_t records);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  std::string unit_;
  bool on_;
  Clock::time_point start_;
  Clock::time_point drawn_;
  bool visible_ = false;
};

}  // namespace rondo::cli
