#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/fraction.h"
#include "rondo/melody/pitch.h"
#include "rondo/melody/signature.h"

/// The events of an incipit in written order: an intermediate form between notation and voice. Repeats are not yet
/// expanded, ties not yet merged, and events have no onsets, so a tuplet can still rescale its content.
namespace rondo::pae {

enum class EventKind : std::uint8_t { note, grace, rest, measures, bar, clef, key, time };

struct Event {
  Fraction duration;           ///< of note, grace (0: none written) and rest; of measures: of all of them
  std::uint32_t value = 0;     ///< measures: how many; clef, key, time: index of the new value
  std::uint32_t position = 0;  ///< in the text, for messages
  Pitch pitch;
  EventKind kind = EventKind::rest;
  bool chord = false;    ///< sounds together with the note or grace before it
  bool tied = false;     ///< continues a note of the chord before
  bool tie_out = false;  ///< a tie sign follows
  bool explicit_accidental = false;
  bool after_space = false;    ///< a space, perhaps a lost tie, separates it from a note of the same name and octave
  bool repeat_ends = false;    ///< bar: with a repeat sign on the left
  bool repeat_starts = false;  ///< bar: with a repeat sign on the right

  /// Advances the time, unlike ornaments, further notes of a chord, and signs.
  [[nodiscard]] bool advances() const {
    return kind == EventKind::rest || kind == EventKind::measures || (kind == EventKind::note && !chord);
  }
};

struct Score {
  std::vector<Event> events;
  std::vector<Clef> clefs;
  std::vector<KeySignature> keys;
  std::vector<TimeSignature> times;
  bool has_bars = false;     ///< some bar line or measure rest is written
  bool has_repeats = false;  ///< some bar line has a repeat sign
  bool odd_times = false;    ///< some duration is no sum of plain and dotted values

  void clear() {
    events.clear();
    clefs.clear();
    keys.clear();
    times.clear();
    has_bars = has_repeats = odd_times = false;
  }
};

}  // namespace rondo::pae
