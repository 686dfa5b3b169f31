#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/kernels/aligned.h"
#include "search/kernels/window_align.h"

/// Edit distances between sequences of pitches, one document in each lane of a vector, in whole 8-bit numbers: a note
/// left out or put in costs 1, a changed one its distance in semitones; the document may go on after the query's end.
namespace rondo::kernels {

/// A batch of documents, laid out [note][lane]; where a document has no more notes stands kNoPitch, which is so far
/// from every pitch of a query that it never pays.
struct PitchColumns {
  std::size_t columns = 0;  ///< of the longest
  AlignedVector<std::uint8_t> pitch;
  static constexpr std::uint8_t kNoPitch = 255;
};

/// The distance of each lane where it is at most `most`; something above `most` for the others. Queries have at most
/// 250 notes, none above 140.
void pitch_edits(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t most,
                 std::uint8_t* distance);
void pitch_edits_plain(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t most,
                       std::uint8_t* distance);

/// By how much the distance of each lane is less than the number of the query's notes, which it never exceeds. For
/// queries of any length, none above 140, and documents of at most kMostGainColumns notes.
inline constexpr std::size_t kMostGainColumns = 127;
void pitch_gains(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t* gain);
void pitch_gains_plain(std::span<const std::uint8_t> query, const PitchColumns& columns, std::uint8_t* gain);

}  // namespace rondo::kernels
