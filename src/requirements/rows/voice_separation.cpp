#include <algorithm>
#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

int lowest(const Voice& voice) {
  return std::min_element(voice.notes.begin(), voice.notes.end(),
                          [](const Note& a, const Note& b) { return a.pitch.midi() < b.pitch.midi(); })
      ->pitch.midi();
}

int highest(const Voice& voice) {
  return std::max_element(voice.notes.begin(), voice.notes.end(),
                          [](const Note& a, const Note& b) { return a.pitch.midi() < b.pitch.midi(); })
      ->pitch.midi();
}

/// The voice moved by octaves, and no longer than `length`.
Voice fitted(Voice voice, int octaves, Fraction length) {
  std::erase_if(voice.notes, [&](const Note& note) { return note.onset >= length; });
  for (Note& note : voice.notes) {
    note.pitch.octave = static_cast<std::int8_t>(note.pitch.octave + octaves);
    if (!note.grace) note.duration = std::min(note.duration, length - note.onset);
  }
  std::erase_if(voice.bars, [&](Fraction bar) { return bar >= length; });
  voice.length = std::min(voice.length, length);
  return voice;
}

/// How many octaves up until a distance of so many semitones is made good.
int octaves_for(int semitones) { return semitones <= 0 ? 0 : (semitones + 11) / 12; }

/// A voice above all of the melody, the melody, and one below all of it.
std::array<Voice, 3> three_voices(const Piece& original, std::span<const Piece> companions) {
  const Voice& melody = original.voices.front();
  const Voice& upper = companions[0].voices.front();
  const Voice& lower = companions[1].voices.front();
  return {fitted(upper, octaves_for(highest(melody) + 1 - lowest(upper)), melody.length), melody,
          fitted(lower, -octaves_for(highest(lower) + 1 - lowest(melody)), melody.length)};
}

Piece three_staves(const Piece& original, std::span<const Piece> companions) {
  Piece out = original;
  const std::array<Voice, 3> voices = three_voices(original, companions);
  out.voices.assign(voices.begin(), voices.end());
  return out;
}

Piece one_staff(const Piece& original, std::span<const Piece> companions) {
  Piece out = original;
  const std::array<Voice, 3> voices = three_voices(original, companions);
  Voice& all = out.voices.front();
  for (const Voice* more : {&voices.front(), &voices.back()}) {
    std::copy_if(more->notes.begin(), more->notes.end(), std::back_inserter(all.notes),
                 [](const Note& note) { return !note.grace; });
  }
  alter::put_in_order(all);
  return out;
}

constexpr std::array kVoiceSeparationWays = {
    Alteration{"three staves", "the middle one of three voices, each written by itself", three_staves},
    Alteration{"one staff", "the middle one of three voices that are written as one", one_staff},
};

}  // namespace

constinit const Requirement kVoiceSeparation = {
    .name = "voice-separation",
    .heading = "voice",
    .explanation = "A piece of several voices is found by a query that is one of them.",
    .alterations = kVoiceSeparationWays,
};

}  // namespace rondo::rows
