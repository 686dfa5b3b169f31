#pragma once

#include <cstdint>
#include <vector>

#include "rondo/melody/line.h"

namespace rondo {

/// Equal for two melodies that are the same, or of which one is the other transposed.
using MelodyFingerprint = std::vector<std::int64_t>;

inline MelodyFingerprint fingerprint_of(const Line& line) {
  MelodyFingerprint out;
  out.reserve(3 * line.size() + 1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    // Times as fractions of a whole note, so that another grid makes no difference.
    const auto time = [&](std::int64_t ticks) { return ticks * (720'720 * 16) / line.ticks_per_whole; };
    out.push_back(line.pitch[i] - line.pitch[0]);
    out.push_back(time(line.onset[i] - line.onset[0]));
    out.push_back(time(line.duration[i]));
  }
  return out;
}

}  // namespace rondo
