#include "rondo/melody/line.h"

#include <algorithm>
#include <numeric>

namespace rondo {
namespace {

std::int64_t refined(std::int64_t grid, std::int64_t denominator) {
  const std::int64_t step = denominator / std::gcd(grid, denominator);
  return step > kFinestGrid / grid ? kFinestGrid : grid * step;
}

/// The pitch of the same name that sounds within MIDI 60..71.
Pitch into_middle_octave(Pitch pitch) {
  pitch.octave = 4;
  if (pitch.midi() < 60) ++pitch.octave;
  if (pitch.midi() > 71) --pitch.octave;
  return pitch;
}

/// Selects the notes of a voice that its line has: calls visit(index, repeats) for each, in order; a note with
/// `repeats` is merged with the notes before it. The only place that decides this.
template <typename Visit>
void each_line_note(const Voice& voice, const LineOptions& options, const Visit& visit) {
  const Note* top = nullptr;   // the last note at the top, whether kept or not
  const Note* kept = nullptr;  // the last note of the line
  for (std::uint32_t i = 0; i < voice.notes.size(); ++i) {
    const Note& note = voice.notes[i];
    if (note.grace && !options.graces) continue;
    // Of a chord the highest, which comes first.
    if (!note.grace && top != nullptr && !top->grace && top->onset == note.onset) continue;
    top = &note;
    if (note.duration.is_zero()) continue;
    const bool repeats = options.ignore_repeated && kept != nullptr && !kept->grace && !note.grace &&
                         kept->pitch.midi() == note.pitch.midi();
    kept = &note;
    visit(i, repeats);
  }
}

}  // namespace

std::int64_t time_grid(std::span<const Note> notes, std::span<const Fraction> more) {
  std::int64_t grid = 1;
  for (const Note& note : notes) {
    grid = refined(grid, note.onset.den());
    grid = refined(grid, note.duration.den());
  }
  for (const Fraction time : more) grid = refined(grid, time.den());
  return grid;
}

std::int64_t to_ticks(Fraction time, std::int64_t grid) {
  const Fraction ticks = time * Fraction(grid);
  if (!ticks.valid()) return static_cast<std::int64_t>(time.to_double() * static_cast<double>(grid));
  return ticks.num() / ticks.den();
}

Line make_line(const Voice& voice, const LineOptions& options) {
  std::vector<Note> notes;
  notes.reserve(voice.notes.size());
  each_line_note(voice, options, [&](std::uint32_t i, bool repeats) {
    if (repeats) {
      notes.back().duration = voice.notes[i].end() - notes.back().onset;
    } else {
      notes.push_back(voice.notes[i]);
    }
  });
  Line line;
  line.ticks_per_whole = time_grid(notes, voice.bars);
  for (const Note& note : notes) {
    Pitch pitch = note.pitch;
    if (options.fold_octaves) pitch = into_middle_octave(pitch);
    line.pitch.push_back(static_cast<std::int16_t>(pitch.midi()));
    line.base40.push_back(static_cast<std::int16_t>(pitch.base40()));
    line.onset.push_back(to_ticks(note.onset, line.ticks_per_whole));
    line.duration.push_back(std::max<std::int64_t>(1, to_ticks(note.duration, line.ticks_per_whole)));
  }
  for (const Fraction bar : voice.bars) line.bars.push_back(to_ticks(bar, line.ticks_per_whole));
  if (options.opening != 0) keep_opening(line, options.opening);
  return line;
}

std::vector<std::vector<std::uint32_t>> line_sources(const Voice& voice, const LineOptions& options) {
  std::vector<std::vector<std::uint32_t>> sources;
  each_line_note(voice, options, [&](std::uint32_t i, bool repeats) {
    if (!repeats) sources.emplace_back();
    sources.back().push_back(i);
  });
  if (options.opening != 0 && sources.size() > options.opening) sources.resize(options.opening);
  return sources;
}

std::vector<UnknownNotes> unknown_of_line(const Voice& voice, const LineOptions& options,
                                          std::span<const UnknownNotes> unknown) {
  std::vector<UnknownNotes> out;
  if (unknown.empty()) return out;
  const auto sources = line_sources(voice, options);
  std::uint32_t note = 0;
  for (UnknownNotes one : unknown) {
    while (note < sources.size() && sources[note].front() < one.before) ++note;
    one.before = note;
    if (out.empty() || out.back().before != note) {
      out.push_back(one);
    } else {
      out.back().notes += one.notes;
      out.back().more = out.back().more || one.more;
      out.back().joined = out.back().joined && one.joined;
    }
  }
  return out;
}

void keep_opening(Line& line, std::size_t notes) {
  if (line.size() <= notes) return;
  line.pitch.resize(notes);
  line.base40.resize(notes);
  line.onset.resize(notes);
  line.duration.resize(notes);
  to_least_grid(line);
}

void to_least_grid(Line& line) {
  std::int64_t step = line.ticks_per_whole;
  for (const auto* times : {&line.onset, &line.duration, &line.bars}) {
    for (const std::int64_t time : *times) {
      if (step == 1) return;  // nearly always soon
      if (time % step != 0) step = std::gcd(step, time);
    }
  }
  if (step == 1) return;
  for (auto* times : {&line.onset, &line.duration, &line.bars}) {
    for (std::int64_t& time : *times) time /= step;
  }
  line.ticks_per_whole /= step;
}

}  // namespace rondo
