#pragma once

/// Lets a long comparison of two melodies end early, without passing time limits through every function.
namespace rondo {

/// While it exists, `interrupted` on this thread calls `ask(context)`. Scopes nest; the innermost is used. A search
/// that begins within a scope also calls it, from all of its threads, and ends early if it returns true.
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

/// Whether to abandon the current work: the owner of the scope discards the result, so any value may be returned. False
/// without a scope. Costs as much as reading a clock; call it every 10,000 steps or so.
[[nodiscard]] bool interrupted();

/// Computations of fewer steps need not check for an interrupt.
inline constexpr unsigned long kStepsWithoutInterrupt = 100'000;

}  // namespace rondo
