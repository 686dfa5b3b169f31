#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// How much two melodies have on the same pitches, under many transpositions at once.
namespace rondo::kernels {

/// Transpositions are done so many at a time.
inline constexpr std::size_t kAmountBlock = 32;

/// The pitches of a query, each once, and how much it has there: of notes, or of time.
template <typename Amount>
struct PitchAmounts {
  std::vector<std::uint8_t> pitch;
  std::vector<Amount> amount;
};

/// out[t], for t below `size` rounded up to whole blocks: the sum over the query's pitches p of the lesser of what it
/// has there and of document[p + t]. Returns the greatest of these sums, none of which may leave `Amount`.
std::uint8_t common_amounts(const PitchAmounts<std::uint8_t>& query, const std::uint8_t* document, std::size_t size,
                            std::uint8_t* out);
std::int16_t common_amounts(const PitchAmounts<std::int16_t>& query, const std::int16_t* document, std::size_t size,
                            std::int16_t* out);
std::uint8_t common_amounts_plain(const PitchAmounts<std::uint8_t>& query, const std::uint8_t* document,
                                  std::size_t size, std::uint8_t* out);
std::int16_t common_amounts_plain(const PitchAmounts<std::int16_t>& query, const std::int16_t* document,
                                  std::size_t size, std::int16_t* out);

}  // namespace rondo::kernels
