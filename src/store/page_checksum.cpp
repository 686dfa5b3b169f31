#include "store/page_checksum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rondo {
namespace {

// Where SQLite's header has them ("Database File Format", section 1.3).
constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kReservedAt = 20;
constexpr std::size_t kVersionAt = 60;
constexpr std::size_t kApplicationAt = 68;

struct Checked {
  std::uint32_t application;
  std::uint32_t since;
};
constexpr Checked kChecked[] = {{0x526E446F, kCheckedCollection}, {0x526E5374, kCheckedStudies}};  // RnDo, RnSt

std::uint32_t number_at(std::span<const unsigned char> bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U | std::uint32_t{bytes[at + 2]} << 8U |
         bytes[at + 3];
}

struct Field {
  std::size_t at;
  std::size_t size;
};
// How the log is kept, two change counters, the cookie of the schema, SQLite's version.
constexpr Field kLeftOut[] = {{18, 2}, {24, 4}, {40, 4}, {92, 8}};

/// The same bytes on every machine.
std::array<unsigned char, kPageTrailer> stored(std::uint64_t checksum) {
  std::array<unsigned char, kPageTrailer> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(checksum >> (8 * i));
  return out;
}

}  // namespace

std::uint64_t page_checksum(std::span<const unsigned char> page, std::uint32_t number) {
  if (number != 1) return XXH3_64bits_withSeed(page.data(), page.size() - kPageTrailer, number);
  std::array<unsigned char, kFileHeader> header{};
  std::copy_n(page.begin(), header.size(), header.begin());
  for (const Field& field : kLeftOut) std::fill_n(header.begin() + field.at, field.size, std::uint8_t{0});
  const std::uint64_t seed = XXH3_64bits_withSeed(header.data(), header.size(), number);
  return XXH3_64bits_withSeed(page.data() + kFileHeader, page.size() - kFileHeader - kPageTrailer, seed);
}

bool page_intact(std::span<const unsigned char> page, std::uint32_t number) {
  const auto trailer = stored(page_checksum(page, number));
  if (std::equal(trailer.begin(), trailer.end(), page.end() - kPageTrailer)) return true;
  return std::all_of(page.begin(), page.end(), [](unsigned char byte) { return byte == 0; });
}

void stamp_page(std::span<unsigned char> page, std::uint32_t number) {
  const auto trailer = stored(page_checksum(page, number));
  std::copy(trailer.begin(), trailer.end(), page.end() - kPageTrailer);
}

PageLayout page_layout(std::span<const unsigned char> header) {
  PageLayout out;
  if (header.size() < kFileHeader || std::memcmp(header.data(), kMagic.data(), kMagic.size()) != 0) return out;
  const std::uint32_t size = std::uint32_t{header[kPageSizeAt]} << 8U | header[kPageSizeAt + 1];
  constexpr std::uint32_t kLargest = 65536;
  out.size = size == 1 ? kLargest : size;
  constexpr std::uint32_t kSmallest = 512;
  if (out.size < kSmallest || !std::has_single_bit(out.size)) out.size = 0;
  out.trailers = out.size != 0 && header[kReservedAt] == kPageTrailer;
  const std::uint32_t application = number_at(header, kApplicationAt);
  const std::uint32_t version = number_at(header, kVersionAt);
  out.expected = std::any_of(std::begin(kChecked), std::end(kChecked), [&](const Checked& one) {
    return one.application == application && version >= one.since;
  });
  return out;
}

}  // namespace rondo
