#include "formats/kern/layers.h"

#include <algorithm>

namespace rondo::kern {
namespace {

bool joins(const Layer& layer, const Note& note) {
  return !layer.empty() && !note.grace && !layer.back().is_grace() && layer.back().onset == note.onset &&
         layer.back().end == note.end();
}

bool follows(const Layer& layer, const Note& note) { return layer.empty() || layer.back().end <= note.onset; }

/// A unison follows the one before it: in the same layer or a later one.
std::size_t first_layer_for(const std::vector<Layer>& layers, const Note& note) {
  if (note.grace) return 0;
  for (std::size_t i = layers.size(); i-- > 0;) {
    if (layers[i].empty() || layers[i].back().is_grace() || layers[i].back().onset != note.onset) continue;
    const auto& notes = layers[i].back().notes;
    const auto same = [&](const Note* other) { return other->pitch.midi() == note.pitch.midi(); };
    if (std::any_of(notes.begin(), notes.end(), same)) return i;
  }
  return 0;
}

}  // namespace

std::vector<Layer> layers_of(const Voice& voice) {
  std::vector<Layer> layers(1);
  for (const Note& note : voice.notes) {
    std::size_t at = first_layer_for(layers, note);
    while (at < layers.size() && !joins(layers[at], note) && !follows(layers[at], note)) ++at;
    if (at == layers.size()) {
      if (at == kMostLayers) return {};
      layers.emplace_back();
    }
    if (joins(layers[at], note)) {
      layers[at].back().notes.push_back(&note);
    } else {
      layers[at].push_back({note.onset, note.end(), {&note}});
    }
  }
  return layers;
}

}  // namespace rondo::kern
