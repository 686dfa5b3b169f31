// How the program takes queries and wrong usage.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.h"

namespace query_cli_test {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class QueryCli : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    write("tunes.abc", "X:1\nT:One\nK:C\nCDEC|CDEC|EFG2|\n\nX:2\nT:Two\nK:C\nGEGE|cBAG|\n");
    ASSERT_EQ(rondo("import tunes.abc --db c.db").code, 0);
  }
};

TEST_F(QueryCli, NoteNamesFindWhatTheyName) {
  const auto done = rondo("search --db c.db --query 'C4 D4 E4 C4 C4 D4 E4 C4' --format json");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("query read as note names because every word is a note with its octave: C4 D4 E4"));
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer["query"]["read"]["kind"], "note-names");
  EXPECT_EQ(answer["query"]["read"]["rhythm"], false);
  EXPECT_EQ(answer["query"]["notes"].size(), 8U);
  EXPECT_EQ(answer["hits"][0]["title"], "One");
  EXPECT_EQ(answer["system"], "rondo");
}

TEST_F(QueryCli, WordsAloneListWhatHasThem) {
  const auto done = rondo("search --db c.db --text tw");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("Two"));
  EXPECT_THAT(done.out, testing::Not(HasSubstr("One")));
  EXPECT_THAT(done.err, HasSubstr("1 piece with these words"));
  const json answer = json::parse(rondo("search --db c.db --text one --format json").out);
  EXPECT_EQ(answer["total"], 1);
  EXPECT_EQ(answer["hits"][0]["title"], "One");
  EXPECT_EQ(json::parse(rondo("search --db c.db --text one --min-notes 99 --format json").out)["total"], 0);
  EXPECT_EQ(rondo("search --db c.db --text one --system time").code, 2);
  EXPECT_EQ(rondo("search --db c.db --text one --format trec").code, 1);
}

TEST_F(QueryCli, AnAlignmentStandsInTwoRowsOneUnderTheOther) {
  const auto done = rondo("search --db c.db --query 'C4 D4 F4 C4 C4 D4 E4 C4' -k 1 --explain");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("\nquery  C4 D4 F4 C4 C4 D4 E4 C4"));
  EXPECT_THAT(done.out, HasSubstr("\n       |  |  x  |  |  |  |  |"));
  EXPECT_THAT(done.out, HasSubstr("\nhit    C4 D4 E4 C4 C4 D4 E4 C4"));
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) {
    const bool row = line.starts_with("query ") || line.starts_with("hit ");
    EXPECT_TRUE(!row || line.size() <= 80) << line;
  }
}

TEST_F(QueryCli, ASungScaleOfDegreesFindsTheSame) {
  const auto done = rondo("search --db c.db --query '5 3 5 3 8 7 6 5' --format json");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json::parse(done.out)["hits"][0]["title"], "Two");
}

TEST_F(QueryCli, AContourIsComparedByItsOwnSystem) {
  const auto done = rondo("search --db c.db --query '*UUDRUUDUUU' --format json");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("compared by the system contour, with the beginnings of melodies"));
  const json answer = json::parse(done.out);
  EXPECT_EQ(answer["system"], "contour");
  EXPECT_EQ(answer["hits"][0]["title"], "One");
  const auto other = rondo("search --db c.db --query '*UUD' --system P3");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("contour"));
}

TEST_F(QueryCli, UnknownNotesAreSearchedByPatternAndThatIsSaid) {
  const auto done = rondo("search --db c.db --query 'C4 ? E4 C4'");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.err, HasSubstr("the system pattern finds the melodies that have all the others"));
}

TEST_F(QueryCli, ASystemThatTakesNoUnknownNotesSaysWhatToDo) {
  const auto done = rondo("search --db c.db --query 'C4 ? E4 C4' --system rondo");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("rondo does not support unknown notes"));
  EXPECT_THAT(done.err, HasSubstr("choose pattern"));
  EXPECT_EQ(rondo("compare 'C4 ? E4' 'C4 D4 E4' --system pattern").code, 0);
  EXPECT_EQ(rondo("compare 'C4 D4 E4' 'C4 ? E4' --system pattern").code, 1) << "only the first of two";
}

