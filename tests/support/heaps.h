#pragma once

#include <initializer_list>

#include "search/kernels/nearest_work.h"

namespace rondo::test {

struct Heap {
  float time;
  float pitch;
  float weight;
};

inline kernels::Heaps heaps(std::initializer_list<Heap> all) {
  kernels::Heaps out;
  out.clear(all.size());
  std::size_t i = 0;
  for (const Heap& one : all) {
    out.time[i] = one.time;
    out.pitch[i] = one.pitch;
    out.weight[i++] = one.weight;
  }
  out.pad();
  return out;
}

}  // namespace rondo::test
