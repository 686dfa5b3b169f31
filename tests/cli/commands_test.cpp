#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Cli : public Program {
 protected:
  /// Writes a file and gives its path.
  std::string put(const std::string& name, const std::string& text) const {
    write(name, text);
    return path(name);
  }
};

const char* const kTwoTunes =
    "@id:one\n@title:A tune\n@composer:Anon\n@clef:G-2\n@keysig:xF\n@timesig:4/4\n@data:'4GABG/GABG/\n\n"
    "@id:two\n@title:Another tune\n@clef:G-2\n@keysig:\n@timesig:3/4\n@data:'4CEG/''C'GE/\n\n";

TEST_F(Cli, WithoutACommandItShowsWhatThereIsAndFails) {
  const auto done = rondo("");
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.out, IsEmpty());
  EXPECT_THAT(done.err, HasSubstr("import"));
}

TEST_F(Cli, AnUnknownCommandIsWrongUsageAndGuessed) {
  const auto done = rondo("serach");
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("did you mean 'rondo search'"));
}

TEST_F(Cli, AMissingOptionIsWrongUsage) {
  EXPECT_EQ(rondo("import").code, 2);
  EXPECT_EQ(rondo("search --db x.db").code, 2);
  EXPECT_EQ(rondo("show x --db y.db --as cuneiform").code, 2);
  EXPECT_THAT(rondo("import").err, HasSubstr("rondo help import"));
}

TEST_F(Cli, HelpGoesToStandardOutput) {
  const auto done = rondo("help");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.out, HasSubstr("generate"));
  EXPECT_THAT(rondo("--version").out, HasSubstr("rondo "));
}

TEST_F(Cli, HelpOfASubcommandIsItsOwn) {
  const auto done = rondo("help study invite");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.out, HasSubstr("Usage: rondo study invite"));
  EXPECT_THAT(done.out, testing::Not(HasSubstr("leave-out")));
  const auto none = rondo("help study invent");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("'rondo study' has no subcommand 'invent'"));
}

