#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

int fifths_of(const Voice& voice) { return alter::key_at(voice, 0).fifths().value_or(0); }

/// The side with room for as many signs.
int towards_fewer_signs(const Voice& voice, int fifths) { return fifths_of(voice) > 0 ? -fifths : fifths; }

Piece next_key(const Piece& original, std::span<const Piece> /*companions*/) {
  Piece out = original;
  for (Voice& voice : out.voices) alter::move_keys(voice, towards_fewer_signs(voice, 1));
  return out;
}

Piece far_key(const Piece& original, std::span<const Piece> /*companions*/) {
  const Voice& first = original.voices.front();
  const int by = towards_fewer_signs(first, 6);
  const int now = fifths_of(first) + by;
  Piece out = alter::with_pitches(
      original, [=](std::size_t, const Note& note) { return Pitch::from_midi(note.pitch.midi(), now); });
  for (Voice& voice : out.voices) alter::move_keys(voice, by);
  return out;
}

constexpr std::array kNoteEqualityWays = {
    Alteration{"next key", "the same notes in a key with one sign more or less", next_key},
    Alteration{"far key", "the same sounds in the key six fifths away, spelt as is usual there", far_key},
};

}  // namespace

constinit const Requirement kNoteEquality = {
    .name = "note-equality",
    .heading = "note",
    .explanation = "The same notes written in another key, where they are other degrees, are the same melody.",
    .alterations = kNoteEqualityWays,
};

}  // namespace rondo::rows
