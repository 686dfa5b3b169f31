#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "search/index/layout.h"

namespace rondo::index {

/// The keys of each document's measures, as simile::bar_keys finds them: a word for each document, which searches fill
/// in as they come to need it, because the keys are too expensive to be found for all documents in one search. Of whole
/// documents, also where only their beginnings are shown. Any number of threads.
class MeasureKeys {
 public:
  /// What is known of a document: nothing, the number of its measures, or their keys as well.
  class Word {
   public:
    Word() = default;
    explicit Word(std::uint64_t bits) : bits_(bits) {}
    [[nodiscard]] bool counted() const { return bits_ != 0; }
    [[nodiscard]] bool keyed() const { return counted() && (bits_ & kLow) <= kMostKeys; }
    /// Needs counted().
    [[nodiscard]] std::size_t measures() const { return keyed() ? bits_ & kLow : bits_ >> kCountBits; }
    /// Needs keyed(), and i < measures().
    [[nodiscard]] std::uint8_t key(std::size_t i) const {
      return static_cast<std::uint8_t>((bits_ >> (kCountBits + kKeyBits * i)) & ((1U << kKeyBits) - 1));
    }
    [[nodiscard]] std::uint64_t bits() const { return bits_; }

   private:
    std::uint64_t bits_ = 0;
  };
  /// Of documents with more measures, only their number is kept.
  static constexpr std::size_t kMostKeys = 12;

  explicit MeasureKeys(std::uint32_t documents) : words_(documents) {}

  [[nodiscard]] Word of(std::uint32_t document) const { return Word(words_[document].load(std::memory_order_relaxed)); }
  /// That it has so many measures, at least one. Whoever knows the keys should not call this.
  void keep(std::uint32_t document, std::size_t measures) const {
    words_[document].store((std::uint64_t{measures} << kCountBits) | kLow, std::memory_order_relaxed);
  }
  /// The keys, below 24, of all of its measures.
  void keep(std::uint32_t document, std::span<const std::int8_t> keys) const {
    if (keys.size() > kMostKeys) return keep(document, keys.size());
    std::uint64_t bits = keys.size();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      bits |= static_cast<std::uint64_t>(keys[i]) << (kCountBits + kKeyBits * i);
    }
    words_[document].store(bits, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kCountBits = 4;
  static constexpr std::size_t kKeyBits = 5;
  static constexpr std::uint64_t kLow = (1U << kCountBits) - 1;  ///< as the count: only the number is known
  static_assert(kCountBits + kMostKeys * kKeyBits <= 64 && kMostKeys < kLow);

  /// All writers of a word know the same melody: whatever they write, in whatever order, is true of it.
  mutable std::vector<std::atomic<std::uint64_t>> words_;
};

}  // namespace rondo::index
