#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

Piece fifth_lower(const Piece& original, std::span<const Piece> /*companions*/) {
  Piece out = alter::with_pitches(
      original, [](std::size_t, const Note& note) { return alter::moved(note.pitch, {.steps = -4, .semitones = -7}); });
  for (Voice& voice : out.voices) alter::move_keys(voice, -1);
  return out;
}

Piece second_half_higher(const Piece& original, std::span<const Piece> /*companions*/) {
  const Fraction from = alter::middle(original.voices.front());
  Piece out = alter::with_pitches(original, [=](std::size_t, const Note& note) {
    return note.onset < from ? note.pitch : alter::moved(note.pitch, {.steps = 1, .semitones = 2});
  });
  for (Voice& voice : out.voices) alter::move_keys(voice, 2, from);
  return out;
}

constexpr std::array kDegreeEqualityWays = {
    Alteration{"transposed", "all of it a fifth lower, in the key that belongs to it", fifth_lower},
    Alteration{"modulating", "its second half a tone higher, with a new key signature", second_half_higher},
};

}  // namespace

constinit const Requirement kDegreeEquality = {
    .name = "degree-equality",
    .heading = "key",
    .explanation = "The same degrees of another key are the same melody, even if the key changes on the way.",
    .alterations = kDegreeEqualityWays,
};

}  // namespace rondo::rows
