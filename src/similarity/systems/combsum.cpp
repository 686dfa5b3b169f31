#include <array>

#include "similarity/fusion.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

class CombSum final : public fusion::Fusion {
 public:
  using Fusion::Fusion;
  void mix(std::span<const std::vector<Score>> part_scores, std::size_t /*k*/, std::vector<Mixed>& out) const override {
    fusion::comb_sum(part_scores, out);
  }
};

std::unique_ptr<System> make_combsum(const Parameters& parameters, std::vector<Part> parts) {
  return std::make_unique<CombSum>(std::move(parts), parameters);
}

constexpr std::array kCombSumParameters = {fusion::kDepth};

}  // namespace

constinit const SystemRow kCombSum = {
    .name = "combsum",
    .title = "Fusion of rankings by the sum of scores",
    .explanation =
        "Takes the 200 best melodies of each of its parts, stretches the scores of each list to lie between 0 (its "
        "last melody) and 1 (its best), and adds them up; what is not in the list of a part gets 0 from it. Equal sums "
        "go by the rule of the first part. Two melodies alone have no range to stretch: there the first part speaks, "
        "with the "
        "scores of the others beside it. Name other parts as combsum:shapeh+P3+GAR.",
    .reference =
        "E. Fox, J. Shaw: Combination of multiple searches, TREC-2, 1994; J. H. Lee: Analyses of multiple evidence "
        "combination, SIGIR 1997",
    .evidence = Evidence::exact,
    .evidence_note =
        "The length of the lists is ours. The standard parts were chosen by what they find among the tune families of "
        "MTC-ANN.",
    .invariant = {.transposition = true},
    .shortest = 1,
    .parameters = kCombSumParameters,
    .make = [](const Parameters& parameters) { return make_combsum(parameters, fusion::standard_parts()); },
    .standard_parts = fusion::kStandardParts,
    .make_of = make_combsum,
};

}  // namespace rondo::rows
