#pragma once

#include <cstddef>
#include <cstdint>

/// The memory of the library in this process: how much is in use, and how much may be.
///
/// In the module all C++ code, the standard library included, allocates through memory/operators.cpp, which counts here
/// and fails where the limit would be exceeded. In programs without these operators nothing is counted.
namespace rondo::postgresql::memory {

/// Whether so many bytes more may be allocated. If not, that is remembered for rondo_memory_refused. Always true while
/// an exception unwinds the stack: destructors must not fail.
[[nodiscard]] bool admit(std::size_t bytes) noexcept;
/// The system had no memory, whatever the limit is.
void exhausted() noexcept;
void add(std::size_t bytes) noexcept;
void subtract(std::size_t bytes) noexcept;

/// Throws std::bad_alloc unless so many bytes may be allocated. JSON values allocate in their destructor, where a
/// refusal would end the process. So what makes JSON values asks beforehand for all that it may need.
void expect(std::size_t bytes);
/// An upper bound of what reading a text of so many bytes needs, be it JSON.
[[nodiscard]] std::size_t to_read(std::size_t text_bytes) noexcept;
/// The same for writing melodies as JSON that have so many bytes in the packed form.
[[nodiscard]] std::size_t to_write(std::size_t packed_bytes) noexcept;

}  // namespace rondo::postgresql::memory
