// Standard measures on small answers worked out by hand from trec_eval's definitions.

#include <cmath>
#include <limits>
#include <set>

#include "evaluation/curves.h"
#include "support.h"

namespace rondo::evaluation {
namespace {

/// R = 4, of which r4 is not found; three judged not relevant; u1 and u2 are unjudged.
///   rank   1  2  3  4  5  6  7  8
///   answer r1 u1 n1 r2 n2 n3 r3 u2
Truth truth() { return expected({{"r1", "r2", "r3", "r4"}}, {"n1", "n2", "n3"}); }
Run run() { return answer({"r1", "u1", "n1", "r2", "n2", "n3", "r3", "u2"}); }

TEST(StandardMeasures, AgreeWithHandWorkedValues) {
  const std::vector<std::pair<const char*, double>> values{
      {"P", 3.0 / 8},
      {"P@5", 2.0 / 5},
      {"P@10", 3.0 / 10},  // divides by 10 although only 8 were returned
      {"R", 3.0 / 4},
      {"R@5", 2.0 / 4},
      {"F", 0.5},  // P = .375, R = .75: 2 * .28125 / 1.125
      {"AP", (1.0 + 2.0 / 4 + 3.0 / 7) / 4},
      {"AP@5", (1.0 + 2.0 / 4) / 4},
      {"R-precision", 2.0 / 4},
      {"RR", 1},
      {"success", 1},
      {"success@1", 1},
      // 1/log2(2) + 1/log2(5) + 1/log2(8), over that of ranks 1 to 4
      {"DCG", 1 + 1 / std::log2(5.0) + 1.0 / 3},
      {"DCG@5", 1 + 1 / std::log2(5.0)},
      {"nDCG", 0.688634},
      {"nDCG@5", 0.558508},
      {"nDCG@1", 1},
      // min(N, R) = 3: 1, 1 - 1/3, 1 - 3/3, and nothing for r4
      {"bpref", (1 + 2.0 / 3 + 0) / 4},
      {"bpref-10", (1 + 13.0 / 14 + 11.0 / 14) / 4},
      {"bpref*", (1 + 11.0 / 12 + 9.0 / 12) / 4},
      {"bpref[paper]", (1 + 0.75 + 0.25) / 4},
      {"BEP", 2.0 / 4},  // 2/4 and 2/4 at rank 4; 3/7 at 3/4
      {"TP", 3},
      {"FP", 5},
      {"FP@5", 3},
      {"FN", 1},
  };
  for (const auto& [name, value] : values) EXPECT_NEAR(value_of(name, truth(), run()), value, 1e-6) << name;
}

TEST(StandardMeasures, AgreeWithWhatTrecEvalPrinted) {
  // The outputs are trec_eval's own, as the documentation of its Python binding (Van Gysel, de Rijke: Pytrec_eval,
  // SIGIR 2018) shows them for these judgements and scores.
  const Truth judgements = truth_of("one 0 a 0\none 0 b 1\none 0 c 0\ntwo 0 b 1\ntwo 0 c 1\n", TruthForm::kQrels);
  const auto scores = run_of(
      "one Q0 c 1 1.5 t\none Q0 a 2 1.0 t\none Q0 b 3 0.0 t\n"
      "two Q0 a 1 1.5 t\ntwo Q0 c 2 0.5 t\ntwo Q0 b 3 0.2 t\n");
  const Evaluation values = evaluate(judged(judgements, scores), {{measure("AP"), measure("nDCG")}});
  EXPECT_NEAR(values.values[0][0], 0.3333333333333333, 1e-15);
  EXPECT_NEAR(values.values[1][0], 0.5, 1e-15);
  EXPECT_NEAR(values.values[0][1], 0.5833333333333333, 1e-15);
  EXPECT_NEAR(values.values[1][1], 0.6934264036172708, 1e-15);
}

TEST(StandardMeasures, LateFirstHit) {
  const auto late = answer({"n1", "u1", "r1"});
  EXPECT_NEAR(value_of("RR", truth(), late), 1.0 / 3, 1e-15);
  EXPECT_EQ(value_of("RR@2", truth(), late), 0);
  EXPECT_EQ(value_of("success@2", truth(), late), 0);
  EXPECT_EQ(value_of("success@3", truth(), late), 1);
}

TEST(StandardMeasures, BprefCapsAtTheNumberOfRelevantDocuments) {
  // R = 1 and two judged non-relevant before it: min(2, 1) / min(2, 1) costs everything, not more.
  EXPECT_EQ(value_of("bpref", expected({{"r"}}, {"n", "m"}), answer({"n", "m", "r"})), 0);
  EXPECT_EQ(value_of("bpref[paper]", expected({{"r"}}, {"n", "m"}), answer({"n", "m", "r"})), -1);
}

TEST(StandardMeasures, Bpref10LooksAtTheFirstTenPlusROnly) {
  std::vector<std::string> documents;
  for (std::size_t i = 0; i < 15; ++i) documents.push_back(numbered("n", i));
  std::vector<std::string> judged_bad = documents;
  documents.emplace_back("r");
  EXPECT_EQ(value_of("bpref-10", expected({{"r"}}, judged_bad), answer(documents)), 0);  // 15 > 11
  EXPECT_NEAR(value_of("bpref*", expected({{"r"}}, judged_bad), answer(documents)), 1 - 15.0 / 17, 1e-15);
}

TEST(StandardMeasures, UnjudgedDocumentsDoNotTouchBprefUnlessTheTruthIsComplete) {
  Truth plain = expected({{"r"}});
  EXPECT_EQ(value_of("bpref", plain, answer({"x", "y", "r"})), 1);
  plain.complete = true;
  EXPECT_EQ(value_of("bpref", plain, answer({"x", "y", "r"})), 0);
}

TEST(StandardMeasures, GradesOfQrelsAreGains) {
  const Truth graded = truth_of("q 0 a 3\nq 0 b 1\nq 0 c 2\nq 0 d 0\n", TruthForm::kQrels);
  // Answer d c a b: 2/log2(3) + 3/log2(4) + 1/log2(5) = 3.192536; ideal 3 + 2/log2(3) + 1/2 = 4.761860.
  EXPECT_NEAR(value_of("DCG", graded, answer({"d", "c", "a", "b"})), 3.192536, 1e-6);
  EXPECT_NEAR(value_of("nDCG", graded, answer({"d", "c", "a", "b"})), 0.670439, 1e-6);
}

TEST(StandardMeasures, GroupsCountDownToOneAsGains) {
  const Truth grouped = expected({{"a"}, {"c"}, {"b"}});
  EXPECT_NEAR(value_of("nDCG", grouped, answer({"d", "c", "a", "b"})), 0.670439, 1e-6);
  EXPECT_EQ(value_of("nDCG", grouped, answer({"a", "c", "b"})), 1);
}

TEST(StandardMeasures, EmptyAndUselessAnswersAreZeroNotNaN) {
  for (const Measure* each : all_measures()) {
    if (!each->higher_is_better) continue;
    Truth sized = expected({{"r"}});
    sized.collection_size = 10;
    const JudgedRun useless = judged(sized, answer({"x"}));
    const auto value = MeasureSpec{each, 0}.value(useless.lists.front());
    ASSERT_TRUE(value) << each->name;
    EXPECT_TRUE(std::isfinite(*value)) << each->name;
    const JudgedRun nothing_to_find = judged(expected({}, {"x"}), answer({"x"}));
    const auto none = MeasureSpec{each, 0}.value(nothing_to_find.lists.front());
    if (none) {
      EXPECT_TRUE(std::isfinite(*none)) << each->name;
    }
  }
}

TEST(StandardMeasures, PerfectAnswersReachTheUpperEnd) {
  Truth sized = expected({{"a", "b"}, {"c"}});
  sized.collection_size = 100;
  sized.complete = true;
  const JudgedRun perfect = judged(sized, answer({"a", "b", "c"}));
  for (const Measure* each : all_measures()) {
    // These have their upper end only for an endless answer, or for the highest gain there is.
    const bool open_ended = each->name == "RR[mean]" || each->name == "ERR" || each->name.starts_with("RBP");
    if (!each->higher_is_better || !std::isfinite(each->high) || open_ended) continue;
    EXPECT_DOUBLE_EQ(*MeasureSpec({each, 0}).value(perfect.lists.front()), 1) << each->name;
  }
}

TEST(StandardMeasures, StayInTheirRangeOnRandomAnswers) {
  std::uint64_t state = 1;
  const auto below = [&](std::uint64_t n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33U) % n;
  };
  for (int round = 0; round < 300; ++round) {
    Truth random = expected({}, {});
    random.collection_size = 40;
    std::vector<std::string> documents;
    for (std::size_t d = 0; d < 30; ++d) {
      const std::string id = numbered("d", d);
      const std::uint64_t group = below(6);
      if (group < 3) {
        random.queries[0].groups.resize(std::max<std::size_t>(random.queries[0].groups.size(), group + 1));
        random.queries[0].groups[group].push_back(id);
      } else if (group == 3) {
        random.queries[0].not_relevant.push_back(id);
      }
      if (below(2) == 0)
        documents.insert(documents.begin() + static_cast<std::ptrdiff_t>(below(documents.size() + 1)), id);
    }
    std::erase_if(random.queries[0].groups, [](const auto& group) { return group.empty(); });
    if (documents.empty()) continue;
    const JudgedRun lists = judged(random, answer(documents));
    for (const Measure* each : all_measures()) {
      for (const std::size_t cutoff : std::initializer_list<std::size_t>{0, 1, 7, 100}) {
        if (cutoff != 0 && !each->takes_cutoff) continue;
        const double value = MeasureSpec{each, cutoff}.value(lists.lists.front()).value();
        EXPECT_GE(value, each->low) << each->name << "@" << cutoff;
        EXPECT_LE(value, each->high + 1e-12) << each->name << "@" << cutoff;
      }
    }
  }
}

TEST(Registry, EveryRowIsCompleteAndNamesAreUnique) {
  std::set<std::string> names;
  for (const Measure* each : all_measures()) {
    EXPECT_FALSE(each->definition.empty() || each->reference.empty() || each->value == nullptr) << each->name;
    EXPECT_LT(each->low, each->high) << each->name;
    std::string lower(each->name);
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    EXPECT_TRUE(names.insert(lower).second) << each->name;
  }
  EXPECT_EQ(names.size(), 32U);
}

TEST(Parsing, ReadsListsParametersAliasesAndAnyCase) {
  const auto specs = parse_measures("ADR, ndcg@10,bpref*,map,AP[retrieved],RPREC,P@5,P@5");
  ASSERT_TRUE(specs) << specs.error().to_string();
  std::vector<std::string> names;
  for (const MeasureSpec& spec : *specs) names.push_back(spec.name());
  EXPECT_THAT(names, testing::ElementsAre("ADR", "nDCG@10", "bpref*", "AP", "AP[retrieved]", "R-precision", "P@5"));
  EXPECT_EQ(parse_measures("all")->size(), all_measures().size());
}

TEST(Parsing, SaysWhatIsWrongAndWhatMayBeMeant) {
  const auto unknown = parse_measures("ADR,ndgc@10");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, "measure-unknown");
  EXPECT_THAT(unknown.error().hint, testing::HasSubstr("nDCG"));
  EXPECT_THAT(parse_measure("bpreff").error().hint, testing::HasSubstr("bpref"));
  EXPECT_THAT(parse_measure("speci").error().hint, testing::HasSubstr("specificity"));
  EXPECT_THAT(parse_measure("zzzzzzz").error().hint, testing::HasSubstr("list"));
  for (const char* text :
       {"nDCG@", "nDCG@0", "nDCG@-1", "nDCG@ten", "nDCG@10x", "nDCG@99999999999999999999", "P@1@2"}) {
    EXPECT_EQ(parse_measure(text).error().code, "measure-parameter") << text;
  }
  EXPECT_EQ(parse_measure("bpref@10").error().code, "measure-parameter");
  EXPECT_EQ(parse_measures("").error().code, "measure-unknown");
  EXPECT_EQ(parse_measures("ADR,").error().code, "measure-unknown");
  EXPECT_EQ(parse_measure(std::string(100000, 'a')).error().code, "measure-unknown");
}

