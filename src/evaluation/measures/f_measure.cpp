#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> f_measure_of(const JudgedList& list, std::size_t cutoff) {
  const double p = precision_at(list, cutoff);
  const double r = recall_at(list, cutoff);
  return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

}  // namespace

constinit const Measure kFMeasure{
    .name = "F",
    .aliases = "F1 F-measure set_F",
    .definition = "Harmonic mean of precision and recall, 2PR / (P + R); F@k of P@k and R@k.",
    .reference = "van Rijsbergen: Information Retrieval, 1979; as trec_eval's set_F",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = f_measure_of,
};

}  // namespace rondo::evaluation::measures
