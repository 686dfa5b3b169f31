#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece octave(const Piece& original, int octaves) {
  return alter::with_pitches(original, [=](std::size_t, const Note& note) {
    return alter::moved(note.pitch, {.steps = 7 * octaves, .semitones = 12 * octaves});
  });
}

Piece up(const Piece& original, std::span<const Piece> /*companions*/) { return octave(original, 1); }
Piece down(const Piece& original, std::span<const Piece> /*companions*/) { return octave(original, -1); }

constexpr std::array kOctaveEquivalenceWays = {
    Alteration{"up", "all of it an octave higher", up},
    Alteration{"down", "all of it an octave lower", down},
};

}  // namespace

constinit const Requirement kOctaveEquivalence = {
    .name = "octave-equivalence",
    .heading = "oct",
    .explanation = "A melody written in another octave is the same melody.",
    .alterations = kOctaveEquivalenceWays,
};

}  // namespace rondo::rows
