#pragma once

#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::kern {

/// What a strand of kern can hold at one moment: notes of one onset and duration, or one grace note.
struct Chord {
  Fraction onset;
  Fraction end;
  std::vector<const Note*> notes;

  [[nodiscard]] bool is_grace() const { return notes.front()->grace; }
};

/// Chords one after the other, none overlapping.
using Layer = std::vector<Chord>;

inline constexpr std::size_t kMostLayers = 32;

/// Deals the notes of a voice, in their order, into as few layers as the first-fit rule gives: reading the layers
/// from the first to the last brings unisons back in their order. Always at least one layer; none when more than
/// kMostLayers would be needed. The voice must outlive the result.
[[nodiscard]] std::vector<Layer> layers_of(const Voice& voice);

}  // namespace rondo::kern
