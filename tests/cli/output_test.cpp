// No option for an output destroys a collection or what belongs to it, by whatever name it is given.

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <vector>

#include "cli/program.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

/// A collection in use, with everything that can lie beside it, and one command for each option that names an output:
/// @ stands for the name.
class OutputCli : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    ASSERT_EQ(rondo("import '" + demo() + "/folk.pae' --db c.db").code, 0);
    ASSERT_EQ(rondo("study import '" + demo() + "/study.json' --db c.db").code, 0);
    ASSERT_EQ(rondo("import '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --db other.db").code, 0);
    ASSERT_EQ(rondo("concordances --db c.db --part 1/2 --out part.journal --threads 1").code, 0);
    ASSERT_EQ(shell("cp part.journal c.db.concordances.journal; cp c.db.index index.copy; mkdir sub;"
                    "sqlite3 c.db.links 'CREATE TABLE link(number)'; sqlite3 foreign.db 'CREATE TABLE t(x)'")
                  .code,
              0);
    write("c.db.concordances", R"({"state":"done"})");
    write("c.db.decisions", R"(0123456789abcdef {"a":["x",0],"b":["y",0]})"
                            "\n");
    ASSERT_EQ(shell("cp c.db.decisions decisions.copy;"
                    "ln -s c.db link.html; ln -s '" +
                    path("c.db.index-graces") +
                    "' dangling.html; ln -s sub/.. folder;"
                    "ln c.db hard.csv; ln c.db.studies hard.html; ln -s link.html link-to-link.csv")
                  .code,
              0);
    write("truth.txt", "q 0 a 1\n");
    write("a.run", "q Q0 a 1 1.0 a\n");
    // A reader and a writer keep the log and the shared memory of the collection in being.
    ASSERT_EQ(sqlite3_open(path("c.db").c_str(), &user_), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(user_, "PRAGMA wal_autocheckpoint = 0; CREATE TABLE kept(x); BEGIN; SELECT * FROM piece",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    ASSERT_GT(read("c.db-wal").size(), 0U);
    remember();
  }
  void TearDown() override {
    sqlite3_close(user_);
    Program::TearDown();
  }

  /// In one piece: this compares megabytes, a hundred times.
  [[nodiscard]] std::string bytes_of(const std::string& name) const {
    std::error_code gone;
    const auto size = fs::file_size(path(name), gone);
    std::string out(gone ? 0 : size, '\0');
    std::ifstream(path(name), std::ios::binary).read(out.data(), static_cast<std::streamsize>(out.size()));
    return out;
  }

  /// Every file but the shared memory, where readers leave marks.
  void remember() {
    before_.clear();
    for (const auto& entry : fs::directory_iterator(path("."))) {
      const std::string name = entry.path().filename();
      if (entry.is_regular_file() && name != "stdout" && name != "stderr" && name != "c.db-shm")
        before_[name] = bytes_of(name);
    }
  }
  void expect_unchanged(const std::string& command) const {
    for (const auto& [name, bytes] : before_) EXPECT_TRUE(bytes_of(name) == bytes) << name << " changed: " << command;
    for (const auto& entry : fs::directory_iterator(path("."))) {
      const std::string name = entry.path().filename();
      if (name == "stdout" || name == "stderr" || !entry.is_regular_file()) continue;
      EXPECT_TRUE(before_.count(name) == 1 || name.ends_with("-shm") || name.ends_with("-wal"))
          << name << " was left: " << command;
    }
  }
  static std::string with(std::string command, const std::string& target) {
    return command.replace(command.find('@'), 1, "'" + target + "'");
  }

  sqlite3* user_ = nullptr;
  std::map<std::string, std::string> before_;

  const std::vector<std::string> commands_ = {
      "evaluate --truth truth.txt a.run --report @",
      "truth build --db c.db --study demo --tables @",
      "truth build --db c.db --study demo --figures @",
      "concordances --db c.db --out @",
      "concordances --db c.db --format pairs --threads 1 --out @",
      "concordances --db c.db --part 2/2 --out @",
      "run --db c.db --queries '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --threads 1 --out @",
      "import '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --db c.db --report @",
      "import '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --db other.db --report @",
      "backup other.db @",
      "export --db other.db --format jsonl 1<> @",
      "export --db other.db --format jsonl >> @",
  };
  /// What there is, by each kind of name, and what there could be.
  const std::vector<std::string> targets_ = {
      "c.db",
      "c.db.index",
      "c.db.studies",
      "c.db.links",
      "c.db.concordances",
      "c.db.concordances.journal",
      "c.db.decisions",
      "c.db-wal",
      "c.db-shm",
      "foreign.db",
      "index.copy",
      "decisions.copy",
      "link.html",
      "link-to-link.csv",
      "hard.csv",
      "hard.html",
      "./c.db",
      "sub/../c.db",
      "folder/c.db",
  };
  const std::vector<std::string> names_ = {"c.db-journal",       "c.db.index-graces", "c.db.index-unrepeated-folded",
                                           "c.db.index.lock",    "c.db.index.new",    "c.db.studies-wal",
                                           "c.db.links-journal", "C.DB.STUDIES",      "sub/../c.db.studies-shm",
                                           "dangling.html",      "c.db.studies.part", "other.db.studies"};
};

