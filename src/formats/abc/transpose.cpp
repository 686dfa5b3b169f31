#include "formats/abc/signs.h"

namespace rondo::abc {
namespace {

/// Steps of the staff a transposition by 0 to 11 semitones moves: minor second, major second, ...
constexpr int kSteps[12] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6};

int floor_div(int a, int b) { return a / b - (a % b < 0 ? 1 : 0); }

Pitch moved(Pitch from, int semitones, int steps) {
  const int diatonic = from.diatonic() + steps;
  Pitch to;
  to.octave = static_cast<std::int8_t>(floor_div(diatonic, 7));
  to.step = static_cast<std::int8_t>(diatonic - 7 * to.octave);
  to.alter = static_cast<std::int8_t>(from.midi() + semitones - to.midi());
  return to;
}

KeySignature moved(const KeySignature& from, int semitones, int steps) {
  KeySignature to;
  for (int step = 0; step < 7; ++step) {
    const auto at = static_cast<std::size_t>(step);
    const Pitch pitch = moved(Pitch{static_cast<std::int8_t>(step), from.alter[at], 4}, semitones, steps);
    to.alter[static_cast<std::size_t>(pitch.step)] = pitch.alter;
  }
  return to;
}

/// How unusual a signature is, to choose the simplest; one that cannot be notated is worse than all others.
int strangeness(const KeySignature& signature) {
  int sum = 0;
  for (const int alter : signature.alter) sum += alter * alter;
  return sum;
}

}  // namespace

Transposition::Transposition(int semitones, const KeySignature& written) : semitones_(semitones) {
  const int octaves = floor_div(semitones, 12);
  const int usual = 7 * octaves + kSteps[semitones - 12 * octaves];
  steps_ = usual;
  for (const int other : {usual - 1, usual + 1}) {
    if (strangeness(moved(written, semitones, other)) < strangeness(moved(written, semitones, steps_))) steps_ = other;
  }
}

Pitch Transposition::operator()(Pitch written) const {
  if (semitones_ == 0) return written;
  const Pitch pitch = moved(written, semitones_, steps_);
  const bool spellable = pitch.alter >= -Pitch::kMaxAlter && pitch.alter <= Pitch::kMaxAlter;
  return spellable ? pitch : Pitch::from_midi(written.midi() + semitones_);
}

Signs Transposition::operator()(const Signs& written) const {
  if (semitones_ == 0) return written;
  Signs signs = written;
  signs.signature = moved(written.signature, semitones_, steps_);
  if (written.key) {
    const Pitch tonic = moved(Pitch{written.key->step, written.key->alter, 4}, semitones_, steps_);
    signs.key->step = tonic.step;
    signs.key->alter = tonic.alter;
  }
  return signs;
}

}  // namespace rondo::abc
