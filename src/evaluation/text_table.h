#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo::evaluation {

/// A plain-text table: the first column is left-aligned, the others right-aligned. A table that is too wide is split
/// into several, each with the first column; text that is too long for its column is truncated and ends in "~".
class TextTable {
 public:
  /// The visible text, and escape codes around it that have no width.
  struct Cell {
    std::string text;
    std::string before{};
    std::string after{};
  };

  explicit TextTable(std::vector<std::string> header);
  /// As many cells as the header has.
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  void add_rule() { rows_.emplace_back(); }
  [[nodiscard]] std::string render(std::size_t width) const;

 private:
  [[nodiscard]] std::size_t column_width(std::size_t column, std::size_t most) const;

  std::vector<Cell> header_;
  std::vector<std::vector<Cell>> rows_;
};

/// The text, truncated to `most` characters including a final "~" if it is longer.
[[nodiscard]] std::string cut(std::string_view text, std::size_t most);

/// Wraps text at `width` if possible, each line after `indent` blanks.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace rondo::evaluation
