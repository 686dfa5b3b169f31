#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/kernels/shared_pitches.h"

/// How many notes two melodies have in the same order, at equal pitch, in a given transposition (the longest common
/// subsequence): one document in each lane of a vector, one bit for each note of the query. What shared_pitches leaves
/// goes through this.
namespace rondo::kernels {

struct OrderedQuery {
  static constexpr std::size_t kMostNotes = 64;
  /// Pitches above the lowest, at most kSharedRange; at most kMostNotes notes.
  OrderedQuery(std::span<const std::uint8_t> pitches, std::uint32_t least, bool both);

  /// By pitch: which notes have it, of the first 32 and of the others. The last has none.
  alignas(64) std::array<std::array<std::uint32_t, kSharedRange + 1 + 16>, 2> where{};
  std::uint32_t notes = 0;
  std::uint8_t range = 0;
  std::uint32_t least = 0;  ///< notes in the same order without which the query is not explained
  bool both = false;        ///< as in SharedQuery
};

/// The pitches of documents, four in a word, the first in the lowest byte.
class OrderedDocuments {
 public:
  /// The rest of the last word of a document.
  static constexpr std::uint8_t kNoPitch = 2 * (kSharedRange + 1);
  /// Documents of at most so many notes.
  static constexpr std::size_t kLongest = 4 * 0xFFFFU;

  /// `pitches` at most kSharedRange; `least` as in OrderedQuery.
  void add(std::span<const std::uint8_t> pitches, std::uint32_t least);

  std::vector<std::uint32_t> words;
  /// Of each document where its words begin; how many there are, and how many notes it needs (16 bits each).
  std::vector<std::uint32_t> table;
};

/// A hit that has enough.
struct OrderedHit {
  std::uint32_t hit = 0;
  std::uint32_t common = 0;  ///< notes in the same order
};

/// `hits` name documents by their numbers in `documents` plus `first`. Fills `out`.
void ordered_pitches(const OrderedQuery& query, const OrderedDocuments& documents, std::uint32_t first,
                     const SharedHits& hits, std::vector<OrderedHit>& out);
void ordered_pitches_plain(const OrderedQuery& query, const OrderedDocuments& documents, std::uint32_t first,
                           const SharedHits& hits, std::vector<OrderedHit>& out);

}  // namespace rondo::kernels
