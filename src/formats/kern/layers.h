#pragma once

#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::kern {

/// The content of a kern token: notes of one onset and duration, or one grace note.
struct Chord {
  Fraction onset;
  Fraction end;
  std::vector<const Note*> notes;

  [[nodiscard]] bool is_grace() const { return notes.front()->grace; }
};

/// Chords one after the other, none overlapping.
using Layer = std::vector<Chord>;

inline constexpr std::size_t kMostLayers = 32;

/// Distributes the notes of a voice, in order, over layers by first fit: reading the layers in sequence restores the
/// order of unisons. At least one layer; none if more than kMostLayers would be needed. The voice must outlive the
/// result.
[[nodiscard]] std::vector<Layer> layers_of(const Voice& voice);

}  // namespace rondo::kern
