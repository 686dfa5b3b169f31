#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "report/page.h"
#include "support/data.h"

namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Evaluate : public Program {
 protected:
  static std::string example(const std::string& name) { return "'" RONDO_SOURCE_DIR "/data/examples/" + name + "'"; }

  /// The folder of the MIREX 2005 kit in small: four tunes, two queries.
  void write_stand_in() {
    std::filesystem::create_directories(path("kit/collection"));
    const auto tune = [&](const std::string& id, const std::string& notes) {
      write("kit/collection/" + id + ".pae",
            "@id:" + id + "\n@clef:G-2\n@keysig:\n@timesig:4/4\n@data:" + notes + "\n\n");
    };
    tune("100.000.001-1.1.1", "'4CDEF/GECE/2DG/1C");
    tune("200.000.002-1.1.1", "'4DExFG/AxFDxF/2EA/1D");  // the first a tone higher
    tune("300.000.003-1.1.1", "''8CC'BB4AG/8FAGF4EC/2DD/");
    tune("400.000.004-1.1.1", "'4GGAA/''2C'G/4EDCD/1E");
    // The second query has three relevant melodies that nobody can find, since the collection does not have them.
    write("kit/truth.txt",
          "100.000.001-1.1.1 0 100.000.001-1.1.1 1\n100.000.001-1.1.1 0 200.000.002-1.1.1 2\n"
          "300.000.003-1.1.1 0 300.000.003-1.1.1 1\n300.000.003-1.1.1 0 x 2\n"
          "300.000.003-1.1.1 0 y 3\n300.000.003-1.1.1 0 z 4\n");
  }
};

TEST_F(Evaluate, AReportIsWrittenBesideTheTables) {
  if (!rondo::report::page_available())
    GTEST_SKIP() << "web/dist was not built: npm install --no-save && npm run build in web/";
  const std::string command =
      "evaluate --truth " + example("adr/truth.txt") + " " + example("adr/a.run") + " -m 'ADR,P@5'";
  const auto plain = rondo(command);
  const auto done = rondo(command + " --report 'a page.html'");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, plain.out);
  EXPECT_THAT(done.err, HasSubstr("a page.html"));
  const std::string page = read("a page.html");
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  const std::size_t begin = page.find("id=\"data\">") + 10;
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["queries"].size(), 2U);
  // The command line can be pasted into a shell.
  EXPECT_THAT(data["provenance"]["command"].get<std::string>(),
              testing::EndsWith(" -m ADR,P@5 --report 'a page.html'"));
}

TEST_F(Evaluate, AReportThatCannotBeWrittenIsAnErrorThatNamesIt) {
  if (!rondo::report::page_available())
    GTEST_SKIP() << "web/dist was not built: npm install --no-save && npm run build in web/";
  const auto done = rondo("evaluate --truth " + example("adr/truth.txt") + " " + example("adr/a.run") +
                          " --report no/such/folder.html");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("no/such/folder.html"));
}

TEST_F(Evaluate, MirexKitRunsAllSystemsAndPutsThePublishedFiguresBeside) {
  write_stand_in();
  write("kit/table2.csv",
        "query,Splines,GAM,O,US,TWV,L(P3),L(DP),FM\n"
        "100.000.001-1.1.1,0.901,0.9,0.911,0.902,0.912,0.903,0.904,0.913\n"
        "300.000.003-1.1.1,0.501,0.5,0.511,0.502,0.512,0.503,0.504,0.513\n");
  const auto done = rondo("evaluate mirex2005 --data kit");
  ASSERT_EQ(done.code, 0) << done.err;
  // First query: itself, then its transposition, 1. Second: only itself of four, (1 + 1/2 + 1/3 + 1/4) / 4 = 0.5208.
  // Averages: ours 0.7604; published those of the real collection.
  for (const char* cell : {"spline  publ.", "GAM  publ.", "Orio  publ.", "ngr5  publ.", "EMD  publ.", "P3  publ.",
                           "LDP  publ.", "opti3  publ."}) {
    EXPECT_THAT(done.out, HasSubstr(cell));
  }
  EXPECT_THAT(done.out,
              testing::ContainsRegex("100.000.001-1.1.1 +1.000  0.901 +[0-9.]+  0.900 +[0-9.]+  0.911 +1.000  0.902 "
                                     "+[0-9.]+  0.912 +1.000  0.903 +1.000  0.904 +[0-9.]+  0.913\n"));
  EXPECT_THAT(done.out, testing::ContainsRegex("Average +0.760  0.710 +[0-9.]+  0.660 +[0-9.]+  0.650 +0.760  0.642 "
                                               "+[0-9.]+  0.571 +0.760  0.558 +0.760  0.543 +[0-9.]+  0.518\n"));
  EXPECT_THAT(done.err, HasSubstr("3 melodies of the truth are not in the collection, 'x' for one"));
  EXPECT_THAT(done.out, HasSubstr("our systems on this data, and the published figures"));
  EXPECT_THAT(done.out, HasSubstr("the authors' own runs"));
  EXPECT_THAT(done.out, HasSubstr("Published: Urbano et al. 2010, Table 2"));
  EXPECT_THAT(done.out, HasSubstr("GAM"));
  const json all = json::parse(rondo("evaluate mirex2005 --data kit --format json").out);
  EXPECT_EQ(all["ours"]["systems"].size(), json::parse(rondo("systems --format json").out).size());
  EXPECT_EQ(all["ours"]["baseline"], "spline");
  ASSERT_EQ(all["published"].size(), 8U);
  EXPECT_EQ(all["published"][3]["column"], "US");
  EXPECT_EQ(all["published"][3]["values"], (json{0.902, 0.502}));
}

