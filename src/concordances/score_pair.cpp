#include "concordances/score_pair.h"

namespace rondo::concordances {

void PairScorer::add(std::uint32_t unit, std::vector<UnitPair>& out, Counts& counts) {
  if (!query_) {
    task_.set.line(row_, line_);
    query_ = task_.system.prepare(line_);
  }
  ++counts.scored;
  task_.set.line(unit, other_);
  const Score there = query_->score(other_);
  const Score back = task_.system.prepare(other_)->score(line_);
  if (!there.comparable || !back.comparable || !task_.holds(row_, unit, there.value, back.value)) return;
  ++counts.found;
  out.push_back(row_ < unit ? UnitPair{row_, unit, there.value, back.value}
                            : UnitPair{unit, row_, back.value, there.value});
}

}  // namespace rondo::concordances
