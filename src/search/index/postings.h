#pragma once

#include <cstdint>
#include <string>

/// Lists of (document, how often), documents ascending. Each is a varint of the distance to the document before,
/// doubled, plus one where the number is not 1; then that number. So nearly all take one byte.
namespace rondo::index {

inline void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<char>(value));
}

/// Any bytes are safe: a number ends with them at the latest.
inline std::uint64_t get_varint(const std::uint8_t*& at, const std::uint8_t* end) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at != end && shift < 64; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  return value;
}

class PostingWriter {
 public:
  explicit PostingWriter(std::string& out) : out_(&out) {}
  void add(std::uint32_t document, std::uint32_t count) {
    const std::uint64_t distance = document - next_;
    put_varint(*out_, distance * 2 + (count == 1 ? 0 : 1));
    if (count != 1) put_varint(*out_, count);
    next_ = document + 1;
  }

 private:
  std::string* out_;
  std::uint32_t next_ = 0;
};

/// One list as it lies in the file.
struct Postings {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* end = nullptr;
  std::uint32_t size = 0;

  /// visit(document, count) for each.
  template <typename Visit>
  void each(Visit&& visit) const {
    const std::uint8_t* at = begin;
    std::uint64_t next = 0;
    while (at != end) {
      std::uint64_t code = *at;
      if (code < 0x80) {
        ++at;
      } else {
        code = get_varint(at, end);
      }
      next += code >> 1U;
      const auto count = (code & 1U) == 0 ? 1U : static_cast<std::uint32_t>(get_varint(at, end));
      visit(static_cast<std::uint32_t>(next), count);
      ++next;
    }
  }
};

}  // namespace rondo::index
