#include "bridge/memory.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>

#include "bridge/bridge.h"
#include "melody/limits.h"

namespace rondo::postgresql::memory {
namespace {

// A process of PostgreSQL has one thread. Should the library ever use more, the numbers are still right.
constinit std::atomic<std::int64_t> used{0};
constinit std::atomic<std::int64_t> peak{0};
constinit std::atomic<std::int64_t> limit{-1};

constinit RondoRefusal last{};

}  // namespace

bool admit(std::size_t bytes) noexcept {
  const std::int64_t most = limit.load(std::memory_order_relaxed);
  if (most < 0) return true;
  const std::int64_t now = used.load(std::memory_order_relaxed);
  if (now <= most && bytes <= static_cast<std::uint64_t>(most - now)) return true;
  if (std::uncaught_exceptions() > 0) return true;
  last = {true, now, static_cast<std::uint64_t>(bytes), most};
  return false;
}

void exhausted() noexcept { last = {}; }

void add(std::size_t bytes) noexcept {
  const auto size = static_cast<std::int64_t>(bytes);
  const std::int64_t now = used.fetch_add(size, std::memory_order_relaxed) + size;
  std::int64_t before = peak.load(std::memory_order_relaxed);
  while (now > before && !peak.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}

void subtract(std::size_t bytes) noexcept {
  used.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
}

void expect(std::size_t bytes) {
  if (!admit(bytes)) throw std::bad_alloc();
}

// tests/postgresql/memory_test.cpp compares these with what is used.
constexpr std::size_t kAnyway = 1U << 20U;

std::size_t to_read(std::size_t text_bytes) noexcept {
  // The most expensive JSON has many empty values: `[{},{},...`. A file may be larger, but one of its records may not.
  constexpr std::size_t kForByte = 64;
  return kAnyway + kForByte * std::min<std::size_t>(text_bytes, limits::kRecordBytes);
}

std::size_t to_write(std::size_t packed_bytes) noexcept {
  constexpr std::size_t kForByte = 512;
  return kAnyway + kForByte * packed_bytes;
}

}  // namespace rondo::postgresql::memory

using namespace rondo::postgresql;  // NOLINT(google-build-using-namespace): definitions of C functions

void rondo_memory_limit(int64_t bytes) { memory::limit = bytes; }

RondoMemory rondo_memory_use(void) { return {memory::used, memory::peak, memory::limit}; }

RondoRefusal rondo_memory_refused(void) { return memory::last; }
