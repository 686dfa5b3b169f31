#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// What tallies and lists of documents do with many bytes at a time. Each has its scalar reference.
namespace rondo::kernels {

/// Adds `weight` to each byte whose bit is set, up to 255. There are bits for at least as many as there are bytes, in
/// whole words of eight bytes.
void add_where(const std::uint8_t* bits, std::uint8_t weight, std::span<std::uint8_t> bytes);
void add_where_plain(const std::uint8_t* bits, std::uint8_t weight, std::span<std::uint8_t> bytes);

/// Appends base + i for every i with least <= bytes[i] <= most.
void places_within(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint8_t most, std::uint32_t base,
                   std::vector<std::uint32_t>& out);
void places_within_plain(std::span<const std::uint8_t> bytes, std::uint8_t least, std::uint8_t most, std::uint32_t base,
                         std::vector<std::uint32_t>& out);

[[nodiscard]] std::size_t count_at_least(std::span<const std::uint8_t> bytes, std::uint8_t least);
[[nodiscard]] std::size_t count_at_least_plain(std::span<const std::uint8_t> bytes, std::uint8_t least);

/// Numbers of a sparse list (index/postings.h), if each has one byte or two.
struct ShortNumbers {
  std::uint64_t count = 0;  ///< 0: one has more, or the last one is cut off
  std::uint64_t sum = 0;
};
[[nodiscard]] ShortNumbers short_numbers(std::span<const std::uint8_t> bytes);
[[nodiscard]] ShortNumbers short_numbers_plain(std::span<const std::uint8_t> bytes);

/// How many bits are set.
[[nodiscard]] std::uint64_t bits_in(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::uint64_t bits_in_plain(std::span<const std::uint8_t> bytes);

}  // namespace rondo::kernels
