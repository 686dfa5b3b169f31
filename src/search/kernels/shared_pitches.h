#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// How many notes two melodies have on the same pitches, one transposition in each lane of a vector, for one melody
/// against many: the first and cheapest bound of a self-join. The number is the sum over pitches of the lesser count,
/// so it is symmetric and no alignment pairs more notes of equal pitch.
namespace rondo::kernels {

/// Transpositions that are looked at together.
inline constexpr std::size_t kSharedLanes = 32;
/// Pitches of a melody lie at most so far apart.
inline constexpr int kSharedRange = 63;
/// Bytes of a document: kSharedBefore empty ones, the number of notes on each pitch from the lowest up (at most 255),
/// then as many empty ones as any transposition of a block reads.
inline constexpr std::size_t kSharedBefore = 64;
inline constexpr std::size_t kSharedRow = 256;

/// One melody: its pitches above its lowest, each once, and how many notes it has on each.
struct SharedQuery {
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint8_t> count;
  /// How much higher the document's pitch above its lowest is than the query's above its own, in the first lane; not
  /// below -kSharedRange. So that no lane reads behind the row, at most kSharedRange.
  int first = 0;
  std::uint8_t least = 0;  ///< notes that must be shared for the query to be explained
  bool both = false;       ///< the document must be explained, too; otherwise one of the two
};

/// A document that shares enough notes in the transpositions whose bits are set: first + bit.
struct SharedHit {
  std::uint32_t document = 0;
  std::uint32_t transpositions = 0;
};

/// Documents [begin, end) of `rows` (kSharedRow bytes each) against the query. A document needs at least the lesser of
/// query.least and its own `least` (with `both`, the greater). `out` has room for all of them; the number of hits.
std::size_t shared_pitches(const SharedQuery& query, const std::uint8_t* rows, const std::uint8_t* least,
                           std::size_t begin, std::size_t end, SharedHit* out);
std::size_t shared_pitches_plain(const SharedQuery& query, const std::uint8_t* rows, const std::uint8_t* least,
                                 std::size_t begin, std::size_t end, SharedHit* out);

}  // namespace rondo::kernels
