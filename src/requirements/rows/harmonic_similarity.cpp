#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

/// Every other note becomes a chord: to the note itself those that lie so many steps of the key from it.
Piece with_chords(const Piece& original, std::span<const int> intervals) {
  Piece out = original;
  Voice& voice = out.voices.front();
  std::vector<Note> added;
  std::size_t number = 0;
  for (const Note& note : voice.notes) {
    if (note.grace || number++ % 2 != 0) continue;
    const KeySignature key = alter::key_at(voice, note.onset);
    for (const int steps : intervals) {
      Note more = note;
      more.pitch = alter::moved_in_key(note.pitch, steps, key);
      added.push_back(more);
    }
  }
  voice.notes.insert(voice.notes.end(), added.begin(), added.end());
  alter::put_in_order(voice);
  return out;
}

constexpr std::array kThirdAndFifth = {2, 4};
constexpr std::array kThirdAndFifthBelow = {-2, -4};
constexpr std::array kThird = {2};
constexpr std::array kFifth = {4};
constexpr std::array kSeventhChord = {2, 4, 6};

using Others = std::span<const Piece>;

Piece triads(const Piece& original) { return with_chords(original, kThirdAndFifth); }
Piece below(const Piece& original, Others /*companions*/) { return with_chords(original, kThirdAndFifthBelow); }
Piece above(const Piece& original, Others /*companions*/) { return triads(original); }
Piece root_only(const Piece& original, Others /*companions*/) { return original; }
Piece root_and_third(const Piece& original, Others /*companions*/) { return with_chords(original, kThird); }
Piece root_and_fifth(const Piece& original, Others /*companions*/) { return with_chords(original, kFifth); }
Piece four_notes(const Piece& original, Others /*companions*/) { return with_chords(original, kSeventhChord); }

constexpr std::array kHarmonicSimilarityWays = {
    Alteration{"below", "every other note the top of a triad", below},
    Alteration{"above", "every other note the bottom of a triad", above},
    Alteration{"root only", "the melody without chords; in the query, every other note is the bottom of a triad",
               root_only, triads},
    Alteration{"root and third", "only the two lower notes of those triads; the query has the triads", root_and_third,
               triads},
    Alteration{"root and fifth", "only the two outer notes of those triads; the query has the triads", root_and_fifth,
               triads},
    Alteration{"four notes", "those triads with a seventh added; the query has the triads", four_notes, triads},
};

}  // namespace

constinit const Requirement kHarmonicSimilarity = {
    .name = "harmonic-similarity",
    .heading = "harm",
    .explanation =
        "A melody with chords added to some of its notes resembles the melody without chords, and one with chords of "
        "more or fewer notes. Rondo reduces a query to one line, the highest note of each chord.",
    .alterations = kHarmonicSimilarityWays,
};

}  // namespace rondo::rows
