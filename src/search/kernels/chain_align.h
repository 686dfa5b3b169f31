#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Edit distances between chains of structures (GAM), one document in each lane of a vector, in 16-bit numbers rounded
/// down, which stop at the greatest: a bound.
namespace rondo::kernels {

/// To exchange two structures costs the difference of each of these, and something by kind: together less than 32,768.
enum ChainPart : std::uint8_t { kChainSize, kChainDirection, kChainOverlap, kChainParts };
/// Kinds are below this.
inline constexpr std::int16_t kChainKinds = 32;

struct ChainRows {
  std::vector<std::int16_t> kind;  ///< two kinds that differ in the last bit alone are forms of one
  std::vector<std::int16_t> part[kChainParts];
  std::vector<std::uint16_t> gap;  ///< cost of standing alone
  std::int16_t forms = 0;  ///< cost of two forms of one kind: less than `kinds`, at least half of it, below 1,024
  std::int16_t kinds = 0;  ///< cost of two kinds
};

/// A batch of documents, laid out [structure][lane].
struct ChainColumns {
  std::size_t columns = 0;         ///< of the longest
  std::uint32_t length[kBatch]{};  ///< of each
  AlignedVector<std::int16_t> kind;
  AlignedVector<std::int16_t> part[kChainParts];
  AlignedVector<std::uint16_t> gap;

  /// Room for so many structures; what is there stays.
  void reach(std::size_t structures);
};
void chain_align(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost);
void chain_align_plain(const ChainRows& rows, const ChainColumns& columns, std::uint16_t* cost);

}  // namespace rondo::kernels
