#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rondo/melody/fraction.h"
#include "rondo/melody/pitch.h"
#include "rondo/melody/signature.h"

namespace rondo {

/// One sounding note; tied notes are one. Times are whole notes counted from the beginning of the voice.
struct Note {
  Fraction onset;
  /// How long it sounds. A grace note takes no time of its own: it shares the onset of the note it ornaments and
  /// `duration` is its written value, 0 where none is written.
  Fraction duration;
  Pitch pitch;
  bool grace = false;
  /// false: the source has only key numbers (MIDI) and the spelling is our guess.
  bool spelled = true;

  [[nodiscard]] Fraction end() const { return grace ? onset : onset + duration; }
  friend bool operator==(const Note&, const Note&) = default;
};

/// A value that applies from an onset on.
template <typename T>
struct Change {
  Fraction onset;
  T value;
  friend bool operator==(const Change&, const Change&) = default;
};

/// One line of music, repeats written out, ties merged. Rests are the gaps between notes and the silence up to
/// `length`; chords are notes with one onset.
///
/// Order of `notes`, which every reader guarantees (through VoiceBuilder): by onset; at one onset the grace notes in
/// their written order, then the others from the highest down. So the melody of a chord is its first note.
struct Voice {
  std::string name;  ///< "Violino I", "Soprano"; may be empty
  std::vector<Note> notes;
  Fraction length;             ///< end of the last note or rest
  std::vector<Fraction> bars;  ///< where measures begin, ascending, the first usually 0; empty: unmeasured or unknown
  std::vector<Change<Clef>> clefs;
  std::vector<Change<KeySignature>> key_signatures;
  std::vector<Change<Key>> keys;
  std::vector<Change<TimeSignature>> times;

  void clear();
  friend bool operator==(const Voice&, const Voice&) = default;
};

/// The notes that a monophonic system compares: the highest note of each onset, without grace notes unless
/// `with_graces`. A later, lower note does not shorten a higher one; only one note per onset is chosen.
[[nodiscard]] std::vector<Note> top_line(const Voice& voice, bool with_graces = false);

/// True if no two notes (grace notes aside) sound at once.
[[nodiscard]] bool is_monophonic(const Voice& voice);

/// The value in force at `onset`, or nullptr before the first.
template <typename T>
[[nodiscard]] const T* in_force(const std::vector<Change<T>>& changes, Fraction onset) {
  const T* found = nullptr;
  for (const auto& change : changes) {
    if (change.onset > onset) break;
    found = &change.value;
  }
  return found;
}

}  // namespace rondo