TEST(Measures, RankBiasedPrecisionWeighsGainsByFallingPatience) {
  // Gains 2 and 1 of 2 (two groups): ranks 1 and 3. (1 - .8) (1 + .64 / 2) = .264.
  const Truth truth = expected({{"a"}, {"b"}});
  EXPECT_NEAR(value_of("RBP", truth, answer({"a", "x", "b"})), 0.264, 1e-15);
  EXPECT_NEAR(value_of("RBP@2", truth, answer({"a", "x", "b"})), 0.2, 1e-15);
  // (1 - .95) (.95^2 / 2 + .95)
  EXPECT_NEAR(value_of("RBP[.95]", truth, answer({"x", "a", "b"})), 0.05 * (0.95 + 0.95 * 0.95 / 2), 1e-15);
}

TEST(Measures, ExpectedReciprocalRankStopsWhereTheUserIsSatisfied) {
  // Gains 2, 1, highest 2: the user stops with probability 3/4 and 1/4. b first: 1/4 + 3/4 * 3/4 / 2 = .53125.
  const Truth truth = expected({{"a"}, {"b"}});
  EXPECT_NEAR(value_of("ERR", truth, answer({"b", "a"})), 0.53125, 1e-15);
  EXPECT_NEAR(value_of("ERR", truth, answer({"a", "b"})), 0.75 + 0.25 * 0.25 / 2, 1e-15);
  EXPECT_NEAR(value_of("ERR@1", truth, answer({"b", "a"})), 0.25, 1e-15);
}

