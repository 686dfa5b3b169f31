#pragma once

#include <new>
#include <span>
#include <string>
#include <string_view>

#include "base/interrupt.h"
#include "bridge/bridge.h"
#include "rondo/base/result.h"

namespace rondo::postgresql {

/// Remembers an error for rondo_error, cut to the room there is, without allocating.
void remember(const Error& error) noexcept;
void remember_text(std::string_view code, std::string_view message) noexcept;
/// The first of them, for rondo_warning, until the next call.
void remember_warnings(const Diagnostics& warnings) noexcept;
void forget_warnings() noexcept;

/// Whether the call at hand was interrupted, even if what it computed does not say so.
struct InterruptWatch {
  bool seen = false;
  static bool ask(void* self) {
    const bool wanted = rondo_interrupt_wanted();
    if (wanted) static_cast<InterruptWatch*>(self)->seen = true;
    return wanted;
  }
};

/// Runs `work`, which gives a Result<void>, for C: errors, interrupts and exceptions become a status.
template <typename Work>
RondoStatus guarded(const Work& work) noexcept {
  try {
    forget_warnings();
    InterruptWatch watch;
    const InterruptScope scope(InterruptWatch::ask, &watch);
    const Result<void> outcome = work();
    if (watch.seen) return RONDO_INTERRUPTED;
    if (outcome) return RONDO_OK;
    remember(outcome.error());
    return RONDO_FAILED;
  } catch (const std::bad_alloc&) {
    remember_text("out-of-memory", "out of memory");
    return RONDO_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    remember_text("internal-error", error.what());
    return RONDO_BUG;
  } catch (...) {
    remember_text("internal-error", "an exception of an unknown kind");
    return RONDO_BUG;
  }
}

[[nodiscard]] inline std::string_view view(RondoBytes bytes) {
  return bytes.size == 0 ? std::string_view() : std::string_view(bytes.data, bytes.size);
}
[[nodiscard]] inline RondoBytes bytes_of(std::string_view text) { return {text.data(), text.size()}; }
/// Keeps the text until the next call of this process, and says where.
[[nodiscard]] RondoBytes keep(std::string&& text);
void forget_kept() noexcept;

[[nodiscard]] std::vector<std::string> strings(const RondoBytes* list, std::size_t count);

}  // namespace rondo::postgresql
