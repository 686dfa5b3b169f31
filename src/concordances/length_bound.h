#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "similarity/common_order.h"
#include "similarity/systems/rondo.h"

/// A bound by the lengths of notes: of the notes that a melody has in common with another, in the same order and at
/// equal pitch, so many must be about equally long besides. Both numbers are the same for the two melodies, whichever
/// is the query. For melodies with a rhythm.
namespace rondo::concordances {

/// Lengths that are at most so many steps apart are alike.
inline constexpr int kAlikeSteps = 5;

/// Appends, by the number of common notes from 0 to all, how many of them must be alike for the melody to reach a
/// total as the query; more than there are: it cannot. At most 255.
void append_alike_needs(const explained::Costs& costs, std::span<const std::int8_t> lengths, std::int32_t least_total,
                        std::vector<std::uint8_t>& out);

/// A query of at most 64 notes, with a rhythm.
class AlikeNotes {
 public:
  /// Pitches above the lowest; lengths in steps.
  AlikeNotes(std::span<const std::uint8_t> pitches, std::span<const std::int8_t> lengths)
      : notes_(static_cast<std::uint32_t>(lengths.size())) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      where_[pitches[i]] |= bit;
      for (int length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
        if (std::abs(length - lengths[i]) <= kAlikeSteps) alike_[at(length)] |= bit;
      }
    }
  }
  /// Notes in common with a document in a transposition, in the same order, and alike in length.
  [[nodiscard]] std::uint32_t common(std::span<const std::uint8_t> pitches, const std::int8_t* lengths,
                                     int transposition) const {
    CommonOrder<std::uint64_t> order;
    for (std::size_t j = 0; j < pitches.size(); ++j) {
      const auto place = static_cast<std::size_t>(pitches[j] - transposition);
      if (place < where_.size()) order.add(where_[place] & alike_[at(lengths[j])]);
    }
    return static_cast<std::uint32_t>(std::popcount(order.paired(notes_)));
  }

 private:
  static constexpr std::size_t at(int length) { return static_cast<std::size_t>(length + explained::kMostLength); }
  std::uint32_t notes_;
  std::array<std::uint64_t, 256> where_{};  ///< by pitch, a bit for each note
  std::array<std::uint64_t, 2 * explained::kMostLength + 1> alike_{};
};

}  // namespace rondo::concordances
