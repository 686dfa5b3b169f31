#include "evaluation/labels.h"
#include "support.h"

namespace rondo::evaluation {
namespace truth_test {

using Groups = std::vector<std::vector<std::string>>;

void expect_error(std::string_view text, std::string_view code, std::uint32_t line = 0,
                  TruthForm form = TruthForm::kGroups) {
  const auto truth = try_truth(text, form);
  ASSERT_FALSE(truth) << text.substr(0, 80);
  EXPECT_EQ(truth.error().code, code) << truth.error().to_string();
  EXPECT_EQ(truth.error().place.line, line) << truth.error().to_string();
  EXPECT_EQ(truth.error().place.file, "test.truth");
}

TEST(TruthLines, GroupOneIsTheBestAndZeroIsNotRelevant) {
  const Truth truth = truth_of("q 0 c 2\nq 0 a 1\np 0 z 1\nq 0 n 0\nq 0 b 1\n");
  ASSERT_EQ(truth.queries.size(), 2U);
  EXPECT_EQ(truth.queries[0].groups, (Groups{{"a", "b"}, {"c"}}));
  EXPECT_THAT(truth.queries[0].not_relevant, testing::ElementsAre("n"));
  EXPECT_TRUE(truth.queries[0].gains.empty());
  EXPECT_EQ(truth.queries[1].query, "p");
}

TEST(TruthLines, QrelsGradesRiseAndNegativeMeansUnjudged) {
  const Truth truth = truth_of("q 0 c 1\nq 0 a 4\nq 0 n 0\nq 0 u -1\n", TruthForm::kQrels);
  EXPECT_EQ(truth.queries[0].groups, (Groups{{"a"}, {"c"}}));
  EXPECT_EQ(truth.queries[0].gains, (std::vector<double>{4, 1}));
  EXPECT_THAT(truth.queries[0].not_relevant, testing::ElementsAre("n"));
}

TEST(TruthLines, BinaryFilesMeanTheSameInBothForms) {
  const char* text = "q 0 a 1\nq 0 b 1\nq 0 n 0\n";
  EXPECT_EQ(truth_of(text), truth_of(text, TruthForm::kQrels));
}

TEST(TruthLines, NamesTheLineOfEveryMistake) {
  expect_error("q 0 a 1\nq 0 b\n", "truth-columns", 2);
  expect_error("q 0 a 1 extra\n", "truth-columns", 1);
  expect_error("q 0 a first\n", "truth-group", 1);
  expect_error("q 0 a -1\n", "truth-group", 1);
  expect_error("q 0 a 1.5\n", "truth-group", 1);
  expect_error("q 0 a 99999999999\n", "truth-group", 1);
  expect_error("q 0 a 1\np 0 a 1\nq 0 a 2\n", "truth-duplicate", 3);
  expect_error("q 0 a 1\nq 0 a -1\n", "truth-duplicate", 2, TruthForm::kQrels);
  expect_error("q 0 \xC3 1\n", "truth-text", 1);
}

TEST(TruthLines, AMistakeIsQuoted) {
  EXPECT_THAT(try_truth("q 0 a first\n").error().message, testing::HasSubstr("first"));
  EXPECT_THAT(try_truth("q 0 a 1\nq 0 a 2\n").error().message, testing::HasSubstr("first in line 1"));
}

TEST(TruthLines, EmptyFilesAreErrors) {
  expect_error("", "truth-empty");
  expect_error("\n\n", "truth-empty");
  expect_error("{}", "truth-empty");
}

TEST(TruthLines, RemarksOnGapsAndQueriesWithoutRelevantDocuments) {
  Diagnostics warnings;
  const auto truth = try_truth("q 0 a 1\nq 0 b 5\np 0 n 0\n", TruthForm::kGroups, &warnings);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->queries[0].groups, (Groups{{"a"}, {"b"}}));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0].code, "truth-gap");
  EXPECT_EQ(warnings[1].code, "truth-no-relevant");
}

TEST(TruthJson, ReadsThePlainFormInTheOrderOfTheFile) {
  const Truth truth = truth_of(R"( {"zebra": [["a","b"],["c"]], "ant": [["x"]]} )");
  ASSERT_EQ(truth.queries.size(), 2U);
  EXPECT_EQ(truth.queries[0].query, "zebra");
  EXPECT_EQ(truth.queries[0].groups, (Groups{{"a", "b"}, {"c"}}));
  EXPECT_FALSE(truth.complete);
}

