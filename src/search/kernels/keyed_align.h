#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Alignment of notes and rests heard in their keys (Mongeau-Sankoff), one document in each lane of a vector: in whole
/// 16-bit numbers, exactly; or in bytes, in half the time, for a bound.
namespace rondo::kernels {

/// What the elements of a query last in all, and those of a document; so every cell of their table fits 16 bits, for
/// none costs more than leaving out all notes of both sides.
inline constexpr std::uint16_t kMostKeyedUnits = 32'000;
/// In bytes, the longest element.
inline constexpr std::uint8_t kMostRoughUnits = 254;
/// Notes are told apart by this many codes: what they are in the octave above their tonic.
inline constexpr std::size_t kKeyedCodes = 16;

/// A query. Lengths are in the unit of costs: what it costs to leave the note out.
template <typename Unit>
struct KeyedRowsOf {
  using Pitch = std::make_signed_t<Unit>;
  using Weights = std::array<std::uint8_t, kKeyedCodes>;
  /// What elements cost that are alike but for their lengths, in steps.
  struct Kind {
    Pitch pitch = 0;
    Weights above{};        ///< against a note of each code that is higher
    Weights below{};        ///< against one that is not higher
    std::uint8_t rest = 0;  ///< against a rest
  };
  std::vector<Kind> kinds;
  std::vector<std::uint16_t> kind;  ///< by row
  std::vector<Unit> length;         ///< by row
  Unit step = 1;                    ///< units, 50 at most; in bytes 1
};

/// A batch of documents, laid out [element][lane]; shorter ones, and lanes that are not used, are filled up with
/// nothing.
template <typename Unit>
struct KeyedColumnsOf {
  using Pitch = std::make_signed_t<Unit>;
  static constexpr Pitch kRest = std::numeric_limits<Pitch>::max() - 1;  ///< as a pitch
  /// As a pitch; its length is 0. Whatever it is laid against, it costs no less to leave it out, which is free.
  static constexpr Pitch kNothing = std::numeric_limits<Pitch>::max();
  /// The code of rests and nothing: bytes that a lookup takes for zero.
  static constexpr Unit kNoCode = static_cast<Unit>(0x8080);
  /// The code of a note as it stands in `code`: a lookup leaves the upper byte, if there is one, zero.
  [[nodiscard]] static constexpr Unit coded(std::size_t code) { return static_cast<Unit>(0x8000 | code); }

  std::size_t columns = 0;
  AlignedVector<Pitch> pitch;  ///< moved by the octaves of the lane
  AlignedVector<Unit> code;
  AlignedVector<Unit> length;

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

using KeyedRows = KeyedRowsOf<std::uint16_t>;
using KeyedColumns = KeyedColumnsOf<std::uint16_t>;
using RoughRows = KeyedRowsOf<std::uint8_t>;
using RoughColumns = KeyedColumnsOf<std::uint8_t>;

/// The least cost of turning the query into each document. One element against one costs the weight of the interval
/// and the difference in length, but nothing if they are equal in pitch and length; one against several the weights of
/// all and the difference to the whole; one that stands alone its length.
void keyed_align(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost);
void keyed_align_plain(const KeyedRows& rows, const KeyedColumns& columns, std::uint16_t* cost);

/// No more than that in bytes, where 255 stands for all that is more: the cost itself if neither query nor document
/// lasts longer than 255 units; otherwise it may be less, for what several elements last together is counted up to 255.
/// What costs more than `limit` may also be 255.
void keyed_roughly(const RoughRows& rows, const RoughColumns& columns, std::uint8_t limit, std::uint8_t* cost);
/// Exactly, up to 255.
void keyed_roughly_plain(const RoughRows& rows, const RoughColumns& columns, std::uint8_t limit, std::uint8_t* cost);

}  // namespace rondo::kernels
