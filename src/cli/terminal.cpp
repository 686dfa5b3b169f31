#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "cli/help_text.h"
#include "cli/print.h"

namespace rondo::cli {
namespace {

struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

/// The code point at the front; a broken byte counts as one column of its own.
CodePoint front(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 1 || text.size() < length) return {first, 1};
  char32_t value = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {first, 1};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  return {value, length};
}

std::size_t columns_of(char32_t c) {
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F)) return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
                    (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

std::string clock_time(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// A cell in lines no wider than its column: broken at words, a longer word cut.
std::vector<std::string> broken(const std::string& cell, std::size_t width) {
  std::vector<std::string> lines;
  if (display_width(cell) <= width) return {cell};
  std::istringstream wrapped(wrap_words(cell, width));
  for (std::string line; std::getline(wrapped, line);) lines.push_back(fit(line, width));
  return lines;
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  while (!utf8.empty()) {
    const CodePoint c = front(utf8);
    width += columns_of(c.value);
    utf8.remove_prefix(c.bytes);
  }
  return width;
}

std::string fit(std::string_view utf8, std::size_t width) {
  if (display_width(utf8) <= width) return std::string(utf8);
  if (width == 0) return {};
  std::string out;
  std::size_t used = 0;
  while (!utf8.empty()) {
    const CodePoint c = front(utf8);
    used += columns_of(c.value);
    if (used > width - 1) break;
    out += utf8.substr(0, c.bytes);
    utf8.remove_prefix(c.bytes);
  }
  return out + "…";
}

std::size_t terminal_width(std::FILE* file) {
  const int descriptor = fileno(file);
  if (isatty(descriptor) == 0) return 0;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return out;
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::render(std::size_t width) const {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kNarrowest = 8;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = display_width(columns_[c].title);
    for (const auto& row : rows_) widest = std::max(widest, display_width(row[c]));
    widths.push_back(widest);
  }
  const auto total = [&] { return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1)); };
  while (width != 0 && total() > width) {
    std::size_t widest = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].flexible && widths[c] > kNarrowest && (widest == columns_.size() || widths[c] > widths[widest])) {
        widest = c;
      }
    }
    if (widest == columns_.size()) break;
    --widths[widest];
  }
  std::string out;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    std::vector<std::vector<std::string>> lines;  // of each cell
    std::size_t height = 1;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      lines.push_back(broken(cells[c], widths[c]));
      height = std::max(height, lines.back().size());
    }
    for (std::size_t l = 0; l < height; ++l) {
      std::string text;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::string cell = l < lines[c].size() ? lines[c][l] : "";
        const std::string pad(widths[c] - std::min(widths[c], display_width(cell)), ' ');
        text += columns_[c].align == Align::left ? cell + pad : pad + cell;
        text.append(kGap, ' ');
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out += text + "\n";
    }
  };
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  add_row(titles);
  for (const auto& row : rows_) add_row(row);
  return out;
}

void Table::print(std::FILE* out) const {
  const std::string text = render(terminal_width(out));
  write_to(out, text);
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total, std::uint64_t records) {
  if (!on_) return;
  const auto now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text = label_ + " ";
  if (total != 0) {
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    constexpr std::size_t kCells = 20;
    const auto full = static_cast<std::size_t>(share * kCells);
    text += "[" + std::string(full, '#') + std::string(kCells - full, '.') + "] ";
    text += fmt::format("{:3.0f} %  ", share * 100);
    if (share > 0.01) text += clock_time(seconds / share * (1 - share)) + " left  ";
  }
  text += fmt::format("{} {}  {}/s", grouped(records), unit_,
                      grouped(static_cast<std::uint64_t>(static_cast<double>(records) / std::max(seconds, 1e-3))));
  const std::size_t width = terminal_width(stderr);
  if (width != 0) text = fit(text, width - 1);
  print_to(stderr, "\r{}\x1b[K", text);
  std::fflush(stderr);
  visible_ = true;
}

void ProgressBar::clear() {
  if (!visible_) return;
  print_to(stderr, "\r\x1b[K");
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace rondo::cli
