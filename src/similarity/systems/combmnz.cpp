#include <array>

#include "similarity/fusion.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

class CombMnz final : public fusion::Fusion {
 public:
  using Fusion::Fusion;
  void mix(std::span<const std::vector<Score>> part_scores, std::size_t /*k*/, std::vector<Mixed>& out) const override {
    std::vector<std::size_t> found;
    fusion::comb_sum(part_scores, out, &found);
    for (std::size_t i = 0; i < out.size(); ++i) out[i].score.value *= static_cast<double>(found[i]);
  }
};

std::unique_ptr<System> make_combmnz(const Parameters& parameters, std::vector<Part> parts) {
  return std::make_unique<CombMnz>(std::move(parts), parameters);
}

constexpr std::array kCombMnzParameters = {fusion::kDepth};

}  // namespace

constinit const SystemRow kCombMnz = {
    .name = "combmnz",
    .title = "Fusion of rankings by the sum of scores, times how many agree",
    .explanation =
        "As combsum, and the sum is multiplied by the number of parts that have the melody in their list, so that what "
        "several ways of comparing agree on comes first. Two melodies alone are compared by the first part, with the "
        "scores of the others beside it. Name other parts as combmnz:shapeh+P3+ngr5.",
    .reference =
        "E. Fox, J. Shaw: Combination of multiple searches, TREC-2, 1994; J. H. Lee: Analyses of multiple evidence "
        "combination, SIGIR 1997",
    .evidence = Evidence::exact,
    .evidence_note =
        "A part counts as having found the last melody of its list too, though that gets 0 from it. The length of the "
        "lists is ours. The standard parts were chosen by what they find among the tune families of MTC-ANN.",
    .invariant = {.transposition = true},
    .shortest = 1,
    .parameters = kCombMnzParameters,
    .make = [](const Parameters& parameters) { return make_combmnz(parameters, fusion::standard_parts()); },
    .standard_parts = fusion::kStandardParts,
    .make_of = make_combmnz,
};

}  // namespace rondo::rows
