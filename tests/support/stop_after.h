#pragma once

#include <atomic>

#include "base/interrupt.h"

namespace rondo::test {

/// Lets the searches that begin while it exists ask so many times whether to stop, and then stops them. A search on one
/// thread stops at the same moment in every run.
class StopAfter {
 public:
  explicit StopAfter(int asks) : left_(asks) {}

 private:
  static bool wanted(void* context) { return static_cast<StopAfter*>(context)->left_.fetch_sub(1) <= 0; }
  std::atomic<int> left_;
  InterruptScope scope_{wanted, this};
};

}  // namespace rondo::test
