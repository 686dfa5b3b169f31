#pragma once

#include <limits>

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
    /// Documents of which more windows can be paired have no bound by the lists.
    std::size_t most_pairs = std::numeric_limits<std::size_t>::max();
  };
  [[nodiscard]] Lists lists(const Segment& segment) const;

  /// How many windows of the query matter to documents of so many windows at most, if they must reach a threshold (not
  /// below 0): an alignment that begins with both and goes on for longer leaves out so much of the query that it
  /// cannot.
  [[nodiscard]] std::size_t rows_needed(double threshold, std::size_t document_windows) const;
  /// The query's first windows alone.
  void first_rows(std::size_t count, kernels::Rows& out) const;

 private:
  void set_scale(double most_per_row);
  void prepare_three(const Line& query);
  void prepare_four(const Line& query);
  void prepare_losses(const Line& query);
  [[nodiscard]] std::int16_t up(double value) const;
  /// Windows that all but one in so many documents of the segment have at most; one at least.
  [[nodiscard]] std::size_t usual_windows(const Segment& segment, std::uint32_t one_in) const;
  /// For each row, what it adds to the least that it costs to leave out rows where no more than so many are paired.
  [[nodiscard]] std::vector<double> forced_losses(std::size_t pairs, double spared) const;
  void add_three_lists(const Segment& segment, std::size_t rows, std::size_t pairs, Lists& out) const;
  void add_four_lists(const Segment& segment, std::size_t rows, Lists& out) const;

  WindowPlan plan_;
  std::size_t notes_;
  std::size_t windows_;
  int scale_ = 4;
  bool fits_ = true;
  double time_weight_ = 0;  ///< of the time curve, brought to the measure of the pitch curve
  kernels::Rows rows_;
  kernels::LossRows losses_;
  double cheapest_break_ = 0;  ///< what it costs at least not to go on from one identical window to the next
  double most_ = 0;            ///< what a pair is worth at most
  // By window.
  std::vector<double> worth_;            ///< if it is paired with an identical one; of three notes
  std::vector<double> leaving_out_;      ///< what it costs to leave it out
  std::vector<spline::GramKey> threes_;  ///< of three notes
  std::vector<std::uint32_t> folded_;    ///< folded, of four notes
  std::vector<std::uint64_t> rhythms_;   ///< and their rhythms
};

}  // namespace rondo::fast
