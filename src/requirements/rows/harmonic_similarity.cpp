#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

/// Every other note becomes a triad, with the third and the fifth on the given side.
Piece with_triads(const Piece& original, int side) {
  Piece out = original;
  Voice& voice = out.voices.front();
  std::vector<Note> added;
  std::size_t number = 0;
  for (const Note& note : voice.notes) {
    if (note.grace || number++ % 2 != 0) continue;
    const KeySignature key = alter::key_at(voice, note.onset);
    for (const int steps : {2, 4}) {
      Note more = note;
      more.pitch = alter::moved_in_key(note.pitch, side * steps, key);
      added.push_back(more);
    }
  }
  voice.notes.insert(voice.notes.end(), added.begin(), added.end());
  alter::put_in_order(voice);
  return out;
}

Piece below(const Piece& original, std::span<const Piece> /*companions*/) { return with_triads(original, -1); }
Piece above(const Piece& original, std::span<const Piece> /*companions*/) { return with_triads(original, 1); }

constexpr std::array kHarmonicSimilarityWays = {
    Alteration{"below", "every other note the top of a triad", below},
    Alteration{"above", "every other note the bottom of a triad", above},
};

}  // namespace

constinit const Requirement kHarmonicSimilarity = {
    .name = "harmonic-similarity",
    .heading = "harm",
    .explanation = "A melody with chords added to some of its notes resembles the bare one.",
    .alterations = kHarmonicSimilarityWays,
};

}  // namespace rondo::rows
