#include "formats/midi/bars.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo::midi {

std::optional<std::vector<Fraction>> bars_of(const std::vector<Change<TimeSignature>>& times, Fraction length,
                                             std::size_t notes) {
  const std::size_t most = std::min(limits::kBarsPerVoice, 10'000 + 64 * notes);
  std::vector<Fraction> bars;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Fraction bar = times[i].value.bar();
    const Fraction end = i + 1 < times.size() ? std::min(times[i + 1].onset, length) : length;
    if (bar.is_zero()) continue;
    for (Fraction at = times[i].onset; at < end; at += bar) {
      if (bars.size() >= most || !limits::time_ok(at)) return std::nullopt;
      bars.push_back(at);
    }
  }
  return bars;
}

}  // namespace rondo::midi
