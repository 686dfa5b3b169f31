#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Whether enough notes of a query meet notes of a document when it is moved in time and pitch, under many moves at
/// once.
///
/// The onsets of a query are bits, for each pitch, in a circle of some places. A query is moved in time by turning its
/// circles, in pitch by taking the circles of other pitches: for each note of the document the circle that has a bit
/// wherever the query then has a note that meets it. Bits at the same place are added up. Times that are a whole circle
/// apart fall together, so a sum is a bound: in a small circle a rough one of many transpositions at once, in a larger
/// one a finer one of fewer.
namespace rondo::kernels {

/// Notes of a query that are counted.
inline constexpr std::size_t kMostCoinciding = 4000;

/// Where a query has notes, by pitch, in a circle of `words` times as many places as `Word` has bits.
template <typename Word>
class Circles {
 public:
  /// Places of a word.
  static constexpr std::uint32_t kPlaces = 8 * sizeof(Word);
  /// Transpositions looked at together.
  static constexpr int kTogether = 64 / sizeof(Word);

  /// `words` is a power of two; as many times as pitches, at least one.
  Circles(std::size_t words, std::span<const std::uint8_t> pitch, std::span<const std::uint32_t> time);

  [[nodiscard]] std::uint32_t places() const { return static_cast<std::uint32_t>(words_) * kPlaces; }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// Whether the query has a note of this pitch there.
  [[nodiscard]] bool has(int pitch, std::uint32_t place) const {
    if (pitch < low_ || pitch > high_) return false;
    const Word word = turned()[place / kPlaces * kPlaces * stride() + static_cast<std::size_t>(index_of(pitch))];
    return (word >> place % kPlaces & 1U) != 0;
  }

  /// For the kernel: [word][turn][index]. A word of the circle turned back by so many places; at index_of(p) + t stands
  /// what a note of the document meets whose pitch is p, if the query is moved by t. From index 0 and last_index() on,
  /// and for smaller and larger ones, there is nothing.
  [[nodiscard]] const Word* turned() const { return turned_.data(); }
  [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(last_index() + kTogether); }
  [[nodiscard]] int index_of(int pitch) const { return high_ - pitch + kTogether; }
  [[nodiscard]] int last_index() const { return high_ - low_ + kTogether + 1; }

 private:
  std::size_t words_;
  int low_;
  int high_;
  std::vector<Word> turned_;
};

using RoughCircle = Circles<std::uint32_t>;
using FineCircles = Circles<std::uint64_t>;

/// The notes of a document.
struct TurnedRows {
  /// There is room for whole vectors; what is behind the last note does not matter.
  static constexpr std::size_t kRoom = 16;
  std::size_t notes = 0;
  std::vector<std::uint8_t> pitch;            ///< below 128
  std::vector<std::uint32_t> onset;           ///< since the first
  int halvings = 0;                           ///< of onsets, before they are laid into the circle
  mutable std::vector<std::uint32_t> places;  ///< for the kernel

  void resize(std::size_t count) {
    notes = count;
    const std::size_t whole = (count + kRoom - 1) / kRoom * kRoom;
    if (places.size() < whole) {  // the last: an allocation may fail
      pitch.resize(whole);
      onset.resize(whole);
      places.resize(whole);
    }
  }
};

/// Transpositions, a bit for each from the lowest on that lays a note onto another.
struct Transpositions {
  static constexpr std::size_t kWords = 4;
  int lowest = 0;
  std::array<std::uint64_t, kWords> bits{};
  bool operator==(const Transpositions&) const = default;
};

/// The transpositions from `lowest` to `highest` in which at least `least` notes (1 to kMostCoinciding) meet at any
/// time. False: there are none.
[[nodiscard]] bool enough_roughly(const RoughCircle& query, const TurnedRows& document, int lowest, int highest,
                                  std::uint32_t least, Transpositions& out);
[[nodiscard]] bool enough_roughly_plain(const RoughCircle& query, const TurnedRows& document, int lowest, int highest,
                                        std::uint32_t least, Transpositions& out);

/// Bit t is set where at least `least` notes meet at any time if the query is moved by first + t, for t below
/// FineCircles::kTogether.
[[nodiscard]] std::uint32_t enough_coincide(const FineCircles& query, const TurnedRows& document, int first,
                                            std::uint32_t least);
[[nodiscard]] std::uint32_t enough_coincide_plain(const FineCircles& query, const TurnedRows& document, int first,
                                                  std::uint32_t least);

}  // namespace rondo::kernels
