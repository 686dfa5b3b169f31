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
inline constexpr std::size_t kMostCommon = 64;

struct CommonQuery {
  /// Not empty, at most kMostCommon notes, and within kMostRange.
  explicit CommonQuery(std::span<const std::int16_t> query);

  /// [place(pitch) + t]: which notes of the query have the pitch, in a transposition. One table for queries of at most
  /// 32 notes, one for others.
  std::vector<std::uint32_t> short_where;
  std::vector<std::uint64_t> long_where;
  std::size_t notes = 0;
  int low = 0;
  int high = 0;
};

/// `pitches` within kMostRange, `notes` of them. `counts`: for each transposition from (lowest pitch of the document -
/// query.high) upwards, and how many. `counts` has room for kMostTranspositions.
inline constexpr std::size_t kMostTranspositions = 2 * kMostRange + 1 + 64;
std::size_t common_by_transposition(const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                                    std::uint8_t* counts);

std::size_t common_by_transposition_plain(const CommonQuery& query, const std::int16_t* pitches, std::size_t notes,
                                          std::uint8_t* counts);

/// Where the tables' transposition zero is, for the highest pitch of the query and the lowest of the document.
inline constexpr int kCommonZero = 2 * kMostRange + 16;

}  // namespace rondo::kernels
