#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Alignment of notes and rests heard in their keys (Mongeau-Sankoff), one document in each lane of a vector, in whole
/// 16-bit numbers.
namespace rondo::kernels {

/// What the elements of a query last in all, and those of a document; so every cell of their table fits 16 bits, for
/// none costs more than leaving out all notes of both sides.
inline constexpr std::uint16_t kMostKeyedUnits = 32'000;
/// Notes are told apart by this many codes: what they are in the octave above their tonic.
inline constexpr std::size_t kKeyedCodes = 16;

/// A query. Lengths are in the unit of costs: what it costs to leave the note out.
struct KeyedRows {
  using Weights = std::array<std::uint8_t, kKeyedCodes>;
  /// What elements cost that are alike but for their lengths, in steps.
  struct Kind {
    std::int16_t pitch = 0;
    Weights above{};        ///< against a note of each code that is higher
    Weights below{};        ///< against one that is not higher
    std::uint8_t rest = 0;  ///< against a rest
  };
  std::vector<Kind> kinds;
  std::vector<std::uint16_t> kind;    ///< by row
  std::vector<std::uint16_t> length;  ///< by row
  std::uint16_t step = 1;             ///< units, 50 at most
};

/// A batch of documents, laid out [element][lane]; shorter ones, and lanes that are not used, are filled up with
/// nothing.
struct KeyedColumns {
  static constexpr std::int16_t kRest = std::numeric_limits<std::int16_t>::max() - 1;  ///< as a pitch
  /// As a pitch; its length is 0. Whatever it is laid against, it costs no less to leave it out, which is free.
  static constexpr std::int16_t kNothing = std::numeric_limits<std::int16_t>::max();
  /// The code of rests and nothing: bytes that a lookup takes for zero.
  static constexpr std::uint16_t kNoCode = 0x8080;
  /// The code of a note as it stands in `code`: a lookup leaves the upper byte zero.
  [[nodiscard]] static constexpr std::uint16_t coded(std::size_t code) {
    return static_cast<std::uint16_t>(0x8000 | code);
  }

  std::size_t columns = 0;
  AlignedVector<std::int16_t> pitch;  ///< moved by the octaves of the lane
  AlignedVector<std::uint16_t> code;
  AlignedVector<std::uint16_t> length;

  /// Room for so many columns, of which those that are new hold nothing in lanes [0, used).
  void make_room(std::size_t wanted, std::size_t used) {
    if (wanted <= columns) return;
    if (length.size() < wanted * kBatch) {  // the last: an allocation may fail
      pitch.resize(wanted * kBatch);
      code.resize(wanted * kBatch);
      length.resize(wanted * kBatch);
    }
    clear(columns, wanted, 0, used);
    columns = wanted;
  }
  /// Columns [first, last) of lanes [lane, end) hold nothing.
  void clear(std::size_t first, std::size_t last, std::size_t lane, std::size_t end) {
    for (std::size_t j = first; j < last; ++j) {
      for (std::size_t at = j * kBatch + lane; at < j * kBatch + end; ++at) {
        pitch[at] = kNothing;
        code[at] = kNoCode;
        length[at] = 0;
      }
    }
  }
};

/// The least cost of turning the query into each document. One element against one costs the weight of the interval
/// and the difference in length, but nothing if they are equal in pitch and length; one against several the weights of
/// all and the difference to the whole; one that stands alone its length.
void keyed_align(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost);
void keyed_align_plain(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost);

}  // namespace rondo::kernels