TEST_F(Cli, NoLineOfAnyHelpIsLongerThanEightyColumns) {
  std::istringstream overview(rondo("help").out);
  std::size_t summaries = std::string::npos;
  for (std::string line; std::getline(overview, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    if (!line.starts_with("  ") || line.starts_with("  help") || line.starts_with("  --")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    const std::size_t at = line.find_first_not_of(' ', 2 + name.size());
    if (summaries == std::string::npos) summaries = at;
    EXPECT_EQ(at, summaries) << "summaries stand under each other: " << line;
    std::istringstream help(rondo("help " + name).out);
    for (std::string one; std::getline(help, one);) EXPECT_LE(one.size(), 80U) << one;
  }
}

TEST_F(Cli, EveryExampleInTheHelpRuns) {
  // As a newcomer has it: the repository as working directory and the demo collection imported to out/demo.db.
  ASSERT_EQ(shell("ln -s '" RONDO_SOURCE_DIR "/data' data && mkdir out").code, 0);
  ASSERT_EQ(rondo("import data/demo --db out/demo.db").code, 0);
  std::istringstream overview(rondo("help").out);
  int examples = 0;
  for (std::string line; std::getline(overview, line);) {
    if (!line.starts_with("  ") || line.starts_with("  help") || line.starts_with("  --")) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    if (command == "bench") continue;  // measures; tried in its own test
    std::string help = rondo("help " + command).out;
    for (std::size_t cut = help.find(" \\\n    "); cut != std::string::npos; cut = help.find(" \\\n    ")) {
      help.replace(cut, 7, " ");  // a long command goes on in the next line
    }
    const std::size_t at = help.find("Example:\n  rondo ");
    ASSERT_NE(at, std::string::npos) << help;
    const std::string example = help.substr(at + 17, help.find('\n', at + 17) - at - 17);
    // A server ends when it is told to, and its port may be in use where the tests run.
    const bool serves = example.starts_with("serve ");
    const auto done = serves ? rondo(example + " --port 0", "timeout --preserve-status 3 ") : rondo(example);
    EXPECT_EQ(done.code, 0) << example << "\n" << done.err;
    EXPECT_FALSE(done.out.empty() && done.err.empty()) << example;
    ++examples;
  }
  EXPECT_GE(examples, 7);
}

TEST_F(Cli, ImportCountsAndIsQuietInAPipe) {
  write("tunes.pae", kTwoTunes);
  const auto done = rondo("import tunes.pae --db c.db --format json");
  ASSERT_EQ(done.code, 0) << done.err;
  const json summary = json::parse(done.out);
  EXPECT_EQ(summary["records"], 2);
  EXPECT_EQ(summary["added"], 2);
  EXPECT_EQ(summary["skipped"], 0);
  EXPECT_THAT(done.err, Not(HasSubstr("\r"))) << "a progress bar in a pipe";
  const json again = json::parse(rondo("import tunes.pae --db c.db --reread --format json").out);
  EXPECT_EQ(again["unchanged"], 2);
}

TEST_F(Cli, ImportReadsAPipe) {
  write("tunes.pae", kTwoTunes);
  EXPECT_EQ(rondo("import - --db c.db", "cat tunes.pae | ").code, 0);
  EXPECT_EQ(rondo("show two --db c.db").code, 0);
}

TEST_F(Cli, ABadRecordIsReportedAndTheOthersAreKept) {
  write("tunes.jsonl",
        "{\"id\": \"a\", \"notes\": [[\"0\", \"1/4\", 60]]}\n"
        "{\"id\": \"b\", \"notes\": [[\"0\", \"1/0\", 60]]}\n"
        "{\"id\": \"c\", \"notes\": [[\"0\", \"1/4\", 62]]}\n");
  const auto done = rondo("import tunes.jsonl --db c.db --format json --report problems.csv");
  EXPECT_EQ(done.code, 0) << done.err;
  const json summary = json::parse(done.out);
  EXPECT_EQ(summary["added"], 2);
  EXPECT_EQ(summary["skipped"], 1);
  EXPECT_THAT(read("problems.csv"), HasSubstr("tunes.jsonl"));
  EXPECT_THAT(read("problems.csv"), HasSubstr(",2,")) << "the line of the bad record";
  EXPECT_EQ(rondo("import tunes.jsonl --db strict.db --strict").code, 1);
}

TEST_F(Cli, WhatIsNoMusicFails) {
  write("letter.txt", "Dear Sir or Madam, there is no music in this.\n");
  const auto done = rondo("import letter.txt --db c.db");
  EXPECT_EQ(done.code, 1);
  const auto missing = rondo("import nothing-here --db c.db");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err + missing.out, HasSubstr("nothing-here"));
}

TEST_F(Cli, AMissingCollectionOrMelodyIsSaid) {
  const auto no_db = rondo("show one --db none.db");
  EXPECT_EQ(no_db.code, 1);
  EXPECT_THAT(no_db.err, HasSubstr("none.db"));
  write("tunes.pae", kTwoTunes);
  ASSERT_EQ(rondo("import tunes.pae --db c.db").code, 0);
  const auto no_id = rondo("show three --db c.db");
  EXPECT_EQ(no_id.code, 1);
  EXPECT_THAT(no_id.err, HasSubstr("three"));
}

TEST_F(Cli, AMelodySurvivesEveryFormat) {
  write("tunes.pae", kTwoTunes);
  ASSERT_EQ(rondo("import tunes.pae --db c.db").code, 0);
  const json notes = json::parse(rondo("show one --db c.db --as json").out)["notes"];
  ASSERT_EQ(notes.size(), 8U);
  for (const std::string format : {"pae", "midi", "mei", "abc", "kern", "json"}) {
    ASSERT_EQ(rondo("show one --db c.db --as " + format + " > tune." + format).code, 0) << format;
    const std::string db = format + ".db";
    const auto done = rondo("import tune." + format + " --db " + db);
    ASSERT_EQ(done.code, 0) << format << "\n" << done.err << done.out;
    const json back = json::parse(rondo("export --db " + db + " --limit 1").out);
    EXPECT_EQ(back["notes"], notes) << format;
  }
}

TEST_F(Cli, ExportAndImportGiveTheSameCollection) {
  ASSERT_EQ(rondo("import '" + demo() + "' --db a.db").code, 0);
  ASSERT_EQ(rondo("export --db a.db").code, 0);
  const std::string first = read("stdout");
  write("all.jsonl", first);
  ASSERT_EQ(rondo("import all.jsonl --db b.db").code, 0);
  ASSERT_EQ(rondo("export --db b.db").code, 0);
  EXPECT_EQ(read("stdout"), first);
}

TEST_F(Cli, ExportSelectsByWords) {
  write("tunes.pae", kTwoTunes);
  ASSERT_EQ(rondo("import tunes.pae --db c.db").code, 0);
  const auto done = rondo("export --db c.db --match another --format csv");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.out, HasSubstr("two,Another tune"));
  EXPECT_THAT(done.out, Not(HasSubstr("one,A tune")));
}

