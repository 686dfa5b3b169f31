#include <algorithm>
#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

/// Two notes share their time anew: equal ones become long and short, three to one; unequal ones change lengths.
void share_anew(Note& first, Note& second) {
  const Fraction end = second.end();
  first.duration = first.duration == second.duration ? first.duration * Fraction(3, 2) : second.duration;
  second.onset = first.end();
  second.duration = end - second.onset;
}

Piece some_notes(const Piece& original, std::span<const Piece> /*companions*/) {
  Piece out = original;
  std::vector<Note>& notes = out.voices.front().notes;
  std::erase_if(notes, [](const Note& note) { return note.grace; });  // they would stand before the wrong note
  for (std::size_t i = 1; i + 1 < notes.size(); i += 4) {
    if (notes[i].end() == notes[i + 1].onset) share_anew(notes[i], notes[i + 1]);
  }
  return out;
}

Piece slower_half(const Piece& original, std::span<const Piece> /*companions*/) {
  const Fraction from = alter::middle(original.voices.front());
  return alter::with_times(original, [=](Fraction time) { return time + std::max(Fraction(0), time - from); });
}

constexpr std::array kDurationVariationWays = {
    Alteration{"some notes", "of every four notes, two divide their time differently", some_notes},
    Alteration{"slower half", "its second half in doubled note values", slower_half},
};

}  // namespace

constinit const Requirement kDurationVariation = {
    .name = "duration-variation",
    .heading = "len~",
    .explanation = "A melody with another rhythm in places, or with a change of tempo, must still be found.",
    .alterations = kDurationVariationWays,
};

}  // namespace rondo::rows
