// Feeds arbitrary bytes to the readers of runs and truths and checks what must hold: an error has a code, what was read
// is written and read again as the same, and all measures and curves of it stay finite and in their range.

#include <algorithm>
#include <cmath>

#include "broken.h"
#include "evaluation/curves.h"
#include "rondo/evaluation/evaluate.h"
#include "rondo/evaluation/run.h"
#include "rondo/evaluation/truth.h"

namespace {

using namespace rondo::evaluation;

rondo::Result<Run> run_from(std::string_view text, Ties ties) {
  rondo::MemorySource source(text);
  rondo::Diagnostics warnings;
  return read_run(source, {"fuzz", ties}, warnings);
}

rondo::Result<Truth> truth_from(std::string_view text, TruthForm lines) {
  rondo::MemorySource source(text);
  rondo::Diagnostics warnings;
  return read_truth(source, {"fuzz", lines}, warnings);
}

void check_measures(const Truth& truth, const Run& run) {
  auto judged = judge(truth, run);
  if (!judged) return;
  for (const JudgedList& list : judged->lists) {
    for (const Measure* measure : all_measures()) {
      const auto value = MeasureSpec{measure, 0}.value(list);
      const bool fine = !value || (!std::isnan(*value) && *value >= measure->low && *value <= measure->high + 1e-9);
      if (!fine) broken("a measure out of its range", std::string(measure->name) + " of " + list.query);
    }
  }
  for (const CurveKind& kind : all_curves()) {
    auto set = draw(kind, *judged);
    if (!set) continue;
    for (const Point& point : set->mean) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) broken("a curve leaves the page", std::string(kind.name));
    }
  }
}

/// A truth that makes every other document of the run relevant, in up to three groups.
Truth truth_for(const Run& run) {
  Truth truth;
  for (const RankedList& list : run.lists) {
    QueryTruth query;
    query.query = list.query;
    for (std::size_t d = 0; d < list.documents.size(); d += 2) {
      const std::size_t group = d / 2 % 3;
      if (query.groups.size() <= group) query.groups.resize(group + 1);
      query.groups[group].push_back(list.documents[d].id);
    }
    truth.queries.push_back(std::move(query));
  }
  return truth;
}

/// A run that returns what the truth names, worst first.
Run run_for(const Truth& truth) {
  Run run;
  run.tag = "fuzz";
  for (const QueryTruth& query : truth.queries) {
    RankedList list{query.query, {}, 0};
    for (const std::string& id : query.not_relevant) list.documents.push_back({id, 0});
    for (auto group = query.groups.rbegin(); group != query.groups.rend(); ++group) {
      for (const std::string& id : *group) list.documents.push_back({id, 0});
    }
    if (!list.documents.empty()) run.lists.push_back(std::move(list));
  }
  return run;
}

void fuzz_run(std::string_view bytes) {
  for (const Ties ties : {Ties::kTrecEval, Ties::kAsWritten}) {
    auto run = run_from(bytes, ties);
    if (!run) {
      if (run.error().code.empty()) broken("an error without a code", run.error().message);
      continue;
    }
    const std::string text = write_run(*run);
    auto again = run_from(text, ties);
    if (!again) broken("what was written cannot be read", again.error().to_string() + "\n" + text);
    // Scores are written so that they fall, and may change by a little; the order is what counts.
    for (std::size_t i = 0; i < run->lists.size(); ++i) {
      const auto same_document = [](const auto& a, const auto& b) { return a.id == b.id; };
      const auto& before = run->lists[i].documents;
      const auto& after = again->lists.at(i).documents;
      if (again->lists[i].query != run->lists[i].query ||
          !std::equal(before.begin(), before.end(), after.begin(), after.end(), same_document)) {
        broken("what was written reads as another run", text);
      }
    }
    check_measures(truth_for(*run), *run);
  }
}

void fuzz_truth(std::string_view bytes) {
  for (const TruthForm lines : {TruthForm::kGroups, TruthForm::kQrels}) {
    auto truth = truth_from(bytes, lines);
    if (!truth) {
      if (truth.error().code.empty()) broken("an error without a code", truth.error().message);
      continue;
    }
    const std::string json = write_truth(*truth, TruthForm::kJson).value();
    auto again = truth_from(json, lines);
    if (!again) broken("what was written cannot be read", again.error().to_string() + "\n" + json);
    if (!(*again == *truth)) broken("what was written reads as another truth", json);
    const std::string groups = write_truth(*truth, TruthForm::kGroups).value();
    auto from_groups = truth_from(groups, TruthForm::kGroups);
    if (from_groups && from_groups->queries.size() > truth->queries.size()) broken("more queries than before", groups);
    check_measures(*truth, run_for(*truth));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RONDO_FUZZ_TARGET(bytes);
  (void)fuzz_run;
  (void)fuzz_truth;
  return 0;
}
