#pragma once

#include <cstdint>
#include <span>
#include <string>

/// Posting lists, ascending. A sparse list is delta-coded in varints, so that nearly all entries take one byte. A dense
/// list, from one document in sixteen on, is a bitmap over the documents of the segment: it is hardly larger then, and
/// is added to a tally 64 documents at a time.
namespace rondo::index {

inline void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<char>(value));
}

/// Safe for any bytes: never reads past `end`.
inline std::uint64_t get_varint(const std::uint8_t*& at, const std::uint8_t* end) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at != end && shift < 64; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  return value;
}

[[nodiscard]] constexpr bool is_dense(std::uint64_t size, std::uint64_t documents) { return size * 16 >= documents; }
/// Bytes of a dense list: whole words, so that none is read beyond its end.
[[nodiscard]] constexpr std::uint64_t dense_bytes(std::uint64_t documents) { return (documents + 63) / 64 * 8; }

/// Appends the list of these documents.
inline void write_list(std::span<const std::uint32_t> documents, std::uint64_t of, std::string& out) {
  if (is_dense(documents.size(), of)) {
    const std::size_t begin = out.size();
    out.resize(begin + dense_bytes(of), '\0');
    for (const std::uint32_t d : documents) {
      char& byte = out[begin + d / 8];
      byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << (d % 8));
    }
    return;
  }
  std::uint32_t next = 0;
  for (const std::uint32_t d : documents) {
    put_varint(out, d - next);
    next = d + 1;
  }
}

/// One list as stored in the file.
struct Postings {
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* end = nullptr;
  std::uint32_t size = 0;
  bool dense = false;

  /// visit(document) for each of a list that is not dense.
  template <typename Visit>
  void each_sparse(Visit&& visit) const {
    const std::uint8_t* at = begin;
    std::uint64_t next = 0;
    while (at != end) {
      const std::uint64_t code = *at;
      if (code < 0x80) {
        ++at;
        next += code;
      } else {
        next += get_varint(at, end);
      }
      visit(next);
      ++next;
    }
  }
};

/// A window has this many lists: of the documents that contain it at least once, twice, three times, four times.
inline constexpr std::uint32_t kTimes = 4;

}  // namespace rondo::index
