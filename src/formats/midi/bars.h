#pragma once

#include <optional>
#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::midi {

/// Where measures begin, counted from each time signature on up to the end of the voice. MIDI has no bar lines: the
/// reader derives them from the signatures, and the writer marks bars only where they differ. nullopt if there would be
/// more than the limit of a voice, or far more than its notes need: a tiny file with one late note would otherwise fill
/// the memory with empty bars.
[[nodiscard]] std::optional<std::vector<Fraction>> bars_of(const std::vector<Change<TimeSignature>>& times,
                                                           Fraction length, std::size_t notes);

}  // namespace rondo::midi
