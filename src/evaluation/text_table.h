#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rondo::evaluation {

/// A table of plain text: the first column to the left, the others to the right. Too wide, it is broken into several,
/// each with the first column; what is too long for its place is cut and ends in "~".
class TextTable {
 public:
  /// What is shown, and codes around it that take no room.
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

/// The text itself, or so much of it that with a "~" at its end it is `most` characters long.
[[nodiscard]] std::string cut(std::string_view text, std::size_t most);

/// Breaks text into lines no longer than `width` where it can, each after `indent` blanks.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace rondo::evaluation
