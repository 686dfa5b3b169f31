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
        "Takes the 200 best melodies of each of its parts, normalizes the scores of each list to the range from 0 (its "
        "last melody) to 1 (its best), and adds them up; a melody that is not in the list of a part gets 0 from it. "
        "Equal sums are ordered by the tie rule of the first part. If only two melodies are compared, there is no "
        "range: the score is that of the first part; the scores of the other parts are shown beside it. Name other "
        "parts as combsum:shapeh+P3+GAR.",
    .reference =
        "E. Fox, J. Shaw: Combination of multiple searches, TREC-2, 1994; J. H. Lee: Analyses of multiple evidence "
        "combination, SIGIR 1997",
    .evidence = Evidence::exact,
    .evidence_note =
        "The length of the lists is ours. The standard parts were chosen by their results on the tune families of "
        "MTC-ANN.",
    .invariant = {.transposition = true},
    .shortest = 1,
    .parameters = kCombSumParameters,
    .make = [](const Parameters& parameters) { return make_combsum(parameters, fusion::standard_parts()); },
    .standard_parts = fusion::kStandardParts,
    .make_of = make_combsum,
};

}  // namespace rondo::rows
