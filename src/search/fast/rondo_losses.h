#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "search/fast/rondo_query.h"
#include "search/index/segment.h"

namespace rondo::fast {

/// Lower bounds of what the documents of a segment lose against the query with itself.
template <typename Unit>
class Losses {
 public:
  static constexpr Unit kMost = std::numeric_limits<Unit>::max();  ///< this much or more

  /// In units such that kMost is a score below `goal`.
  Losses(const RondoQuery& query, double goal, std::size_t documents)
      : perfect_(query.perfect()),
        rounding_(query.rounding()),
        unit_(std::max(1.0, ((1 - goal) * perfect_ + rounding_ + 1) / (kMost - 1))),
        rows_(query.loss_rows<Unit>(unit_)),
        of_(documents, kMost) {}

  [[nodiscard]] double unit() const { return unit_; }
  [[nodiscard]] const kernels::ExplainedLossRows<Unit>& rows() const { return rows_; }
  [[nodiscard]] Unit* of(index::DocumentId d) { return of_.data() + d; }
  [[nodiscard]] const std::vector<Unit>& all() const { return of_; }
  /// The score that no document with this loss exceeds.
  [[nodiscard]] double best_score(Unit loss) const { return (perfect_ + rounding_ - loss * unit_) / perfect_; }
  /// The greatest loss of documents that can reach a score.
  [[nodiscard]] std::optional<Unit> limit(double score) const {
    if (best_score(kMost) >= score) return kMost;
    const double loss = std::floor((perfect_ + rounding_ - score * perfect_) / unit_);
    if (loss < 0) return std::nullopt;
    return static_cast<Unit>(std::min<double>(loss, kMost));
  }

 private:
  double perfect_;
  double rounding_;
  double unit_;
  kernels::ExplainedLossRows<Unit> rows_;
  std::vector<Unit> of_;
};

}  // namespace rondo::fast
