#pragma once

#include <cstdint>
#include <string_view>

#include "rondo/melody/line.h"

namespace rondo {

/// How a melody is contained in another, so that nobody needs to judge both; the closest first.
enum class Containment : std::uint8_t {
  none,
  identical,      ///< the same notes and times; clef, name and notation may differ
  transposition,  ///< all of it, in another key
  part,           ///< a stretch of a longer one, in any key
};
[[nodiscard]] std::string_view to_string(Containment containment);

/// Rhythm is compared exactly, note for note: durations, and the times between onsets. A stretch of less than four
/// notes is part of so much that it is not taken for a part of anything.
[[nodiscard]] Containment containment(const Line& part, const Line& whole);

}  // namespace rondo
