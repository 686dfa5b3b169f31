#include "text_table.h"

#include <algorithm>

namespace rondo::evaluation {
namespace {

constexpr std::size_t kGap = 2;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Counts characters, not bytes; every character is assumed to be one column wide.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string padded(const TextTable::Cell& cell, std::size_t width, bool left) {
  const std::string text = cut(cell.text, width);
  const std::string blanks(width - length_of(text), ' ');
  const std::string styled = cell.before + text + cell.after;
  return left ? styled + blanks : blanks + styled;
}

void end_line(std::string& out) {
  out.erase(out.find_last_not_of(' ') + 1);
  out += '\n';
}

}  // namespace

std::string cut(std::string_view text, std::size_t most) {
  if (length_of(text) <= most) return std::string(text);
  std::size_t kept = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (starts_character(text[end]) && ++kept == most) break;
  }
  std::string out(text.substr(0, end));
  out += '~';
  return out;
}

TextTable::TextTable(std::vector<std::string> header) {
  for (std::string& name : header) header_.push_back({std::move(name)});
}

std::size_t TextTable::column_width(std::size_t column, std::size_t most) const {
  std::size_t width = length_of(header_[column].text);
  for (const auto& row : rows_) {
    if (!row.empty()) width = std::max(width, length_of(row[column].text));
  }
  return std::clamp<std::size_t>(width, 1, most);
}

std::string TextTable::render(std::size_t width) const {
  width = std::max<std::size_t>(width, 24);
  const std::size_t first = column_width(0, width / 3);
  const std::size_t room = width - first;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < header_.size(); ++c) {
    widths.push_back(column_width(c, std::min<std::size_t>(room - kGap, 20)));
  }

  std::string out;
  std::size_t begin = 1;
  do {
    std::size_t end = begin;
    std::size_t used = 0;
    while (end < header_.size() && used + kGap + widths[end] <= room) used += kGap + widths[end++];
    const auto line = [&](const std::vector<Cell>& row) {
      out += padded(row[0], first, true);
      for (std::size_t c = begin; c < end; ++c) out += std::string(kGap, ' ') + padded(row[c], widths[c], false);
      end_line(out);
    };
    if (begin > 1) out += '\n';
    line(header_);
    for (const auto& row : rows_) {
      if (row.empty()) {
        out.append(first + used, '-');
        out += '\n';
      } else {
        line(row);
      }
    }
    begin = end;
  } while (begin < header_.size());
  return out;
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out(indent, ' ');
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (column > indent) {
      if (column + 1 + length_of(word) > width) {
        out += '\n';
        out.append(indent, ' ');
        column = indent;
      } else {
        out += ' ';
        ++column;
      }
    }
    out += word;
    column += length_of(word);
  }
  out += '\n';
  return out;
}

}  // namespace rondo::evaluation
