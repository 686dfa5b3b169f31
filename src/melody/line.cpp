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

void drop_repeated(std::vector<Note>& notes) {
  std::vector<Note> kept;
  for (const Note& note : notes) {
    if (!kept.empty() && !note.grace && !kept.back().grace && kept.back().pitch.midi() == note.pitch.midi()) {
      kept.back().duration = note.end() - kept.back().onset;
    } else {
      kept.push_back(note);
    }
  }
  notes = std::move(kept);
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
  std::vector<Note> notes = top_line(voice, options.graces);
  std::erase_if(notes, [](const Note& note) { return note.duration.is_zero(); });
  if (options.ignore_repeated) drop_repeated(notes);
  if (options.opening != 0 && notes.size() > options.opening) notes.resize(options.opening);

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
  return line;
}

}  // namespace rondo
