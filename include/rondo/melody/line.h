#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rondo/melody/voice.h"

namespace rondo {

/// Unknown notes (wildcards) between two notes of a query: C4 ? E4, C4 ... G4.
struct UnknownNotes {
  std::uint32_t before = 0;  ///< index of the note that follows; the number of notes: after the last
  std::uint32_t notes = 0;   ///< how many are unknown
  bool more = false;         ///< any number more
  /// False: the interval between the notes on both sides is unknown too, as with "?" in a contour.
  bool joined = true;
  friend bool operator==(const UnknownNotes&, const UnknownNotes&) = default;
};

/// A melody as monophonic systems compare it: one note per onset, times in whole ticks, stored in columns so that a
/// kernel reads only what it needs. All columns have the same length.
struct Line {
  std::vector<std::int16_t> pitch;     ///< MIDI number
  std::vector<std::int16_t> base40;    ///< spelled pitch; guessed where the source has no spelling
  std::vector<std::int64_t> onset;     ///< ticks
  std::vector<std::int64_t> duration;  ///< ticks, > 0
  std::vector<std::int64_t> bars;      ///< ticks; where measures begin (not a column)
  std::int64_t ticks_per_whole = 1;    ///< the least number that makes every time whole
  /// Of a query: its unknown notes, in ascending order, each position once. For systems that support them (SystemRow).
  std::vector<UnknownNotes> unknown{};

  [[nodiscard]] std::size_t size() const { return pitch.size(); }
};

struct LineOptions {
  bool graces = false;           ///< keep grace notes (they get their written duration, and take no time)
  bool ignore_repeated = false;  ///< successive notes of one pitch are merged into one with their total duration
  bool fold_octaves = false;     ///< every pitch into the octave from middle C
  std::uint32_t opening = 0;     ///< only this many notes from the beginning; 0: all
  friend bool operator==(const LineOptions&, const LineOptions&) = default;
};

/// Notes without duration cannot be compared in rhythm and are left out. `opening` is applied last, by `keep_opening`.
[[nodiscard]] Line make_line(const Voice& voice, const LineOptions& options = {});

/// For each note of that line, the indices of the notes of the voice that it represents.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> line_sources(const Voice& voice, const LineOptions& options = {});

/// Converts unknown notes from indices of the voice's notes to indices of its line's notes.
[[nodiscard]] std::vector<UnknownNotes> unknown_of_line(const Voice& voice, const LineOptions& options,
                                                        std::span<const UnknownNotes> unknown);

/// Removes all but the first `notes` notes and reduces times to the coarsest grid on which they are whole. Bars stay. A
/// shorter line is not changed.
void keep_opening(Line& line, std::size_t notes);
/// Divides all times and the grid by their greatest common divisor.
void to_least_grid(Line& line);

/// Times finer than this (no real music has them) are rounded to it, so that two melodies brought to a common grid,
/// and sums of their times, stay far from overflow.
inline constexpr std::int64_t kFinestGrid = 1'000'000;

/// Ticks per whole note that make every onset, duration and further time whole: their common denominator, or
/// kFinestGrid if that would be finer.
[[nodiscard]] std::int64_t time_grid(std::span<const Note> notes, std::span<const Fraction> more = {});
[[nodiscard]] std::int64_t to_ticks(Fraction time, std::int64_t grid);

}  // namespace rondo
