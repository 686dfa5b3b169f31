// What packages are made of: manual pages and completions, from the same definitions as the help.

#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.h"

namespace {

using testing::HasSubstr;
using testing::Not;

class Packaged : public Program {
 protected:
  [[nodiscard]] bool there_is(const std::string& shell_name) {
    return shell("command -v " + shell_name + " >/dev/null").code == 0;
  }
  void script(const std::string& name) { write("rondo." + name, rondo("help --completion " + name).out); }

  /// What bash offers after these words; the last may be empty.
  std::string bash_offers(const std::string& words) {
    script("bash");
    write("ask.sh", "source ./rondo.bash\nCOMP_WORDS=(" + words +
                        ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_rondo\necho \"${COMPREPLY[*]}\"\n");
    return shell("bash ask.sh").out;
  }
  std::string fish_offers(const std::string& line) {
    script("fish");
    return shell("fish -N -c 'source rondo.fish; complete -C \"" + line + "\"'").out;
  }
};

TEST_F(Packaged, BashCompletesCommandsSubcommandsOptionsAndValues) {
  EXPECT_EQ(bash_offers("rondo sea"), "search\n");
  EXPECT_THAT(bash_offers("rondo ''"), HasSubstr("import convert show export"));
  EXPECT_EQ(bash_offers("rondo help eval"), "evaluate\n");
  EXPECT_EQ(bash_offers("rondo truth sh"), "show\n");
  EXPECT_EQ(bash_offers("rondo search --anch"), "--anchored\n");
  EXPECT_EQ(bash_offers("rondo search --format ''"), "table json csv trec\n");
  EXPECT_THAT(bash_offers("rondo search --system sha"), HasSubstr("shapeh"));
  EXPECT_EQ(bash_offers("rondo truth from-labels --f"), "--field\n");
  EXPECT_EQ(bash_offers("rondo search --query ''"), "\n") << "nothing of ours: the shell offers files";
}

TEST_F(Packaged, FishCompletesTheSame) {
  if (!there_is("fish")) GTEST_SKIP() << "needs fish";
  EXPECT_THAT(fish_offers("rondo sea"), HasSubstr("search\tfind melodies that resemble a melody"));
  EXPECT_THAT(fish_offers("rondo search --anch"), HasSubstr("--anchored"));
  EXPECT_THAT(fish_offers("rondo search --format "), HasSubstr("trec"));
  EXPECT_THAT(fish_offers("rondo truth "), HasSubstr("from-labels"));
  EXPECT_THAT(fish_offers("rondo truth from-labels --"), HasSubstr("--field"));
  EXPECT_THAT(fish_offers("rondo show --"), Not(HasSubstr("--anchored")));
}

TEST_F(Packaged, ZshTakesItsScript) {
  if (!there_is("zsh")) GTEST_SKIP() << "needs zsh";
  script("zsh");
  const auto done = shell("zsh -n rondo.zsh");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(read("rondo.zsh"), testing::StartsWith("#compdef rondo\n"));
}

TEST_F(Packaged, EveryCommandHasAManualPageThatMandocAccepts) {
  const std::string commands = shell("'" RONDO_PROGRAM "' help | sed -n 's/^  \\([a-z][a-z]*\\) .*/\\1/p'").out;
  ASSERT_THAT(commands, HasSubstr("search"));
  write("commands", commands);
  const auto done = shell(
      "for name in '' $(grep -v '^help$' commands); do '" RONDO_PROGRAM
      "' help --man $name > \"page$name.1\" || exit 1; "
      "grep -q '^.SH NAME' \"page$name.1\" || exit 2; "
      "if command -v mandoc >/dev/null; then mandoc -T lint -W error,stop \"page$name.1\" >&2 || exit 3; fi; done");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(read("pagesearch.1"), HasSubstr("\\fB\\-\\-anchored\\fR"));
  EXPECT_THAT(read("pagetruth.1"), HasSubstr("from\\-labels"));
  EXPECT_THAT(read("page.1"), HasSubstr("rondo\\-search"));
}

TEST_F(Packaged, AWishThatHelpDoesNotKnowIsWrongUsage) {
  EXPECT_EQ(rondo("help --completion tcsh").code, 2);
  EXPECT_EQ(rondo("help --man nonsense").code, 2);
  EXPECT_EQ(rondo("help --nonsense").code, 2);
}

}  // namespace
