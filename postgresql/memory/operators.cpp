// The global allocation functions of the module: malloc, counted and limited. The version script (exports.map) keeps
// them local, so that they serve the module alone; the module has the standard library and fmt linked in
// (CMakeLists.txt), so that what these allocate is counted and what they free was counted.
#include <malloc.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <pugixml.hpp>

#include "bridge/memory.h"

namespace {

namespace memory = rondo::postgresql::memory;

/// Null: refused, or there is none.
void* try_allocate(std::size_t size, std::size_t alignment) noexcept {
  if (!memory::admit(size)) return nullptr;
  void* at = nullptr;
  if (alignment <= alignof(std::max_align_t)) {
    at = std::malloc(size == 0 ? 1 : size);
  } else if (size <= std::numeric_limits<std::size_t>::max() - alignment) {
    at = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  if (at == nullptr) {
    memory::exhausted();
  } else {
    memory::add(malloc_usable_size(at));
  }
  return at;
}

void* allocate(std::size_t size, std::size_t alignment = 1) {
  void* const at = try_allocate(size, alignment);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}

void release(void* at) noexcept {
  if (at == nullptr) return;
  memory::subtract(malloc_usable_size(at));
  std::free(at);
}

void* allocate_for_xml(std::size_t size) { return allocate(size); }

/// pugixml would leave out what it has no memory for; an exception is seen.
[[maybe_unused]] const bool kXmlIsCounted = [] {
  pugi::set_memory_management_functions(allocate_for_xml, release);
  return true;
}();

std::size_t number(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return try_allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept { return try_allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) { return allocate(size, number(alignment)); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return allocate(size, number(alignment)); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return try_allocate(size, number(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return try_allocate(size, number(alignment));
}

void operator delete(void* at) noexcept { release(at); }
void operator delete[](void* at) noexcept { release(at); }
void operator delete(void* at, std::size_t /*size*/) noexcept { release(at); }
void operator delete[](void* at, std::size_t /*size*/) noexcept { release(at); }
void operator delete(void* at, const std::nothrow_t& /*tag*/) noexcept { release(at); }
void operator delete[](void* at, const std::nothrow_t& /*tag*/) noexcept { release(at); }
void operator delete(void* at, std::align_val_t /*alignment*/) noexcept { release(at); }
void operator delete[](void* at, std::align_val_t /*alignment*/) noexcept { release(at); }
void operator delete(void* at, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { release(at); }
void operator delete[](void* at, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { release(at); }
void operator delete(void* at, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept { release(at); }
void operator delete[](void* at, std::align_val_t /*alignment*/, const std::nothrow_t& /*tag*/) noexcept {
  release(at);
}
