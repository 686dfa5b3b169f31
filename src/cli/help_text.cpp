#include "cli/help_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/terminal.h"

namespace rondo::cli {
namespace {

constexpr std::size_t kHelpColumn = 30;  // of the descriptions of options

std::size_t leading_blanks(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Where a line goes on: under the description of an option, else as far in as it began.
std::size_t continued_at(std::string_view line) {
  const std::size_t own = leading_blanks(line);
  const bool described =
      own == 2 && line.size() > kHelpColumn && line[kHelpColumn] != ' ' && line[kHelpColumn - 1] == ' ';
  return described ? kHelpColumn : own;
}

/// The last blank outside quotes before `width`, or the first behind it.
std::size_t break_of_command(std::string_view line, std::size_t width) {
  char quote = 0;
  std::size_t best = std::string_view::npos;
  for (std::size_t i = leading_blanks(line); i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == ' ') {
      if (i + 2 > width && best != std::string_view::npos) return best;
      best = i;
      if (i + 2 > width) return best;
    }
  }
  return best;
}

std::string wrapped_command(std::string line, std::size_t width) {
  std::string out;
  while (display_width(line) > width) {
    const std::size_t at = break_of_command(line, width);
    if (at == std::string::npos || at <= leading_blanks(line)) break;
    out += line.substr(0, at) + " \\\n";
    line = "    " + line.substr(at + 1);
  }
  return out + line;
}

/// Blanks behind some of the commas of words that are longer than a line.
std::string with_parted_lists(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    used = text[i] == ' ' ? 0 : used + 1;
    if (text[i] != ',' || i + 1 == text.size() || text[i + 1] == ' ') continue;
    const std::size_t next = std::min(text.find_first_of(", ", i + 1), text.size()) - i;
    if (used + next <= width) continue;
    out += ' ';
    used = 0;
  }
  return out;
}

}  // namespace

std::string wrap_words(std::string_view text, std::size_t width, std::size_t indent) {
  // A list that is longer than a line breaks behind its commas.
  if (const std::string parted = with_parted_lists(text, width - std::min(indent, width));
      parted.size() > text.size()) {
    return wrap_words(parted, width, indent);
  }
  std::string out;
  std::string line(leading_blanks(text), ' ');
  std::size_t used = line.size();
  bool empty = true;
  text.remove_prefix(used);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    const std::size_t after = std::min(text.find_first_not_of(' ', end), text.size());
    const std::size_t blanks = after - end;
    text.remove_prefix(after);
    const std::size_t columns = display_width(word);
    if (!empty && used + columns > width) {
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
      line.assign(indent, ' ');
      used = indent;
    }
    line += word;
    used += columns + blanks;
    line.append(blanks, ' ');
    empty = false;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return out + line;
}

std::string wrap_help(std::string_view help, std::size_t width) {
  std::string out;
  bool example = false;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    const std::string_view line = help.substr(0, end);
    const bool ended = end < help.size();
    help.remove_prefix(std::min(end + 1, help.size()));
    if (display_width(line) <= width) {
      out += line;
    } else if (example) {
      out += wrapped_command(std::string(line), width);
    } else {
      out += wrap_words(line, width, continued_at(line));
    }
    if (ended) out += '\n';
    example = example || line == "Example:";
  }
  return out;
}

std::size_t word_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const std::size_t change = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost.back().back();
}

}  // namespace rondo::cli
