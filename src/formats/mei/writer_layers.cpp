#include "formats/mei/writer_layers.h"

namespace rondo::mei {
namespace {

/// Only adjacent notes are joined, which keeps the order of notes of one pitch.
std::vector<Event> events_of(const Voice& voice) {
  std::vector<Event> events;
  for (const Note& note : voice.notes) {
    const bool joins = !events.empty() && !note.grace && !events.back().grace && events.back().onset == note.onset &&
                       events.back().duration == note.duration;
    if (!joins) events.push_back({note.onset, note.duration, note.grace, {}});
    events.back().notes.push_back(&note);
  }
  return events;
}

}  // namespace

std::vector<Layer> layers_of(const Voice& voice, std::size_t limit) {
  std::vector<Layer> layers(1);
  std::vector<Fraction> busy_until(1);
  for (Event& event : events_of(voice)) {
    std::size_t layer = 0;
    while (layer < layers.size() && busy_until[layer] > event.onset) ++layer;
    if (layer == layers.size()) {
      if (layers.size() == limit) return {};
      layers.emplace_back();
      busy_until.emplace_back();
    }
    busy_until[layer] = event.end();
    layers[layer].push_back(std::move(event));
  }
  return layers;
}

}  // namespace rondo::mei
