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
    Parameter{"constant", "the greater, the smaller the advantage of the first ranks", 60, 0, 1'000'000},
    fusion::kDepth,
};

}  // namespace

constinit const SystemRow kReciprocalRank = {
    .name = "rrf",
    .title = "Fusion of rankings by reciprocal rank",
    .explanation =
        "Takes the 200 best melodies of each of its parts and adds up 1 / (60 + rank) for each list that has the "
        "melody; the scores of the parts do not count, only the ranks. Melodies with equal scores get the mean of "
        "their ranks; a melody that is not in the list of a part gets 0 from it. Equal sums are ordered by the tie "
        "rule of the first part. If only two melodies are compared, there are no ranks: the score is that of the first "
        "part; the scores of the other parts are shown beside it. Name "
        "other parts as rrf:shapeh+P3+GAR.",
    .reference =
        "G. Cormack, C. Clarke, S. Buettcher: Reciprocal rank fusion outperforms Condorcet and individual rank "
        "learning methods, SIGIR 2009",
    .evidence = Evidence::exact,
    .evidence_note =
        "The mean rank for equal scores and the length of the lists are ours. The standard parts were chosen by their "
        "results on the tune families of MTC-ANN.",
    .invariant = {.transposition = true},
    .shortest = 1,
    .parameters = kRrfParameters,
    .make = [](const Parameters& parameters) { return make_rrf(parameters, fusion::standard_parts()); },
    .standard_parts = fusion::kStandardParts,
    .make_of = make_rrf,
};

}  // namespace rondo::rows
