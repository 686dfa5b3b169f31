#include "search/index/pitch_histograms.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace rondo::index {
namespace {

/// What a time code stands for.
struct TimeUnits {
  std::int16_t units = 0;  ///< 0: not known, too long, or not whole
  bool rest = false;
  std::int32_t ticks = 0;  ///< with the rest before it
  std::int32_t gap = 0;    ///< the rest before it
};

std::array<TimeUnits, 256> units_by_code(const Segment& segment) {
  // So that no sum over a document that fits overflows.
  constexpr std::int32_t kMost = std::int32_t{1} << 19;
  std::array<TimeUnits, 256> out{};
  for (std::size_t code = 0; code < out.size(); ++code) {
    const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code));
    const bool known = ticks.duration > 0 && ticks.duration <= kMost && std::abs(ticks.gap) <= kMost;
    if (!known || ticks.duration % PitchHistograms::kUnit != 0) continue;
    const std::int32_t rest = std::max(0, ticks.gap);
    out[code] = {static_cast<std::int16_t>(ticks.duration / PitchHistograms::kUnit), rest > 0, ticks.duration + rest,
                 rest};
  }
  return out;
}

}  // namespace

PitchHistograms::PitchHistograms(const Segment& segment) : documents_(segment.size()), rows_(segment.size()) {
  // Longer documents are rare, and their sums need more bits.
  constexpr std::uint32_t kMostNotes = 400;
  const std::array<TimeUnits, 256> times = units_by_code(segment);
  const std::span<const std::int16_t> midi = segment.midi_by_code();
  for (std::size_t r = 0; r < segment.stored_runs().size(); ++r) {
    const Run& run = segment.stored_runs()[r];
    if (run.notes == 0 || run.notes > kMostNotes) continue;
    for (DocumentId d = run.first_document; d < segment.run_end(r); ++d) {
      const std::uint64_t first = run.first_note + std::uint64_t{d - run.first_document} * run.notes;
      const Segment::Notes notes{first, run.notes};
      const std::span<const std::uint8_t> pitches = segment.pitch_codes(notes);
      const std::span<const std::uint8_t> codes = segment.time_codes(notes);
      Document& out = documents_[d];
      const std::uint32_t grid = segment.ticks_per_whole(d);
      out.on_grid = grid > 0 && Segment::kTicks % grid == 0;
      int low = std::numeric_limits<int>::max();
      int high = std::numeric_limits<int>::min();
      bool known = true;
      std::int64_t sounding = 0;
      std::int64_t moment = 0;
      for (std::size_t i = 0; i < pitches.size(); ++i) {
        const TimeUnits& time = times[codes[i]];
        const int pitch = midi[pitches[i]];
        known &= time.units > 0 && pitches[i] != kException;
        low = std::min(low, pitch);
        high = std::max(high, pitch);
        sounding += time.units;
        out.total += time.ticks;
        out.longest = std::max(out.longest, time.ticks);
        moment += std::int64_t{time.units} * pitch;
        out.rests = static_cast<std::uint16_t>(out.rests + (time.rest && i > 0 ? 1 : 0));
      }
      out.total -= times[codes[0]].gap;
      known = known && low >= 0 && high < 128 && high - low < static_cast<int>(kPitches) &&
              sounding <= std::numeric_limits<std::int16_t>::max();
      if (!known) continue;
      out.low = static_cast<std::uint8_t>(low);
      out.high = static_cast<std::uint8_t>(high);
      out.known = true;
      out.sounding = static_cast<std::int32_t>(sounding);
      out.moment = static_cast<std::int32_t>(moment);
      std::array<std::int16_t, kPitches>& row = rows_[d].time;
      for (std::size_t i = 0; i < pitches.size(); ++i) {
        std::int16_t& at = row[static_cast<std::size_t>(midi[pitches[i]] - low)];
        at = static_cast<std::int16_t>(at + times[codes[i]].units);
      }
    }
  }
}

}  // namespace rondo::index
