#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace rondo {

/// A hash table from n-grams, as numbers other than 0, to values, for inner loops: open addressing with linear probing,
/// at most half full. Single entries cannot be removed, only all.
template <typename Value>
class GramTable {
 public:
  struct Slot {
    std::uint64_t gram = 0;  ///< 0: empty slot
    Value value{};
  };

  /// Clears it and reserves capacity for this many.
  void reset(std::size_t expected) {
    const std::size_t size = std::bit_ceil(2 * expected + 2);
    slots_.assign(size, Slot{});
    shift_ = static_cast<unsigned>(64 - std::countr_zero(size));
    used_ = 0;
  }

  /// The gram's value, inserted if missing.
  Value& operator[](std::uint64_t gram) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(gram)];
    if (slot.gram == 0) {
      slot.gram = gram;
      ++used_;
    }
    return slot.value;
  }

  /// The gram's value, or a default value if missing.
  [[nodiscard]] Value get(std::uint64_t gram) const { return slots_.empty() ? Value{} : slots_[place(gram)].value; }

  /// Prefetches the slot of a gram that will be looked up soon.
  void fetch(std::uint64_t gram) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[start(gram)]);
  }

  /// All slots, including empty ones.
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  [[nodiscard]] std::size_t size() const { return used_; }

 private:
  [[nodiscard]] std::size_t start(std::uint64_t gram) const {
    // Fibonacci hashing: the golden ratio spreads adjacent keys; the upper bits depend on all lower ones.
    constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15U;
    return (gram * kSpread) >> shift_;
  }

  [[nodiscard]] std::size_t place(std::uint64_t gram) const {
    std::size_t at = start(gram);
    while (slots_[at].gram != 0 && slots_[at].gram != gram) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    std::vector<Slot> old;
    old.swap(slots_);
    reset(2 * used_ + 8);
    for (const Slot& slot : old) {
      if (slot.gram != 0) (*this)[slot.gram] = slot.value;
    }
  }

  std::vector<Slot> slots_;
  unsigned shift_ = 63;
  std::size_t used_ = 0;
};

}  // namespace rondo
