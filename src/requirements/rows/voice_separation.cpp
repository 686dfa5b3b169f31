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

/// `companion` moved by octaves until it lies above all of `melody`, or below; no longer than that.
Voice put_above(const Voice& companion, const Voice& melody) {
  return fitted(companion, octaves_for(highest(melody) + 1 - lowest(companion)), melody.length);
}
Voice put_below(const Voice& companion, const Voice& melody) {
  return fitted(companion, -octaves_for(highest(companion) + 1 - lowest(melody)), melody.length);
}

Piece on_staves(const Piece& original, std::vector<Voice> voices) {
  Piece out = original;
  out.voices = std::move(voices);
  return out;
}

Piece top(const Piece& original, std::span<const Piece> companions) {
  const Voice& melody = original.voices.front();
  const Voice middle = put_below(companions[0].voices.front(), melody);
  const Voice& above = middle.notes.empty() ? melody : middle;
  return on_staves(original, {melody, middle, put_below(companions[1].voices.front(), above)});
}

Piece middle_of_three(const Piece& original, std::span<const Piece> companions) {
  const Voice& melody = original.voices.front();
  return on_staves(original, {put_above(companions[0].voices.front(), melody), melody,
                              put_below(companions[1].voices.front(), melody)});
}

Piece bottom(const Piece& original, std::span<const Piece> companions) {
  const Voice& melody = original.voices.front();
  const Voice middle = put_above(companions[0].voices.front(), melody);
  const Voice& below = middle.notes.empty() ? melody : middle;
  return on_staves(original, {put_above(companions[1].voices.front(), below), middle, melody});
}

Piece one_staff(const Piece& original, std::span<const Piece> companions) {
  Piece out = original;
  const Piece staves = middle_of_three(original, companions);
  Voice& all = out.voices.front();
  for (const Voice* more : {&staves.voices.front(), &staves.voices.back()}) {
    std::copy_if(more->notes.begin(), more->notes.end(), std::back_inserter(all.notes),
                 [](const Note& note) { return !note.grace; });
  }
  alter::put_in_order(all);
  return out;
}

constexpr std::array kVoiceSeparationWays = {
    Alteration{"top", "the highest of three voices, each written by itself", top},
    Alteration{"middle", "the middle one of three voices, each written by itself", middle_of_three},
    Alteration{"bottom", "the lowest of three voices, each written by itself", bottom},
    Alteration{"one staff", "the middle one of three voices that are written as one", one_staff},
};

}  // namespace

constinit const Requirement kVoiceSeparation = {
    .name = "voice-separation",
    .heading = "voice",
    .explanation = "A piece of several voices is found by a query that is any one of them.",
    .alterations = kVoiceSeparationWays,
};

}  // namespace rondo::rows
