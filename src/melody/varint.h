#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rondo {

inline std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

inline std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
}

/// Appends to a string.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  void byte(unsigned value) { out_.push_back(static_cast<char>(value)); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<unsigned>(value & 0x7F) | 0x80U);
    byte(static_cast<unsigned>(value));
  }
  void text(std::string_view value) {
    number(value.size());
    out_.append(value);
  }

 private:
  std::string& out_;
};

/// Reads what ByteWriter wrote. Reading past the end, or a number beyond 64 bits, gives 0 and sets `broken`, so that a
/// caller checks once per loop rather than once per byte.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  [[nodiscard]] bool broken() const { return broken_; }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  void reject() {
    broken_ = true;
    at_ = end_;
  }

  std::uint8_t byte() {
    if (at_ == end_) {
      reject();
      return 0;
    }
    return static_cast<std::uint8_t>(*at_++);
  }

  std::uint64_t number() {
    std::uint64_t value = byte();
    if (value < 0x80) return value;
    value &= 0x7F;
    for (unsigned shift = 7; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      if (shift == 63 && next > 1) break;
      value |= (next & 0x7F) << shift;
      if (next < 0x80) return value;
    }
    reject();
    return 0;
  }

  /// A count of items that take at least one byte each: a count above the number of remaining bytes is broken.
  std::size_t count(std::size_t limit) {
    const std::uint64_t value = number();
    if (value <= limit && value <= left()) return static_cast<std::size_t>(value);
    reject();
    return 0;
  }

  std::string_view text(std::size_t limit) {
    const std::size_t size = count(limit);
    const std::string_view value(at_, size);
    at_ += size;
    return value;
  }

 private:
  const char* at_;
  const char* end_;
  bool broken_ = false;
};

}  // namespace rondo
