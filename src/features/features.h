#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features/motives.h"
#include "rondo/melody/voice.h"

namespace rondo {

/// Features of a single melody, used to filter a large collection (Typke, den Hoed, de Nooijer, Wiering, Veltkamp: A
/// ground truth for half a million musical incipits, 2004, section 2). They are computed from the notes that monophonic
/// systems compare: the highest of a chord, no grace notes. Rests are ignored: an interval connects two successive
/// notes, with or without a rest between them.
struct Features {
  std::uint32_t notes = 0;
  std::int16_t lowest = 0;              ///< MIDI number; 0 where there are no notes
  std::int16_t highest = 0;             ///< likewise
  std::int16_t range = 0;               ///< from the lowest to the highest note, in semitones
  std::int16_t range_steps = 0;         ///< between the same two in steps of the staff: an octave is 7
  std::int16_t max_interval = 0;        ///< the largest between adjacent notes, up or down, in semitones
  std::int16_t max_interval_steps = 0;  ///< the largest between adjacent notes, in steps
  double duration_ratio = 0;            ///< shortest / longest note, in (0, 1]; 0 where there are no notes
  std::string contour;                  ///< U D R
  std::string rhythm;                   ///< L S E
  std::vector<std::int16_t>
      diatonic;  ///< intervals in steps: 0 unison (also F - F sharp), 2 a third up, -4 a fifth down
  std::vector<std::int16_t> chromatic;  ///< the same in semitones
  /// How many intervals of each size: 0 unisons, 1 seconds, ... 7 octaves, 8 all larger ones; both directions.
  static constexpr std::size_t kSizes = 9;
  std::array<std::uint32_t, kSizes> sizes{};
  std::vector<Motive> motives;  ///< of the diatonic intervals

  // As written at the beginning; empty: not given.
  std::string clef;
  std::string key_signature;
  std::string key;
  std::string time;

  friend bool operator==(const Features&, const Features&) = default;
};

[[nodiscard]] Features features_of(const Voice& voice);

/// The names of the sizes.
inline constexpr std::array<const char*, Features::kSizes> kSizeNames = {
    "unisons", "seconds", "thirds", "fourths", "fifths", "sixths", "sevenths", "octaves", "larger"};

/// Calls visit(name, value) for every feature that is one number or one text: the columns of a table of melodies, with
/// their standard names.
template <typename Visit>
void each_column(const Features& f, const Visit& visit) {
  visit("notes", std::int64_t{f.notes});
  visit("lowest", std::int64_t{f.lowest});
  visit("highest", std::int64_t{f.highest});
  visit("range", std::int64_t{f.range});
  visit("range_steps", std::int64_t{f.range_steps});
  visit("max_interval", std::int64_t{f.max_interval});
  visit("max_interval_steps", std::int64_t{f.max_interval_steps});
  visit("duration_ratio", f.duration_ratio);
  visit("contour", f.contour);
  visit("rhythm", f.rhythm);
  for (std::size_t size = 0; size < Features::kSizes; ++size) visit(kSizeNames[size], std::int64_t{f.sizes[size]});
  visit("clef", f.clef);
  visit("key_signature", f.key_signature);
  visit("key", f.key);
  visit("time", f.time);
}

/// One row of a histogram: an interval (positive up), how often, and its share of all intervals.
struct IntervalShare {
  std::int16_t interval = 0;
  std::uint32_t count = 0;
  double share = 0;
  friend bool operator==(const IntervalShare&, const IntervalShare&) = default;
};
/// Ascending by interval.
[[nodiscard]] std::vector<IntervalShare> interval_histogram(std::span<const std::int16_t> intervals);

/// " 4 -2 0 5 ": numbers between blanks, a blank at both ends, so that a sequence is found as a part of the text.
/// "" for none. This is how collections store interval strings.
[[nodiscard]] std::string interval_text(std::span<const std::int16_t> intervals);
/// Appends the same to `to`.
void append_interval_text(std::string& to, std::span<const std::int16_t> intervals);

}  // namespace rondo
