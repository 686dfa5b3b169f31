#pragma once

#include <string>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/melody/voice.h"

namespace rondo {

/// Builds a Voice with the invariants of the model: order, ties merged, limits. Every reader uses it.
///
/// A problem (a time out of range, too many notes) is stored and returned by `finish`; calls after it do nothing, so a
/// reader need not check each one. Reusable: `finish` leaves it empty.
class VoiceBuilder {
 public:
  explicit VoiceBuilder(std::string name = {}) { voice_.name = std::move(name); }

  /// A note; with `tied`, it continues a note of the same MIDI number that ends exactly here (if there is none, it is a
  /// new note and the call returns false).
  bool note(Fraction onset, Fraction duration, Pitch pitch, bool tied = false, bool spelled = true);
  void grace(Fraction onset, Fraction written, Pitch pitch);
  /// Extends the voice to at least `end`: call it for rests.
  void lasts_until(Fraction end);
  void bar(Fraction onset);
  void clef(Fraction onset, Clef value);
  void key_signature(Fraction onset, KeySignature value);
  void key(Fraction onset, Key value);
  void time(Fraction onset, TimeSignature value);
  void name(std::string value) { voice_.name = std::move(value); }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t note_count() const { return voice_.notes.size(); }
  [[nodiscard]] Fraction length() const { return voice_.length; }
  [[nodiscard]] Result<Voice> finish();

 private:
  void problem(std::string code, std::string message);
  [[nodiscard]] bool accept(Fraction time);

  Voice voice_;
  Error error_;
  bool failed_ = false;
  bool sorted_ = true;
};

/// Sorts and checks a voice that was not made by VoiceBuilder: the order of Voice::notes and all limits.
[[nodiscard]] Result<void> normalise(Voice& voice);

}  // namespace rondo
