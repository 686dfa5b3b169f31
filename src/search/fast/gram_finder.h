#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "similarity/ngram_cosine.h"

namespace rondo::fast {

/// Adds up what the n-grams of a text are worth that a query has, too, all lengths at once: an automaton whose state
/// is the longest end of what was read, up to the longest n-gram, that occurs in the query (Aho and Corasick 1975).
/// Every n-gram of the query that ends there is an end of this one, so a state knows what they are worth together.
class GramFinder {
 public:
  /// Where the automaton stands: where the row of what follows begins. Rows are small, with what the state is worth at
  /// their end, so that those of a usual query stay in the fastest memory.
  using State = std::uint32_t;

  GramFinder() = default;
  /// `text`: the query's symbols as classes from 1 up to `most`; class 0 is for symbols that it does not have.
  /// `worth_of(i, n)`: what the n-gram at i is worth wherever it occurs.
  template <typename WorthOf>
  GramFinder(std::span<const std::uint16_t> text, std::size_t most, const WorthOf& worth_of) : width_(most + 1) {
    add_state(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      State at = 0;
      const std::size_t end = std::min(text.size(), i + NgramCosine::kMost);
      for (std::size_t k = i; k < end; ++k) {
        const std::size_t n = k + 1 - i;
        const std::size_t edge = at + text[k];
        if (rows_[edge] == 0) {
          const State added = add_state(n < NgramCosine::kLeast ? 0 : worth_of(i, n));
          rows_[edge] = added;
        }
        at = rows_[edge];
      }
    }
    link();
  }

  [[nodiscard]] State next(State from, std::size_t symbol) const { return rows_[from + symbol]; }
  [[nodiscard]] std::int64_t worth(State at) const {
    std::int64_t out = 0;
    std::memcpy(&out, rows_.data() + at + width_, sizeof out);
    return out;
  }

 private:
  static constexpr std::size_t kWorth = sizeof(std::int64_t) / sizeof(State);

  State add_state(std::int64_t worth) {
    const auto state = static_cast<State>(rows_.size());
    rows_.resize(rows_.size() + width_ + kWorth);
    set_worth(state, worth);
    return state;
  }
  void set_worth(State at, std::int64_t worth) { std::memcpy(rows_.data() + at + width_, &worth, sizeof worth); }

  /// From the shortest on: where a state has no way onwards, it goes where its longest proper end goes.
  void link() {
    std::vector<State> queue = {0};
    std::vector<State> shorter(rows_.size() / (width_ + kWorth));
    const auto number = [&](State state) { return state / (width_ + kWorth); };
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const State from = queue[i];
      for (std::size_t symbol = 0; symbol < width_; ++symbol) {
        State& to = rows_[from + symbol];
        const State otherwise = from == 0 ? 0 : rows_[shorter[number(from)] + symbol];
        if (to == 0) {
          to = otherwise;
          continue;
        }
        shorter[number(to)] = otherwise;
        set_worth(to, worth(to) + worth(otherwise));
        queue.push_back(to);
      }
    }
  }

  std::size_t width_ = 1;    ///< of a row, without what it is worth
  std::vector<State> rows_;  ///< by state: what follows by symbol, then what it is worth
};

}  // namespace rondo::fast
