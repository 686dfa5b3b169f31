#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

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

/// The notes of a query, at most 64, that are alike notes of a length.
class AlikeNotes {
 public:
  explicit AlikeNotes(std::span<const std::int8_t> lengths) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      for (int length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
        if (std::abs(length - lengths[i]) > kAlikeSteps) continue;
        alike_[static_cast<std::size_t>(length + explained::kMostLength)] |= std::uint64_t{1} << i;
      }
    }
  }
  /// By the length of a document's note (less than nothing too): a bit for each note of the query.
  [[nodiscard]] const std::uint64_t* by_length() const { return alike_.data() + explained::kMostLength; }

 private:
  std::array<std::uint64_t, 2 * explained::kMostLength + 1> alike_{};
};

}  // namespace rondo::concordances
