#include "search/index/onset_places.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "similarity/points.h"

namespace rondo::index {
namespace {

constexpr int kMidiPitches = 128;
constexpr std::int32_t kUnknownGap = std::numeric_limits<std::int32_t>::min() / 2;

}  // namespace

PointReader::PointReader(const Segment& segment) : segment_(&segment) {
  // So that no sum leaves the grid.
  constexpr std::int32_t kMost = Segment::kMostTicks / static_cast<std::int32_t>(kMaxNotes) / 2;
  for (std::size_t code = 0; code < steps_.size(); ++code) {
    const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code));
    const bool known = ticks.duration > 0 && ticks.duration <= kMost && std::abs(ticks.gap) <= kMost;
    steps_[code] = known ? Step{ticks.gap, ticks.gap + ticks.duration} : Step{kUnknownGap, 0};
  }
}

bool PointReader::read(const Segment::Notes& notes, Points& out) const {
  if (notes.count == 0 || notes.count > kMaxNotes) return false;
  out.pitch.resize(notes.count);
  out.onset.resize(notes.count);
  out.joined.assign(notes.count, false);
  out.any_joined = false;
  if (!read_pitches(notes, out.pitch.data())) return false;
  const std::span<const std::uint8_t> codes = segment_->time_codes(notes);
  switch (read_onsets(codes, out.onset.data())) {
    case Times::line: return true;
    case Times::overlapping:
      return join([&](std::size_t j) { return steps_[codes[j]].whole - steps_[codes[j]].gap; }, out);
    case Times::unknown: break;
  }
  thread_local std::vector<std::int32_t> onset;
  thread_local std::vector<std::int32_t> duration;
  onset.resize(notes.count);
  duration.resize(notes.count);
  if (!segment_->ticks(notes, onset.data(), duration.data())) return false;
  for (std::size_t j = 0; j < onset.size(); ++j) {
    out.onset[j] = static_cast<std::uint32_t>(onset[j]) - static_cast<std::uint32_t>(onset[0]);
  }
  return join([&](std::size_t j) { return duration[j]; }, out);
}

bool PointReader::read_pitches(const Segment::Notes& notes, std::uint8_t* out) const {
  const std::span<const std::uint8_t> codes = segment_->pitch_codes(notes);
  const std::span<const std::int16_t> by_code = segment_->midi_by_code();
  int outside = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int pitch = codes[i] == kException ? segment_->midi(notes.first + i) : by_code[codes[i]];
    outside |= pitch;
    out[i] = static_cast<std::uint8_t>(pitch);
  }
  return (outside & ~(kMidiPitches - 1)) == 0;
}

PointReader::Times PointReader::read_onsets(std::span<const std::uint8_t> codes, std::uint32_t* out) const {
  const Step first = steps_[codes[0]];
  std::int32_t end = first.whole - first.gap;
  std::int32_t gaps = 0;  // negative if one of them is; the gap before the first note does not matter
  out[0] = 0;
  for (std::size_t j = 1; j < codes.size(); ++j) {
    const Step step = steps_[codes[j]];
    out[j] = static_cast<std::uint32_t>(end + step.gap);
    gaps |= step.gap;
    end += step.whole;
  }
  if (gaps >= 0 && first.gap != kUnknownGap) return Times::line;
  const bool unknown =
      std::any_of(codes.begin(), codes.end(), [&](std::uint8_t code) { return steps_[code].gap == kUnknownGap; });
  return unknown ? Times::unknown : Times::overlapping;
}

template <typename DurationOf>
bool PointReader::join(const DurationOf& duration_of, Points& points) {
  std::array<std::uint32_t, kMidiPitches> ends{};  // when the last point of each pitch ends
  std::uint32_t before = 0;
  for (std::size_t j = 0; j < points.onset.size(); ++j) {
    const std::uint32_t onset = points.onset[j];
    // A negative onset is above what the grid has.
    if (onset < before || onset > Segment::kMostTicks) return false;
    before = onset;
    const std::uint32_t end = onset + static_cast<std::uint32_t>(duration_of(j));
    std::uint32_t& end_before = ends[points.pitch[j]];
    const bool joined = joins(onset, end_before);
    end_before = joined ? std::max(end_before, end) : end;
    points.joined[j] = joined;
    points.any_joined |= joined;
  }
  return true;
}

OnsetPlaces::OnsetPlaces(const Segment& segment) : pitches_(segment.notes() + kRoom), places_(segment.notes() + kRoom) {
  static_assert(Segment::kTicks % kPlaces != 0);
  const PointReader reader(segment);
  PointReader::Points points;
  for (std::size_t r = 0; r < segment.stored_runs().size(); ++r) {
    const Run& run = segment.stored_runs()[r];
    if (run.notes == 0) continue;
    for (DocumentId d = run.first_document; d < segment.run_end(r); ++d) {
      const Segment::Notes notes{run.first_note + std::uint64_t{d - run.first_document} * run.notes, run.notes};
      std::uint8_t* const place = places_.data() + notes.first;
      if (!reader.read(notes, points)) {
        *place = kUnknown;
        continue;
      }
      std::copy(points.pitch.begin(), points.pitch.end(), pitches_.data() + notes.first);
      for (std::size_t j = 0; j < points.onset.size(); ++j) {
        place[j] = points.joined[j] ? kJoined : static_cast<std::uint8_t>(points.onset[j] % kPlaces);
      }
    }
  }
}

}  // namespace rondo::index
