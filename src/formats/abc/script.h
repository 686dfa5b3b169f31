#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/abc/signs.h"
#include "melody/repeats.h"
#include "rondo/melody/pitch.h"

namespace rondo::abc {

/// A note with its final length; ties are not yet merged, repeats not yet expanded.
struct ScriptNote {
  Pitch pitch;
  Fraction duration;
  bool ties = false;    ///< a tie begins here
  bool marked = false;  ///< it has a written accidental, so a tie into it does not determine its pitch
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Event {
  enum class Kind : std::uint8_t { sound, rest, grace, bar, overlay, signs };

  Kind kind;
  Fraction duration;        ///< time by which sound and rest advance
  std::uint32_t first = 0;  ///< of sound and grace: index of the first note; of signs: index of the signs
  std::uint32_t count = 0;  ///< of sound and grace: number of notes
};

/// One bar line, whatever its shape, with an ending that begins at it.
struct BarSign {
  bool line = false;      ///< false: only an ending ([2) without a bar line of its own
  bool starts = false;    ///< |:
  bool heavy = false;     ///< a double bar: || |] [|
  std::uint8_t ends = 0;  ///< :| gives 2, ::| gives 3
  std::uint32_t endings = 0;
};

/// A stretch: the music between two repeat signs or parts, which may be anywhere in a measure.
struct Stretch {
  std::uint32_t begin = 0;  ///< first event
  std::uint32_t signs = 0;  ///< index of the signs in force there, +1; 0: none yet
  RepeatMark mark;
  bool presumed = false;  ///< mark.starts was not written: a repeat, an ending or a part has ended before it
  char part = '\0';       ///< the label of P: it is under
};

/// One voice of a tune in written order. Grows by the calls below; `play` turns it into a melody.
class Script {
 public:
  void sound(Fraction advance, std::span<const ScriptNote> chord);
  void grace(std::span<const ScriptNote> notes);
  void rest(Fraction duration);
  void signs(const Signs& signs);
  void overlay() { push({Event::Kind::overlay, {}, 0, 0}); }
  /// False when its ending is out of place: [2 without :| before it, or without [1.
  bool bar(const BarSign& sign);
  /// A part begins here; the same label as before changes nothing.
  void part(char label);

  /// Multiplies the last note, chord or rest, if no bar line came after it (broken rhythm); false where there is none.
  bool scale_last(Fraction by);
  /// A tie begins at the last note or chord; false where there is none or a rest came after it.
  bool tie_last();

  [[nodiscard]] bool empty() const { return empty_; }
  /// A limit was exceeded: adding has stopped, the tune must be rejected.
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] bool has_bars() const { return has_bars_; }
  [[nodiscard]] std::span<const Event> events() const { return events_; }
  [[nodiscard]] std::span<const ScriptNote> notes() const { return notes_; }
  [[nodiscard]] std::span<const Signs> all_signs() const { return signs_; }
  [[nodiscard]] std::span<const Stretch> stretches() const { return stretches_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void push(Event event);
  void end_repeat(std::uint8_t plays);
  bool begin_ending(std::uint32_t endings);
  /// The stretch that begins here: a new one, or the current one while nothing sounded in it.
  Stretch& begin_stretch();
  void timed();

  std::vector<Event> events_;
  std::vector<ScriptNote> notes_;
  std::vector<Signs> signs_;
  std::vector<Stretch> stretches_{Stretch{}};
  std::uint32_t last_timed_ = kNone;
  std::uint32_t last_sound_ = kNone;
  bool empty_ = true;
  bool fresh_ = true;         ///< the current stretch has no note, rest or ending yet
  bool repeat_open_ = false;  ///< a written |: waits for its :|
  bool has_bars_ = false;
  bool overflowed_ = false;
};

}  // namespace rondo::abc
