#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/kernels/shared_pitches.h"

/// In which transpositions two melodies have enough notes in the same order, at equal pitch (the longest common
/// subsequence): one transposition in each lane of a vector, one bit for each note of the query. What shared_pitches
/// leaves goes through this.
namespace rondo::kernels {

struct OrderedQuery {
  static constexpr std::size_t kMostNotes = 32;
  /// Pitches above the lowest, at most kSharedRange; at most kMostNotes notes.
  explicit OrderedQuery(std::span<const std::uint8_t> pitches);

  /// [kZero - pitch]: which notes have it; so those that a pitch of a document meets in ascending transpositions lie
  /// behind each other.
  static constexpr int kZero = 2 * kSharedRange + 2;
  static constexpr std::size_t kPlaces = 3 * kSharedRange + 2 * kSharedLanes + 8 + kSharedRange;
  std::vector<std::uint32_t> where;
  std::uint32_t notes = 0;
};

struct OrderedDocument {
  const std::uint8_t* pitches = nullptr;  ///< above the lowest
  std::uint32_t notes = 0;
  std::uint32_t least = 0;           ///< notes in the same order
  std::uint32_t transpositions = 0;  ///< bits: first + bit; those with too few notes are cleared
};

/// `first`: the transposition of bit 0, how much higher the document is than the query, both above their lowest; from
/// -kSharedRange to kSharedRange.
void ordered_pitches(const OrderedQuery& query, int first, std::span<OrderedDocument> documents);
void ordered_pitches_plain(const OrderedQuery& query, int first, std::span<OrderedDocument> documents);

}  // namespace rondo::kernels
