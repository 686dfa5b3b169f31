// The figures of an evaluation and of a study.

#include "report/figures.h"

#include <gmock/gmock.h>

#include <set>

#include "support/data.h"
#include "support/scratch.h"
#include "unit/evaluation/support.h"
#include "unit/study/study_support.h"

namespace rondo::report {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<SystemResult> two_systems() {
  const evaluation::Truth truth = evaluation::truth_of(evaluation::example("adr/truth.txt"));
  std::vector<SystemResult> out;
  for (const char* file : {"adr/a.run", "adr/b.run"}) {
    SystemResult& one = out.emplace_back();
    one.run = evaluation::run_of(evaluation::example(file));
    one.judged = evaluation::judged(truth, one.run);
    one.evaluation = evaluation::evaluate(one.judged, evaluation::parse_measures("ADR,accuracy").value());
  }
  return out;
}

/// All lines of an image with more than two points, or all words.
std::vector<Polyline> curves_in(const VectorImage& image) {
  std::vector<Polyline> out;
  for (const auto& shape : image.shapes) {
    if (const auto* line = std::get_if<Polyline>(&shape); line != nullptr && !line->filled && line->points.size() > 2) {
      out.push_back(*line);
    }
  }
  return out;
}
std::vector<std::string> words_in(const VectorImage& image) {
  std::vector<std::string> out;
  for (const auto& shape : image.shapes) {
    if (const auto* words = std::get_if<Words>(&shape)) out.push_back(words->text);
  }
  return out;
}

TEST(EvaluationFigures, EveryCurveAndMeasureThatIsDefinedHasOne) {
  const std::vector<SystemResult> systems = two_systems();
  const auto figures = evaluation_figures(systems, {});
  ASSERT_TRUE(figures.has_value());
  std::set<std::string> names;
  for (const Figure& figure : *figures) {
    names.insert(figure.name);
    EXPECT_GT(figure.image.height, 50) << figure.name;
  }
  EXPECT_EQ(names.size(), figures->size());
  EXPECT_THAT(names, Contains("dynamic-recall"));
  EXPECT_THAT(names, Contains("normalized-lift"));
  EXPECT_THAT(names, Contains("means-ADR"));
  EXPECT_FALSE(names.contains("roc")) << "nobody said how large the collection is";
  EXPECT_FALSE(names.contains("means-accuracy"));
}

TEST(EvaluationFigures, CurvesAreToldApartWithoutColour) {
  const auto figures = evaluation_figures(two_systems(), {}).value();
  const auto curve = std::find_if(figures.begin(), figures.end(),
                                  [](const Figure& figure) { return figure.name == "dynamic-recall"; });
  ASSERT_NE(curve, figures.end());
  const std::vector<Polyline> lines = curves_in(curve->image);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].dash, lines[1].dash);
  for (const Polyline& line : lines) {
    for (const Position& point : line.points) {
      EXPECT_GE(point.x, 0);
      EXPECT_LE(point.x, curve->image.width);
      EXPECT_GE(point.y, 0);
      EXPECT_LE(point.y, curve->image.height);
    }
  }
  EXPECT_THAT(words_in(curve->image), Contains("a"));
}

TEST(StudyFigures, SayIdsVotesThatCountAndTheRule) {
  study::Study study = study::test::small_study(5);
  for (int i = 0; i < 8; ++i) study.participants.push_back(study::test::voter(i + 1, study, {0, 1, 2, 3}));
  const study::Analysis analysis = study::analyse(study);
  const auto figures = study_figures(study, analysis, {}, true);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].name, "query-01");
  const auto words = words_in(figures[0].image);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_THAT(words, Contains(study.queries[0].candidates[i].melody.id));
  EXPECT_THAT(words, Contains(HasSubstr("8 rankings; rule paper, two-sided p below 0.25; finished rankings only; at "
                                        "least 1 vote per candidate")));
  // Eight people of one mind: every candidate is a group, and of each of four there are eight votes.
  EXPECT_THAT(words, Contains("4"));
  std::size_t votes = 0;
  for (const auto& shape : figures[0].image.shapes) {
    const auto* disc = std::get_if<Disc>(&shape);
    votes += disc != nullptr && disc->fill.red > 0.5 ? 1U : 0U;
  }
  EXPECT_EQ(votes, 32U);
}

TEST(Figures, AreWrittenAsSvgAndPdf) {
  const Scratch folder;
  const Figure figure{"one", {.width = 10, .height = 10, .title = "one"}};
  ASSERT_TRUE(write_figures(std::vector{figure}, (folder / "new/deep").string()).has_value());
  EXPECT_EQ(slurp(folder / "new/deep/one.svg"), to_svg(figure.image));
  EXPECT_EQ(slurp(folder / "new/deep/one.pdf"), to_pdf(figure.image));
  folder.write("file", "in the way");
  const auto failed = write_figures(std::vector{figure}, (folder / "file").string());
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, "file-unwritable");
}

}  // namespace
}  // namespace rondo::report