TEST_F(QueryCli, AFileThatIsNotThereIsNotSearchedAsNotes) {
  for (const char* name : {"tunse.abc", "./tunes", "songs/one.krn", "dead.mid"}) {
    const auto done = rondo(std::string("search --db c.db --query ") + name);
    EXPECT_EQ(done.code, 1) << name;
    EXPECT_TRUE(done.out.empty()) << done.out;
    EXPECT_THAT(done.err, HasSubstr(std::string("there is no file '") + name));
  }
}

TEST_F(QueryCli, OfAFileWithManyTunesTheFirstIsTakenAndSaid) {
  const auto done = rondo("search --db c.db --query tunes.abc");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("ABC"));
  EXPECT_THAT(done.err, HasSubstr("there are 2 melodies; the first is taken: One"));
}

TEST_F(QueryCli, ASystemOfRhythmAloneWantsRhythm) {
  const auto done = rondo("search --db c.db --query 'C4 D4 E4' --system rhythm");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("has no rhythm"));
  EXPECT_EQ(rondo("search --db c.db --query \"'4C8DE\" --system rhythm").code, 0);
}

TEST_F(QueryCli, AMistypedOptionIsSuggested) {
  const auto done = rondo("search --db c.db --qurey CDE");
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("did you mean '--query'?"));
  EXPECT_THAT(rondo("import tunes.abc --bd d.db").err, HasSubstr("did you mean '--db'?"));
  EXPECT_THAT(rondo("study create --db c.db --titel x").err, HasSubstr("did you mean '--title'?"));
}

TEST_F(QueryCli, NegativeCountsAreWrongUsage) {
  for (const char* option : {"-k -3", "-k=-3", "-k 0", "--min-notes -1", "--threads -2", "--time-limit -5"}) {
    const auto done = rondo("search --db c.db --query CDE " + std::string(option));
    EXPECT_EQ(done.code, 2) << option << "\n" << done.err;
  }
}

