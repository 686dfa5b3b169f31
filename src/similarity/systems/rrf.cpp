#include <array>

#include "similarity/fusion.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

class ReciprocalRank final : public fusion::Fusion {
 public:
  ReciprocalRank(std::vector<Part> parts, const Parameters& parameters)
      : Fusion(std::move(parts), parameters), constant_(parameters.get("constant")) {}

  void mix(std::span<const std::vector<Score>> part_scores, std::size_t /*k*/, std::vector<Mixed>& out) const override {
    std::vector<std::vector<Score>> gains(part_scores.begin(), part_scores.end());
    for (std::vector<Score>& scores : gains) {
      fusion::mean_ranks(scores);
      for (Score& score : scores) {
        if (score.comparable) score.value = 1 / (constant_ + score.value);
      }
    }
    fusion::sum_of(gains, out);
  }

 private:
  double constant_;
};

std::unique_ptr<System> make_rrf(const Parameters& parameters, std::vector<Part> parts) {
  return std::make_unique<ReciprocalRank>(std::move(parts), parameters);
}

constexpr std::array kRrfParameters = {
    Parameter{"constant", "the greater, the less the first ranks stand out", 60, 0, 1'000'000},
    fusion::kDepth,
};

}  // namespace

constinit const SystemRow kReciprocalRank = {
    .name = "rrf",
    .title = "Fusion of rankings by reciprocal rank",
    .explanation =
        "Takes the 200 best melodies of each of its parts and gives a melody 1 / (60 + rank) for each list it is in; "
        "only the order a part puts the melodies in counts, not its scores. Melodies of equal score share the mean of "
        "their ranks; what is not in the list of a part gets nothing from it. Equal sums go by the rule of the first "
        "part. Two "
        "melodies alone have no ranks: there the first part speaks, with the scores of the others beside it. Name "
        "other parts as rrf:shapeh+P3+GAR.",
    .reference =
        "G. Cormack, C. Clarke, S. Buettcher: Reciprocal rank fusion outperforms Condorcet and individual rank "
        "learning methods, SIGIR 2009",
    .evidence = Evidence::exact,
    .evidence_note =
        "The mean rank for equal scores and the length of the lists are ours. The standard parts were chosen by what "
        "they "
        "find among the tune families of MTC-ANN.",
    .invariant = {.transposition = true},
    .shortest = 1,
    .parameters = kRrfParameters,
    .make = [](const Parameters& parameters) { return make_rrf(parameters, fusion::standard_parts()); },
    .standard_parts = fusion::kStandardParts,
    .make_of = make_rrf,
};

}  // namespace rondo::rows
