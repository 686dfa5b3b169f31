#pragma once

#include <atomic>
#include <exception>
#include <memory>

#include "binding.h"
#include "rondo/similarity/system.h"

/// A function of Python as a retrieval system.
namespace rondo::python {

/// What a function raised while it was asked for scores.
class OwnFailure {
 public:
  /// With the GIL, within a handler. The first counts.
  void keep();
  [[nodiscard]] bool any() const { return any_.load(std::memory_order_relaxed); }
  /// With the GIL: raises what was kept.
  void rethrow();

 private:
  std::atomic<bool> any_ = false;
  std::exception_ptr what_;
};

struct OwnSystem {
  std::shared_ptr<const ChosenSystem> system;
  std::shared_ptr<OwnFailure> failure;
};
/// `score(query, document)` gives a number, or None where the two cannot be compared; both are `Line`. Scoring takes
/// the GIL for each pair, on whatever thread.
[[nodiscard]] OwnSystem own_system(const py::function& score);

}  // namespace rondo::python
