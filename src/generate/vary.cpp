// Planted variants: what happens to a melody between two sources.

#include <algorithm>
#include <numeric>

#include "parts.h"

namespace rondo::generate {
namespace {

bool plain(const Event& event) { return !event.rest && !event.grace && event.triplet == 0; }

void transpose(Random& random, Sketch& sketch) {
  // Another of the nine signatures from four flats to four sharps, and now and then another clef.
  const int now = sketch.fifths;
  int other = random.between(-4, 3);
  if (other >= now) ++other;
  if (random.percent(25)) sketch.clef = Clef{random.percent(50) ? 'F' : 'C', 4, Clef::Kind::modern};
  place(sketch, other);
}

/// Copies the events through `each(event, next or nullptr, out)`, which adds what becomes of one event.
template <typename Each>
void rewrite(Sketch& sketch, Each each) {
  const Sketch before = sketch;
  sketch.count = 0;
  for (std::size_t i = 0; i < before.count; ++i) {
    each(before.events[i], i + 1 < before.count ? &before.events[i + 1] : nullptr, sketch);
  }
}

/// A third is filled with a passing note, a repeated or stepwise continued long note gets its neighbour, and grace
/// notes come from above.
void ornament_event(Random& random, const Event& event, const Event* next, bool force, Sketch& out) {
  const bool melodic = plain(event) && next != nullptr && plain(*next);
  const int leap = melodic ? next->position - event.position : 99;
  if (!melodic || !(force || random.percent(30))) {
    out.add(event);
    return;
  }
  const bool splits = event.ticks >= 24 && event.ticks % 24 == 0;
  Event first = event;
  Event added = event;
  added.alter = 0;
  if (splits && (leap == 2 || leap == -2)) {
    first.ticks = event.ticks / 2;
    added.ticks = first.ticks;
    added.position = event.position + leap / 2;
    out.add(first);
    out.add(added);
  } else if (splits && event.ticks >= kQuarter && (leap == 0 || leap == -1)) {
    first.ticks = event.ticks / 2;
    added.ticks = event.ticks / 4;
    added.position = event.position + 1;
    Event back = event;
    back.ticks = added.ticks;
    out.add(first);
    out.add(added);
    out.add(back);
  } else {
    added.grace = true;
    added.ticks = kQuarter / 2;
    added.position = event.position + 1;
    out.add(added);
    out.add(event);
  }
}

void ornament(Random& random, Sketch& sketch) {
  // At least one ornament: the note after which it is certain.
  const int certain = random.below(std::max(1, static_cast<int>(sketch.count) / 2));
  int index = 0;
  bool due = false;
  rewrite(sketch, [&](const Event& event, const Event* next, Sketch& out) {
    due = due || index++ == certain;
    const std::size_t count = out.count;
    ornament_event(random, event, next, due, out);
    if (out.count > count + 1) due = false;
  });
}

void augment(Sketch& sketch) {
  constexpr std::array<MetreName, kMetreCount> kDoubled = {kAlla,      kAlla,     kCommon,    kThreeTwo,   kThreeTwo,
                                                           kThreeFour, kSixEight, kNineEight, kTwelveEight};
  for (Event& event : sketch.all()) {
    if (!event.grace) event.ticks *= 2;
  }
  sketch.pickup *= 2;
  sketch.metre = kDoubled[sketch.metre];
  sketch.pickup %= sketch.time().bar();
}

/// Dots pairs of equal notes, evens dotted pairs out or turns them round. false: there was no such pair.
bool swing(Random& random, int chance, Sketch& sketch) {
  bool changed = false;
  int time = sketch.pickup == 0 ? 0 : sketch.time().bar() - sketch.pickup;
  for (std::size_t i = 0; i + 1 < sketch.count; ++i) {
    Event& a = sketch.events[i];
    Event& b = sketch.events[i + 1];
    const int onset = time;
    time += a.grace ? 0 : a.ticks;
    const int sum = a.ticks + b.ticks;
    const bool together = onset / sketch.time().bar() == (onset + sum - 1) / sketch.time().bar();
    if (!plain(a) || !plain(b) || !together || onset % (sum / 2) != 0 || !random.percent(chance)) continue;
    const bool even = a.ticks == b.ticks && a.ticks >= 24 && a.ticks <= kTicks / 2;
    const bool dotted = a.ticks == 3 * b.ticks;
    const bool compound = a.ticks == 2 * b.ticks || b.ticks == 2 * a.ticks;
    if (even) {
      a.ticks = sum * 3 / 4;
    } else if (dotted) {
      a.ticks = random.percent(70) ? sum / 2 : sum / 4;
    } else if (compound) {
      a.ticks = b.ticks;
    } else {
      continue;
    }
    b.ticks = sum - a.ticks;
    time = onset + sum;
    ++i;  // a note is changed once
    changed = true;
  }
  return changed;
}

/// Another metre by stretching parts of each unit of time: a monotone map of time that keeps all pitches.
struct Stretch {
  MetreName to;
  int unit;   ///< the map repeats after this many ticks
  int split;  ///< [0, split) grows by first/split, the rest by second/(unit - split)
  int first;
  int second;

