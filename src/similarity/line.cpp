#include "rondo/similarity/line.h"

#include <algorithm>
#include <numeric>

namespace rondo {
namespace {

/// Ticks must stay far from overflow in sums and products of two of them; a melody whose exact grid is finer than
/// this (no real one is) is rounded to it.
constexpr std::int64_t kFinestGrid = std::int64_t{1} << 40;

std::int64_t common_grid(std::int64_t grid, std::int64_t denominator) {
  const std::int64_t step = denominator / std::gcd(grid, denominator);
  return step > kFinestGrid / grid ? kFinestGrid : grid * step;
}

std::int64_t to_ticks(Fraction time, std::int64_t grid) {
  const Fraction ticks = time * Fraction(grid);
  if (!ticks.valid()) return static_cast<std::int64_t>(time.to_double() * static_cast<double>(grid));
  return ticks.num() / ticks.den();
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

Line make_line(const Voice& voice, const LineOptions& options) {
  std::vector<Note> notes = top_line(voice, options.graces);
  std::erase_if(notes, [](const Note& note) { return note.duration.is_zero(); });
  if (options.ignore_repeated) drop_repeated(notes);

  Line line;
  for (const Note& note : notes) {
    line.ticks_per_whole = common_grid(line.ticks_per_whole, note.onset.den());
    line.ticks_per_whole = common_grid(line.ticks_per_whole, note.duration.den());
  }
  for (const Fraction bar : voice.bars) line.ticks_per_whole = common_grid(line.ticks_per_whole, bar.den());
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
