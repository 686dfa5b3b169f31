#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "search/fast/gram_finder.h"
#include "similarity/systems/orio.h"

namespace rondo::fast {

/// A number for each part of Orio.
using Cosines = std::array<double, orio::kParts>;

/// The symbols that a query has, as numbers from 1 on; 0 for all others.
class SymbolClasses {
 public:
  explicit SymbolClasses(const std::vector<std::uint16_t>& symbols) : symbols_(symbols) {
    std::sort(symbols_.begin(), symbols_.end());
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
  }
  [[nodiscard]] std::size_t size() const { return symbols_.size(); }
  [[nodiscard]] std::uint16_t of(unsigned symbol) const {
    const auto found = std::lower_bound(symbols_.begin(), symbols_.end(), symbol);
    if (found == symbols_.end() || *found != symbol) return 0;
    return static_cast<std::uint16_t>(found - symbols_.begin() + 1);
  }

 private:
  std::vector<std::uint16_t> symbols_;
};

/// The number of a part.
constexpr std::size_t part_at(Feature feature, std::size_t level) {
  return static_cast<std::size_t>(feature) * kLevels.size() + level;
}

/// A query as three of its parts, those of one level, read documents of a digest: note by note, each with an automaton
/// that adds up the products of weights of the n-grams in common. A product is the query's weight of an n-gram times
/// its idf, for each time that it occurs in the document, which is the definition's sum with its terms taken apart.
class LevelReader {
 public:
  LevelReader(const orio::Parts& parts, const Line& query, std::size_t level) {
    const SymbolClasses intervals = add(Feature::intervals, parts, query, level);
    const SymbolClasses times = add(Feature::times, parts, query, level);
    const SymbolClasses both = add(Feature::both, parts, query, level);
    both_.assign((intervals.size() + 1) * kTimeClasses, 0);
    for (unsigned t = 0; t < time_.size(); ++t) {
      time_[t] =
          static_cast<std::uint8_t>(times.of(orio::time_symbol_of(static_cast<std::uint8_t>(t), kLevels[level])));
    }
    for (unsigned i = 0; i < interval_.size(); ++i) {
      const unsigned interval = orio::interval_symbol_of(static_cast<std::uint8_t>(i), kLevels[level]);
      interval_[i] = static_cast<std::uint8_t>(intervals.of(interval));
      for (unsigned t = 0; interval_[i] != 0 && t < time_.size(); ++t) {
        if (time_[t] == 0) continue;
        const unsigned time = orio::time_symbol_of(static_cast<std::uint8_t>(t), kLevels[level]);
        both_[interval_[i] * kTimeClasses + time_[t]] = both.of(interval + time);
      }
    }
  }

  /// By feature.
  using Products = std::array<std::int64_t, kFeatures.size()>;
  [[nodiscard]] Products products(std::span<const orio::StepCode> steps) const {
    States states;
    for (const orio::StepCode step : steps) read(step, states);
    return states.sum;
  }

 private:
  /// Times have four bits of symbols.
  static constexpr std::size_t kTimeClasses = 16;

  struct States {
    GramFinder::State intervals = 0;
    GramFinder::State times = 0;
    GramFinder::State both = 0;
    Products sum{};
  };
  void read(orio::StepCode step, States& at) const {
    const std::size_t interval = interval_[step.interval];
    const std::size_t time = time_[step.time];
    at.intervals = finders_[0].next(at.intervals, interval);
    at.times = finders_[1].next(at.times, time);
    at.both = finders_[2].next(at.both, both_[interval * kTimeClasses + time]);
    at.sum[0] += finders_[0].worth(at.intervals);
    at.sum[1] += finders_[1].worth(at.times);
    at.sum[2] += finders_[2].worth(at.both);
  }

  SymbolClasses add(Feature feature, const orio::Parts& parts, const Line& query, std::size_t level) {
    std::vector<std::uint16_t> text;
    level_symbols(query, feature, kLevels[level], text);
    SymbolClasses classes(text);
    for (std::uint16_t& symbol : text) symbol = classes.of(symbol);
    const NgramCosine& part = *parts[part_at(feature, level)];
    const GramWeights weights(part);
    GramTable<std::uint32_t> counts;
    part.count(query, counts);
    std::vector<NgramCosine::Gram> grams;
    part.grams_of(query, grams);
    finders_[static_cast<std::size_t>(feature)] = GramFinder(text, classes.size(), [&](std::size_t i, std::size_t n) {
      // The n-grams of one length come before those of the next; there are text.size() + 1 - n of them.
      std::size_t at = i;
      for (std::size_t shorter = NgramCosine::kLeast; shorter < n; ++shorter) at += text.size() + 1 - shorter;
      const auto idf = static_cast<std::int64_t>(weights.of(grams[at]));
      return std::int64_t{counts.get(grams[at])} * idf * idf;
    });
    return classes;
  }

  // Classes of what a step's codes stand for; of both by the classes of the two.
  std::array<std::uint8_t, 256> interval_{};
  std::array<std::uint8_t, 256> time_{};
  std::vector<std::uint16_t> both_;
  std::array<GramFinder, kFeatures.size()> finders_;  ///< by feature
};

/// A query as all parts read documents of a digest.
class DigestReader {
 public:
  DigestReader(const orio::Parts& parts, const Line& query) {
    for (std::size_t level = 0; level < kLevels.size(); ++level) levels_.emplace_back(parts, query, level);
    for (std::size_t i = 0; i < parts.size(); ++i) squares_[i] = GramWeights(*parts[i]).square_of(query);
  }

  /// By part, of a document with these steps and sums of squares of its weights.
  [[nodiscard]] Cosines cosines(std::span<const orio::StepCode> steps, const Cosines& squares) const {
    Cosines out{};
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      const LevelReader::Products products = levels_[level].products(steps);
      for (const Feature feature : kFeatures) {
        const auto product = static_cast<double>(products[static_cast<std::size_t>(feature)]);
        const std::size_t part = part_at(feature, level);
        if (product > 0) out[part] = NgramCosine::cosine(product, squares_[part], squares[part]);
      }
    }
    return out;
  }

 private:
  std::vector<LevelReader> levels_;
  Cosines squares_{};  ///< by part: the sum of squares of the query's weights
};

}  // namespace rondo::fast
