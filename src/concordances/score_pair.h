#pragma once

#include <memory>

#include "concordances/pair_engine.h"

namespace rondo::concordances {

/// Which unit decides about a pair of two rows: the first of them.
class RowSet {
 public:
  explicit RowSet(const EngineTask& task) : set_(task.set), scope_(task.scope), is_row_(task.set.units(), 0) {
    for (const std::uint32_t row : task.rows) is_row_[row] = 1;
  }
  /// Whether it is up to this row to decide about the unit.
  [[nodiscard]] bool decides(std::uint32_t row, std::uint32_t unit) const {
    return unit != row && (is_row_[unit] == 0 || unit > row) && set_.wanted(scope_, row, unit);
  }

 private:
  const MelodySet& set_;
  Scope scope_;
  std::vector<char> is_row_;
};

/// The exact scores of one row and other units: the last step of every engine.
class PairScorer {
 public:
  PairScorer(const EngineTask& task, std::uint32_t row) : task_(task), row_(row) {}
  /// Appends the pair if the rule holds for it.
  void add(std::uint32_t unit, std::vector<UnitPair>& out, Counts& counts);

 private:
  const EngineTask& task_;
  std::uint32_t row_;
  Line line_;
  Line other_;
  std::unique_ptr<PreparedQuery> query_;  ///< made for the first unit
};

}  // namespace rondo::concordances
