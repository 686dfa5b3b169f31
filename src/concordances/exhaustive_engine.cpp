#include <algorithm>

#include "concordances/pair_engine.h"

namespace rondo::concordances {
namespace {

class ExhaustiveEngine final : public PairEngine {
 public:
  explicit ExhaustiveEngine(const EngineTask& task) : task_(task), is_row_(task.set.units(), 0) {
    for (const std::uint32_t row : task.rows) is_row_[row] = 1;
  }

  [[nodiscard]] bool find(std::span<const std::uint32_t> rows, const std::stop_token& stop, std::vector<UnitPair>& out,
                          Counts& counts) const override {
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    Line line;
    Line other;
    for (const std::uint32_t row : rows) {
      task_.set.line(row, line);
      const auto query = task_.system.prepare(line);
      for (std::uint32_t unit = 0; unit < is_row_.size(); ++unit) {
        if (unit == row || (is_row_[unit] != 0 && unit < row) || !task_.set.wanted(task_.scope, row, unit)) continue;
        if (stop.stop_requested()) return false;
        ++counts.pairs;
        ++counts.scored;
        task_.set.line(unit, other);
        const Score there = query->score(other);
        const Score back = task_.system.prepare(other)->score(line);
        if (!there.comparable || !back.comparable || !task_.rule.holds(there.value, back.value)) continue;
        ++counts.found;
        out.push_back(row < unit ? UnitPair{row, unit, there.value, back.value}
                                 : UnitPair{unit, row, back.value, there.value});
      }
    }
    std::sort(out.begin() + begin, out.end(),
              [](const UnitPair& a, const UnitPair& b) { return std::pair(a.a, a.b) < std::pair(b.a, b.b); });
    return true;
  }

 private:
  EngineTask task_;
  std::vector<char> is_row_;
};

}  // namespace

std::unique_ptr<PairEngine> make_exhaustive_engine(const EngineTask& task) {
  return std::make_unique<ExhaustiveEngine>(task);
}

}  // namespace rondo::concordances
