#include "rondo/evaluation/evaluate.h"

#include <limits>

#include "base/interrupt.h"
#include "statistics/bootstrap.h"

namespace rondo::evaluation {

Evaluation evaluate(const JudgedRun& run, std::span<const MeasureSpec> measures) {
  Evaluation out;
  out.run = run.name;
  out.measures.assign(measures.begin(), measures.end());
  out.missing = run.missing;
  out.unknown = run.unknown;
  for (const JudgedList& list : run.lists) out.queries.push_back(list.query);
  for (const MeasureSpec& measure : measures) {
    std::vector<double>& values = out.values.emplace_back();
    values.reserve(run.lists.size());
    for (std::size_t i = 0; i < run.lists.size(); ++i) {
      constexpr std::size_t kLists = 64;
      if (i % kLists == 0 && interrupted()) return out;  // to be discarded
      const JudgedList& list = run.lists[i];
      values.push_back(measure.value(list).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    out.means.push_back(statistics::mean(values));
  }
  return out;
}

}  // namespace rondo::evaluation
