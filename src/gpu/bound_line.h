#pragma once

#include "gpu/card_code.h"

/// Bounds of scores on a graphics card. What is known of a document there, and what a query must be.
///
/// A query is a plain struct of whole numbers (it travels to the card as it is) with
///   least_notes   documents with fewer take no part
///   only_whole    so do documents that are not all of their piece
///   most          no bound is greater
///   kShared       numbers of 32 bits that a thread needs for each note of a document
///   bound(document, cells)   a whole number that is not below the document's score in the query's own units, or
///   kNoBound
/// and to search by another plan takes a header with such a struct, its name in bound_query.h, and what makes it of a
/// line (search/card_bounds.cpp).
namespace rondo::gpu {

/// Longer melodies are the CPU's.
inline constexpr std::uint32_t kMostLineNotes = 64;
/// Pitches from 0 on.
inline constexpr std::uint32_t kLinePitches = 128;
/// Times are taken in a circle of so many ticks. A prime: times are multiples of 2, 3, 5 and 7 ticks and their
/// products, and must not fall on few places.
inline constexpr std::uint32_t kPlaces = 61;
/// Less than every bound: the document takes no part.
inline constexpr std::int32_t kNoBound = -0x7FFFFFFF - 1;

/// A line of notes; `notes` is 0 where the CPU compares it.
struct LineDocument {
  std::uint32_t first_note;  ///< a multiple of four
  std::uint8_t notes;
  std::uint8_t whole;  ///< it is all of its piece
  std::uint8_t unused[2];
};

/// Of the durations of four notes from one on: kernels::TimeFunctionals.
struct TimeCurve {
  float whole;
  float halves;
};

}  // namespace rondo::gpu
