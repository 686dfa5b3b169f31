#pragma once

/// Lets a long computation on one pair of melodies end early, without every function on the way knowing of time limits.
namespace rondo {

/// While it lives, `interrupted` on this thread asks `wanted(context)`. Scopes nest; the inner one counts.
class InterruptScope {
 public:
  using Wanted = bool (*)(void* context);
  InterruptScope(Wanted wanted, void* context);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  friend bool interrupted();
  Wanted wanted_;
  void* context_;
  InterruptScope* outer_;
};

/// Whether the work at hand is to be given up: whoever set the scope throws its result away, so any value will do.
/// False without a scope. Takes as long as reading a clock; to be asked every 10,000 steps or so, not at each.
[[nodiscard]] bool interrupted();

/// Computations of fewer steps end soon enough without asking.
inline constexpr unsigned long kStepsWithoutInterrupt = 100'000;

}  // namespace rondo
