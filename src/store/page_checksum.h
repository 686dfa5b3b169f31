#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// The rule by which damage of an SQLite file is noticed. Every page of a file that Rondo made reserves its last eight
/// bytes (SQLite leaves these to its users) for a checksum of the page and its number: so a changed bit is noticed
/// wherever it is, in rows, indexes, full text, schema or unused space. The definition never changes.
///
/// Left out are those fields of the file's header that SQLite's own copying and checkpoints change and that no row
/// depends on, so that these remain possible without Rondo.
namespace rondo {

inline constexpr std::size_t kPageTrailer = 8;
inline constexpr std::size_t kFileHeader = 100;  ///< SQLite's, at the beginning of the first page

/// The checksum of a page, which its last eight bytes contain; pages are counted from 1.
[[nodiscard]] std::uint64_t page_checksum(std::span<const unsigned char> page, std::uint32_t number);
/// Also true for a page of zeros: SQLite leaves pages unwritten that are not in use.
[[nodiscard]] bool page_intact(std::span<const unsigned char> page, std::uint32_t number);
void stamp_page(std::span<unsigned char> page, std::uint32_t number);

/// What the header of a file says about its pages.
struct PageLayout {
  std::uint32_t size = 0;  ///< 0: this is no SQLite file
  bool trailers = false;   ///< there is room for checksums
  bool expected = false;   ///< Rondo made the file, in a version that has them
};
[[nodiscard]] PageLayout page_layout(std::span<const unsigned char> header);

/// From these versions of the tables on, all pages have checksums.
inline constexpr std::uint32_t kCheckedCollection = 5;
inline constexpr std::uint32_t kCheckedStudies = 5;

}  // namespace rondo
