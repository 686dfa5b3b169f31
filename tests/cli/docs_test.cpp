// What the documentation shows is what the program prints. In docs/*.md an indented line that begins with "$ " is a
// command, and the lines after it are its whole standard output. Those that work on files of data/ are run; others show
// what a reader does with files of their own.

#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.h"
#include "support/data.h"

namespace {

struct Shown {
  std::string place;
  std::string command;
  std::string output;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_block(const std::string& line) { return line.starts_with("    "); }

bool is_command(const std::string& line) { return line.starts_with("    $ "); }

/// A blank line belongs to an output if that goes on after it.
bool goes_on(const std::vector<std::string>& lines, std::size_t i) {
  if (is_block(lines[i])) return true;
  return lines[i].empty() && i + 1 < lines.size() && is_block(lines[i + 1]) && !is_command(lines[i + 1]);
}

std::vector<Shown> shown_in(const std::filesystem::path& file) {
  const std::vector<std::string> lines = lines_of(slurp(file));
  std::vector<Shown> found;
  for (std::size_t i = 0; i < lines.size();) {
    if (!is_command(lines[i])) {
      ++i;
      continue;
    }
    Shown shown{file.filename().string() + ":" + std::to_string(i + 1), lines[i].substr(6), ""};
    for (++i; shown.command.ends_with('\\') && i < lines.size(); ++i) shown.command += "\n" + lines[i];
    for (; i < lines.size() && goes_on(lines, i) && !is_command(lines[i]); ++i) {
      shown.output += (lines[i].empty() ? "" : lines[i].substr(4)) + "\n";
    }
    found.push_back(std::move(shown));
  }
  return found;
}

class Docs : public Program {};

TEST_F(Docs, EveryCommandShownWithItsOutputPrintsThat) {
  ASSERT_EQ(shell("ln -s '" RONDO_SOURCE_DIR "/data' data && mkdir out").code, 0);
  int examples = 0;
  for (const auto& file : files_below(std::filesystem::path(RONDO_SOURCE_DIR) / "docs", ".md")) {
    for (const Shown& shown : shown_in(file)) {
      if (shown.command.find(" data/") == std::string::npos) continue;
      const auto done = shell("rondo() { '" RONDO_PROGRAM "' \"$@\"; }; " + shown.command);
      EXPECT_EQ(done.code, 0) << shown.place << "\n" << done.err;
      EXPECT_EQ(done.out, shown.output) << shown.place;
      ++examples;
    }
  }
  EXPECT_GE(examples, 7) << "the page on evaluation alone has seven";
}

}  // namespace
