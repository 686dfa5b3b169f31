#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Whether enough notes of a query meet notes of a document when it is moved in time and pitch, under many moves at
/// once: first by pitch alone, then by time as well.
namespace rondo::kernels {

/// Notes of a query: sums have eight bits.
inline constexpr std::size_t kMostTurned = 255;

/// The pitches of a query, each once, and how many notes it has there.
struct PitchCounts {
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint8_t> count;
};
/// Transpositions that are a word's bits.
inline constexpr int kWordOfTranspositions = 64;

/// Bit t is set where query and document have at least `least` notes on the same pitches, each as often as both have
/// it, when the query is moved by first + t. `counts` points to the document's count of pitch 0; all counts from the
/// query's lowest pitch plus `first` to its highest plus `first + 63` are there.
[[nodiscard]] std::uint64_t enough_on_pitch(const PitchCounts& query, const std::uint8_t* counts, int first,
                                            std::uint8_t least);
[[nodiscard]] std::uint64_t enough_on_pitch_plain(const PitchCounts& query, const std::uint8_t* counts, int first,
                                                  std::uint8_t least);

// The onsets of a document are bits of a word for each pitch, in a circle of 64 times. A query is moved in time by
// turning the words of its notes against each other, in pitch by taking the words of other pitches; then bits at the
// same place of the words are added up. Times that are a whole circle apart fall together, so a sum is a bound.

inline constexpr std::uint32_t kCircle = 64;
/// Transpositions looked at together.
inline constexpr int kTranspositions = 8;

struct TurnedRows {
  std::vector<std::uint8_t> pitch;
  std::vector<std::uint8_t> turn;  ///< onset, below kCircle
};

/// Whether `least` notes (1 to kMostTurned) meet, under any of the transpositions first .. first + 7 at any time.
/// `words` points to the word of pitch 0; all words from the lowest pitch plus `first` to the highest plus `first + 7`
/// are there.
[[nodiscard]] bool enough_coincide(const TurnedRows& rows, const std::uint64_t* words, int first, std::uint32_t least);
[[nodiscard]] bool enough_coincide_plain(const TurnedRows& rows, const std::uint64_t* words, int first,
                                         std::uint32_t least);

}  // namespace rondo::kernels
