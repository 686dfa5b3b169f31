#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/kernels/aligned.h"

/// Whether enough notes of a query meet notes of a document when it is moved in time and pitch, under many moves at
/// once.
///
/// The onsets of a query are bits, for each pitch, in a circle of some places: the onset modulo their number. A query
/// is moved in time by turning its circles, in pitch by taking the circles of other pitches: for each note of the
/// document the circle that has a bit wherever the query then has a note that meets it. Bits at the same place are
/// added up. Times that are a whole circle apart fall together, so a sum is an upper bound: in a small circle a rough
/// one of many transpositions at once, in a larger one a finer one of fewer.
///
/// The number of places is prime. Most onsets of a melody are multiples of a beat, so in a circle of a power of two
/// they would share a quarter or an eighth of the places, and the sums there would say little.
namespace rondo::kernels {

/// Notes of a query that are counted.
inline constexpr std::size_t kMostCoinciding = 4000;

/// Where a query has notes, by pitch, in a circle whose places fill `words` words but for a few bits.
template <typename Word>
class Circles {
 public:
  static constexpr std::uint32_t kBits = 8 * sizeof(Word);
  /// Transpositions that are compared together.
  static constexpr int kTogether = 64 / sizeof(Word);

  /// As many times as pitches, at least one; `words` is 1 to 2^20.
  Circles(std::size_t words, std::span<const std::uint8_t> pitch, std::span<const std::uint32_t> time);

  /// The greatest prime number that is at most the number of bits.
  [[nodiscard]] std::uint32_t places() const { return places_; }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// Whether the query has a note of this pitch there.
  [[nodiscard]] bool has(int pitch, std::uint32_t place) const {
    if (pitch < low_ || pitch > high_) return false;
    return (turned()[place * stride() + static_cast<std::size_t>(index_of(pitch))] & 1U) != 0;
  }

  /// For the kernel: [place][index], and a row more without any notes. A word with the bits from that place on, around
  /// the circle; at index_of(p) + t is what a note of the document with pitch p meets if the query is moved by t. From
  /// index 0 and last_index() on, and for smaller and larger ones, there is nothing.
  [[nodiscard]] const Word* turned() const { return turned_.data(); }
  [[nodiscard]] std::size_t stride() const { return static_cast<std::size_t>(last_index() + kTogether); }
  [[nodiscard]] int index_of(int pitch) const { return high_ - pitch + kTogether; }
  [[nodiscard]] int last_index() const { return high_ - low_ + kTogether + 1; }

 private:
  std::size_t words_;
  std::uint32_t places_;
  int low_;
  int high_;
  std::vector<Word> turned_;
};

using RoughCircle = Circles<std::uint32_t>;
using FineCircles = Circles<std::uint64_t>;

/// The notes of a document.
struct TimedNotes {
  /// There is room for whole vectors; what is behind the last note does not matter.
  static constexpr std::size_t kRoom = 16;
  std::size_t notes = 0;
  AlignedVector<std::uint8_t> pitch;            ///< below 128
  AlignedVector<std::uint32_t> onset;           ///< since the first
  mutable AlignedVector<std::uint32_t> places;  ///< for the kernel
  mutable AlignedVector<std::uint32_t> rows;    ///< for the kernel

  void resize(std::size_t count) {
    notes = count;
    const std::size_t whole = (count + kRoom - 1) / kRoom * kRoom;
    if (rows.size() < whole) {  // the last: an allocation may fail
      pitch.resize(whole);
      onset.resize(whole);
      places.resize(whole);
      rows.resize(whole);
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

/// A document as bytes, and the transpositions in which it may have enough in common with the query.
struct PlacedNotes {
  std::size_t notes = 0;                ///< at least one
  const std::uint8_t* pitch = nullptr;  ///< below 128; kRoom bytes beyond the last may be read
  /// Onsets modulo RoughCircle::places(), or that number for a note that meets nothing; likewise.
  const std::uint8_t* place = nullptr;
  Transpositions chances;  ///< output: those in which enough notes meet
  bool any = false;        ///< output: there are some

  static constexpr std::size_t kRoom = TimedNotes::kRoom;
};
/// The transpositions from a document's lowest pitch plus `lowest` to its highest plus `highest`, less than 256 of
/// them.
struct Reach {
  int lowest = 0;
  int highest = 0;
};

/// The transpositions within reach of each document in which at least `least` notes (1 to kMostCoinciding) meet at any
/// time. `rows` is memory for the longest document and kRoom notes more.
void enough_roughly(const RoughCircle& query, std::span<PlacedNotes> documents, Reach reach, std::uint32_t least,
                    std::uint32_t* rows);
void enough_roughly_plain(const RoughCircle& query, std::span<PlacedNotes> documents, Reach reach, std::uint32_t least,
                          std::uint32_t* rows);

/// Bit t is set where at least `least` notes meet at any time if the query is moved by first + t, for t below
/// FineCircles::kTogether.
[[nodiscard]] std::uint32_t enough_coincide(const FineCircles& query, const TimedNotes& document, int first,
                                            std::uint32_t least);
[[nodiscard]] std::uint32_t enough_coincide_plain(const FineCircles& query, const TimedNotes& document, int first,
                                                  std::uint32_t least);

}  // namespace rondo::kernels
