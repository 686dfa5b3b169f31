#include "store/log_frames.h"

#include <bit>
#include <cstring>

namespace rondo::log {
namespace {

struct Sum {
  std::uint32_t first;
  std::uint32_t second;

  void add(std::span<const unsigned char> bytes, bool swap) {
    for (std::size_t at = 0; at + kSum <= bytes.size(); at += kSum) {
      std::uint32_t words[2];
      std::memcpy(words, bytes.data() + at, sizeof words);
      if (swap) {
        words[0] = __builtin_bswap32(words[0]);
        words[1] = __builtin_bswap32(words[1]);
      }
      first += words[0] + second;
      second += words[1] + first;
    }
  }
};

void put_number(std::span<unsigned char> to, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) to[at + i] = static_cast<unsigned char>(value >> (24 - 8 * i));
}

}  // namespace

void sign_frame(std::span<unsigned char> header, std::span<const unsigned char> page,
                std::span<const unsigned char> before, std::uint32_t magic) {
  const bool big = (magic & 1U) != 0;
  const bool swap = big != (std::endian::native == std::endian::big);
  Sum sum{number_at(before, 0), number_at(before, 4)};
  constexpr std::size_t kCovered = 8;  // of the header: the number of the page, and the size of the file
  sum.add(header.first(kCovered), swap);
  sum.add(page, swap);
  put_number(header, kFrameSumAt, sum.first);
  put_number(header, kFrameSumAt + 4, sum.second);
}

}  // namespace rondo::log
