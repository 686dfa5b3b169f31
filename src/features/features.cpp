#include "features/features.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>

#include "features/letters.h"

namespace rondo {
namespace {

template <typename T>
std::string first_of(const std::vector<Change<T>>& changes) {
  return changes.empty() ? std::string() : changes.front().value.to_string();
}

/// The differences of adjacent notes; `of` is the pitch as a number.
template <typename Number>
std::vector<std::int16_t> differences(const std::vector<Note>& notes, Number of) {
  std::vector<std::int16_t> out;
  if (notes.empty()) return out;
  out.reserve(notes.size() - 1);
  for (std::size_t i = 1; i < notes.size(); ++i) {
    out.push_back(static_cast<std::int16_t>(of(notes[i].pitch) - of(notes[i - 1].pitch)));
  }
  return out;
}

std::int16_t largest(const std::vector<std::int16_t>& intervals) {
  int most = 0;
  for (const std::int16_t interval : intervals) most = std::max(most, std::abs(int{interval}));
  return static_cast<std::int16_t>(most);
}

void set_range(Features& out, const std::vector<Note>& notes) {
  const auto lower = [](const Note& a, const Note& b) { return a.pitch.midi() < b.pitch.midi(); };
  const Pitch low = std::min_element(notes.begin(), notes.end(), lower)->pitch;
  const Pitch high = std::max_element(notes.begin(), notes.end(), lower)->pitch;
  out.lowest = static_cast<std::int16_t>(low.midi());
  out.highest = static_cast<std::int16_t>(high.midi());
  out.range = static_cast<std::int16_t>(high.midi() - low.midi());
  // Not negative even if the higher note is spelled lower (C flat above B sharp).
  out.range_steps = static_cast<std::int16_t>(std::max(0, high.diatonic() - low.diatonic()));
}

void set_rhythm(Features& out, const std::vector<Note>& notes) {
  std::vector<Fraction> durations;
  durations.reserve(notes.size());
  for (const Note& note : notes) durations.push_back(note.duration);
  const auto [shortest, longest] = std::minmax_element(durations.begin(), durations.end());
  out.duration_ratio = shortest->to_double() / longest->to_double();
  out.rhythm = rhythm_string(durations);
}

void set_intervals(Features& out, const std::vector<Note>& notes) {
  out.diatonic = differences(notes, [](const Pitch& pitch) { return pitch.diatonic(); });
  out.chromatic = differences(notes, [](const Pitch& pitch) { return pitch.midi(); });
  out.max_interval = largest(out.chromatic);
  out.max_interval_steps = largest(out.diatonic);
  for (const std::int16_t steps : out.diatonic) {
    ++out.sizes[std::min<std::size_t>(Features::kSizes - 1, static_cast<std::size_t>(std::abs(int{steps})))];
  }
  std::vector<std::int16_t> pitches;
  pitches.reserve(notes.size());
  for (const Note& note : notes) pitches.push_back(static_cast<std::int16_t>(note.pitch.midi()));
  out.contour = contour_string(pitches);
  out.motives = repeated_motives(out.diatonic);
}

}  // namespace

Features features_of(const Voice& voice) {
  Features out;
  out.clef = first_of(voice.clefs);
  out.key_signature = first_of(voice.key_signatures);
  out.key = first_of(voice.keys);
  out.time = first_of(voice.times);
  std::vector<Note> notes = top_line(voice);
  std::erase_if(notes, [](const Note& note) { return note.duration.is_zero(); });  // as make_line does
  out.notes = static_cast<std::uint32_t>(notes.size());
  if (notes.empty()) return out;
  set_range(out, notes);
  set_rhythm(out, notes);
  set_intervals(out, notes);
  return out;
}

std::vector<IntervalShare> interval_histogram(std::span<const std::int16_t> intervals) {
  std::map<std::int16_t, std::uint32_t> counts;
  for (const std::int16_t interval : intervals) ++counts[interval];
  std::vector<IntervalShare> out;
  out.reserve(counts.size());
  for (const auto& [interval, count] : counts) {
    out.push_back({interval, count, static_cast<double>(count) / static_cast<double>(intervals.size())});
  }
  return out;
}

void append_interval_text(std::string& to, std::span<const std::int16_t> intervals) {
  if (intervals.empty()) return;
  to += ' ';
  char digits[8];
  for (const std::int16_t interval : intervals) {
    const auto end = std::to_chars(digits, digits + sizeof digits, int{interval}).ptr;
    to.append(digits, end);
    to += ' ';
  }
}

std::string interval_text(std::span<const std::int16_t> intervals) {
  std::string out;
  append_interval_text(out, intervals);
  return out;
}

}  // namespace rondo