TEST(TruthJson, ReadsTheEnvelopeAndTheLongForm) {
  const Truth truth = truth_of(R"({"rondo-truth": 1, "complete": true, "query_excluded": true, "collection_size": 9,
      "queries": {"q": {"groups": [["a"],["b"]], "gains": [3, 0.5], "not_relevant": ["n"]}}})");
  EXPECT_TRUE(truth.complete);
  EXPECT_TRUE(truth.query_excluded);
  EXPECT_EQ(truth.collection_size, 9U);
  EXPECT_EQ(truth.queries[0].gains, (std::vector<double>{3, 0.5}));
  EXPECT_THAT(truth.queries[0].not_relevant, testing::ElementsAre("n"));
}

TEST(TruthJson, AQueryMayBeCalledLikeTheEnvelope) {
  const Truth truth = truth_of(R"({"rondo-truth": [["a"]], "queries": [["b"]]})");
  EXPECT_EQ(truth.queries.size(), 2U);
}

TEST(TruthJson, RefusesWhatIsNotATruth) {
  for (const char* text : {R"({"q": "a"})",
                           R"({"q": ["a"]})",
                           R"({"q": [[1]]})",
                           R"({"q": [[]]})",
                           R"({"q": [[""]]})",
                           R"({"q": [["a b"]]})",
                           R"({"": [["a"]]})",
                           R"({"q": null})",
                           R"({"q": {}})",
                           R"({"q": {"groups": [["a"]], "other": 1}})",
                           R"({"q": {"groups": [["a"]], "gains": [1, 2]}})",
                           R"({"q": {"groups": [["a"]], "gains": [0]}})",
                           R"({"q": {"groups": [["a"]], "gains": 1}})",
                           R"({"q": {"groups": [["a"]], "gains": ["1"]}})",
                           R"({"q": [[["a"]]]})",
                           R"({"rondo-truth": 2, "queries": {}})",
                           R"({"rondo-truth": 1})",
                           R"({"rondo-truth": 1, "queries": []})",
                           R"({"rondo-truth": 1, "queries": {}, "collection_size": -1})",
                           R"({"rondo-truth": 1, "queries": {}, "complete": "yes"})",
                           "{\"q\": [[\"\\u0000\"]]}"}) {
    expect_error(text, "truth-json");
  }
  // No JSON: with the line.
  for (const char* text : {"{\n\"q\": [[\"a\"]", "{\"q\":\n[[\"\xFF\"]]}", "{\"q\": [[\"a\"]]\n} trailing"}) {
    expect_error(text, "truth-json", 2);
  }
}

TEST(TruthJson, RefusesRepeatedKeysAndDocuments) {
  expect_error(R"({"q": [["a"]], "q": [["b"]]})", "truth-duplicate");
  expect_error(R"({"q": {"groups": [["a"]], "groups": [["b"]]}})", "truth-duplicate");
  expect_error(R"({"q": [["a"],["a"]]})", "truth-duplicate");
  expect_error(R"({"q": {"groups": [["a"]], "not_relevant": ["a"]}})", "truth-duplicate");
  expect_error(R"({"rondo-truth": 1, "queries": {"q": [["a"]], "q": [["b"]]}})", "truth-duplicate");
  EXPECT_TRUE(try_truth(R"({"p": {"groups": [["a"]]}, "q": {"groups": [["a"]]}})"));
}

TEST(TruthJson, SurvivesDeepNesting) {
  expect_error("{\"q\": " + std::string(1'000'000, '['), "truth-json", 1);
  expect_error("{\"q\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}", "truth-json", 1);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  expect_error(objects, "truth-json", 1);
}

TEST(TruthWriter, EveryFormReadsBackAsItself) {
  Truth truth = expected({{"a", "b"}, {"c"}}, {"n"});
  truth.queries.push_back({"p", {{"x"}}, {}, {}});
  EXPECT_EQ(truth_of(write_truth(truth, TruthForm::kGroups).value()), truth);
  EXPECT_EQ(truth_of(write_truth(truth, TruthForm::kJson).value()), truth);
  truth.collection_size = 100;
  truth.complete = true;
  truth.queries[0].gains = {2.5, 1};
  EXPECT_EQ(truth_of(write_truth(truth, TruthForm::kJson).value()), truth);
}