TEST_F(OutputCli, NothingOfACollectionIsEverOverwritten) {
  for (const std::string& command : commands_) {
    for (const std::string& target : targets_) {
      // All names with one command; that the others ask in the same way shows with some of the names.
      const bool some = target == "c.db" || target == "c.db.studies" || target == "hard.csv" || target == "c.db-wal" ||
                        target == "c.db.concordances.journal" || target == "link.html";
      if (&command != &commands_.front() && !some) continue;
      const auto done = rondo(with(command, target));
      EXPECT_EQ(done.code, 1) << command << " " << target;
      EXPECT_THAT(done.err, ContainsRegex("rondo: .*: (this is .*: it is not overwritten|the file already exists)"))
          << command << " " << target;
      expect_unchanged(command + " " + target);
    }
  }
  for (const char* target : {"c.db", "c.db.decisions", "link.html"}) {
    EXPECT_EQ(rondo(with(commands_[0], path(target))).code, 1) << "with its whole path";
    expect_unchanged(target);
  }
}

TEST_F(OutputCli, NoOutputTakesANameThatACollectionNeeds) {
  for (const std::string& command : commands_) {
    const bool first = &command == &commands_.front();
    if (command.find('>') != std::string::npos) continue;  // a shell makes the file first
    for (const std::string& name : names_) {
      if (!first && name != "c.db.index-graces" && name != "other.db.studies") continue;
      // A name in capitals is another name where case matters; it is refused for where it does not.
      if (name == "C.DB.STUDIES" && shell("test -e C.DB").code != 0) continue;
      const auto done = rondo(with(command, name));
      EXPECT_EQ(done.code, 1) << command << " " << name;
      EXPECT_THAT(done.err, HasSubstr("belongs to ")) << command << " " << name;
      expect_unchanged(command + " " + name);
    }
  }
}

TEST_F(OutputCli, FiguresAreNotWrittenThroughALink) {
  ASSERT_EQ(rondo("evaluate --truth truth.txt a.run --figures plots").code, 0);
  std::string figure;
  for (const auto& entry : fs::directory_iterator(path("plots"))) figure = entry.path().filename();
  ASSERT_EQ(shell("rm plots/*; ln -s ../c.db plots/" + figure).code, 0);
  const auto done = rondo("evaluate --truth truth.txt a.run --figures plots");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("it is not overwritten"));
  expect_unchanged("figures");
}

