#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/gram_table.h"
#include "similarity/levels.h"

namespace rondo {

/// Compares melodies by the cosine of their vectors of n-grams, n = 3 to 5 symbols of one feature at one level. The
/// weight of an n-gram is tf x idf: its number of occurrences in the melody, times 1 + ln((1 + N) / (1 + df)) where df
/// of the N melodies of the collection have it. So an n-gram that all have still counts, and one that none has causes
/// no division by zero.
class NgramCosine final : public System {
 public:
  static constexpr std::size_t kLeast = 3;
  static constexpr std::size_t kMost = 5;
  /// Minimal number of notes: n symbols need n + 1 notes.
  static constexpr std::size_t kShortest = kLeast + 1;

  /// n symbols in one number, never 0.
  using Gram = std::uint64_t;

  NgramCosine(Feature feature, Level level) : feature_(feature), level_(level) {}

  void learn(const Line& document) override;
  [[nodiscard]] bool learns() const override { return true; }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override;

  /// The n-grams of a melody in the order of their notes: all of three symbols, then four, then five.
  void grams_of(const Line& line, std::vector<Gram>& out) const;
  void grams_of(std::span<const std::uint16_t> symbols, std::vector<Gram>& out) const;
  /// How often each occurs.
  void count(const Line& line, GramTable<std::uint32_t>& out) const;
  void count(std::span<const std::uint16_t> symbols, GramTable<std::uint32_t>& out) const;
  /// What it compares melodies by.
  [[nodiscard]] Feature feature() const { return feature_; }
  [[nodiscard]] Level level() const { return level_; }

  /// In how many melodies of the collection it occurs.
  [[nodiscard]] std::uint32_t occurs_in(Gram gram) const { return documents_.get(gram); }
  /// Prefetches what occurs_in will look up.
  void fetch(Gram gram) const { documents_.fetch(gram); }
  /// The idf of an n-gram that `documents` melodies have, in 1/1024 and rounded to an integer: weights of melodies and
  /// their products are then exact, sums do not depend on their order, nor scores on the library's logarithm.
  [[nodiscard]] double idf(std::uint32_t documents) const;
  /// From the sum of products of two melodies' weights and the sums of squares of each.
  [[nodiscard]] static double cosine(double product, double own_square, double other_square) {
    return std::min(1.0, product / std::sqrt(own_square * other_square));
  }

 private:
  /// Valid until the next call on this thread.
  [[nodiscard]] std::span<const std::uint16_t> symbols_of(const Line& line) const;

  Feature feature_;
  Level level_;
  GramTable<std::uint32_t> documents_;
  std::uint64_t learnt_ = 0;
};

/// The weights of n-grams in the collection that a system has learnt; the system must not learn meanwhile.
class GramWeights {
 public:
  explicit GramWeights(const NgramCosine& system);

  [[nodiscard]] double of(NgramCosine::Gram gram) const {
    const std::uint32_t df = system_.occurs_in(gram);
    return df < kReady ? idf_[df] : system_.idf(df);
  }
  /// The sum of the squares of a melody's weights; 0 for one that is too short.
  [[nodiscard]] double square_of(const Line& line) const;
  [[nodiscard]] double square_of(std::span<const std::uint16_t> symbols) const;
  [[nodiscard]] const NgramCosine& system() const { return system_; }

 private:
  [[nodiscard]] double square_of(const GramTable<std::uint32_t>& counts) const;

  static constexpr std::uint32_t kReady = 256;
  const NgramCosine& system_;
  std::vector<double> idf_;  ///< of the n-grams that few melodies have, which is most of them
};

}  // namespace rondo