TEST_F(Cli, SearchFindsTheTuneWhateverItsKey) {
  ASSERT_EQ(rondo("import '" + demo() + "' --db c.db").code, 0);
  // The White Cockade's relatives come before everything else.
  const auto done = rondo("search --db c.db --id white-cockade-1 -k 3 --format json --explain");
  ASSERT_EQ(done.code, 0) << done.err;
  const json answer = json::parse(done.out);
  ASSERT_EQ(answer["hits"].size(), 3U);
  EXPECT_THAT(answer["hits"][0]["id"].get<std::string>(), HasSubstr("white-cockade"));
  EXPECT_NE(answer["hits"][0]["id"], "white-cockade-1") << "a melody does not find itself";
  EXPECT_FALSE(answer["hits"][0]["alignment"]["steps"].empty());
  const auto trec = rondo("search --db c.db --id white-cockade-1 -k 2 --format trec --system time");
  EXPECT_THAT(trec.out, testing::MatchesRegex("white-cockade-1 Q0 [^ ]+ 1 [-0-9.e]+ time\n"
                                              "white-cockade-1 Q0 [^ ]+ 2 [-0-9.e]+ time\n"));
}

TEST_F(Cli, EverySystemSearchesTheDemoCollection) {
  ASSERT_EQ(rondo("import '" + demo() + "' --db c.db").code, 0);
  const json all = json::parse(rondo("systems --format json").out);
  ASSERT_GE(all.size(), 15U);
  for (const json& system : all) {
    const std::string name = system["name"];
    const auto done = rondo("search --db c.db --id white-cockade-1 -k 5 --format csv --explain --system " + name);
    EXPECT_EQ(done.code, 0) << name << done.err;
  }
}

TEST_F(Cli, AQueryTooShortOrWrongIsExplained) {
  write("tunes.pae", kTwoTunes);
  ASSERT_EQ(rondo("import tunes.pae --db c.db").code, 0);
  const auto shorty = rondo("search --db c.db --query C");
  EXPECT_EQ(shorty.code, 1);
  EXPECT_THAT(shorty.err, HasSubstr("at least 2"));
  EXPECT_EQ(rondo("search --db c.db --query ''").code, 2);
  const auto system = rondo("search --db c.db --query CDEF --system shape");
  EXPECT_EQ(system.code, 1);
  EXPECT_THAT(system.err, HasSubstr("shapeh"));
}

TEST_F(Cli, RunWritesOneFilePerSystem) {
  ASSERT_EQ(rondo("import '" + demo() + "' --db c.db").code, 0);
  write("q.pae", kTwoTunes);
  ASSERT_EQ(rondo("run --db c.db --queries q.pae --system shapeh,time -k 5 --out r.run").code, 0);
  for (const char* file : {"r.shapeh.run", "r.time.run"}) {
    std::istringstream in(read(file));
    int lines = 0;
    for (std::string line; std::getline(in, line); ++lines) EXPECT_THAT(line, HasSubstr(" Q0 "));
    EXPECT_EQ(lines, 10) << file;
  }
}

TEST_F(Cli, AMixtureIsNamedByItsParts) {
  ASSERT_EQ(rondo("import '" + demo() + "' --db c.db").code, 0);
  const auto trec = rondo("search --db c.db --id white-cockade-1 -k 1 --format trec --system rrf:shapeh+P3");
  EXPECT_THAT(trec.out, testing::MatchesRegex("white-cockade-1 Q0 white-cockade[^ ]* 1 [0-9.e-]+ rrf:shapeh\\+P3\n"))
      << trec.err;
  const auto wrong = rondo("search --db c.db --id white-cockade-1 --system rrf:shapeh+shape");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("there is no system 'shape'"));
  EXPECT_THAT(rondo("compare CDEFG CDEFG --system rrf:GAM+P3 --set GAM.gap=1").out, HasSubstr("GAM 0.0000, P3 1.0000"));
  EXPECT_THAT(rondo("systems rrf").out, HasSubstr("Parts: time+GAR+vk-pitch"));
  // Several systems: names become part of file names, tags stay as they are.
  write("q.pae", kTwoTunes);
  ASSERT_EQ(rondo("run --db c.db --queries q.pae --system shapeh,rrf:shapeh+P3 -k 5 --out r.run").code, 0);
  EXPECT_THAT(read("r.rrf_shapeh+P3.run"), HasSubstr(" rrf:shapeh+P3\n"));
  EXPECT_EQ(rondo("run --db c.db --queries q.pae --system shapeh,rrf --set constant=1 --out r.run").code, 1);
  EXPECT_EQ(rondo("run --db c.db --queries q.pae --system rrf --set constant=1 --out r.run").code, 0);
}

TEST_F(Cli, CompareShowsTheAlignment) {
  const auto all = rondo("compare CDEFG DEFGA --format json");
  ASSERT_EQ(all.code, 0) << all.err;
  EXPECT_GE(json::parse(all.out).size(), 15U);
  const auto one = rondo("compare CDEFG CDEFG --system shapeh");
  EXPECT_THAT(one.out, HasSubstr("C4 D4 E4"));
}

