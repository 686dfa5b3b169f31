#pragma once

#include <compare>
#include <cstdint>

/// The bytes of a segment, the unit an index is made of. Everything is little-endian and aligned to eight bytes, so
/// that the bytes of a file are used in place. docs/index-format.md describes the same for users of other tools.
namespace rondo::index {

inline constexpr char kSegmentMagic[8] = {'R', 'O', 'N', 'D', 'O', 'S', 'E', 'G'};
inline constexpr std::uint32_t kSegmentVersion = 4;

struct SegmentHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t sections;
  std::uint64_t documents;
  std::uint64_t notes;
  std::int64_t first_voice;  ///< added to voice keys, which are relative to the piece; may be negative
  std::int64_t first_piece;
};

enum class SectionKind : std::uint32_t {
  runs = 1,           ///< Run: documents of one length are contiguous, the shortest first
  voices,             ///< packed, per document: voice key minus piece key (each relative to the first)
  pieces,             ///< u32 per document: piece key
  numbers,            ///< u16 per document: number of the voice in its piece, plus kAlone, kWhole
  id_order,           ///< packed, per document: its sum with the piece has the byte order of the ids
  pitches,            ///< u8 per note: code of its pitch
  pitch_codes,        ///< PitchCode, at most 255
  pitch_exceptions,   ///< PitchException, by note: those whose code is kException
  times,              ///< u8 per note: code of its time
  time_codes,         ///< TimeCode, at most 255
  time_exceptions,    ///< TimeException, by note
  frames,             ///< Frame
  frame_numbers,      ///< packed, per document: index of its frame
  bar_lists,          ///< u32 beginnings in bar_times, one more than lists
  bar_times,          ///< Rational
  three_counts_keys,  ///< u64, ascending: keys of windows of three notes
  three_counts,       ///< u64: how often each occurs
  // Posting lists by window: of three notes, of four notes folded into the octave, of the rhythm of four notes.
  three_keys,     ///< u64, ascending: four times the key, plus the minimal number of occurrences, minus one
  three_offsets,  ///< u64 beginnings in three_lists, one more than keys
  three_sizes,    ///< u32: documents in each
  three_lists,    ///< bytes, see postings.h
  four_keys,
  four_offsets,
  four_sizes,
  four_lists,
  rhythm_keys,
  rhythm_offsets,
  rhythm_sizes,
  rhythm_lists,
  beats,  ///< u8 per note: 255 times its metric weight, rounded; 0 in documents longer than kMaxNotesWithMetricWeight
  structure_codes,   ///< StructureCode, at most kStructureException
  structures,        ///< u8 per structure: its code; kLastStructure is added to the last of a document
  structure_starts,  ///< u64: where in `structures` every kStructureStride-th document begins
};

struct Section {
  SectionKind kind;
  std::uint32_t reserved;
  std::uint64_t offset;  ///< from the beginning of the segment
  std::uint64_t length;
  std::uint64_t checksum;  ///< XXH3, 64 bits
};

/// The grid and bars of a document.
struct Frame {
  std::uint32_t grid;  ///< ticks of a whole note
  std::uint32_t bars;  ///< which list of bars
};

struct Run {
  std::uint32_t notes;
  std::uint32_t first_document;
  std::uint64_t first_note;
};

/// Flag in `numbers`: the voice is the only one of its piece.
inline constexpr std::uint16_t kAlone = 0x8000;
/// Further flag: its line has every note of the piece, so that systems which compare whole pieces need nothing else.
/// Numbers of voices with neither bit set use all bits below kAlone.
inline constexpr std::uint16_t kWhole = 0x4000;

inline constexpr std::uint8_t kException = 255;

/// No system uses metric weights of longer documents.
inline constexpr std::size_t kMaxNotesWithMetricWeight = 2000;
/// A metric weight, 0 to 1, as it is stored.
[[nodiscard]] constexpr std::uint8_t beat_code(double weight) { return static_cast<std::uint8_t>(weight * 255 + 0.5); }

struct PitchCode {
  std::int16_t midi;
  std::int16_t base40;
  friend auto operator<=>(const PitchCode&, const PitchCode&) = default;
};
struct PitchException {
  std::uint64_t note;
  PitchCode value;
  std::uint32_t reserved;
};

/// A structure of implication and realisation (similarity/implication.h).
struct StructureCode {
  std::uint8_t archetype;
  std::uint8_t retrospective;
  std::int8_t direction;
  std::int8_t overlap;
  std::uint32_t notes;  ///< kLongestStructure: that many or more
  friend auto operator<=>(const StructureCode&, const StructureCode&) = default;
};
inline constexpr std::uint32_t kLongestStructure = 200;
inline constexpr std::uint8_t kStructureException = 127;  ///< stands for all without a code
inline constexpr std::uint8_t kLastStructure = 128;
inline constexpr std::uint32_t kStructureStride = 64;

/// In whole notes, lowest terms.
struct Rational {
  std::int64_t num;
  std::int64_t den;
  friend auto operator<=>(const Rational&, const Rational&) = default;
};
/// The time from the end of the note before (for the first: from the beginning) to the onset, negative if they overlap;
/// and the duration.
struct TimeCode {
  Rational gap;
  Rational duration;
  friend auto operator<=>(const TimeCode&, const TimeCode&) = default;
};
struct TimeException {
  std::uint64_t note;
  TimeCode value;
};

}  // namespace rondo::index
