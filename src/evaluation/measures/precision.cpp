#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> precision_of(const JudgedList& list, std::size_t cutoff) { return precision_at(list, cutoff); }

}  // namespace

constinit const Measure kPrecision{
    .name = "P",
    .aliases = "precision set_P",
    .definition =
        "Precision: share of the returned documents that are relevant. P@k divides by k even if fewer were "
        "returned.",
    .reference = "van Rijsbergen: Information Retrieval, 1979; as trec_eval's P and set_P",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = precision_of,
};

}  // namespace rondo::evaluation::measures
