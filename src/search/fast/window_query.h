#pragma once

#include <array>
#include <unordered_map>

#include "rondo/similarity/plan.h"
#include "search/fast/tally.h"
#include "search/kernels/window_losses.h"
#include "similarity/spline/grams.h"

namespace rondo::fast {

/// A query of a window-aligning system in the whole numbers that the vector kernel works with, all rounded up.
class WindowQuery {
 public:
  WindowQuery(const WindowPlan& plan, const Line& query);

  [[nodiscard]] std::size_t notes() const { return notes_; }  ///< of a window
  [[nodiscard]] std::size_t windows() const { return windows_; }
  [[nodiscard]] const WindowPlan& plan() const { return plan_; }
  [[nodiscard]] const kernels::Rows& rows() const { return rows_; }
  /// What one unit of the kernel is worth.
  [[nodiscard]] double unit() const { return 1.0 / scale_; }
  /// False for a query so long that sums would leave 16 bits; then there is no bound from the kernel.
  [[nodiscard]] bool fits() const { return fits_; }

  /// For the rough alignment of window_losses, null for queries that it does not suit; and what its unit is worth.
  [[nodiscard]] const kernels::LossRows* losses() const { return losses_.gap.empty() ? nullptr : &losses_; }
  [[nodiscard]] double loss_unit() const { return plan_.pitch / 6; }

  /// Puts documents into the lanes, the shortest first. They have at least one window each, and no more than `columns`
  /// has columns.
  void fill(const Segment& segment, std::span<const Segment::Notes> documents, kernels::Columns& columns) const;
  /// The same without their durations.
  void fill_pitches(const Segment& segment, std::span<const Segment::Notes> documents, kernels::Columns& columns) const;
  /// Says that these notes will be filled in soon.
  void announce(const Segment& segment, const Segment::Notes& notes) const;

  /// The most that aligned windows can be worth: for each distinct window of the query the documents that have it.
  /// Weights are in `step`s.
  struct Lists {
    std::vector<WeightedList> lists;
    double step = 0;   ///< value of one step
    double extra = 0;  ///< value beyond what the lists tell
    double most = 0;   ///< value of one pair at most
  };
  [[nodiscard]] Lists lists(const Segment& segment) const;

 private:
  void set_scale(double most_per_row);
  void prepare_three(const Line& query);
  void prepare_four(const Line& query);
  void prepare_losses(const Line& query);
  [[nodiscard]] std::int16_t up(double value) const;

  WindowPlan plan_;
  std::size_t notes_;
  std::size_t windows_;
  int scale_ = 4;
  bool fits_ = true;
  double time_weight_ = 0;  ///< of the time curve, brought to the measure of the pitch curve
  kernels::Rows rows_;
  kernels::LossRows losses_;
  struct Distinct {
    int count = 0;
    double match = 0;
  };
  double cheapest_break_ = 0;  ///< what it costs at least not to go on from one identical window to the next
  std::unordered_map<spline::GramKey, Distinct> distinct_;  ///< windows of three notes
  std::unordered_map<std::uint32_t, int> folded_;           ///< folded windows of four notes
  std::unordered_map<std::uint64_t, int> rhythms_;          ///< and their rhythms
};

}  // namespace rondo::fast
