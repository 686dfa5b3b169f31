#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <vector>

#include "concordances/rondo_units.h"

namespace rondo::concordances {

/// What a query can reach at most, by how many of its notes have a partner of equal pitch in the same order, and how
/// many of them one that is about equally long besides. For queries with a rhythm, of at most 64 notes.
class LengthBound {
 public:
  /// Lengths that are at most so many steps apart are alike.
  static constexpr int kAlike = 5;

  LengthBound() = default;
  LengthBound(const RondoUnits& units, std::size_t unit) {
    const explained::Costs& costs = units.costs(true);
    const explained::Settings& settings = costs.settings();
    const std::int32_t other = std::max({0, settings.near, settings.far});
    const std::int32_t unlike = std::max(other, explained::kFine - (kAlike + 1) * settings.length);
    const std::size_t notes = units.notes(unit);
    const std::int8_t* const lengths = units.lengths(unit);
    std::vector<std::int32_t> weights;
    for (std::size_t i = 0; i < notes; ++i) {
      weights.push_back(costs.weight(lengths[i]));
      for (int length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
        if (std::abs(length - lengths[i]) > kAlike) continue;
        alike_[static_cast<std::size_t>(length + explained::kMostLength)] |= std::uint64_t{1} << i;
      }
    }
    std::sort(weights.begin(), weights.end(), std::greater<>());
    for (auto* sums : {&alike_sum_, &unlike_sum_, &other_sum_}) sums->assign(1, 0);
    for (const std::int32_t weight : weights) {
      alike_sum_.push_back(alike_sum_.back() + explained::Costs::weighted(explained::kFine, weight));
      unlike_sum_.push_back(unlike_sum_.back() + explained::Costs::weighted(unlike, weight));
      other_sum_.push_back(other_sum_.back() + explained::Costs::weighted(other, weight));
    }
  }

  /// By the length of a document's note (less than nothing too), the notes of the query that are alike: a bit each.
  [[nodiscard]] const std::uint64_t* alike() const { return alike_.data() + explained::kMostLength; }
  /// The greatest worth goes to the greatest weights. Rounding may take or add a half a note.
  [[nodiscard]] std::int32_t most(std::uint32_t common, std::uint32_t common_alike) const {
    const std::size_t notes = other_sum_.size() - 1;
    return alike_sum_[common_alike] + unlike_sum_[common] - unlike_sum_[common_alike] + other_sum_[notes] -
           other_sum_[common] + static_cast<std::int32_t>(notes);
  }

 private:
  std::array<std::uint64_t, 2 * explained::kMostLength + 1> alike_{};
  std::vector<std::int32_t> alike_sum_, unlike_sum_, other_sum_;  ///< by number of notes, those of most weight first
};

}  // namespace rondo::concordances
