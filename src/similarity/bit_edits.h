#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rondo {

/// Edit distances with unit costs between short strings of few symbols, a column of the table in a few operations on
/// words: a bit for each cell tells whether it is one more or one less than the cell above it.
///
/// G. Myers: A fast bit-vector algorithm for approximate string matching based on dynamic programming, 1999, in the
/// form for whole strings (H. Hyyrö, 2003).
template <typename Word>
class BitEdits {
 public:
  static constexpr std::size_t kMostSymbols = 24;
  /// Symbols that a pattern has at most.
  static constexpr std::size_t kMost = 8 * sizeof(Word);

  /// symbol_at(i) < kMostSymbols, for i < size <= kMost.
  template <typename SymbolAt>
  BitEdits(std::size_t size, const SymbolAt& symbol_at) : size_(size) {
    for (std::size_t i = 0; i < size; ++i) where_[symbol_at(i)] |= Word{1} << i;
  }

  /// Of the pattern and a text of so many symbols, of any number.
  template <typename SymbolAt>
  [[nodiscard]] std::size_t distance(std::size_t text, const SymbolAt& symbol_at) const {
    if (size_ == 0) return text;
    const Word last = Word{1} << (size_ - 1);
    Word more = ~Word{0};  // than the cell above
    Word less = 0;
    std::size_t distance = size_;
    for (std::size_t j = 0; j < text; ++j) {
      const Word equal = where_[symbol_at(j)];
      const Word vertical = equal | less;
      const Word horizontal = (((equal & more) + more) ^ more) | equal;
      Word right_more = less | ~(horizontal | more);  // than the cell to the left
      Word right_less = more & horizontal;
      if ((right_more & last) != 0) ++distance;
      if ((right_less & last) != 0) --distance;
      right_more = (right_more << 1U) | 1U;
      right_less <<= 1U;
      more = right_less | ~(vertical | right_more);
      less = right_more & vertical;
    }
    return distance;
  }

 private:
  std::size_t size_;
  std::array<Word, kMostSymbols> where_{};
};

}  // namespace rondo
