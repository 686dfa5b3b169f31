#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// How many notes of a query are found in a document in their order, at equal pitch, in each transposition: the longest
/// common subsequence, one transposition in each lane of a vector, one bit for each note of the query.
namespace rondo::kernels {

/// Pitches of one melody are at most so far apart.
inline constexpr int kMostRange = 120;
/// Notes of a query, one bit each.
inline constexpr std::size_t kMostCommon = 1024;

struct CommonQuery {
  /// Not empty, at most kMostCommon notes, and within kMostRange.
  explicit CommonQuery(std::span<const std::int16_t> query);

  /// [word][place(pitch) + t]: which notes of the query have the pitch, in a transposition. In words of 64 bits, and
  /// for queries of at most 32 notes also in words of 32.
  std::vector<std::uint32_t> short_where;
  std::vector<std::uint64_t> long_where;
  std::size_t notes = 0;
  std::size_t words = 0;  ///< of 64 bits
  int low = 0;
  int high = 0;
};

/// A document's pitches, within kMostRange.
struct CommonDocument {
  const std::int16_t* pitches = nullptr;
  std::size_t notes = 0;
  int low = 0;
  int high = 0;
};

/// The two transpositions with most common notes, of equal ones the lower: what is added to the query less (lowest
/// pitch of the document - query.high). Where only one has a common note, that twice.
struct CommonTranspositions {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  bool operator==(const CommonTranspositions&) const = default;
};
CommonTranspositions common_transpositions(const CommonQuery& query, const CommonDocument& document);
CommonTranspositions common_transpositions_plain(const CommonQuery& query, const CommonDocument& document);

/// Where the tables' transposition zero is, for the highest pitch of the query and the lowest of the document; and how
/// many places a table has.
inline constexpr int kCommonZero = 2 * kMostRange + 16;
inline constexpr std::size_t kCommonPlaces = 2 * kCommonZero + 64;

/// Transpositions in the order of their worth as numbers: most notes first, of equal ones the lower.
inline constexpr std::uint32_t kCommonOrder = 0xFFFF;
constexpr CommonTranspositions from_order(std::uint32_t best, std::uint32_t second) {
  if (second <= kCommonOrder) second = best;  // without a note
  return {kCommonOrder - (best & kCommonOrder), kCommonOrder - (second & kCommonOrder)};
}

}  // namespace rondo::kernels
