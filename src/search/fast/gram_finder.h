#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "similarity/ngram_cosine.h"

namespace rondo::fast {

/// Adds up what the n-grams of a text are worth that a query has, too, all lengths at once: an automaton whose state
/// is the longest end of what was read, up to the longest n-gram, that occurs in the query (Aho and Corasick 1975).
/// Every n-gram of the query that ends there is an end of this one, so a state knows what they are worth together.
class GramFinder {
 public:
  /// Where the automaton stands: the row of what follows, and the number of the state.
  struct State {
    std::uint32_t row = 0;
    std::uint32_t number = 0;
  };

  GramFinder() = default;
  /// `text`: the query's symbols as classes from 1 up to `most`; class 0 is for symbols that it does not have.
  /// `worth_of(i, n)`: what the n-gram at i is worth wherever it occurs.
  template <typename WorthOf>
  GramFinder(std::span<const std::uint16_t> text, std::size_t most, const WorthOf& worth_of)
      : width_(std::size_t{1} << std::bit_width(most)) {
    add_state(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::uint32_t at = 0;
      const std::size_t end = std::min(text.size(), i + NgramCosine::kMost);
      for (std::size_t k = i; k < end; ++k) {
        const std::size_t n = k + 1 - i;
        const std::size_t edge = at * width_ + text[k];
        if (next_[edge].number == 0) {
          const auto added = add_state(n < NgramCosine::kLeast ? 0 : worth_of(i, n));
          next_[edge] = added;
        }
        at = next_[edge].number;
      }
    }
    link();
  }

  [[nodiscard]] State next(State from, std::size_t symbol) const { return next_[from.row + symbol]; }
  [[nodiscard]] std::int64_t worth(State at) const { return worth_[at.number]; }

 private:
  State add_state(std::int64_t worth) {
    const auto number = static_cast<std::uint32_t>(worth_.size());
    worth_.push_back(worth);
    next_.resize(next_.size() + width_);
    return {static_cast<std::uint32_t>(number * width_), number};
  }

  /// From the shortest on: where a state has no way onwards, it goes where its longest proper end goes.
  void link() {
    std::vector<State> queue = {State{}};
    std::vector<State> shorter(worth_.size());
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const State from = queue[i];
      for (std::size_t symbol = 0; symbol < width_; ++symbol) {
        State& to = next_[from.row + symbol];
        const State otherwise = from.number == 0 ? State{} : next_[shorter[from.number].row + symbol];
        if (to.number == 0) {
          to = otherwise;
          continue;
        }
        shorter[to.number] = otherwise;
        worth_[to.number] += worth_[otherwise.number];
        queue.push_back(to);
      }
    }
  }

  std::size_t width_ = 1;
  std::vector<State> next_;  ///< by row and symbol
  std::vector<std::int64_t> worth_;
};

}  // namespace rondo::fast
