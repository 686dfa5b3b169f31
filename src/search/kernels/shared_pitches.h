#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// How many notes two melodies have on the same pitches in each transposition, for one melody against many, one
/// document in each lane of a vector: the first and cheapest bound of a self-join. The number is the sum over pitches
/// of the lesser count, so it is symmetric and no alignment pairs more notes of equal pitch.
namespace rondo::kernels {

/// Documents that are looked at together.
inline constexpr std::size_t kSharedGroup = 64;
/// Pitches of a melody lie at most so far apart.
inline constexpr int kSharedRange = 63;

/// One melody: its pitches above its lowest.
struct SharedQuery {
  /// `pitches`: of all notes, at most kSharedRange. `least`: notes that must be shared for the query to be explained.
  /// `both`: the document must be explained, too; otherwise one of the two.
  SharedQuery(std::span<const std::uint8_t> pitches, std::uint8_t least, bool both);

  std::vector<std::uint8_t> sorted;  ///< of all notes, ascending
  std::vector<std::uint8_t> pitch;   ///< each once
  std::vector<std::uint8_t> count;   ///< notes on it, at most 255
  std::uint8_t least;
  bool both;
};

/// The documents of a group.
struct SharedGroup {
  /// `pitches` above its lowest, at most kSharedRange; `needs`: notes that must be shared for it to be explained.
  void set(std::size_t document, std::span<const std::uint8_t> pitches, std::uint8_t needs);

  alignas(64) std::uint8_t count[kSharedRange + 1][kSharedGroup] = {};  ///< by pitch: notes on it, at most 255
  std::uint8_t least[kSharedGroup] = {};
  std::uint64_t there = 0;          ///< a bit for each that is set; no other is found
  std::uint8_t range = 0;           ///< of all documents the greatest
  std::uint8_t lowest_least = 255;  ///< of all documents
};

/// Documents that share enough notes in a transposition, each with it, in columns.
class SharedHits {
 public:
  /// How much higher the document's pitch above its lowest is than the query's above its own.
  [[nodiscard]] int transposition(std::size_t hit) const { return static_cast<std::int8_t>(shift[hit] & 0xFFU); }
  /// Makes room for everything that so many groups can give.
  void reserve(std::size_t groups);

  std::size_t size = 0;
  std::uint64_t distinct = 0;                  ///< documents among them
  std::vector<std::uint32_t> document, shift;  ///< the transposition in each of its bytes; longer than `size`
};

/// Where to look: the documents [begin, end) of groups that begin with document 0.
struct SharedRange {
  const SharedGroup* groups = nullptr;
  std::size_t begin = 0, end = 0;
};

/// A document needs at least the lesser of query.least and its own (with `both`, the greater). Fills `out`.
void shared_pitches(const SharedQuery& query, const SharedRange& range, SharedHits& out);
void shared_pitches_plain(const SharedQuery& query, const SharedRange& range, SharedHits& out);

/// The documents of a group that a range has: a bit for each.
[[nodiscard]] inline std::uint64_t wanted_of(const SharedRange& range, std::size_t group) {
  const std::size_t first = group * kSharedGroup;
  std::uint64_t bits = range.groups[group].there;
  if (first < range.begin) bits &= ~std::uint64_t{0} << (range.begin - first);
  if (range.end - first < kSharedGroup) bits &= (std::uint64_t{1} << (range.end - first)) - 1;
  return bits;
}

}  // namespace rondo::kernels
