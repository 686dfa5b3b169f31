#pragma once

#include <cstdint>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Edit distances over three letters, one document in each lane of a vector, in whole 16-bit numbers: exact.
namespace rondo::kernels {

/// The neutral letter (repeated, equal) and the two others.
enum Letter : std::uint16_t { kNeutral = 0, kOne = 1, kOther = 2 };

struct LetterCosts {
  std::uint16_t insertion = 1;
  std::uint16_t deletion = 1;
  std::uint16_t to_neutral = 1;
  std::uint16_t opposite = 2;
};

/// A batch of documents, laid out [letter][lane].
struct LetterColumns {
  std::size_t columns = 0;         ///< of the longest
  std::uint32_t length[kBatch]{};  ///< of each
  AlignedVector<std::uint16_t> letter;
};

/// The distance of each document from the query. No sum may exceed 65,535.
void letters_align(const std::vector<std::uint16_t>& query, const LetterColumns& columns, const LetterCosts& costs,
                   std::uint16_t* distance);
void letters_align_plain(const std::vector<std::uint16_t>& query, const LetterColumns& columns,
                         const LetterCosts& costs, std::uint16_t* distance);

}  // namespace rondo::kernels
