#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "rondo/base/result.h"

namespace rondo {

/// A stream of bytes that is read once, front to back: a file, an entry of a zip, standard input, memory.
/// Not thread-safe.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads up to `into.size()` bytes and returns how many; 0 means the end, also for all further calls.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> into) = 0;
};

/// Bytes in memory; the caller keeps them alive.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}
  [[nodiscard]] Result<std::size_t> read(std::span<char> into) override;

 private:
  std::string_view rest_;
};

}  // namespace rondo
