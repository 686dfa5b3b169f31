// What the documentation shows is what the program does. In the README and in docs/**.md an indented line that begins
// with "$ " is a command. The commands of a page are run one after the other in a folder with `data` (the
// repository's) and `build/python`, as a checkout has them, and nothing else. Each must succeed; indented lines right
// after it are its whole standard output, where "..." stands for any lines.
//
// A command of ours without "$ " is an error, so that none goes untried; only templates, with a word in CAPITALS where
// a reader puts something, are left alone. `rondo serve` is left running until the page ends, at a free port.

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "cli/program.h"
#include "support/data.h"

namespace {

struct Shown {
  std::string place;
  std::string command;
  std::vector<std::string> output;
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

/// The word that ends a text written in place: cat > file <<'END'.
std::string here_word(const std::string& command) {
  std::smatch found;
  return std::regex_search(command, found, std::regex("<<'(\\w+)'")) ? found[1].str() : "";
}

std::vector<Shown> shown_in(const std::filesystem::path& file) {
  const std::vector<std::string> lines = lines_of(slurp(file));
  std::vector<Shown> found;
  for (std::size_t i = 0; i < lines.size();) {
    if (!is_command(lines[i])) {
      ++i;
      continue;
    }
    Shown shown{file.filename().string() + ":" + std::to_string(i + 1), lines[i].substr(6), {}};
    for (++i; shown.command.ends_with('\\') && i < lines.size(); ++i) shown.command += "\n" + lines[i];
    if (const std::string end = here_word(shown.command); !end.empty()) {
      do {
        shown.command += "\n" + lines[i].substr(4);
      } while (lines[i++].substr(4) != end);
    }
    for (; i < lines.size() && goes_on(lines, i) && !is_command(lines[i]); ++i) {
      shown.output.push_back(lines[i].empty() ? "" : lines[i].substr(4));
    }
    found.push_back(std::move(shown));
  }
  return found;
}

/// Whether lines are those shown, where "..." stands for any.
bool fits(const std::vector<std::string>& shown, const std::vector<std::string>& lines) {
  if (shown.empty()) return lines.empty();
  if (shown.front() == "...") {
    for (std::size_t skip = 0; skip <= lines.size(); ++skip) {
      if (fits({shown.begin() + 1, shown.end()}, {lines.begin() + static_cast<std::ptrdiff_t>(skip), lines.end()}))
        return true;
    }
    return false;
  }
  return !lines.empty() && shown.front() == lines.front() &&
         fits({shown.begin() + 1, shown.end()}, {lines.begin() + 1, lines.end()});
}

/// A line of ours that nobody runs, and that has nothing a reader must fill in.
bool is_untried(const std::string& line) {
  static const std::regex ours("^    (build/)?rondo [a-z].*");
  static const std::regex quoted("\"[^\"]*\"|'[^']*'");
  static const std::regex capitals("\\b[A-Z]{2,}\\b");
  if (!std::regex_match(line, ours)) return false;
  return !std::regex_search(std::regex_replace(line, quoted, ""), capitals);
}

class Docs : public Program {
 protected:
  static constexpr const char* kPrelude = R"(
    rondo() {
      if [ "$1" != serve ]; then ")" RONDO_PROGRAM R"(" "$@"; return; fi
      ")" RONDO_PROGRAM R"(" "$@" --port 0 >served 2>served.err & echo $! >>servers
      for i in $(seq 200); do grep -q ' at http' served && break; sleep 0.05; done
    }
    build/rondo() { rondo "$@"; }
    curl() { command curl -sSf "${@//127.0.0.1:8080/$(sed -n 's|.*http://\(.*\)/$|\1|p' served)}"; }
    python3() { /usr/bin/python3 "$@"; }
  )";

  void SetUp() override {
    Program::SetUp();
    // Nothing but what a checkout has once it is built.
    ASSERT_EQ(
        shell("ln -s '" RONDO_SOURCE_DIR "/data' data && mkdir build && ln -s '" RONDO_PYTHON_PATH "' build/python")
            .code,
        0);
    ASSERT_EQ(shell("cp -r . ../$(basename \"$PWD\").fresh").code, 0);
  }
  void TearDown() override {
    end_servers();
    shell("rm -rf ../$(basename \"$PWD\").fresh");
    Program::TearDown();
  }

  Outcome bash(const std::string& command) {
    write("command.sh", kPrelude + command + "\n");
    return shell("bash command.sh");
  }
  void begin_page() { shell("find . -mindepth 1 -delete; cp -r ../$(basename \"$PWD\").fresh/. ."); }
  /// And waits until they have: what they still write must not come between.
  void end_servers() {
    shell(
        "[ ! -e servers ] || { kill $(cat servers); for p in $(cat servers); do while kill -0 $p; do sleep 0.05; done; "
        "done; }; rm -f servers");
  }

  static std::vector<std::filesystem::path> pages() {
    auto all = files_below(std::filesystem::path(RONDO_SOURCE_DIR) / "docs", ".md");
    all.emplace_back(std::filesystem::path(RONDO_SOURCE_DIR) / "README.md");
    return all;
  }
};

TEST_F(Docs, EveryCommandShownDoesWhatThePageSays) {
  std::size_t commands = 0;
  for (const auto& page : pages()) {
    begin_page();
    for (const Shown& shown : shown_in(page)) {
      if (std::string_view(RONDO_PYTHON_PATH).empty() && shown.command.find("python3 ") != std::string::npos) {
        continue;
      }
      const auto done = bash(shown.command);
      ++commands;
      ASSERT_EQ(done.code, 0) << shown.place << ": " << shown.command << "\n" << done.err;
      if (!shown.output.empty() && !fits(shown.output, lines_of(done.out))) {
        ADD_FAILURE() << shown.place << ": " << shown.command << "\nprints\n" << done.out;
      }
    }
    end_servers();
  }
  EXPECT_GE(commands, 60U);
}

TEST_F(Docs, NoCommandGoesUntried) {
  for (const auto& page : pages()) {
    // Written by the program itself, which takes minutes to measure what is in it; other tests hold it to the program.
    if (page.filename() == "requirements.md") continue;
    for (const std::string& line : lines_of(slurp(page))) {
      EXPECT_FALSE(is_untried(line)) << page.filename() << ": write '$ ' in front of\n" << line;
    }
  }
}

TEST_F(Docs, ThePageOfCommandsAndThatOfFormatsAreWhatTheProgramWrites) {
  const std::filesystem::path docs = std::filesystem::path(RONDO_SOURCE_DIR) / "docs";
  EXPECT_EQ(rondo("help --markdown").out, slurp(docs / "commands.md")) << "rondo help --markdown > docs/commands.md";
  EXPECT_EQ(rondo("help --formats").out, slurp(docs / "formats" / "README.md"))
      << "rondo help --formats > docs/formats/README.md";
}

}  // namespace
