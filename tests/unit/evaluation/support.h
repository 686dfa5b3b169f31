#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/evaluation/evaluate.h"
#include "rondo/evaluation/run.h"
#include "rondo/evaluation/truth.h"

namespace rondo::evaluation {

inline std::string example(const std::string& name) {
  std::ifstream in(std::string(RONDO_SOURCE_DIR) + "/data/examples/" + name, std::ios::binary);
  EXPECT_TRUE(in.good()) << name;
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline Result<Run> try_run(std::string_view text, Diagnostics* warnings = nullptr, Ties ties = Ties::kByRank) {
  MemorySource source(text);
  Diagnostics ignored;
  return read_run(source, {"test.run", ties}, warnings != nullptr ? *warnings : ignored);
}

inline Run run_of(std::string_view text) {
  auto run = try_run(text);
  EXPECT_TRUE(run) << run.error().to_string();
  return run ? std::move(*run) : Run{};
}

inline Result<Truth> try_truth(std::string_view text, TruthForm lines = TruthForm::kGroups,
                               Diagnostics* warnings = nullptr) {
  MemorySource source(text);
  Diagnostics ignored;
  return read_truth(source, {"test.truth", lines}, warnings != nullptr ? *warnings : ignored);
}

inline Truth truth_of(std::string_view text, TruthForm lines = TruthForm::kGroups) {
  auto truth = try_truth(text, lines);
  EXPECT_TRUE(truth) << truth.error().to_string();
  return truth ? std::move(*truth) : Truth{};
}

inline JudgedRun judged(const Truth& truth, const Run& run) {
  auto result = judge(truth, run);
  EXPECT_TRUE(result) << result.error().to_string();
  return result ? std::move(*result) : JudgedRun{};
}

/// "d7". (The plain sum of strings sets off a false alarm of g++ 12, its bug 105651.)
inline std::string numbered(std::string_view prefix, std::size_t number) { return fmt::format("{}{}", prefix, number); }

/// A run of one query "q" from document ids, best first.
inline Run answer(const std::vector<std::string>& documents) {
  Run run;
  run.tag = "answer";
  run.lists.push_back({"q", {}, 0});
  for (const std::string& document : documents) {
    run.lists.front().documents.push_back({document, -static_cast<double>(run.lists.front().documents.size())});
  }
  return run;
}

/// A truth of one query "q".
inline Truth expected(std::vector<std::vector<std::string>> groups, std::vector<std::string> not_relevant = {}) {
  Truth truth;
  truth.queries.push_back({"q", std::move(groups), {}, std::move(not_relevant)});
  return truth;
}

inline MeasureSpec measure(std::string_view name) {
  auto spec = parse_measure(name);
  EXPECT_TRUE(spec) << spec.error().to_string();
  return spec.value_or(default_measures().front());
}

/// Value of a measure for the first query of the truth.
inline double value_of(std::string_view name, const Truth& truth, const Run& run) {
  return measure(name).value(judged(truth, run).lists.front()).value_or(-99);
}

}  // namespace rondo::evaluation
