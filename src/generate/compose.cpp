// A melody of its own: bars that are new, or take up an earlier bar literally, in sequence or in rhythm only; pitches
// from a walk over the scale that prefers what the previous interval, the key and the compass suggest.

#include <algorithm>

#include "parts.h"

namespace rondo::generate {
namespace {

/// Chances in percent of the next interval (columns: -4 and wider .. +4 and wider, in steps) after the previous one
/// (rows, likewise). Rounded, and leaning away from repeated notes, so that together with the weights of the degrees
/// below the intervals come out as they are in the Essen folk songs.
constexpr int kNear[9][9] = {
    {0, 1, 2, 4, 16, 14, 19, 23, 20},  //
    {0, 1, 9, 9, 16, 14, 10, 31, 10},  //
    {1, 2, 10, 23, 13, 15, 19, 9, 8},  //
    {1, 2, 10, 42, 13, 17, 6, 4, 3},   //
    {1, 2, 8, 23, 24, 17, 10, 9, 5},   //
    {3, 2, 12, 24, 12, 36, 7, 3, 1},   //
    {5, 5, 18, 26, 17, 12, 11, 4, 1},  //
    {5, 11, 11, 22, 25, 14, 9, 1, 1},  //
    {8, 4, 19, 27, 29, 9, 1, 2, 1},    //
};
constexpr int kWidest = 7;
/// How the outermost class falls to fifth, sixth, seventh and octave.
constexpr std::array<int, 4> kWide = {56, 26, 5, 13};

using Intervals = std::array<std::uint16_t, 2 * kWidest + 1>;

/// kNear with the wide intervals told apart, in hundredths of a percent.
constexpr std::array<Intervals, 9> kNext = [] {
  std::array<Intervals, 9> table{};
  for (std::size_t row = 0; row < 9; ++row) {
    for (int step = -kWidest; step <= kWidest; ++step) {
      const int size = step < 0 ? -step : step;
      const int column = std::clamp(step, -4, 4) + 4;
      const int share = size < 4 ? 100 : at(kWide, size - 4);
      at(table[row], step + kWidest) = static_cast<std::uint16_t>(kNear[row][column] * share);
    }
  }
  return table;
}();

/// How welcome each degree of the scale is, on a beat and off it.
constexpr std::array<std::array<int, 7>, 2> kTonal = {{
    {9, 9, 9, 7, 10, 7, 5},
    {11, 7, 10, 5, 12, 5, 3},
}};

struct Start {
  std::uint8_t weight;
  int position;
};
constexpr Start kUpbeatStarts[] = {{44, -3}, {20, 4}, {20, 0}, {9, 2}, {3, 1}, {2, -2}, {2, 5}};
constexpr Start kDownbeatStarts[] = {{38, 0}, {28, 4}, {15, 2}, {8, -3}, {5, 7}, {3, 1}, {3, 5}};

/// Note counts at the 0th, 1/16th, ... quantile: skewed to the right, median 20.
constexpr std::array<int, 17> kLengths = {7, 11, 13, 14, 15, 16, 17, 19, 20, 21, 23, 25, 27, 30, 34, 40, 54};

struct WeightedClef {
  std::uint8_t weight;
  char shape;
  std::int8_t line;
};
constexpr WeightedClef kClefs[] = {{64, 'G', 2}, {14, 'F', 4}, {10, 'C', 1}, {5, 'C', 3}, {5, 'C', 4}, {2, 'g', 2}};

/// Signatures from four flats to four sharps.
constexpr std::array<std::uint8_t, 9> kMajorFifths = {2, 7, 12, 17, 20, 20, 14, 6, 2};
constexpr std::array<std::uint8_t, 9> kMinorFifths = {3, 10, 20, 24, 22, 13, 6, 2, 0};

int degree(int position) { return ((position % 7) + 7) % 7; }

class Composer {
 public:
  Composer(Random& random, Sketch& sketch) : random_(random), sketch_(sketch) {}

