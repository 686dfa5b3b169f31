#pragma once

#include <cstddef>
#include <cstdint>

#include "rondo/melody/fraction.h"

/// Limits of a piece. Malicious or broken input that exceeds them is an error, never an endless loop or exhausted
/// memory; real music is orders of magnitude below.
namespace rondo::limits {

inline constexpr std::size_t kNotesPerVoice = 200'000;  ///< after repeats are written out
inline constexpr std::size_t kVoicesPerPiece = 512;
inline constexpr std::size_t kBarsPerVoice = 100'000;
inline constexpr std::size_t kFileBytes = std::size_t{64} * 1024 * 1024;   ///< of formats read as a whole
inline constexpr std::size_t kRecordBytes = std::size_t{4} * 1024 * 1024;  ///< one record of a streamed format
inline constexpr int kNesting = 64;                                        ///< of tuplets, spines, elements
inline constexpr std::int64_t kDenominator = 1'000'000'000;                ///< of any onset or duration
inline constexpr std::int64_t kWholes = 1'000'000;                         ///< longest voice, in whole notes

/// True for a time (onset or duration) a voice may hold.
[[nodiscard]] constexpr bool time_ok(Fraction time) {
  return time.valid() && time.num() >= 0 && time.den() <= kDenominator && time <= Fraction(kWholes);
}

}  // namespace rondo::limits
