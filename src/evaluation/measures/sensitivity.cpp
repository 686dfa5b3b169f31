#include "all.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

std::optional<double> sensitivity_of(const JudgedList& list, std::size_t cutoff) { return recall_at(list, cutoff); }

}  // namespace

constinit const Measure kSensitivity{
    .name = "sensitivity",
    .aliases = "",
    .definition = "TP / (TP + FN), another name of recall.",
    .reference = "Evaluation measures for cover song identification, Table 2",
    .low = 0,
    .high = 1,
    .higher_is_better = true,
    .takes_cutoff = true,
    .value = sensitivity_of,
};

}  // namespace rondo::evaluation::measures
