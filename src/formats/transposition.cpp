#include "formats/transposition.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace rondo {
namespace {

constexpr std::array<int, 7> kSemitones = {0, 2, 4, 5, 7, 9, 11};
constexpr std::array<int, 12> kStepsOfSemitones = {0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6};
constexpr std::array<int, 7> kSharpOrder = {3, 0, 4, 1, 5, 2, 6};

struct Divided {
  int quotient;
  int rest;
};

/// Division that rounds down, so that the rest is never negative.
Divided divide(int value, int by) {
  const int rest = ((value % by) + by) % by;
  return {(value - rest) / by, rest};
}

/// Semitones of a white key counted from C of octave 0.
int natural_semitones(int diatonic) {
  const auto [octave, step] = divide(diatonic, 7);
  return 12 * octave + kSemitones[static_cast<std::size_t>(step)];
}

}  // namespace

std::optional<Pitch> make_pitch(int step, int alter, int octave) {
  if (step < 0 || step > 6 || alter < -Pitch::kMaxAlter || alter > Pitch::kMaxAlter || octave < -2 || octave > 11) {
    return std::nullopt;
  }
  const Pitch pitch{static_cast<std::int8_t>(step), static_cast<std::int8_t>(alter), static_cast<std::int8_t>(octave)};
  return pitch.playable() ? std::optional(pitch) : std::nullopt;
}

Transposition Transposition::of_semitones(int semitones) {
  const auto [octaves, rest] = divide(semitones, 12);
  return {7 * octaves + kStepsOfSemitones[static_cast<std::size_t>(rest)], semitones};
}

Transposition Transposition::stated(int semitones, std::optional<int> steps) {
  Transposition value = of_semitones(semitones);
  if (steps && std::abs(*steps * 12 - semitones * 7) <= 24) value.steps = *steps;
  return value;
}

std::optional<Pitch> Transposition::apply(Pitch written) const {
  const int diatonic = written.diatonic() + steps;
  const int sounding = natural_semitones(written.diatonic()) + written.alter + semitones;
  const int alter = sounding - natural_semitones(diatonic);
  const auto [octave, step] = divide(diatonic, 7);
  if (alter >= -Pitch::kMaxAlter && alter <= Pitch::kMaxAlter) return make_pitch(step, alter, octave);
  if (sounding + 12 < 0 || sounding + 12 > 127) return std::nullopt;
  return Pitch::from_midi(sounding + 12);
}

KeySignature Transposition::apply(const KeySignature& written) const {
  KeySignature sounding;
  for (int step = 0; step < 7; ++step) {
    const int target = divide(step + steps, 7).rest;
    const int alter = natural_semitones(step) + written.alter[static_cast<std::size_t>(step)] + semitones -
                      natural_semitones(step + steps);
    sounding.alter[static_cast<std::size_t>(target)] = static_cast<std::int8_t>(std::clamp(alter, -2, 2));
  }
  return sounding;
}

Key Transposition::apply(Key written) const {
  const int alter =
      natural_semitones(written.step) + written.alter + semitones - natural_semitones(written.step + steps);
  Key sounding = written;
  sounding.step = static_cast<std::int8_t>(divide(written.step + steps, 7).rest);
  sounding.alter = static_cast<std::int8_t>(std::clamp(alter, -2, 2));
  return sounding;
}

KeySignature signature_of_fifths(int fifths) {
  KeySignature signature;
  fifths = std::clamp(fifths, -14, 14);
  for (int i = 0; i < fifths; ++i)
    ++signature.alter[static_cast<std::size_t>(kSharpOrder[static_cast<std::size_t>(i % 7)])];
  for (int i = 0; i < -fifths; ++i) {
    --signature.alter[static_cast<std::size_t>(kSharpOrder[static_cast<std::size_t>(6 - i % 7)])];
  }
  return signature;
}

Key key_of_fifths(int fifths, Mode mode) {
  const int offset = Key{0, 0, mode}.signature().fifths().value_or(0);  // of the mode on C
  const int tonic = std::clamp(fifths, -14, 14) - offset;
  Key key;
  key.step = static_cast<std::int8_t>(divide(tonic * 4, 7).rest);
  key.alter = static_cast<std::int8_t>(std::clamp(divide(tonic + 1, 7).quotient, -2, 2));
  key.mode = mode;
  return key;
}

std::optional<Mode> mode_of_name(std::string_view name) {
  const auto key = Key::parse("C " + std::string(name));
  if (name.empty() || !key) return std::nullopt;
  return key->mode;
}

}  // namespace rondo
