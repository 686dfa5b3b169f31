#include "requirements/alter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "rondo/melody/builder.h"

namespace rondo::alter {
namespace {

Pitch natural(int diatonic) {
  const int octave = diatonic >= 0 ? diatonic / 7 : -((6 - diatonic) / 7);
  return {.step = static_cast<std::int8_t>(diatonic - 7 * octave), .octave = static_cast<std::int8_t>(octave)};
}

template <typename T>
void retime(std::vector<Change<T>>& changes, const std::function<Fraction(Fraction)>& when) {
  for (Change<T>& change : changes) change.onset = when(change.onset);
}

/// The value in force at `onset` begins there too, so that it can be changed from there on.
template <typename T>
void split(std::vector<Change<T>>& changes, Fraction onset) {
  const T* found = in_force(changes, onset);
  if (found == nullptr) return;
  const Change<T> here{onset, *found};
  const auto at = std::find_if(changes.begin(), changes.end(), [&](const Change<T>& c) { return c.onset >= onset; });
  if (at == changes.end() || at->onset != onset) changes.insert(at, here);
}

Key moved_key(Key key, int fifths) {
  // A fifth up is four steps and seven semitones; the octave does not matter here.
  const Pitch tonic = moved({.step = key.step, .alter = key.alter}, {.steps = 4 * fifths, .semitones = 7 * fifths});
  key.step = tonic.step;
  key.alter = tonic.alter;
  return key;
}

}  // namespace

Pitch moved(Pitch pitch, Interval by) {
  Pitch out = natural(pitch.diatonic() + by.steps);
  const int sound = pitch.midi() + by.semitones;
  const int alter = sound - out.midi();
  // Three and more accidentals are nobody's spelling.
  if (std::abs(alter) > 2) return Pitch::from_midi(sound);
  out.alter = static_cast<std::int8_t>(alter);
  return out;
}

Pitch moved_in_key(Pitch pitch, int steps, const KeySignature& key) {
  Pitch out = natural(pitch.diatonic() + steps);
  out.alter = key.alter[static_cast<std::size_t>(out.step)];
  return out;
}

Piece with_pitches(const Piece& piece, const std::function<Pitch(std::size_t, const Note&)>& change) {
  Piece out = piece;
  for (Voice& voice : out.voices) {
    std::size_t number = 0;
    for (Note& note : voice.notes) {
      note.pitch = change(number, note);
      if (!note.grace) ++number;
    }
    put_in_order(voice);
  }
  return out;
}

Piece with_times(const Piece& piece, const std::function<Fraction(Fraction)>& when) {
  Piece out = piece;
  for (Voice& voice : out.voices) {
    for (Note& note : voice.notes) {
      const Fraction end = note.end();
      const Fraction onset = when(note.onset);
      if (!note.grace) note.duration = when(end) - onset;
      note.onset = onset;
    }
    for (Fraction& bar : voice.bars) bar = when(bar);
    voice.length = when(voice.length);
    retime(voice.clefs, when);
    retime(voice.key_signatures, when);
    retime(voice.keys, when);
    retime(voice.times, when);
  }
  return out;
}

Piece stretched(const Piece& piece, Fraction factor) {
  return with_times(piece, [=](Fraction time) { return time * factor; });
}

Piece with_tempo(const Piece& piece, Fraction factor) {
  Piece out = piece;
  auto& fields = out.metadata.fields;
  auto mark = std::find_if(fields.begin(), fields.end(), [](const auto& field) { return field.first == "tempo"; });
  if (mark == fields.end()) mark = fields.insert(fields.end(), {"tempo", ""});
  std::string& text = mark->second;
  const std::size_t last = text.find_last_not_of("0123456789.");
  const std::size_t begin = last == std::string::npos ? 0 : last + 1;
  double quarters = kUsualTempo;
  if (std::from_chars(text.data() + begin, text.data() + text.size(), quarters).ec == std::errc{}) {
    text.erase(begin);
  } else {
    text.clear();
  }
  text += fmt::format("{}", quarters * factor.to_double());
  return out;
}

void move_keys(Voice& voice, int fifths, Fraction onset) {
  if (voice.key_signatures.empty()) voice.key_signatures.push_back({0, {}});
  split(voice.key_signatures, onset);
  split(voice.keys, onset);
  for (auto& change : voice.key_signatures) {
    const std::optional<int> now = change.value.fifths();
    if (change.onset >= onset && now) change.value = KeySignature::from_fifths(*now + fifths);
  }
  for (auto& change : voice.keys) {
    if (change.onset >= onset) change.value = moved_key(change.value, fifths);
  }
}

KeySignature key_at(const Voice& voice, Fraction onset) {
  const KeySignature* found = in_force(voice.key_signatures, onset);
  return found != nullptr ? *found : KeySignature{};
}

Fraction middle(const Voice& voice) { return voice.notes.empty() ? 0 : voice.notes[voice.notes.size() / 2].onset; }

void put_in_order(Voice& voice) {
  // The alterations stay within the limits that the reader of the original kept, so there is nothing to report.
  static_cast<void>(normalise(voice));
}

}  // namespace rondo::alter
