#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "rondo/similarity/plan.h"
#include "search/kernels/common_notes.h"
#include "search/kernels/explained_align.h"
#include "search/kernels/explained_features.h"
#include "search/kernels/explained_loss.h"
#include "similarity/systems/rondo.h"

namespace rondo::fast {

/// A query of the system rondo in the numbers that the kernels work with.
class RondoQuery {
 public:
  /// Nothing: the kernels cannot do it (too long, too wide a range, unusual parameters).
  [[nodiscard]] static std::optional<RondoQuery> of(const RondoPlan& plan, const Line& line);

  [[nodiscard]] const explained::Costs& costs() const { return costs_; }
  [[nodiscard]] const kernels::CommonQuery& common() const { return common_; }
  [[nodiscard]] const kernels::ExplainedRows& rows() const { return rows_; }
  [[nodiscard]] const kernels::ExplainedCosts& document_costs() const { return document_costs_; }
  [[nodiscard]] std::size_t size() const { return features_.size(); }
  [[nodiscard]] double perfect() const { return perfect_; }

  /// In which numbers documents of so many notes are aligned: exactly, so as narrow as they can be.
  [[nodiscard]] kernels::ExplainedNumbers numbers_for(std::size_t notes) const;
  /// The score that no document of so many notes exceeds.
  [[nodiscard]] double best_score(std::size_t notes) const {
    return static_cast<double>(most_[std::min(notes, most_.size() - 1)]) / perfect_;
  }

  /// The query for the lower bound of losses, in a unit of so many parts of explained::kOne, at least 1.
  template <typename Unit>
  [[nodiscard]] kernels::ExplainedLossRows<Unit> loss_rows(double unit) const;
  /// What a difference of places loses in documents of so many notes: see kernels::explained_loss.
  void loss_of_places(double unit, std::size_t notes, std::vector<std::uint16_t>& out) const;
  /// More than rounding can take from a loss: a pair's value is rounded to a part of kOne, and its place term before.
  [[nodiscard]] double rounding() const { return 2.0 * static_cast<double>(size()) + 1; }

 private:
  RondoQuery(const explained::Costs& costs, explained::Features query, const kernels::ExplainedGap& gap);

  /// The weight of a note as a factor of explained::kFine.
  [[nodiscard]] double weight(std::size_t i) const { return rows_.weight[i] / 32768.0; }

  explained::Features features_;
  explained::Costs costs_;
  kernels::CommonQuery common_;
  kernels::ExplainedRows rows_;
  kernels::ExplainedCosts document_costs_;
  double perfect_ = 0;
  bool narrow_ = true;  ///< sums over all of the query fit into 16 bits
  // What it costs beyond the least to leave out the whole query: before a document, or within it.
  std::int32_t leaving_out_ = 0;
  std::int32_t leaving_within_ = 0;
  std::int32_t most_gap_ = 0;                ///< what a note of a document costs at most if it is left out
  std::vector<std::int32_t> relative_most_;  ///< as `most_`, in relative numbers
  /// [notes of a document]: a total that none of so many exceeds; the last is for all with more.
  std::vector<std::int32_t> most_;
};

template <typename Unit>
kernels::ExplainedLossRows<Unit> RondoQuery::loss_rows(double unit) const {
  const explained::Settings& settings = costs_.settings();
  constexpr double kMost = std::numeric_limits<Unit>::max();
  const auto lost = [&](double loss) { return static_cast<Unit>(std::clamp(std::floor(loss / unit), 0.0, kMost)); };
  const auto word = [&](double value) {
    return static_cast<std::int16_t>(std::clamp(std::floor(value), -32768.0, 32767.0));
  };
  kernels::ExplainedLossRows<Unit> out;
  // The query's columns of 16 bits have lengths and changes times their costs.
  out.length_cost = static_cast<std::uint16_t>(settings.length);
  out.change_cost = static_cast<std::uint16_t>(settings.change);
  const double best_unequal = std::max(settings.near, settings.far);
  for (std::size_t i = 0; i < size(); ++i) {
    const double worth = explained::Costs::weighted(explained::kFine, rows_.weight[i]);
    // Notes of equal length have equal weights.
    const typename kernels::ExplainedLossRows<Unit>::Rhythm rhythm{
        features_.length[i], features_.change[i],
        static_cast<std::uint16_t>(std::min(65535.0, std::floor(65536 * weight(i) / unit)))};
    const auto known = std::find_if(out.rhythms.begin(), out.rhythms.end(), [&](const auto& other) {
      return other.length == rhythm.length && other.change == rhythm.change;
    });
    out.rhythm.push_back(static_cast<std::uint16_t>(known - out.rhythms.begin()));
    if (known == out.rhythms.end()) out.rhythms.push_back(rhythm);
    const auto next = static_cast<std::int8_t>(features_.next[i]);
    const auto same = std::find(out.intervals.begin(), out.intervals.end(), next);
    out.next.push_back(static_cast<std::uint16_t>(same - out.intervals.begin()));
    if (same == out.intervals.end()) out.intervals.push_back(next);
    out.unequal.push_back(lost((explained::kFine - best_unequal) * weight(i)));
    out.interval.push_back(i + 1 < size() ? lost(settings.interval * weight(i)) : Unit{0});
    out.left_out.push_back(lost(worth + rows_.gap[i]));
    out.beyond.push_back(lost(worth + rows_.beyond[i]));
    out.place.push_back(static_cast<std::uint8_t>(std::min(255, features_.place[i] / kernels::kPlaceUnit)));
  }
  // The rule of ExplainedGap rounds down, by less than one.
  const kernels::ExplainedGap& gap = document_costs_.gap;
  const double slope = gap.slope / 65536.0;
  out.gap_base = word((gap.base / 65536.0 - 1 - slope * kernels::ExplainedLossRows<Unit>::kGapFrom) / unit);
  out.gap_slope = word(256 * slope / unit);
  out.gap_least = word(gap.least / unit);
  out.overhang = lost(settings.overhang);
  return out;
}

}  // namespace rondo::fast
