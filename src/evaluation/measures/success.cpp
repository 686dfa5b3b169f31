#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> success_of(const JudgedList& list, std::size_t cutoff) {
  return list.hits_within(cutoff) > 0 ? 1 : 0;
}

}  // namespace

constinit const Measure kSuccess{
    .name = "success",
    .aliases = "",
    .definition = "1 if a relevant document was returned (success@k: among the first k), else 0.",
    .reference = "as trec_eval's success",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = success_of,
};

}  // namespace rondo::evaluation::measures
