#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The format of SQLite's write-ahead log ("WAL-mode File Format" in its documentation): a header, then frames, each a
/// header and a page. The checksum of a frame continues that of the frame before it.
namespace rondo::log {

inline constexpr std::size_t kHeader = 32;
inline constexpr std::size_t kFrameHeader = 24;
inline constexpr std::size_t kHeaderSumAt = 24;  ///< the first checksum, in the header of the log
inline constexpr std::size_t kFrameSumAt = 16;   ///< in the header of a frame
inline constexpr std::size_t kSum = 8;

[[nodiscard]] constexpr std::uint32_t number_at(std::span<const unsigned char> bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U | std::uint32_t{bytes[at + 2]} << 8U |
         bytes[at + 3];
}

/// Puts the checksum into the header of a frame. `before`: the checksum of the frame before it; `magic`: the first
/// number of the log, which says in which byte order it is computed.
void sign_frame(std::span<unsigned char> header, std::span<const unsigned char> page,
                std::span<const unsigned char> before, std::uint32_t magic);

}  // namespace rondo::log