TEST_F(Cli, GenerateIsDeterministicAndImports) {
  const auto first = rondo("generate --count 50 --seed 7");
  EXPECT_EQ(first.out, rondo("generate --count 50 --seed 7").out);
  EXPECT_NE(first.out, rondo("generate --count 50 --seed 8").out);
  ASSERT_EQ(rondo("generate --count 50 --seed 7 --format marcxml > g.xml").code, 0);
  const auto done = rondo("import g.xml --db c.db --format json");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json::parse(done.out)["added"], 50);
  EXPECT_EQ(json::parse(done.out)["warned"], 0);
}

TEST_F(Cli, TheBenchmarksRun) {
  EXPECT_EQ(rondo("bench pae packed generate systems --count 50").code, 0);
  const auto done = rondo("bench import --count 200 --format json");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json::parse(done.out)["count"], 200);
  // What is measured of several systems is a row for each.
  const auto search = rondo("bench search --count 2000 --system shapeh,ngr5 --format markdown");
  EXPECT_EQ(search.code, 0) << search.err;
  EXPECT_THAT(search.out, testing::ContainsRegex("\n. shapeh . [0-9.]+ ms . [0-9.]+ ms . [0-9,]+"));
  EXPECT_THAT(search.out, testing::HasSubstr("| index, bytes per incipit | "));
  EXPECT_THAT(rondo("bench search --count 50 --system nosuch").err, testing::HasSubstr("no system 'nosuch'"));
  EXPECT_THAT(rondo("bench growth --count 999").err, testing::HasSubstr("smallest size is 1000"));
}

TEST_F(Cli, NumbersThatCannotBeAreWrongUsage) {
  for (const char* line :
       {"search --db x.db CDEFG -k -1", "search --db x.db CDEFG -k 99999999999999999999", "search --db x.db CDEFG -k 0",
        "search --db x.db CDEFG -k 1.5", "search --db x.db CDEFG --threads 4000000000",
        "search --db x.db CDEFG --time-limit -1", "run --db x.db --queries y -k -3", "generate --count -5",
        "generate --seed -1", "export --db x.db --limit -1", "serve --db x.db --threads -1",
        "serve --db x.db --threads 4000000000", "bench pae --count -1"}) {
    const auto done = rondo(line);
    EXPECT_EQ(done.code, 2) << line << done.out;
    EXPECT_THAT(done.err, HasSubstr("not a whole number")) << line;
  }
}

TEST_F(Cli, FoldersThatShowTheSystemHoldNoMusic) {
  const auto done = rondo("import /proc /sys --db " + path("proc.db"));
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("pseudo file system"));
}

TEST_F(Cli, AnImportWithoutItsIndexSaysSoAndFails) {
  const std::string db = path("music.db");
  std::filesystem::create_directory(db + ".index");
  const auto done = rondo("import " + put("two.pae", kTwoTunes) + " --db " + db);
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("not their index"));
}

TEST_F(Cli, ACheckFindsDamageAndRepairsWhatItCan) {
  const std::string db = path("music.db");
  ASSERT_EQ(rondo("import " + put("two.pae", kTwoTunes) + " --db " + db).code, 0);
  EXPECT_THAT(rondo("check " + db).out, HasSubstr("no damage"));
  std::filesystem::resize_file(db + ".index", 5000);
  auto done = rondo("check --dry-run " + db);
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.out, HasSubstr("index"));
  done = rondo("check " + db);
  EXPECT_EQ(done.code, 0) << done.out;
  EXPECT_THAT(done.out, HasSubstr("(repaired)"));
  EXPECT_TRUE(json::parse(rondo("check --format json " + db).out)["sound"]);
  EXPECT_EQ(rondo("check " + path("none.db")).code, 1);
}

TEST_F(Cli, ABackupCanBePutBack) {
  const std::string db = path("music.db");
  const std::string copy = path("copy.db");
  ASSERT_EQ(rondo("import " + put("two.pae", kTwoTunes) + " --db " + db).code, 0);
  EXPECT_EQ(rondo("backup " + db + " " + copy).code, 0);
  EXPECT_EQ(rondo("backup " + db + " " + copy).code, 1) << "nothing is overwritten";
  ASSERT_EQ(
      rondo("import " + put("three.pae", std::string(kTwoTunes) + "@id:three\n@data:'4CDE\n") + " --db " + db).code, 0);
  EXPECT_EQ(rondo("show three --db " + db).code, 0);
  EXPECT_EQ(rondo("backup --restore " + copy + " " + db).code, 0);
  EXPECT_EQ(rondo("show three --db " + db).code, 1);
  EXPECT_EQ(rondo("index --check --db " + db).code, 0);
  const std::string text = put("notes.txt", "hello");
  EXPECT_EQ(rondo("backup --restore " + copy + " " + text).code, 1) << "only a collection is replaced";
}

}  // namespace
