#pragma once

#include <vector>

#include "rondo/melody/voice.h"

namespace rondo::midi {

/// Where measures begin, counted from each time signature on up to `length`. MIDI has no bar lines: this is what
/// its reader makes of the signatures, and the writer marks bars only where they differ. Empty when there would be
/// more than a voice may hold.
[[nodiscard]] std::vector<Fraction> bars_of(const std::vector<Change<TimeSignature>>& times, Fraction length);

}  // namespace rondo::midi
