#pragma once

#include <cstdint>

#include "rondo/melody/fraction.h"
#include "rondo/melody/pitch.h"

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

}  // namespace rondo
