#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> bpref_10_of(const JudgedList& list, std::size_t /*cutoff*/) {
  const std::size_t most = 10 + list.relevant;
  return mean_credit(list, [&](std::size_t n) { return 1 - ratio(std::min(n, most), most); });
}

}  // namespace

constinit const Measure kBpref10{
    .name = "bpref-10",
    .aliases = "bpref10",
    .definition =
        "bpref against the first 10 + R judged non-relevant documents: (1/R) sum of 1 - min(n, 10 + R) / (10 "
        "+ R).",
    .reference = "Buckley, Voorhees: Retrieval evaluation with incomplete information, SIGIR 2004",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = bpref_10_of,
};

}  // namespace rondo::evaluation::measures