TEST(TruthWriter, ConvertsBetweenGroupsAndGrades) {
  const Truth truth = expected({{"a", "b"}, {"c"}}, {"n"});
  const std::string qrels = write_truth(truth, TruthForm::kQrels).value();
  EXPECT_EQ(qrels, "q 0 a 2\nq 0 b 2\nq 0 c 1\nq 0 n 0\n");
  EXPECT_EQ(write_truth(truth_of(qrels, TruthForm::kQrels), TruthForm::kGroups).value(),
            "q 0 a 1\nq 0 b 1\nq 0 c 2\nq 0 n 0\n");
  Truth odd = truth;
  odd.queries[0].gains = {2.5, 1};
  EXPECT_EQ(write_truth(odd, TruthForm::kQrels).error().code, "truth-grade");
}

TEST(TruthExamples, CoverSongsConvert) {
  Truth json = truth_of(example("cover-songs/truth.json"));
  EXPECT_EQ(write_truth(json, TruthForm::kJson).value(), example("cover-songs/truth.json"));
  const Truth lines = truth_of(example("cover-songs/truth.txt"));
  EXPECT_EQ(write_truth(lines, TruthForm::kGroups).value(), example("cover-songs/truth.txt"));
  for (std::size_t i = 0; i < json.queries.size(); ++i) EXPECT_EQ(json.queries[i].groups, lines.queries[i].groups);
}

TEST(Labels, DocumentsOfOneFamilyAreRelevantToEachOther) {
  const std::vector<LabelledDocument> documents{{"a", "x"}, {"b", "y"}, {"c", "x"}, {"d", ""}, {"e", "x"}};
  const auto result = truth_from_labels(documents);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->unlabelled, 1U);
  EXPECT_EQ(result->alone, 1U);
  const Truth& truth = result->truth;
  ASSERT_EQ(truth.queries.size(), 3U);
  EXPECT_EQ(truth.queries[0].query, "a");
  EXPECT_EQ(truth.queries[0].groups, (Groups{{"c", "e"}}));
  EXPECT_EQ(truth.queries[1].groups, (Groups{{"a", "e"}}));
  EXPECT_TRUE(truth.complete && truth.query_excluded);
  EXPECT_EQ(truth.collection_size, 4U);
}

TEST(TruthWriting, ANameThatBeginsWithAByteOrderMarkSurvives) {
  Truth truth;
  truth.queries.push_back({.query = "\xEF\xBB\xBFq", .groups = {{"a"}}, .gains = {}, .not_relevant = {}});
  EXPECT_EQ(truth_of(write_truth(truth, TruthForm::kGroups).value()).queries.at(0).query, "\xEF\xBB\xBFq");
}

TEST(Labels, CountsFamiliesOfOne) {
  const auto truth = truth_from_labels(std::vector<LabelledDocument>{{"a", "x"}, {"b", "y"}, {"c", "x"}, {"d", "z"}});
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->alone, 2U);
}

TEST(Labels, QueryIsNeitherAHitNorAMissInItsOwnAnswer) {
  const auto truth = truth_from_labels(std::vector<LabelledDocument>{{"q", "x"}, {"a", "x"}, {"b", "y"}, {"c", "y"}});
  ASSERT_TRUE(truth);
  EXPECT_EQ(value_of("AP", truth->truth, answer({"q", "a", "b"})), 1);
  EXPECT_EQ(value_of("accuracy", truth->truth, answer({"q", "a", "b"})), 2.0 / 3);
}

TEST(Labels, RefusesDuplicatesLonersAndFamiliesThatAreTooLarge) {
  EXPECT_EQ(truth_from_labels(std::vector<LabelledDocument>{{"a", "x"}, {"a", "x"}}).error().code, "truth-duplicate");
  EXPECT_EQ(truth_from_labels(std::vector<LabelledDocument>{{"a", "x"}, {"b", "y"}}).error().code, "truth-empty");
  EXPECT_EQ(truth_from_labels({}).error().code, "truth-empty");
  std::vector<LabelledDocument> many;
  for (int i = 0; i < 8000; ++i) many.push_back({std::to_string(i), "same"});
  EXPECT_EQ(truth_from_labels(many).error().code, "truth-too-large");
}

}  // namespace truth_test
}  // namespace rondo::evaluation
