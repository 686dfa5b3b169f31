#include "store/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rondo {
namespace {

/// Bytes of the character at `at`; 0 when it is none (RFC 3629, table of well-formed sequences).
std::size_t character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead == 0) return 0;
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool second = lead == 0xE0 ? follows(1, 0xA0) : lead == 0xED ? follows(1, 0x80, 0x9F) : follows(1);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second = lead == 0xF0 ? follows(1, 0x90) : lead == 0xF4 ? follows(1, 0x80, 0x8F) : follows(1);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

bool is_plain_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    // Most text is ASCII: eight bytes at a time, as long as none has its high bit set and none is zero.
    if (at + 8 <= text.size()) {
      std::uint64_t block = 0;
      std::memcpy(&block, text.data() + at, sizeof block);
      constexpr std::uint64_t kHigh = 0x8080808080808080U;
      if ((block & kHigh) == 0 && ((block + 0x7F7F7F7F7F7F7F7FU) & kHigh) == kHigh) {
        at += 8;
        continue;
      }
    }
    const std::size_t size = character(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

}  // namespace rondo
