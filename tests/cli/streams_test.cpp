// Standard streams that are closed, full or gone: an error or the quiet end that pipes expect, never a crash, and no
// message in a collection.

#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "cli/program.h"

namespace {

using testing::HasSubstr;
using testing::StartsWith;

class StreamsCli : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(rondo("import '" + demo() + "/folk.pae' --db c.db").code, 0);
    ASSERT_EQ(rondo("study import '" + demo() + "/study.json' --db c.db").code, 0);
    write("truth.txt", "q 0 a 1\n");
    write("a.run", "q Q0 a 1 1.0 a\n");
  }
};

/// One call of each command; they change nothing, or the same again.
const std::vector<std::string> kCalls = {
    "import '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --db c.db --reread",
    "convert '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --as pae",
    "show white-cockade-1 --db c.db",
    "export --db c.db --format jsonl",
    "systems",
    "index --db c.db",
    "search --db c.db --query 'C4 D4 E4 F4 G4'",
    "concordances --db c.db --threads 1 --out pairs.csv",
    "run --db c.db --queries '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --threads 1 --out out.run",
    "compare --help",
    "features '" RONDO_SOURCE_DIR "/data/examples/tune.abc'",
    "filter --db c.db --where 'notes > 3'",
    "candidates list --db c.db",
    "study status --db c.db",
    "truth build --db c.db --study demo",
    "evaluate --truth truth.txt a.run",
    "check c.db",
    "backup c.db c.db",
    "serve --db nothing.db",
    "generate --count 3000",
    "bench --help",
    "help",
    "help search",
    "--version",
    "nonsense",
    "search --nonsense",
    "",
};

TEST_F(StreamsCli, EveryCommandIsTried) {
  std::istringstream overview(rondo("help").out);
  for (std::string line; std::getline(overview, line);) {
    if (!line.starts_with("  ") || line.starts_with("  help") || line.starts_with("  --")) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    const bool tried = std::any_of(kCalls.begin(), kCalls.end(), [&](const auto& call) {
      return call.starts_with(command + " ") || call == command;
    });
    EXPECT_TRUE(tried) << command;
  }
}

TEST_F(StreamsCli, WhatCannotBePrintedIsAFailureNotACrash) {
  for (const std::string& call : kCalls) {
    const auto fine = rondo(call);
    ASSERT_LE(fine.code, 2) << call;
    const int failed = fine.code == 0 ? 1 : fine.code;
    for (const char* lost : {">&-", ">/dev/full"}) {
      const auto done = rondo(call + " " + lost);
      EXPECT_EQ(done.code, fine.out.empty() ? fine.code : failed) << call << " " << lost << "\n" << done.err;
      EXPECT_EQ(done.err.find("standard output could not be written") != std::string::npos, !fine.out.empty()) << call;
    }
    for (const char* lost : {"2>&-", "2>/dev/full"}) {
      const auto done = rondo(call + " " + lost);
      EXPECT_EQ(done.code, fine.err.empty() ? fine.code : failed) << call << " " << lost;
      EXPECT_EQ(done.out.size(), fine.out.size()) << call << " " << lost;
    }
    EXPECT_EQ(rondo(call + " <&-").code, fine.code) << call;
    const auto none = rondo(call + " <&- >&- 2>&-");
    EXPECT_EQ(none.code, fine.out.empty() && fine.err.empty() ? fine.code : failed) << call;
    // SIGPIPE ends the program, or it had printed everything.
    const auto gone =
        shell("{ { '" RONDO_PROGRAM "' " + call + "; echo $? >&3; } | head -c 1 >&4; } 3>code 4>/dev/null");
    EXPECT_THAT(read("code"), testing::AnyOf(std::to_string(fine.code) + "\n", "141\n")) << call;
    EXPECT_THAT(gone.err, testing::Not(HasSubstr("could not be written"))) << call;
  }
  EXPECT_THAT(rondo("check c.db").out, HasSubstr("no damage"));
  EXPECT_THAT(read("c.db"), StartsWith("SQLite format 3"));
}

TEST_F(StreamsCli, NoFileTakesTheNumberOfAClosedStream) {
  ASSERT_EQ(rondo("import '" + demo() + "' --db n.db --report n.csv <&- >&- 2>&-").code, 1) << "its summary is lost";
  EXPECT_THAT(rondo("check n.db").out, HasSubstr("no damage"));
  EXPECT_THAT(read("n.db"), StartsWith("SQLite format 3"));
  EXPECT_THAT(read("n.csv"), StartsWith("severity,"));
  EXPECT_EQ(read("n.csv").find("rondo:"), std::string::npos);
}

TEST_F(StreamsCli, AClosedInputIsAnError) {
  for (const char* call : {"import - --db c.db", "convert - --as pae", "search --db c.db --query -"}) {
    const auto done = rondo(std::string(call) + " <&-");
    EXPECT_EQ(done.code, 1) << call;
    EXPECT_THAT(done.err, HasSubstr("Bad file descriptor")) << call;
  }
}

TEST_F(StreamsCli, AnInputThatIsNoFileIsRefusedAtOnce) {
  ASSERT_EQ(shell("mkfifo p; mkdir f; mkfifo c.db.index-graces").code, 0);
  for (const char* call : {"search --query CDEFG --db @", "export --db @", "index --db @", "check @", "serve --db @",
                           "backup @ b.db", "backup c.db @", "backup --restore c.db @", "backup --restore @ c.db",
                           "import '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --db @", "study status --db @"}) {
    for (const std::string target : {"p", "/dev/null", "f", "/dev/zero"}) {
      std::string command = call;
      command.replace(command.find('@'), 1, target);
      const auto done = shell("timeout 10 '" RONDO_PROGRAM "' " + command);
      EXPECT_EQ(done.code, 1) << command;
      EXPECT_THAT(done.err, testing::ContainsRegex("is a (pipe, device|folder)|already exists")) << command;
    }
  }
  EXPECT_LE(shell("timeout 10 '" RONDO_PROGRAM "' search --db c.db --graces --query CDEFG").code, 2)
      << "no index, or slow";
}

TEST_F(StreamsCli, ACollectionThatIsNotThereIsNotMadeByReading) {
  for (const char* call :
       {"search --query CDEFG --db @", "export --db @", "index --db @", "check @", "serve --db @", "backup @ b.db",
        "filter --where 1 --db @", "study status --db @", "study token --db @", "candidates list --db @",
        "show x --db @", "truth build --study x --db @", "concordances --db @ --out o.csv",
        "run --db @ --queries '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --out o.run",
        "study create x --db @ --candidates y", "backup --restore @ c.db",
        "study import '" RONDO_SOURCE_DIR "/data/demo/study.json' --db @"}) {
    std::string command = call;
    command.replace(command.find('@'), 1, "none.db");
    const auto done = rondo(command);
    EXPECT_EQ(done.code, 1) << command;
    EXPECT_THAT(done.err, HasSubstr("none.db")) << command;
    EXPECT_EQ(done.err.find("SQL"), std::string::npos) << command << done.err;
  }
  EXPECT_EQ(shell("ls none.db* o.* b.db 2>/dev/null").out, "");
  EXPECT_THAT(rondo("search --db none.db --query CDEFG").err, HasSubstr("rondo import FILES --db none.db"));
  EXPECT_THAT(rondo("search --query CDEFG").err, HasSubstr("rondo import FILES --db music.db"));
}

}  // namespace
