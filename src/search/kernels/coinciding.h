#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Whether enough notes of a query meet notes of a document when it is moved in time and pitch, under many moves at
/// once: first by pitch alone, then by time as well.
namespace rondo::kernels {

/// Notes of a query that are counted.
inline constexpr std::size_t kMostCoinciding = 4000;
/// Counts of notes on a pitch have eight bits; more are taken for this many.
inline constexpr std::uint8_t kMostOnPitch = 255;

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

// The onsets of a query are bits, for each pitch, in a circle of 64 times a power of two places. A query is moved in
// time by turning its circles, in pitch by taking the circles of other pitches: for each note of the document the
// circle that has a bit wherever the query then has a note that meets it. Bits at the same place are added up. Times
// that are a whole circle apart fall together, so a sum is a bound.

/// Places of a word of a circle.
inline constexpr std::uint32_t kWordOfCircle = 64;
/// Transpositions looked at together.
inline constexpr int kTranspositions = 8;

/// Where a query has notes, by pitch.
class Circles {
 public:
  /// `words` is a power of two.
  explicit Circles(std::size_t words) : words_(words), bits_(words * kStride) {}
  void add(std::uint8_t pitch, std::uint32_t time) {
    const std::uint32_t place = time & (places() - 1);
    bits_[place / kWordOfCircle * kStride + kOrigin - pitch] |= std::uint64_t{1} << place % kWordOfCircle;
  }
  [[nodiscard]] std::uint32_t places() const { return static_cast<std::uint32_t>(words_) * kWordOfCircle; }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// The words that a note of the document meets under the transpositions from `first` on: kTranspositions of them one
  /// after the other, those of the next word of the circle kStride behind.
  [[nodiscard]] const std::uint64_t* of(std::uint8_t pitch, int first) const {
    return bits_.data() + kOrigin + first - pitch;
  }
  // Room for all pitches and for transpositions from -127 to 254.
  static constexpr std::size_t kOrigin = 256;
  static constexpr std::size_t kStride = 512;

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// The notes of a document.
struct TurnedRows {
  std::vector<std::uint8_t> pitch;  ///< below 128
  std::vector<std::uint32_t> turn;  ///< onset
};

/// Bit t is set where at least `least` notes (1 to kMostCoinciding) meet at any time if the query is moved by first +
/// t, -127 to 247, for t below kTranspositions.
[[nodiscard]] std::uint32_t enough_coincide(const Circles& query, const TurnedRows& document, int first,
                                            std::uint32_t least);
[[nodiscard]] std::uint32_t enough_coincide_plain(const Circles& query, const TurnedRows& document, int first,
                                                  std::uint32_t least);

}  // namespace rondo::kernels
