#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/card_code.h"

/// The longest common subsequence of a query and a document, by a few operations on words for each note of the
/// document: a bit for each note of the query. H. Hyyrö: Bit-parallel LCS-length computation revisited, 2004.
namespace rondo {

/// For a query whose notes fit into one word.
template <class Word>
class CommonOrder {
 public:
  /// The next note of the document may be paired with any of `notes`.
  RONDO_CARD void add(Word notes) {
    const Word met = open_ & notes;
    open_ = (open_ + met) | (open_ - met);
  }
  /// As many bits as the subsequence is long.
  [[nodiscard]] RONDO_CARD Word paired(std::uint32_t query_notes) const {
    const Word all = query_notes == 8 * sizeof(Word) ? ~Word{0} : (Word{1} << query_notes) - 1;
    return static_cast<Word>(~open_ & all);
  }

 private:
  Word open_ = ~Word{0};
};

/// For a query of any number of notes.
class LongCommonOrder {
 public:
  explicit LongCommonOrder(std::size_t query_notes) : open_((query_notes + 63) / 64, ~std::uint64_t{0}) {}
  void restart() { open_.assign(open_.size(), ~std::uint64_t{0}); }
  /// As above; `notes` has a word for each 64 notes of the query.
  void add(const std::uint64_t* notes) {
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < open_.size(); ++w) {
      const std::uint64_t met = open_[w] & notes[w];
      const std::uint64_t sum = open_[w] + met;
      const std::uint64_t more = sum + carry;
      carry = static_cast<std::uint64_t>(sum < met) | static_cast<std::uint64_t>(more < carry);
      open_[w] = more | (open_[w] - met);
    }
  }
  [[nodiscard]] std::uint32_t length() const {
    int unpaired = 0;
    for (const std::uint64_t word : open_) unpaired += std::popcount(word);
    // Bits beyond the last note are never paired.
    return static_cast<std::uint32_t>(64 * open_.size()) - static_cast<std::uint32_t>(unpaired);
  }

 private:
  std::vector<std::uint64_t> open_;
};

}  // namespace rondo