TEST(Measures, CompatibilityIsTheOverlapWithTheClosestIdealAnswer) {
  const Truth truth = expected({{"a", "b"}, {"c"}});
  // Any order within a group is ideal.
  EXPECT_NEAR(value_of("compatibility", truth, answer({"a", "b", "c"})), 1, 1e-15);
  EXPECT_NEAR(value_of("compatibility", truth, answer({"b", "a", "c"})), 1, 1e-15);
  EXPECT_EQ(value_of("compatibility", truth, answer({"x", "y"})), 0);
  // c b a: the closest ideal is b a c; common documents at depth 1, 2, 3, ...: 0, 1, 3, 3, ... The ideal has 1, 2, 3,
  // ...
  const auto sum = [](const std::vector<double>& first) {
    double total = 0;
    double weight = 1;
    for (std::size_t depth = 1; depth <= 1000; ++depth) {
      total += weight * (depth <= first.size() ? first[depth - 1] : 3) / static_cast<double>(depth);
      weight *= 0.95;
    }
    return total;
  };
  EXPECT_NEAR(value_of("compatibility", truth, answer({"c", "b", "a"})), sum({0, 1, 3}) / sum({1, 2, 3}), 1e-14);
}

TEST(Curves, InterpolatedPrecisionIsTheBestAtThatRecallOrBeyond) {
  // R = 7, hits at 1 2 3 5: precision 1 1 1 .8. Recall .4 needs 3 of 7, .5 needs 4, .6 needs 5.
  std::vector<std::vector<std::string>> group{{"1", "2", "3", "5", "a", "b", "c"}};
  const JudgedRun lists = judged(expected(group), answer({"1", "2", "3", "4", "5"}));
  const Points points = interpolated_precision(lists.lists.front());
  std::vector<double> heights;
  for (const Point& point : points) heights.push_back(point.y);
  EXPECT_THAT(heights,
              testing::Pointwise(testing::DoubleNear(1e-12), std::vector<double>{1, 1, 1, 1, 1, .8, 0, 0, 0, 0, 0}));
  const Points raw = precision_recall(lists.lists.front());
  ASSERT_EQ(raw.size(), 4U);
  EXPECT_DOUBLE_EQ(raw[3].x, 4.0 / 7);
  EXPECT_DOUBLE_EQ(raw[3].y, 0.8);
}

