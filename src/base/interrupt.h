#pragma once

#include <cstddef>

/// Lets a long comparison of two melodies end early, without passing time limits through every function.
namespace rondo {

/// While it exists, `interrupted` on this thread calls `ask(context)`. Scopes nest; the innermost is used. A search
/// that begins within a scope also calls it, from all of its threads, and ends early if it returns true.
class InterruptScope {
 public:
  using Wanted = bool (*)(void* context);
  /// Counts bytes of the result; true: it is too large.
  using Grown = bool (*)(void* context, std::size_t bytes);
  InterruptScope(Wanted ask, void* context, Grown grown = nullptr);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// Of this thread; null: there is none.
  [[nodiscard]] static const InterruptScope* innermost();
  [[nodiscard]] bool wanted() const { return wanted_(context_); }

 private:
  friend bool interrupted();
  friend bool interrupted_after(std::size_t bytes);
  Wanted wanted_;
  void* context_;
  Grown grown_;
  InterruptScope* outer_;
};

/// While it exists, `interrupted` is false: for values that others will use, too.
class UninterruptedScope : public InterruptScope {
 public:
  UninterruptedScope()
      : InterruptScope([](void*) { return false; }, nullptr, [](void*, std::size_t) { return false; }) {}
};

/// Whether to abandon the current work: the owner of the scope discards the result, so any value may be returned. False
/// without a scope. Costs as much as reading a clock; call it every 10,000 steps or so.
[[nodiscard]] bool interrupted();

/// The same, by work whose result has just grown by so many bytes: also true if the innermost scope that counts them
/// does not want a result of that size.
[[nodiscard]] bool interrupted_after(std::size_t bytes);

/// Computations of fewer steps need not check for an interrupt.
inline constexpr unsigned long kStepsWithoutInterrupt = 100'000;

}  // namespace rondo
