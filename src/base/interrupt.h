#pragma once

/// Lets a long computation on one pair of melodies end early, without every function on the way knowing of time limits.
namespace rondo {

/// While it lives, `interrupted` on this thread calls `ask(context)`. Scopes nest; the inner one counts. A search
/// that begins within a scope asks it too, from all of its threads, and ends early when it says so.
class InterruptScope {
 public:
  using Wanted = bool (*)(void* context);
  InterruptScope(Wanted ask, void* context);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// Of this thread; null: there is none.
  [[nodiscard]] static const InterruptScope* innermost();
  [[nodiscard]] bool wanted() const { return wanted_(context_); }

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
