#pragma once

#include <functional>

#include "rondo/melody/piece.h"

/// What the alterations are made of.
namespace rondo::alter {

/// A written interval: so many steps of the staff, so many semitones; negative: down.
struct Interval {
  int steps = 0;
  int semitones = 0;
};

[[nodiscard]] Pitch moved(Pitch pitch, Interval by);
/// So many steps up or down within a key.
[[nodiscard]] Pitch moved_in_key(Pitch pitch, int steps, const KeySignature& key);

/// The piece with other pitches; notes are numbered from 0 in each voice, grace notes are not counted and go with the
/// note they ornament.
[[nodiscard]] Piece with_pitches(const Piece& piece, const std::function<Pitch(std::size_t, const Note&)>& change);

/// The piece with every time put through `when`, which must not go backwards: notes, measures, changes of signature.
[[nodiscard]] Piece with_times(const Piece& piece, const std::function<Fraction(Fraction)>& when);
[[nodiscard]] Piece stretched(const Piece& piece, Fraction factor);

/// The piece with its tempo mark (the field "tempo") that many times as quick; kUsualTempo quarters a minute where it
/// has none. A mark is the number that its text ends with ("120", "1/4=120"); one in words is replaced by a number.
[[nodiscard]] Piece with_tempo(const Piece& piece, Fraction factor);
inline constexpr int kUsualTempo = 120;

/// Signatures and keys moved so many fifths up; a voice without a signature has that of C. From `onset` on: those in
/// force there, and later ones.
void move_keys(Voice& voice, int fifths, Fraction onset = 0);
/// The signature in force at a moment; that of C where there is none.
[[nodiscard]] KeySignature key_at(const Voice& voice, Fraction onset);

/// Onset of the note in the middle of a voice.
[[nodiscard]] Fraction middle(const Voice& voice);
/// Puts the notes into the order that Voice promises.
void put_in_order(Voice& voice);

}  // namespace rondo::alter
