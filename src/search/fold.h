#pragma once

#include <cstdint>
#include <string_view>

#include "rondo/melody/line.h"

namespace rondo {

/// How a melody is contained in another, so that only one of them needs to be judged; the closest first.
enum class Containment : std::uint8_t {
  none,
  identical,      ///< the same notes and times; clef, name and notation may differ
  transposition,  ///< all of it, in another key
  part,           ///< a passage of a longer one, in any key
};
[[nodiscard]] std::string_view to_string(Containment containment);

/// Rhythm is compared exactly, note for note: durations, and the times between onsets. A passage of less than four
/// notes occurs too often to count as a part.
[[nodiscard]] Containment containment(const Line& part, const Line& whole);

}  // namespace rondo
