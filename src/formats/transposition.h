#pragma once

#include <optional>
#include <string_view>

#include "rondo/melody/signature.h"

namespace rondo {

/// From the written to the sounding pitch, in steps and semitones up (a clarinet in B flat: -1, -2).
struct Transposition {
  int steps = 0;
  int semitones = 0;

  [[nodiscard]] bool none() const { return steps == 0 && semitones == 0; }
  /// The usual spelling of an interval of which only the semitones are known (a tritone is an augmented fourth).
  [[nodiscard]] static Transposition of_semitones(int semitones);
  /// With the steps given by a source: they only affect the spelling, and steps that do not fit the semitones (often a
  /// 0 with an octave) are ignored.
  [[nodiscard]] static Transposition stated(int semitones, std::optional<int> steps);

  /// The sounding pitch. One that would need more than Pitch::kMaxAlter accidentals is respelled; nullopt if it is out
  /// of range.
  [[nodiscard]] std::optional<Pitch> apply(Pitch written) const;
  [[nodiscard]] KeySignature apply(const KeySignature& written) const;
  [[nodiscard]] Key apply(Key written) const;
};

/// A pitch with these parts; nullopt if it is out of range.
[[nodiscard]] std::optional<Pitch> make_pitch(int step, int alter, int octave);

/// Sharps (positive) or flats of a signature, beyond seven as double ones; clamped to two rounds of seven.
[[nodiscard]] KeySignature signature_of_fifths(int fifths);

/// The key of a signature of `fifths` in this mode: 2 sharps minor is B minor.
[[nodiscard]] Key key_of_fifths(int fifths, Mode mode);
[[nodiscard]] std::optional<Mode> mode_of_name(std::string_view name);

}  // namespace rondo