  void run() {
    head();
    const int target = length();
    style_ = choose_style(random_);
    sketch_.pickup = add_pickup(random_, sketch_.time(), sketch_);
    begin();
    pitches(0, sketch_.time().bar() - sketch_.pickup);
    while (notes_ < target && bars_ < kMaxBars) bar();
    accidentals();
  }

 private:
  static constexpr std::size_t kMaxBars = 24;

  void head() {
    std::array<std::uint8_t, kMetreCount> weights{};
    for (std::size_t i = 0; i < kMetreCount; ++i) weights[i] = kMetres[i].weight;
    sketch_.metre = static_cast<MetreName>(random_.choose(std::span<const std::uint8_t>(weights)));
    sketch_.minor = random_.percent(22);
    const WeightedClef& clef = random_.row(kClefs);
    sketch_.clef = Clef{clef.shape, clef.line, Clef::Kind::modern};
    const auto& fifths = sketch_.minor ? kMinorFifths : kMajorFifths;
    sketch_.fifths = random_.choose(std::span<const std::uint8_t>(fifths)) - 4;
  }

  /// The last bar is filled, so stop a little before the aim.
  int length() {
    const int drawn = random_.below(16 * 64);
    const int low = at(kLengths, drawn / 64);
    return low + (at(kLengths, drawn / 64 + 1) - low) * (drawn % 64) / 64 - 1;
  }

  /// The first note and the compass around it.
  void begin() {
    const Start& start = sketch_.pickup > 0 ? random_.row(kUpbeatStarts) : random_.row(kDownbeatStarts);
    first_ = start.position;
    low_ = start.position <= 0 ? std::min(start.position, random_.between(-3, 0)) : random_.between(-2, 0);
    high_ = std::max(start.position + 1, low_ + random_.between(6, 9));
  }

  void bar() {
    const std::size_t from = sketch_.count;
    starts_[bars_] = from;
    if (bars_ == 0 || !take_up(from)) {
      add_rhythm(random_, sketch_.time(), style_, sketch_.time().bar(), sketch_);
      rests(from);
      pitches(from, 0);
    }
    ++bars_;
    starts_[bars_] = sketch_.count;
  }

  /// Repeats an earlier bar, or its intervals from another degree, or its rhythm. false: write a new one.
  bool take_up(std::size_t from) {
    const int chance = random_.below(100);
    if (chance >= 58) return false;
    const std::size_t back = bars_ >= 2 && random_.percent(45) ? 2 : 1;
    const std::size_t source = starts_[bars_ - back];
    const std::size_t end = starts_[bars_ - back + 1];
    const bool rhythm_only = chance >= 32;
    const int shift = chance >= 15 ? at(kShifts, random_.below(4)) : 0;
    for (std::size_t i = source; i < end; ++i) {
      Event event = sketch_.events[i];
      if (!rhythm_only && !event.rest) event.position += shift;
      if (!rhythm_only && !event.rest && (event.position < low_ - 1 || event.position > high_ + 1)) {
        sketch_.count = from;
        return false;
      }
      sketch_.add(event);
    }
    if (rhythm_only) {
      pitches(from, 0);
    } else {
      remember(from);
    }
    return true;
  }

  /// A breath: rests stand at the beginning of the piece or at the end of every second bar.
  void rests(std::size_t from) {
    Event& last = sketch_.events[sketch_.count - 1];
    if (bars_ == 0 && sketch_.pickup == 0 && random_.percent(12)) {
      Event& first = sketch_.events[from];
      if (first.triplet == 0 && first.ticks <= sketch_.time().beat) first.rest = true;
      return;
    }
    if (bars_ % 2 == 0 || last.triplet != 0 || !random_.percent(66)) return;
    if (last.ticks >= kQuarter && last.ticks % 12 == 0 && last.ticks != 3 * kQuarter / 2) {
      last.ticks /= 2;
      Event rest = last;
      rest.rest = true;
      sketch_.add(rest);
    } else if (sketch_.count - from > 2 && random_.percent(50)) {
      last.rest = true;
    }
  }