TEST(Curves, InterpolationLooksForwardOverADip) {
  // Hits at ranks 2 and 3 of R = 2: precision .5 then .667; the later is better and counts from recall 0 on.
  const JudgedRun lists = judged(expected({{"a", "b"}}), answer({"x", "a", "b"}));
  for (const Point& point : interpolated_precision(lists.lists.front())) EXPECT_NEAR(point.y, 2.0 / 3, 1e-12);
}

TEST(Curves, EveryKindDrawsMissingAndEmptyQueriesToo) {
  Truth two = expected({{"a"}, {"b"}});
  two.queries.push_back({"missing", {{"c"}}, {}, {}});
  two.collection_size = 10;
  const JudgedRun lists = judged(two, answer({"a", "x", "b"}));
  for (const CurveKind& kind : all_curves()) {
    const auto set = draw(kind, lists);
    ASSERT_TRUE(set) << kind.name;
    EXPECT_EQ(set->queries.size(), 2U);
    EXPECT_FALSE(set->mean.empty()) << kind.name;
    for (const Point& point : set->mean) EXPECT_TRUE(std::isfinite(point.x) && std::isfinite(point.y)) << kind.name;
  }
  const auto recalls = draw(*find_curve("dynamic-recall"), lists);
  ASSERT_EQ(recalls->mean.size(), 2U);
  EXPECT_EQ(recalls->mean[0].y, 0.5);  // 1 and 0
  EXPECT_EQ(recalls->mean[1].y, 0.5);  // the first query alone reaches position 2
  EXPECT_EQ(recalls->queries[0].points[0].x, 1) << "positions are counted from 1";
  EXPECT_EQ(recalls->mean[0].x, 1);
  EXPECT_EQ(recalls->mean[1].x, 2);
  EXPECT_EQ(find_curve("nothing"), nullptr);
}

TEST(Curves, ThoseOfTheWholeCollectionNeedItsSize) {
  const JudgedRun lists = judged(expected({{"a"}}), answer({"a"}));
  EXPECT_EQ(draw(*find_curve("roc"), lists).error().code, "curve-collection-size");
  EXPECT_EQ(draw(*find_curve("lift"), lists).error().code, "curve-collection-size");
}

}  // namespace
}  // namespace rondo::evaluation
