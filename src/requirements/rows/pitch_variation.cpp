#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece last_note(const Piece& original, std::span<const Piece> /*companions*/) {
  Piece out = original;
  Note& last = out.voices.front().notes.back();
  last.pitch = alter::moved(last.pitch, {.steps = -3, .semitones = -5});
  return out;
}

Piece every_sixth(const Piece& original, std::span<const Piece> /*companions*/) {
  const Voice& voice = original.voices.front();
  return alter::with_pitches(original, [&](std::size_t i, const Note& note) {
    if (note.grace || i % 6 != 5) return note.pitch;
    return alter::moved_in_key(note.pitch, i / 6 % 2 == 0 ? 1 : -1, alter::key_at(voice, note.onset));
  });
}

constexpr std::array kPitchVariationWays = {
    Alteration{"last note", "its last note a fourth lower", last_note},
    Alteration{"some notes", "every sixth note a step higher or lower in turn", every_sixth},
};

}  // namespace

constinit const Requirement kPitchVariation = {
    .name = "pitch-variation",
    .heading = "pitch",
    .explanation = "A melody with a few notes of another pitch must still be found.",
    .alterations = kPitchVariationWays,
};

}  // namespace rondo::rows