  /// Gives pitches to the events from `from` on, the first of which lies `time` ticks into its bar.
  void pitches(std::size_t from, int time) {
    for (std::size_t i = from; i < sketch_.count; ++i) {
      Event& event = sketch_.events[i];
      if (!event.rest) {
        event.position = started_ ? next(time) : first_;
        if (started_) previous_ = event.position - position_;
        position_ = event.position;
        started_ = true;
        ++notes_;
      }
      time += event.ticks;
    }
  }

  int next(int time) {
    const Intervals& row = at(kNext, std::clamp(previous_, -4, 4) + 4);
    const auto& tonal = kTonal[time % sketch_.time().beat == 0 ? 1 : 0];
    // One step beyond the compass is allowed, but a quarter as likely.
    const int lowest = std::max(position_ - kWidest, low_ - 1);
    const int highest = std::min(position_ + kWidest, high_ + 1);
    std::array<int, 2 * kWidest + 1> sums{};
    int total = 0;
    int name = degree(lowest);
    for (int target = lowest; target <= highest; ++target) {
      const int edge = target < low_ || target > high_ ? 1 : 4;
      total += at(row, target - position_ + kWidest) * at(tonal, name) * edge;
      at(sums, target - lowest) = total;
      name = name == 6 ? 0 : name + 1;
    }
    const int drawn = random_.below(total);
    int target = lowest;
    while (drawn >= at(sums, target - lowest)) ++target;
    return target;
  }

  void remember(std::size_t from) {
    for (std::size_t i = from; i < sketch_.count; ++i) {
      if (sketch_.events[i].rest) continue;
      previous_ = sketch_.events[i].position - position_;
      position_ = sketch_.events[i].position;
      ++notes_;
    }
  }

  /// Leading notes in minor, and now and then a raised fourth or lowered seventh in passing.
  void accidentals() {
    Event* before = nullptr;
    for (Event& event : sketch_.all()) {
      if (event.rest) continue;
      if (before != nullptr) colour(*before, event.position - before->position);
      before = &event;
    }
  }

  void colour(Event& event, int leaving) {
    const int d = degree(event.position);
    if (sketch_.minor && d == 6 && leaving == 1 && random_.percent(75)) event.alter = 1;
    if (!sketch_.minor && d == 3 && (leaving == 1 || leaving == 2) && random_.percent(30)) event.alter = 1;
    if (!sketch_.minor && d == 6 && leaving < 0 && random_.percent(28)) event.alter = -1;
  }

  static constexpr std::array<int, 4> kShifts = {-1, -1, 1, -2};

  Random& random_;
  Sketch& sketch_;
  int style_ = 1;
  int first_ = 0;
  int low_ = 0;
  int high_ = 7;
  int position_ = 0;
  int previous_ = 0;
  bool started_ = false;
  int notes_ = 0;
  std::size_t bars_ = 0;
  std::array<std::size_t, kMaxBars + 1> starts_{};
};

}  // namespace

int middle_line(const Clef& clef) {
  const int lowered = 2 * (3 - clef.line);
  switch (clef.shape) {
    case 'C': return 28 + lowered;      // C4 on its line
    case 'F': return 24 + lowered;      // F3
    case 'g': return 32 - 7 + lowered;  // G3
    default: return 32 + lowered;       // G4
  }
}

void place(Sketch& sketch, int fifths) {
  sketch.fifths = fifths;
  int low = 127;
  int high = -128;
  for (const Event& event : std::as_const(sketch).all()) {
    if (event.rest) continue;
    low = std::min(low, event.position);
    high = std::max(high, event.position);
  }
  // The tonic's name: each fifth up is four steps up; a minor tonic lies two steps below its major one.
  const int name = degree(4 * fifths - (sketch.minor ? 2 : 0));
  const int wanted = middle_line(sketch.clef) - (low + high) / 2;
  const int above = degree(wanted - name);
  sketch.tonic = above <= 3 ? wanted - above : wanted - above + 7;
}

void compose(Random& random, Sketch& sketch) {
  Composer(random, sketch).run();
  place(sketch, sketch.fifths);
}

}  // namespace rondo::generate
