#pragma once

#include <cstdint>
#include <vector>

namespace rondo::index {

/// A hash table from 64-bit keys to numbers with open addressing: a lookup mostly touches one cache line.
class NumberTable {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  /// Reference to the number of this key, kNone if it is new. Valid until the next call.
  [[nodiscard]] std::uint32_t& operator[](std::uint64_t key) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    Slot& slot = slots_[find(key)];
    if (!slot.used) {
      slot = {key, kNone, true};
      ++size_;
    }
    return slot.number;
  }
  /// The number of a key that is there.
  [[nodiscard]] std::uint32_t at(std::uint64_t key) const { return slots_[find(key)].number; }
  [[nodiscard]] std::size_t size() const { return size_; }

  template <typename Visit>
  void each(const Visit& visit) {
    for (Slot& slot : slots_) {
      if (slot.used) visit(slot.key, slot.number);
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = kNone;
    bool used = false;
  };

  [[nodiscard]] std::size_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>((key ^ key >> 32U) * 0x9E3779B97F4A7C15 >> 20U) & mask;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) slots_[find(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace rondo::index
