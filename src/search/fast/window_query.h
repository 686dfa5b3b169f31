#pragma once

#include <array>
#include <limits>
#include <optional>

#include "rondo/similarity/plan.h"
#include "search/fast/tally.h"
#include "search/kernels/window_gains.h"
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
  /// False for queries so long that sums would leave 16 bits; then there is no bound from the kernel.
  [[nodiscard]] bool fits() const { return fits_; }

  /// For the rough alignment of window_losses, null for queries that it does not suit; and what its unit is worth.
  [[nodiscard]] const kernels::LossRows* losses() const { return losses_.gap.empty() ? nullptr : &losses_; }
  [[nodiscard]] double loss_unit() const { return plan_.pitch / 6; }

  /// For the rough alignment of window_gains.
  struct Gains {
    kernels::GainRows rows;
    double unit = 0;               ///< what one is worth
    double all_rows = 0;           ///< subtracted from all alignments
    std::size_t most_windows = 0;  ///< of documents
    /// An upper bound of the value of an alignment.
    [[nodiscard]] double value(std::uint8_t best) const { return (best - rows.start) * unit - all_rows; }
  };
  /// With documents of so many windows at most. Nothing for the plans and documents that it does not suit.
  [[nodiscard]] std::optional<Gains> gains(std::size_t document_windows) const;

  /// Puts documents into the lanes, the shortest first. They have at least one window each, and no more than `columns`
  /// has columns.
  void fill(const Segment& segment, std::span<const Segment::Notes> documents, kernels::Columns& columns) const;
  /// The same without their durations.
  void fill_pitches(const Segment& segment, std::span<const Segment::Notes> documents, kernels::Columns& columns) const;
  /// Says that these notes will be filled in soon.
  void announce(const Segment& segment, const Segment::Notes& notes) const;

  /// Windows that nearly all documents of a segment have at most.
  [[nodiscard]] std::size_t most_windows(const Segment& segment) const { return usual_windows(segment, kVeryFewOf); }

  /// The most that aligned windows can be worth: for each distinct window of the query the documents that have it.
  /// Weights are in `step`s.
  struct Lists {
    std::vector<WeightedList> lists;
    double step = 0;       ///< value of one step
    double extra = 0;      ///< value beyond what the lists tell
    double each_pair = 0;  ///< and of each pair
    double most = 0;       ///< value of one pair at most
    /// Documents of which more windows can be paired have no bound by the lists.
    std::size_t most_pairs = std::numeric_limits<std::size_t>::max();
  };
  [[nodiscard]] Lists lists(const Segment& segment) const;

  /// What a global alignment with a document of so many windows loses if no windows are identical: a column, or a row
  /// where the query is shorter, is either left out or in a pair of windows that differ, which costs `unpaired` at
  /// least; and the rows, or columns, that are more are left out. So a pair of identical windows is worth `unpaired`
  /// besides, and so much more are the lists of such a query.
  [[nodiscard]] double not_paired(std::size_t document_windows) const;

 private:
  void set_scale(double most_per_row);
  void prepare_three(const Line& query);
  [[nodiscard]] double least_break(std::size_t i, double cheapest_gap) const;
  void prepare_global(double cheapest_gap);
  void prepare_four(const Line& query);
  void prepare_losses(const Line& query);
  [[nodiscard]] std::int16_t up(double value) const;
  static constexpr std::uint32_t kVeryFewOf = 1024;
  static constexpr std::size_t kFewWindows = 5;
  /// Windows that all but one in so many documents of the segment have at most; one at least.
  [[nodiscard]] std::size_t usual_windows(const Segment& segment, std::uint32_t one_in) const;
  void add_three_lists(const Segment& segment, std::size_t pairs, Lists& out) const;
  void add_four_lists(const Segment& segment, std::size_t pairs, Lists& out) const;

  WindowPlan plan_;
  std::size_t notes_;
  std::size_t windows_;
  int scale_ = 4;
  bool fits_ = true;
  double time_weight_ = 0;  ///< of the time curve, brought to the measure of the pitch curve
  kernels::Rows rows_;
  kernels::LossRows losses_;
  double most_ = 0;          ///< what a pair is worth at most
  double before_first_ = 0;  ///< what it costs at least that the first windows of both are not identical, if hybrid
  // For global alignments.
  double cheapest_gap_ = 0;
  double unpaired_ = 0;
  double unpaired_rows_ = 0;           ///< of all rows, if none of them is in a pair of identical windows
  std::vector<double> cheapest_rows_;  ///< what it costs to leave out so many rows, the cheapest
  // By window.
  std::vector<double> worth_;            ///< if it is paired with an identical one; of three notes
  std::vector<double> break_;            ///< what it costs at least to come to it by way of something not identical
  std::vector<double> leaving_out_;      ///< what it costs to leave it out
  std::vector<spline::GramKey> threes_;  ///< of three notes
  std::vector<std::array<int, 3>> intervals_;  ///< as many as a window has
  std::vector<std::uint32_t> folded_;          ///< folded, of four notes
  std::vector<std::uint64_t> rhythms_;         ///< and their rhythms
};

}  // namespace rondo::fast