TEST_F(Evaluate, MirexKitWithoutThePublishedTableShowsOnlyAverages) {
  write_stand_in();
  const auto done = rondo("evaluate mirex2005 --data kit --system spline,time --format csv");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("query,system,ours,published\n100.000.001-1.1.1,spline,1,\n"));
  EXPECT_THAT(done.out, HasSubstr("all,spline,0.7604166666666666,0.71\n"));
  EXPECT_THAT(done.out, HasSubstr("all,time,0.7604166666666666,\n"));
}

TEST_F(Evaluate, MirexKitTakesQueriesFromAFileOfTheirOwn) {
  write_stand_in();
  // Not in the collection as it stands there: a fifth higher.
  write("kit/queries.pae",
        "@id:100.000.001-1.1.1\n@clef:G-2\n@data:'4GAB''C/D'BGB/2A''D/1'G\n\n"
        "@id:300.000.003-1.1.1\n@clef:G-2\n@data:''8CC'BB4AG/8FAGF4EC/2DD/\n\n");
  const auto done = rondo("evaluate mirex2005 --data kit --system spline --format csv");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("100.000.001-1.1.1,spline,1,\n"));
}

TEST_F(Evaluate, MirexKitSaysWhatIsMissing) {
  std::filesystem::create_directories(path("kit"));
  auto done = rondo("evaluate mirex2005 --data kit");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("'truth'"));
  write("kit/truth.txt", "q 0 d 1\n");
  done = rondo("evaluate mirex2005 --data kit");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("'collection'"));
  write("kit/collection.pae", "@id:d\n@clef:G-2\n@data:'4CDEF\n");
  done = rondo("evaluate mirex2005 --data kit");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("query 'q'"));
  write("kit/truth.txt", "d 0 d 1\n");
  write("kit/table2.csv", "query,Splines\nd,much\n");
  done = rondo("evaluate mirex2005 --data kit");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("line 2"));
  EXPECT_THAT(done.err, Not(HasSubstr("terminate")));
  EXPECT_EQ(rondo("evaluate mirex2005").code, 2);
  EXPECT_EQ(rondo("evaluate mirex2005 --data nowhere").code, 2);
}

TEST_F(Evaluate, WhatRunWritesIsWhatEvaluateMeasuresInEveryOrderOfTies) {
  ASSERT_EQ(rondo("import '" RONDO_SOURCE_DIR "/data/demo' --db c.db").code, 0);
  ASSERT_EQ(rondo("truth from-labels --db c.db --field family --as json > truth.json").code, 0);
  ASSERT_EQ(rondo("export --db c.db --where \"piece IN (SELECT piece FROM piece_field WHERE name = 'family')\" "
                  "--format jsonl > q.jsonl")
                .code,
            0);
  // contour gives equal scores to many.
  ASSERT_EQ(rondo("run --db c.db --queries q.jsonl --system contour -k 20 --out r.run").code, 0);
  const std::string command = "evaluate --truth truth.json r.run -m AP,RR,P@5 --format csv";
  const auto plain = rondo(command);
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(plain.err, "") << "no tie had to be broken";
  EXPECT_EQ(rondo(command + " --ties-by-id").out, plain.out);
  EXPECT_EQ(rondo(command + " --ties-as-written").out, plain.out);
  ASSERT_EQ(shell("gzip -k r.run && mv r.run.gz packed").code, 0);
  EXPECT_EQ(rondo("evaluate --truth truth.json packed -m AP,RR,P@5 --format csv").out, plain.out);
}

TEST_F(Evaluate, ATableOfScoresIsComparedWithoutRunsAndTruth) {
  write("scores.csv", "query,A,B,C\nq1,.9,.5,.1\nq2,.8,.4,.2\nq3,.7,.6,.3\nAverage,.8,.5,.2\n");
  const auto done = rondo("evaluate --scores scores.csv --compare -m ADR");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("mean"));
  EXPECT_THAT(done.out, HasSubstr("A : B"));
  EXPECT_THAT(done.out, HasSubstr("Friedman, chi square 6.000, 2 df, p = .0498"));
  const auto pairs = rondo("evaluate --scores scores.csv --all-pairs --format csv");
  EXPECT_EQ(std::count(pairs.out.begin(), pairs.out.end(), '\n'), 4) << pairs.out;
  EXPECT_THAT(rondo("evaluate --scores scores.csv --compare --format latex").out, HasSubstr("\\toprule"));
  EXPECT_EQ(rondo("evaluate --scores scores.csv --truth x").code, 2);
  EXPECT_EQ(rondo("evaluate --scores none.csv").code, 1);
}

TEST_F(Evaluate, ThePublicRegroupingIsATruthAfterItsColumnsAreTurned) {
  RONDO_NEEDS_DATA("mirex2005/crowd-groups.qrel");
  // The command of docs/evaluation.md.
  const std::string file = rondo_data("mirex2005/crowd-groups.qrel").string();
  ASSERT_EQ(shell("awk '{ print $2, 0, $3, $4 }' '" + file + "' > truth.txt").code, 0);
  const auto done = rondo("truth show truth.txt");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(std::count(done.out.begin(), done.out.end(), '\n'), 12) << "a heading and eleven queries";
}

}  // namespace
