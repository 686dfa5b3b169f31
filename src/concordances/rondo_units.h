#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "concordances/pair_engine.h"
#include "search/kernels/explained_bound.h"
#include "search/kernels/ordered_pitches.h"
#include "search/kernels/shared_pitches.h"
#include "similarity/systems/rondo.h"

namespace rondo::concordances {

/// What the bounds of the system rondo need of every unit, in columns over all units.
///
/// The bounds rest on five facts of similarity/systems/rondo.h: the alignment is in one transposition; a pair of equal
/// pitch adds at most weighted(kFine, weight of the query's note) and another at most weighted(max(near, far), weight);
/// a note left out between two pairs costs gap(length); a note before the first or behind the last pair adds nothing;
/// the score is the total divided by perfect().
class RondoUnits {
 public:
  RondoUnits(const EngineTask& task, const RondoPlan& plan);

  /// So many units share a block: its groups stay in the cache while many queries pass over them.
  static constexpr std::size_t kBlock = 1024;
  static_assert(kBlock % kernels::kSharedGroup == 0);

  [[nodiscard]] std::size_t size() const { return notes_.size(); }
  [[nodiscard]] std::uint32_t notes(std::size_t unit) const { return notes_[unit]; }
  /// Pitches above the lowest.
  [[nodiscard]] const std::uint8_t* pitches(std::size_t unit) const { return pitch_.data() + first_note_[unit]; }
  /// Their lengths in steps (explained::Features::length).
  [[nodiscard]] const std::int8_t* lengths(std::size_t unit) const { return length_.data() + first_note_[unit]; }
  /// And what else is compared of them.
  [[nodiscard]] const std::int8_t* changes(std::size_t unit) const { return change_.data() + first_note_[unit]; }
  [[nodiscard]] const std::int16_t* places(std::size_t unit) const { return place_.data() + first_note_[unit]; }
  [[nodiscard]] std::uint8_t range(std::size_t unit) const { return range_[unit]; }
  /// Notes of equal pitch without which the unit, as a query, does not reach the threshold.
  [[nodiscard]] std::uint32_t least_common(std::size_t unit) const { return least_common_[unit]; }
  /// The total that it must reach.
  [[nodiscard]] std::int32_t least_total(std::size_t unit) const { return least_total_[unit]; }
  /// Of so many common notes those that must be alike in length (length_bound.h); 0 without a rhythm.
  [[nodiscard]] std::uint32_t least_alike(std::size_t unit, std::uint32_t common) const {
    return least_alike_[first_note_[unit] + unit + common];
  }
  [[nodiscard]] bool rhythm(std::size_t unit) const { return rhythm_[unit] != 0; }
  /// Pitches too far apart for the bounds: compared exactly with everything. Ascending.
  [[nodiscard]] std::span<const std::uint32_t> odd() const { return odd_; }
  [[nodiscard]] bool is_odd(std::size_t unit) const { return odd_unit_[unit] != 0; }

  /// The units in groups of kernels::kSharedGroup.
  [[nodiscard]] const kernels::SharedGroup* groups() const { return groups_.data(); }
  /// The units of a block, by their numbers in it.
  [[nodiscard]] const kernels::OrderedDocuments& documents(std::size_t block) const { return documents_[block]; }
  /// Of a block the least of least_common.
  [[nodiscard]] std::uint32_t block_least(std::size_t block) const { return block_least_[block]; }
  /// least_common, at most 255.
  [[nodiscard]] std::uint8_t shared_least(std::size_t unit) const {
    return static_cast<std::uint8_t>(least_common_[unit] < 255 ? least_common_[unit] : 255);
  }

  /// A unit as the query of explained_bound; `rhythm`: whether rhythm is compared.
  void fill_rows(std::size_t unit, bool rhythm, kernels::BoundRows& out) const;
  /// The same as a document in a lane, transposed down by so much. `columns` has at least as many notes.
  void fill_lane(std::size_t unit, bool rhythm, int transposition, std::size_t lane, kernels::BoundColumns& out) const;
  [[nodiscard]] const explained::Costs& costs(bool rhythm) const { return rhythm ? rhythmic_ : even_; }
  [[nodiscard]] std::int16_t place_factor(bool rhythm, std::size_t a, std::size_t b) const {
    return static_cast<std::int16_t>(costs(rhythm).place_factor(notes_[a], notes_[b]));
  }

 private:
  /// Units of a block must be set in their order.
  void set(std::size_t unit, const explained::Features& features, double least_score);

  explained::Costs rhythmic_;
  explained::Costs even_;
  std::vector<std::uint32_t> notes_;
  std::vector<std::uint64_t> first_note_;
  std::vector<std::uint8_t> pitch_;
  std::vector<std::int8_t> length_;
  std::vector<std::int8_t> change_;
  std::vector<std::int16_t> place_;
  std::vector<std::uint8_t> range_;
  std::vector<char> rhythm_;
  std::vector<std::uint32_t> least_common_;
  std::vector<std::int32_t> least_total_;
  std::vector<std::uint8_t> least_alike_;  ///< by unit, by the number of common notes from 0 to all
  std::vector<std::uint32_t> odd_;
  std::vector<char> odd_unit_;
  std::vector<kernels::SharedGroup> groups_;
  std::vector<kernels::OrderedDocuments> documents_;  ///< by block
  std::vector<std::uint32_t> block_least_;
};

}  // namespace rondo::concordances
