#include <algorithm>
#include <array>

#include "query/draft.h"

namespace rondo::query {
namespace {

/// Commands that are followed by something that is no note, and how many words of it.
struct Command {
  std::string_view name;
  std::size_t words;
};
constexpr std::array kCommands = {Command{"key", 2},   Command{"time", 1},    Command{"clef", 1},
                                  Command{"tempo", 3}, Command{"partial", 1}, Command{"version", 1},
                                  Command{"bar", 1},   Command{"fixed", 1},   Command{"relative", 1}};

void blank_out(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
}

/// The end of the word at or behind `at`.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  while (at < text.size() && !is_blank(text[at])) ++at;
  return at;
}

/// The end of a command that begins at `at` with a backslash, what belongs to it included.
std::size_t end_of_command(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_letter(text[end])) ++end;
  if (end == at + 1) return std::min(at + 2, text.size());  // a sign, as in \\( and \\!
  const std::string_view name = text.substr(at + 1, end - at - 1);
  const auto* const known =
      std::find_if(kCommands.begin(), kCommands.end(), [&](const Command& one) { return one.name == name; });
  for (std::size_t i = 0; known != kCommands.end() && i < known->words; ++i) {
    // \\relative may go without a pitch.
    const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
    if (next == text.size() || text[next] == '{') break;
    end = end_of_word(text, end);
  }
  return end;
}

}  // namespace

Result<Draft> read_lilypond(std::string_view text) {
  std::string music(text);
  std::optional<std::string_view> relative;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::size_t end = i;
    if (c == '\\') {
      constexpr std::string_view kRelative = "\\relative";
      end = end_of_command(text, i);
      if (text.substr(i).starts_with(kRelative)) {
        relative = text.substr(i + kRelative.size(), end - i - kRelative.size());
        while (!relative->empty() && is_blank(relative->front())) relative->remove_prefix(1);
      }
    } else if (c == '%') {
      end = std::min(text.find('\n', i), text.size());
    } else if (std::string_view("{}()[]").find(c) != std::string_view::npos) {
      end = i + 1;
    }
    if (end == i) continue;
    blank_out(music, i, end);
    i = end - 1;
  }
  const std::size_t first = music.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return not_this(0, "there are no notes in it");
  return read_lilypond_notes(music, relative);
}

}  // namespace rondo::query
