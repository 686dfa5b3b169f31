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
    .title = "Fusion of rankings by the sum of scores, times the number of lists",
    .explanation =
        "As combsum, but the sum is multiplied by the number of parts that have the melody in their list, so melodies "
        "on which several parts agree come first. If only two melodies are compared, the score is that of the first "
        "part; the scores of the other parts are shown beside it. Name other parts as combmnz:shapeh+P3+ngr5.",
    .reference =
        "E. Fox, J. Shaw: Combination of multiple searches, TREC-2, 1994; J. H. Lee: Analyses of multiple evidence "
        "combination, SIGIR 1997",
    .evidence = Evidence::exact,
    .evidence_note =
        "The last melody of a list counts as found by its part, although it gets 0 from it. The length of the lists is "
        "ours. The standard parts were chosen by their results on the tune families of MTC-ANN.",
    .invariant = {.transposition = true},
    .shortest = 1,
    .parameters = kCombMnzParameters,
    .make = [](const Parameters& parameters) { return make_combmnz(parameters, fusion::standard_parts()); },
    .standard_parts = fusion::kStandardParts,
    .make_of = make_combmnz,
};

}  // namespace rondo::rows
