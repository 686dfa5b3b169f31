#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> bpref_of(const JudgedList& list, std::size_t /*cutoff*/) {
  return mean_credit(list, [&](std::size_t n) {
    return n == 0 ? 1 : 1 - ratio(std::min(n, list.relevant), std::min(list.nonrelevant, list.relevant));
  });
}

}  // namespace

constinit const Measure kBpref{
    .name = "bpref",
    .aliases = "",
    .definition =
        "Binary preference: (1/R) times the sum over the relevant documents returned of 1 - min(n, R) / "
        "min(N, R), where n counts the judged non-relevant documents ranked above and N all there are. "
        "Unjudged documents do not matter.",
    .reference =
        "Buckley, Voorhees: Retrieval evaluation with incomplete information, SIGIR 2004; as trec_eval's "
        "bpref",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = false,
    .value = bpref_of,
};

}  // namespace rondo::evaluation::measures
