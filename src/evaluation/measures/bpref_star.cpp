#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> bpref_star_of(const JudgedList& list, std::size_t /*cutoff*/) {
  const std::size_t whole = list.retrieved() + list.relevant;
  return mean_credit(list, [&](std::size_t n) { return 1 - ratio(n, whole); });
}

}  // namespace

constinit const Measure kBprefStar{
    .name = "bpref*",
    .aliases = "",
    .definition = "bpref against the length A of the answer: (1/R) sum of 1 - n / (A + R).",
    .reference = "Evaluation measures for cover song identification, equation 1",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = bpref_star_of,
};

}  // namespace rondo::evaluation::measures
