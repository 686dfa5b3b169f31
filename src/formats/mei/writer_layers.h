#pragma once

#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::mei {

/// Notes that begin and end together: a chord, or a note. Grace notes come one by one.
struct Event {
  Fraction onset;
  Fraction duration;  ///< of a grace note its written value
  bool grace = false;
  std::vector<const Note*> notes;

  [[nodiscard]] Fraction end() const { return grace ? onset : onset + duration; }
};

using Layer = std::vector<Event>;

/// Distributes a voice over as few layers as needed, so that in each no event begins before the last has ended.
/// Empty when more than `limit` are needed.
[[nodiscard]] std::vector<Layer> layers_of(const Voice& voice, std::size_t limit);

}  // namespace rondo::mei
