#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// How much work it takes at least to carry one set of heaps onto another in the plane: a heap cannot go less far than
/// to the nearest place of the other side. In floats, which is near enough for a bound with some room.
namespace rondo::kernels {

/// Heaps in the plane, columns of a multiple of kPad; what fills up weighs nothing and lies where the first heap does.
struct Heaps {
  static constexpr std::size_t kPad = 16;
  std::vector<float> time;
  std::vector<float> pitch;
  std::vector<float> weight;  ///< sums to 1
  std::size_t size = 0;       ///< heaps that weigh something

  void clear(std::size_t heaps);
  void pad();
};

/// How the first set is laid onto the second: its times multiplied, its pitches moved.
struct HeapPlacing {
  float stretch = 1;
  float transposition = 0;
};

/// Whose heaps must all be carried.
struct HeapSides {
  bool query = true;
  bool document = true;
};

/// The bound for each placing; where it is at least `enough`, it may be any number from there to the bound.
void nearest_work(const Heaps& query, const Heaps& document, std::span<const HeapPlacing> placings, HeapSides sides,
                  float enough, float* work);
void nearest_work_plain(const Heaps& query, const Heaps& document, std::span<const HeapPlacing> placings,
                        HeapSides sides, float enough, float* work);

}  // namespace rondo::kernels
