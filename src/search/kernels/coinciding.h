#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// How many notes of a query meet notes of a document when it is moved in time and pitch, under many moves at once.
///
/// The onsets of a document are bits of a word for each pitch, in a circle of 64 times. A query is moved in time by
/// turning the words of its notes against each other, in pitch by taking the words of other pitches; then bits at the
/// same place of the words are added up. Times that are a whole circle apart fall together, so a sum is a bound.
namespace rondo::kernels {

inline constexpr std::uint32_t kCircle = 64;
/// Transpositions looked at together.
inline constexpr int kTranspositions = 8;

struct TurnedRows {
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint8_t> turn;  ///< onset, below kCircle
};
/// Notes of a query: sums have eight bits.
inline constexpr std::size_t kMostTurned = 255;

/// The most notes that meet, under transpositions first .. first + 7 and all times. `words` points to the word of pitch
/// 0; all words from the lowest pitch plus `first` to the highest plus `first + 7` are there.
[[nodiscard]] std::uint32_t most_coinciding(const TurnedRows& rows, const std::uint64_t* words, int first);
[[nodiscard]] std::uint32_t most_coinciding_plain(const TurnedRows& rows, const std::uint64_t* words, int first);

}  // namespace rondo::kernels
