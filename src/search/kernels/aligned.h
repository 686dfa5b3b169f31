#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace rondo::kernels {

/// Memory that begins with a cache line: a vector register's load or store across two lines costs twice.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheLineAllocator() = default;
  template <typename Other>
  explicit CacheLineAllocator(const CacheLineAllocator<Other>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* at, std::size_t /*count*/) { ::operator delete(at, kLine); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace rondo::kernels