TEST_F(QueryCli, HelpIsNoWiderThanEightyColumns) {
  std::istringstream overview(rondo("help").out);
  std::size_t commands = 0;
  for (std::string line; std::getline(overview, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    if (!line.starts_with("  ") || line.starts_with("  help") || line.starts_with("  --")) continue;
    const std::string command = line.substr(2, line.find(' ', 2) - 2);
    std::istringstream help(rondo("help " + command).out);
    for (std::string inner; std::getline(help, inner);) {
      const bool one_word = inner.find(' ', inner.find_first_not_of(' ')) == std::string::npos;
      EXPECT_TRUE(inner.size() <= 80U || one_word) << command << ": " << inner;
    }
    ++commands;
  }
  EXPECT_GT(commands, 10U);
}

TEST_F(QueryCli, AFailedImportLeavesNoEmptyCollectionBehind) {
  const auto done = rondo("import nothing.abc --db new.db");
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(shell("ls new.db*").code, 2) << "no trace of it";
  EXPECT_EQ(rondo("search --db new.db --query CDE").code, 1);
  write("broken.abc", "X:1\nK:C\n");
  (void)rondo("import broken.abc --db other.db --strict");
  EXPECT_NE(rondo("import nothing.abc --db c.db").code, 0);
  EXPECT_EQ(rondo("search --db c.db --query CDE").code, 0) << "one that was there stays";
}

TEST_F(QueryCli, ABatchHasTheAnswerOfEachOfItsQueriesInEveryFormat) {
  const std::string two = "X:1\nT:A\nK:C\nCDEC|CDEC|EFG2|\n\nX:2\nT:B\nK:C\nGEGE|cBAG|\n";
  write("asked.abc", two);
  const json all = json::parse(rondo("search --db c.db --batch asked.abc --format json -k 1").out);
  ASSERT_EQ(all.size(), 2U);
  std::vector<std::string> ids;
  for (const json& one : all) ids.push_back(one["query"]["id"]);
  EXPECT_EQ(all[0]["hits"][0]["title"], "One");
  EXPECT_EQ(all[1]["hits"][0]["title"], "Two");
  EXPECT_NE(ids[0], ids[1]);
  // The same but for the id as when it is asked alone.
  write("first.abc", two.substr(0, two.find("\n\n") + 1));
  json alone = json::parse(rondo("search --db c.db --query first.abc --format json -k 1").out);
  EXPECT_EQ(all[0]["hits"], alone["hits"]);
  EXPECT_EQ(all[0]["query"]["notes"], alone["query"]["notes"]);
  EXPECT_FALSE(alone["query"].contains("id"));
  const auto csv = rondo("search --db c.db --batch asked.abc --format csv -k 1");
  EXPECT_THAT(csv.out, testing::StartsWith("query,rank,score,id,title,composer,probability"));
  EXPECT_THAT(csv.out, HasSubstr("\n" + ids[1] + ",1,"));
  const auto trec = rondo("search --db c.db --batch asked.abc --format trec -k 1");
  EXPECT_THAT(trec.out, testing::StartsWith(ids[0] + " Q0 "));
  EXPECT_THAT(trec.out, HasSubstr("\n" + ids[1] + " Q0 "));
  const auto table = rondo("search --db c.db --batch asked.abc -k 1");
  EXPECT_THAT(table.out, testing::StartsWith(ids[0] + "\n"));
  EXPECT_THAT(table.out, HasSubstr("\n\n" + ids[1] + "\n"));
  EXPECT_THAT(table.err, HasSubstr("2 queries in"));
}

TEST_F(QueryCli, ABatchSaysWhatBecameOfTheMelodiesOfAllItsQueries) {
  write("asked.abc", "X:1\nT:A\nK:C\nCDEC|CDEC|EFG2|\n\nX:2\nT:B\nK:C\nGEGE|cBAG|\n");
  const std::string ask = "search --db c.db --batch asked.abc -k 1 --format ";
  std::size_t compared = 0;
  std::size_t filtered_out = 0;
  const std::string filter = " --where \"title = 'One'\"";
  for (const json& one : json::parse(rondo(ask + "json" + filter).out)) {
    compared += one["compared"].get<std::size_t>();
    filtered_out += one["filtered_out"].get<std::size_t>();
  }
  ASSERT_GT(filtered_out, 0U);
  const std::string counts =
      " ms, " + std::to_string(compared) + " melodies compared, " + std::to_string(filtered_out) + " filtered out\n";
  for (const char* format : {"table", "json", "csv", "trec"}) {
    EXPECT_THAT(rondo(ask + format + filter).err, HasSubstr(counts)) << format;
  }
}

TEST_F(QueryCli, ABatchGoesOnAfterAQueryThatIsTooShortAndSaysWhatIsWrong) {
  write("asked.abc", "X:1\nT:A\nK:C\nC|\n\nX:2\nT:B\nK:C\nGEGE|cBAG|\n");
  const auto done = rondo("search --db c.db --batch asked.abc --format json");
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(json::parse(done.out).size(), 1U);
  EXPECT_THAT(done.err, HasSubstr("is too short for rondo"));
  EXPECT_THAT(done.err, HasSubstr("1 without a hit"));
  EXPECT_EQ(rondo("search --db c.db --batch missing.abc").code, 1);
  EXPECT_EQ(rondo("search --db c.db --batch asked.abc --query x").code, 2);
  EXPECT_THAT(rondo("search --db c.db --batch asked.abc --device cuda --system GAR").err,
              HasSubstr("the graphics card does not support the system 'GAR'"));
}

}  // namespace query_cli_test
