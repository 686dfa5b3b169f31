#pragma once

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

/// The clock of a simulated world. While one is running, everything in this program that asks for the time gets the
/// world's: the functions of the C library are defined here, in front of its own, so the product needs no second way to
/// ask. Time passes only where the world says so: between steps, a little with every look at the clock, and in place
/// of every sleep.
///
/// There is one thread, so nobody can end a wait: a wait with a deadline lasts until then, and one without is a
/// deadlock.
namespace rondo::world {

class SimClock {
 public:
  static SimClock& the() {
    static SimClock clock;
    return clock;
  }

  void begin() {
    nanoseconds_ = kStart;
    per_look_ = kUsualLook;
    countdown_ = 0;
    running_ = true;
  }
  void end() { running_ = false; }

  [[nodiscard]] bool running() const { return running_; }
  [[nodiscard]] std::int64_t nanoseconds() const { return nanoseconds_; }
  void advance(std::int64_t nanoseconds) { nanoseconds_ += nanoseconds; }
  void advance_to(std::int64_t nanoseconds) {
    if (nanoseconds > nanoseconds_) nanoseconds_ = nanoseconds;
  }
  /// How long everything takes between two looks at the clock.
  void set_pace(std::int64_t per_look) { per_look_ = per_look; }
  /// Something happens at the n-th look from now; 0: nothing.
  void at_look(std::uint64_t number, std::function<void()> event) {
    countdown_ = number;
    event_ = std::move(event);
  }
  std::int64_t look() {
    nanoseconds_ += per_look_;
    if (countdown_ > 0 && --countdown_ == 0) event_();
    return nanoseconds_;
  }

  static constexpr std::int64_t kUsualLook = 1000;
  static constexpr std::int64_t kStart = 1'000'000'000;                         ///< of the steady clock
  static constexpr std::int64_t kCalendar = 1'780'000'000LL * 1'000'000'000LL;  ///< the calendar is ahead of it

 private:
  bool running_ = false;
  std::int64_t nanoseconds_ = kStart;
  std::int64_t per_look_ = kUsualLook;
  std::uint64_t countdown_ = 0;
  std::function<void()> event_;
};

inline std::int64_t nanoseconds_of(const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; }

inline timespec timespec_of(std::int64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / 1'000'000'000LL), static_cast<long>(nanoseconds % 1'000'000'000LL)};
}

[[noreturn]] inline void deadlock() {
  std::fputs("the only thread waits for another one, for ever\n", stderr);
  std::abort();
}

}  // namespace rondo::world

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int clock_gettime(clockid_t id, timespec* out) noexcept {
  using rondo::world::SimClock;
  SimClock& clock = SimClock::the();
  const bool steady = id == CLOCK_MONOTONIC || id == CLOCK_BOOTTIME || id == CLOCK_MONOTONIC_RAW;
  if (!clock.running() || (!steady && id != CLOCK_REALTIME))
    return static_cast<int>(::syscall(SYS_clock_gettime, id, out));
  *out = rondo::world::timespec_of(clock.look() + (steady ? 0 : SimClock::kCalendar));
  return 0;
}

int nanosleep(const timespec* wanted, timespec* left) {
  auto& clock = rondo::world::SimClock::the();
  if (!clock.running()) return static_cast<int>(::syscall(SYS_nanosleep, wanted, left));
  clock.advance(rondo::world::nanoseconds_of(*wanted));
  return 0;
}

int pthread_cond_clockwait(pthread_cond_t* /*condition*/, pthread_mutex_t* /*mutex*/, clockid_t id,
                           const timespec* until) {
  using rondo::world::SimClock;
  // Outside a world nothing here waits for another thread either.
  if (!SimClock::the().running()) rondo::world::deadlock();
  SimClock::the().advance_to(rondo::world::nanoseconds_of(*until) - (id == CLOCK_REALTIME ? SimClock::kCalendar : 0));
  return ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t* /*condition*/, pthread_mutex_t* /*mutex*/) { rondo::world::deadlock(); }

/// One core: nothing that could be shared among threads is.
int get_nprocs() noexcept { return 1; }
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
