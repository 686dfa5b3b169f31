#include <algorithm>

#include "concordances/score_pair.h"

namespace rondo::concordances {
namespace {

class ExhaustiveEngine final : public PairEngine {
 public:
  explicit ExhaustiveEngine(const EngineTask& task) : task_(task), rows_(task) {}

  [[nodiscard]] bool find(std::span<const std::uint32_t> rows, const std::stop_token& stop, std::vector<UnitPair>& out,
                          Counts& counts) const override {
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    for (const std::uint32_t row : rows) {
      PairScorer scorer(task_, row);
      for (std::uint32_t unit = 0; unit < task_.set.units(); ++unit) {
        if (!rows_.decides(row, unit)) continue;
        if (stop.stop_requested()) return false;
        ++counts.pairs;
        scorer.add(unit, out, counts);
      }
    }
    std::sort(out.begin() + begin, out.end(), UnitPair::before);
    return true;
  }

 private:
  EngineTask task_;
  RowSet rows_;
};

}  // namespace

std::unique_ptr<PairEngine> make_exhaustive_engine(const EngineTask& task) {
  return std::make_unique<ExhaustiveEngine>(task);
}

}  // namespace rondo::concordances