TEST_F(OutputCli, NeitherAStudyNorACollectionIsMadeOfAnotherCollectionsFiles) {
  for (const char* name : {"other.db.studies", "c.db.index-graces", "c.db-journal"}) {
    const auto done = rondo("import '" RONDO_SOURCE_DIR "/data/examples/tune.abc' --db " + std::string(name));
    EXPECT_EQ(done.code, 1) << name;
    EXPECT_THAT(done.err, HasSubstr("belongs to the collection")) << name;
    EXPECT_EQ(rondo("backup --restore other.db " + std::string(name)).code, 1) << name;
    expect_unchanged(name);
  }
  EXPECT_EQ(rondo("backup --restore other.db c.db.studies").code, 1);
  EXPECT_EQ(rondo("backup --restore other.db foreign.db").code, 1);
  expect_unchanged("restore");
}

TEST_F(OutputCli, ABackupLeavesWhatItFinds) {
  write("d.db.part", "mine");
  ASSERT_EQ(rondo("backup other.db d.db").code, 0);
  EXPECT_EQ(read("d.db.part"), "mine");
  const auto again = rondo("backup c.db d.db");
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.err, HasSubstr("already exists"));
  EXPECT_EQ(shell("test -e d.db.studies").code, 1) << "studies of another collection were put beside it";
}

TEST_F(OutputCli, AnOutputStillGoesToFilesPipesAndDevices) {
  const std::string evaluate = "truth build --db c.db --study demo --figures ";
  write("old.csv", "old\n");
  ASSERT_EQ(shell("chmod 640 old.csv; ln -s old.csv l.csv").code, 0);
  ASSERT_EQ(rondo(evaluate + "l.csv").code, 0);
  const std::string wanted = read("old.csv");
  EXPECT_GT(wanted.size(), 100U);
  EXPECT_EQ(shell("test -L l.csv && stat -c %a old.csv").out, "640\n");
  EXPECT_EQ(rondo(evaluate + "/dev/null").code, 0);
  EXPECT_THAT(rondo(evaluate + "/dev/stdout --format json").out, HasSubstr(wanted));
  EXPECT_THAT(rondo(evaluate + "- --format json").out, HasSubstr(wanted));
  ASSERT_EQ(shell("mkfifo p; cat p > from-pipe & '" RONDO_PROGRAM "' " + evaluate + "p && wait").code, 0);
  EXPECT_EQ(read("from-pipe"), wanted);
  const auto full = rondo(evaluate + "/dev/full");
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err, HasSubstr("No space left"));
  const auto pairs = rondo("concordances --db other.db --threads 1 --out - > pairs.csv");
  EXPECT_EQ(pairs.code, 0) << pairs.err;
  EXPECT_THAT(read("pairs.csv"), testing::StartsWith("id,voice"));
  EXPECT_EQ(rondo("concordances --db other.db --threads 1 --out - | true", "mkdir tmp; TMPDIR=tmp ").code, 0);
  EXPECT_EQ(shell("ls tmp").out, "") << "a journal was left";
  EXPECT_EQ(shell("ls -- -* *.journal *.part* 2>/dev/null").out, "c.db.concordances.journal\npart.journal\n");
  EXPECT_THAT(rondo(evaluate + "sub").err, HasSubstr("this is a folder"));
  EXPECT_THAT(rondo(evaluate + "nowhere/a.csv").err, HasSubstr("No such file"));
}

TEST_F(OutputCli, APartIsContinuedInItsOwnJournal) {
  const std::string journal = read("part.journal");
  EXPECT_EQ(rondo("concordances --db c.db --part 1/2 --out part.journal --threads 1").code, 0);
  EXPECT_EQ(read("part.journal"), journal);
  write("notes.txt", "do not lose me\n");
  EXPECT_EQ(rondo("concordances --db c.db --part 1/2 --out notes.txt").code, 1);
  EXPECT_EQ(read("notes.txt"), "do not lose me\n");
}

}  // namespace
