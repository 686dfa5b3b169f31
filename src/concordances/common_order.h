#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::concordances {

/// The longest common subsequence of the pitches of one melody and of others, in a given transposition; bit-parallel
/// (H. Hyyrö 2004), several at once so that the processor need not wait for one of them.
class CommonOrder {
 public:
  struct Item {
    const std::uint8_t* pitches = nullptr;  ///< above the lowest
    std::uint32_t notes = 0;
    int transposition = 0;  ///< how much higher these are than the query's, both above their lowest
    std::uint32_t common = 0;
  };

  CommonOrder(const std::uint8_t* query, std::uint32_t notes)
      : notes_(notes), words_((notes + 63) / 64), where_(words_ * kPlaces, 0) {
    for (std::uint32_t i = 0; i < notes; ++i) {
      where_[(i / 64) * kPlaces + kZero + query[i]] |= std::uint64_t{1} << (i % 64);
    }
  }

  /// The same with only those pairs that `alike` allows: by a number from 0 that each note of the document has, the
  /// notes of the query it may be paired with. For queries of at most 64 notes.
  [[nodiscard]] std::uint32_t among(const Item& item, const std::int8_t* number, const std::uint64_t* alike) const {
    const std::uint64_t* const where = from(item);
    std::uint64_t open = ~std::uint64_t{0};
    for (std::uint32_t j = 0; j < item.notes; ++j) {
      const std::uint64_t met = open & where[item.pitches[j]] & alike[number[j]];
      open = (open + met) | (open - met);
    }
    return static_cast<std::uint32_t>(std::popcount(~open & all()));
  }
  [[nodiscard]] bool is_short() const { return words_ == 1; }

  /// Fills in `common` of each.
  void find(std::span<Item> items) const {
    std::size_t i = 0;
    if (words_ == 1) {
      for (; i + kAtOnce <= items.size(); i += kAtOnce) several(&items[i]);
      for (; i < items.size(); ++i) one(items[i], 0, ~std::uint64_t{0});
    } else {
      for (; i < items.size(); ++i) long_one(items[i]);
    }
  }

 private:
  static constexpr std::size_t kAtOnce = 4;
  static constexpr std::size_t kZero = 128;    ///< the place of the query's lowest pitch
  static constexpr std::size_t kPlaces = 384;  ///< pitches and transpositions are below 64, or 128 together

  /// A bit for each note of a query that fits into one word.
  [[nodiscard]] std::uint64_t all() const {
    return notes_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << notes_) - 1;
  }
  [[nodiscard]] const std::uint64_t* from(const Item& item) const { return where_.data() + kZero - item.transposition; }

  void one(Item& item, std::uint32_t begin, std::uint64_t open) const {
    const std::uint64_t* const where = from(item);
    for (std::uint32_t j = begin; j < item.notes; ++j) {
      const std::uint64_t met = open & where[item.pitches[j]];
      open = (open + met) | (open - met);
    }
    item.common = static_cast<std::uint32_t>(std::popcount(~open & all()));
  }

  void several(Item* items) const {
    const std::uint64_t* where[kAtOnce];
    const std::uint8_t* pitches[kAtOnce];
    std::uint64_t open[kAtOnce];
    std::uint32_t shortest = items[0].notes;
    for (std::size_t k = 0; k < kAtOnce; ++k) {
      where[k] = from(items[k]);
      pitches[k] = items[k].pitches;
      open[k] = ~std::uint64_t{0};
      shortest = items[k].notes < shortest ? items[k].notes : shortest;
    }
    for (std::uint32_t j = 0; j < shortest; ++j) {
      for (std::size_t k = 0; k < kAtOnce; ++k) {
        const std::uint64_t met = open[k] & where[k][pitches[k][j]];
        open[k] = (open[k] + met) | (open[k] - met);
      }
    }
    for (std::size_t k = 0; k < kAtOnce; ++k) one(items[k], shortest, open[k]);
  }

  void long_one(Item& item) const {
    thread_local std::vector<std::uint64_t> open;
    open.assign(words_, ~std::uint64_t{0});
    for (std::uint32_t j = 0; j < item.notes; ++j) {
      const std::uint64_t* where = from(item) + item.pitches[j];
      std::uint64_t carry = 0;
      for (std::size_t w = 0; w < words_; ++w, where += kPlaces) {
        const std::uint64_t met = open[w] & *where;
        const std::uint64_t sum = open[w] + met;
        const std::uint64_t more = sum + carry;
        carry = static_cast<std::uint64_t>(sum < met) | static_cast<std::uint64_t>(more < carry);
        open[w] = more | (open[w] - met);
      }
    }
    item.common = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      const std::size_t left = notes_ - w * 64;
      const std::uint64_t all = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
      item.common += static_cast<std::uint32_t>(std::popcount(~open[w] & all));
    }
  }

  std::uint32_t notes_;
  std::size_t words_;
  std::vector<std::uint64_t> where_;  ///< [word][kZero + pitch]: which notes have the pitch
};

}  // namespace rondo::concordances