  /// The image of `time` in 1/6 ticks, since a part may shrink to two thirds.
  [[nodiscard]] constexpr int map(int time) const {
    const int whole = time / unit;
    const int rest = time % unit;
    const int inside =
        rest < split ? 6 * rest * first / split : 6 * first + 6 * (rest - split) * second / (unit - split);
    return whole * 6 * (first + second) + inside;
  }
};

/// Duple to triple: the first of two beats doubled. Triple to duple: the first of three beats doubled, or a quarter
/// and an eighth become two eighths.
constexpr std::array<Stretch, kMetreCount> kStretches = {{
    {kThreeFour, 96, 48, 96, 48},   // c
    {kThreeTwo, 192, 96, 192, 96},  // c/
    {kThreeFour, 96, 48, 96, 48},   // 2/4
    {kCommon, 144, 48, 96, 96},     // 3/4
    {kAlla, 288, 96, 192, 192},     // 3/2
    {kTwoFour, 72, 48, 24, 24},     // 3/8
    {kTwoFour, 72, 48, 24, 24},     // 6/8
    {kThreeFour, 72, 48, 24, 24},   // 9/8
    {kCommon, 72, 48, 24, 24},      // 12/8
}};

void change_metre(Sketch& sketch) {
  const Stretch& stretch = kStretches[sketch.metre];
  // Time is counted from the bar line before the upbeat.
  const int bar = sketch.time().bar();
  int time = sketch.pickup == 0 ? 0 : bar - sketch.pickup;
  const int start = stretch.map(time);
  const int bar_line = stretch.map(bar);
  for (Event& event : sketch.all()) {
    if (event.grace) continue;
    const int from = stretch.map(time);
    time += event.ticks;
    event.ticks = (stretch.map(time) - from) / 6;
  }
  const bool upbeat = sketch.pickup != 0;
  sketch.metre = stretch.to;
  sketch.pickup = upbeat ? ((bar_line - start) / 6) % sketch.time().bar() : 0;
}

/// Keeps from a third to two thirds of the bars, at least as many as give six notes where there are as many.
void truncate(Random& random, Sketch& sketch) {
  const int bar = sketch.time().bar();
  int total = 0;
  for (const Event& event : sketch.all()) total += event.grace ? 0 : event.ticks;
  const int bars = std::max(1, (total - sketch.pickup) / bar);
  const int keep = bars == 1 ? 1 : std::clamp(bars * random.between(34, 66) / 100, 1, bars - 1);
  int end = sketch.pickup + keep * bar;
  int time = 0;
  int notes = 0;
  std::size_t i = 0;
  for (; i < sketch.count; ++i) {
    if (time >= end && notes >= 6) break;
    if (time >= end) end += bar;
    notes += plain(sketch.events[i]) || sketch.events[i].triplet != 0 ? 1 : 0;
    time += sketch.events[i].ticks;
  }
  // A melody too short for that loses its last note instead.
  if (i == sketch.count) {
    while (i > 1 && sketch.events[i - 1].rest) --i;
    --i;
  }
  while (i > 1 && sketch.events[i - 1].triplet != 0 && sketch.events[i - 1].triplet != 3) --i;
  sketch.count = i;
}

/// One to three notes get another pitch, never the same note twice: slips must not cancel out.
void misread(Random& random, Sketch& sketch) {
  constexpr std::array<int, 6> kSlips = {-1, 1, -1, 1, -2, 2};
  const int wanted = random.between(1, 3);
  std::array<int, 3> slipped{-1, -1, -1};
  for (int made = 0; made < wanted;) {
    const int index = random.below(static_cast<int>(sketch.count));
    Event& event = at(sketch.events, index);
    if (event.rest || std::count(slipped.begin(), slipped.end(), index) > 0) continue;
    event.position += at(kSlips, random.below(static_cast<int>(kSlips.size())));
    event.alter = 0;
    at(slipped, made++) = index;
  }
}

}  // namespace

void vary(Random& random, VariantKind kind, Sketch& sketch) {
  switch (kind) {
    case VariantKind::transposed: transpose(random, sketch); break;
    case VariantKind::ornamented: ornament(random, sketch); break;
    case VariantKind::rhythm:
      if (random.percent(12) || !swing(random, 60, sketch)) augment(sketch);
      break;
    case VariantKind::metre: change_metre(sketch); break;
    case VariantKind::truncated: truncate(random, sketch); break;
    case VariantKind::note_errors: misread(random, sketch); break;
  }
}

}  // namespace rondo::generate
