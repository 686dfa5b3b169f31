#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> break_even_of(const JudgedList& list, std::size_t /*cutoff*/) {
  double best = 0;
  for (std::size_t i = 0; i < list.hits.size(); ++i) {
    best = std::max(best, std::min(ratio(i + 1, list.hits[i].rank), ratio(i + 1, list.relevant)));
  }
  return best;
}

}  // namespace

constinit const Measure kBreakEven{
    .name = "BEP",
    .aliases = "break-even",
    .definition =
        "Break-even point: the largest value that precision and recall both reach at some cut-off, i.e. the "
        "maximum over ranks of min(precision, recall). Never below R-precision. (The figures in the cover song paper "
        "come from an interpolation it does not state and are not reproduced.)",
    .reference = "Rondo; compare Joachims: Text categorization with support vector machines, ECML 1998",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = break_even_of,
};

}  // namespace rondo::evaluation::measures
