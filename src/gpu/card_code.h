#pragma once

#include <cstddef>
#include <cstdint>

#include "base/card_code.h"

/// Functions of numbers that compile for a graphics card and for the CPU.
namespace rondo::gpu {

RONDO_CARD std::int32_t absolute(std::int32_t value) { return value < 0 ? -value : value; }
RONDO_CARD std::int32_t greater(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
RONDO_CARD std::uint32_t ones_in(std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popcll(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcountll(bits));
#endif
}
RONDO_CARD std::uint32_t ones_in(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}
RONDO_CARD std::uint32_t first_one_in(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
#else
  return static_cast<std::uint32_t>(__builtin_ctz(bits));
#endif
}

}  // namespace rondo::gpu
