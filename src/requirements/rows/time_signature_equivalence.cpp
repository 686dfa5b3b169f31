#include <array>

#include "requirements/alter.h"
#include "requirements/rows.h"

namespace rondo::rows {
namespace {

/// Measures of one length from `first` on; what is before it is an upbeat.
void draw_bars(Voice& voice, Fraction first, TimeSignature time) {
  voice.bars.clear();
  if (!first.is_zero()) voice.bars.emplace_back(0);
  for (Fraction at = first; at < voice.length; at += time.bar()) voice.bars.push_back(at);
  voice.times = {{0, std::move(time)}};
}

TimeSignature time_of(const Voice& voice) {
  TimeSignature time = voice.times.empty() ? TimeSignature{} : voice.times.front().value;
  time.symbol.clear();
  return time.beats == 0 || time.unit == 0 ? TimeSignature{} : time;
}

Piece longer_bars(const Piece& original, std::span<const Piece> /*companions*/) {
  Piece out = original;
  Voice& voice = out.voices.front();
  TimeSignature time = time_of(voice);
  const bool upbeat = voice.bars.size() > 1 && voice.bars[1] < time.bar();
  const Fraction first = upbeat ? voice.bars[1] : Fraction(0);
  time.beats = static_cast<std::uint16_t>(2 * time.beats);
  draw_bars(voice, first, std::move(time));
  return out;
}

Piece other_bars(const Piece& original, std::span<const Piece> /*companions*/) {
  Piece out = original;
  Voice& voice = out.voices.front();
  const bool in_three = time_of(voice).beats % 3 == 0;
  draw_bars(voice, 0, {.beats = static_cast<std::uint16_t>(in_three ? 4 : 3), .unit = 4, .symbol = {}});
  return out;
}

constexpr std::array kTimeSignatureEquivalenceWays = {
    Alteration{"longer bars", "every other bar line left out", longer_bars},
    Alteration{"other bars", "bar lines of three crotchets, or of four for a melody in three", other_bars},
};

}  // namespace

constinit const Requirement kTimeSignatureEquivalence = {
    .name = "time-signature-equivalence",
    .heading = "metre",
    .explanation = "The same notes under another time signature are the same melody.",
    .alterations = kTimeSignatureEquivalenceWays,
};

}  // namespace rondo::rows
