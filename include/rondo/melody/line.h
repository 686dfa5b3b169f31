#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rondo/melody/voice.h"

namespace rondo {

/// Notes that a query leaves open between two notes that it has: C4 ? E4, C4 ... G4.
struct UnknownNotes {
  std::uint32_t before = 0;  ///< the note that follows; as many as there are notes: behind the last
  std::uint32_t notes = 0;   ///< how many are unknown
  bool more = false;         ///< any number more
  /// False: nor is known how the notes on both sides lie to each other, as behind a "?" in a contour.
  bool joined = true;
  friend bool operator==(const UnknownNotes&, const UnknownNotes&) = default;
};

/// A melody as monophonic systems hear it: one note per onset, times as whole ticks, columns instead of rows so that
/// a kernel reads only what it needs. All columns have the same length.
struct Line {
  std::vector<std::int16_t> pitch;     ///< MIDI number
  std::vector<std::int16_t> base40;    ///< spelled pitch; equal to a guess where the source has no spelling
  std::vector<std::int64_t> onset;     ///< ticks
  std::vector<std::int64_t> duration;  ///< ticks, > 0
  std::vector<std::int64_t> bars;      ///< ticks; where measures begin (not a column)
  std::int64_t ticks_per_whole = 1;    ///< the least number that makes every time whole
  /// Of a query: what it leaves open, in ascending order, each place once. For systems that take it (SystemRow).
  std::vector<UnknownNotes> unknown{};

  [[nodiscard]] std::size_t size() const { return pitch.size(); }
};

struct LineOptions {
  bool graces = false;           ///< keep grace notes (they get their written duration, and take no time)
  bool ignore_repeated = false;  ///< notes of one pitch in a row count as one, as long as all of them
  bool fold_octaves = false;     ///< every pitch into the octave from middle C
  std::uint32_t opening = 0;     ///< only so many notes from the beginning; 0: all
  friend bool operator==(const LineOptions&, const LineOptions&) = default;
};

/// Notes of no duration cannot be compared in rhythm and are left out. The first `opening` notes are those of the whole
/// line, cut by `keep_opening`.
[[nodiscard]] Line make_line(const Voice& voice, const LineOptions& options = {});

/// For each note of that line the notes of the voice that it stands for, by their index.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> line_sources(const Voice& voice, const LineOptions& options = {});

/// What a voice leaves open (counted in its notes), counted in those of its line.
[[nodiscard]] std::vector<UnknownNotes> unknown_of_line(const Voice& voice, const LineOptions& options,
                                                        std::span<const UnknownNotes> unknown);

/// Removes all but the first `notes` notes; times are then on the least grid that makes them whole. Measures stay. A
/// shorter line is left as it is.
void keep_opening(Line& line, std::size_t notes);
/// Divides all times by what they have in common with the grid.
void to_least_grid(Line& line);

/// Times finer than this (no real music has them) are rounded to it, so that two melodies brought to a common grid,
/// and sums of their times, stay far from overflow.
inline constexpr std::int64_t kFinestGrid = 1'000'000;

/// Ticks per whole note that make every onset, duration and further time whole: their common denominator, or
/// kFinestGrid if that would be finer.
[[nodiscard]] std::int64_t time_grid(std::span<const Note> notes, std::span<const Fraction> more = {});
[[nodiscard]] std::int64_t to_ticks(Fraction time, std::int64_t grid);

}  // namespace rondo
