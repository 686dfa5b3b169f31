#include "formats/midi/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace rondo::midi {
namespace {

/// Numbers by which a quarter may be divided, the usual one first; 0 where there are fewer than three.
struct Level {
  std::array<int, 3> divisors;
  int points;  ///< different points in a quarter, all divisors together
};
constexpr std::array kLevels = {
    Level{{1, 0, 0}, 1},  Level{{2, 0, 0}, 2},    Level{{3, 0, 0}, 3},    Level{{4, 0, 0}, 4}, Level{{2, 3, 0}, 4},
    Level{{4, 3, 0}, 6},  Level{{6, 0, 0}, 6},    Level{{8, 0, 0}, 8},    Level{{4, 6, 0}, 8}, Level{{8, 6, 0}, 12},
    Level{{8, 6, 5}, 16}, Level{{16, 12, 0}, 24}, Level{{16, 12, 5}, 28},
};
/// For the few notes that are finer than the rest of the piece.
constexpr std::array kFiner = {8, 6, 5, 7, 12, 16, 9, 10, 24, 32};
constexpr int kFinest = 24;

constexpr std::size_t kFewOnsets = 4;  ///< fewer do not determine a grid
constexpr double kHonestTicks = 2.5;   ///< deviation caused by rounding and by ending notes early
constexpr double kArticulation = 0.3;  ///< the share of a note that articulation may leave silent
constexpr double kRoot12 = 3.4641016151377544;

double distance(double position, int divisor) {
  const double scaled = position * divisor;
  return std::abs(scaled - std::round(scaled)) / divisor;
}

Fraction nearest(double position, int divisor) {
  return {static_cast<std::int64_t>(std::llround(position * divisor)), divisor};
}

/// The onsets of one voice within one quarter.
struct Beat {
  std::size_t voice = 0;
  std::int64_t number = 0;
  std::vector<double> onsets;  ///< in quarters
};

struct Fit {
  const Level* level = nullptr;
  double certainty = -1;
  std::vector<int> divisors;  ///< of each beat
};

class Snapper {
 public:
  Snapper(std::vector<std::vector<TimedNote>>& voices, Fraction tick)
      : voices_(voices), quarters_(4 * tick.to_double()), tick_(tick) {}

  GridReport run() {
    collect_beats();
    for (auto& voice : voices_) {
      for (TimedNote& note : voice) keep(note);
    }
    if (onsets_ == 0) return report_;
    Fit best;
    for (const Level& level : kLevels) {
      Fit fit = try_level(level);
      if (fit.certainty > best.certainty + 1e-9) best = std::move(fit);
    }
    report_.certainty = std::max(0.0, best.certainty);
    report_.grid = name_of(*best.level);
    if (best.certainty < kCertainEnough || onsets_ < kFewOnsets) {
      report_.odd = onsets_ >= kFewOnsets && !all_notated();
      return report_;
    }
    report_.followed = true;
    snap(best);
    return report_;
  }

 private:
  [[nodiscard]] double position(std::int64_t tick) const { return static_cast<double>(tick) * quarters_; }
  [[nodiscard]] double honest() const { return std::min(kHonestTicks * quarters_, 1.0 / 64); }

  void keep(TimedNote& note) {
    note.onset = tick_ * note.begin;
    note.release = tick_ * note.end;
    ++report_.notes;
  }

  void collect_beats() {
    for (std::size_t v = 0; v < voices_.size(); ++v) {
      std::optional<std::int64_t> last;
      for (const TimedNote& note : voices_[v]) {
        if (last == note.begin) continue;
        last = note.begin;
        const double at = position(note.begin);
        const auto number = static_cast<std::int64_t>(std::floor(at + honest()));
        if (beats_.empty() || beats_.back().voice != v || beats_.back().number != number) {
          beats_.push_back({v, number, {}});
        }
        beats_.back().onsets.push_back(at);
        ++onsets_;
      }
    }
  }

  static double squares(const Beat& beat, int divisor) {
    double sum = 0;
    for (const double at : beat.onsets) sum += distance(at, divisor) * distance(at, divisor);
    return sum;
  }

  [[nodiscard]] Fit try_level(const Level& level) const {
    Fit fit;
    fit.level = &level;
    double sum = 0;
    for (const Beat& beat : beats_) {
      int chosen = level.divisors[0];
      double least = squares(beat, chosen);
      for (const int divisor : level.divisors) {
        // Another division than the usual one must be much better.
        if (divisor == 0 || squares(beat, divisor) >= least / 4) continue;
        chosen = divisor;
        least = squares(beat, divisor);
      }
      sum += least;
      fit.divisors.push_back(chosen);
    }
    // No deviation is smaller than the rounding to ticks.
    const double deviation = std::max({std::sqrt(sum / static_cast<double>(onsets_)), quarters_ / 2, 1.0 / 1000});
    fit.certainty = 1 - deviation * level.points * kRoot12;
    return fit;
  }

  /// Whether every onset can be notated unchanged, though not on one grid.
  [[nodiscard]] bool all_notated() const {
    return std::all_of(voices_.begin(), voices_.end(), [](const auto& voice) {
      return std::all_of(voice.begin(), voice.end(), [](const TimedNote& note) {
        const std::int64_t parts = (note.onset * 4).den();
        return 32 % parts == 0 || 24 % parts == 0;
      });
    });
  }

  /// Four times the standard deviation, estimated by the median, which is robust against the few finer notes.
  [[nodiscard]] double tolerance(const Fit& fit) const {
    std::vector<double> deviations;
    for (std::size_t b = 0; b < beats_.size(); ++b) {
      for (const double at : beats_[b].onsets) deviations.push_back(distance(at, fit.divisors[b]));
    }
    const auto middle = deviations.begin() + static_cast<std::ptrdiff_t>(deviations.size() / 2);
    std::nth_element(deviations.begin(), middle, deviations.end());
    return std::max(4 * 1.4826 * *middle, honest());
  }

  void snap(const Fit& fit) {
    const double allowed = tolerance(fit);
    std::size_t b = 0;
    for (std::size_t v = 0; v < voices_.size(); ++v) {
      std::vector<int> divisors;  // of each note
      for (TimedNote& note : voices_[v]) {
        const auto number = static_cast<std::int64_t>(std::floor(position(note.begin) + honest()));
        while (b < beats_.size() && (beats_[b].voice < v || (beats_[b].voice == v && beats_[b].number < number))) ++b;
        const int divisor = divisor_for(position(note.begin), fit.divisors[b], allowed);
        divisors.push_back(divisor);
        note.onset = nearest(position(note.begin), divisor) / 4;
      }
      snap_ends(voices_[v], divisors, allowed);
    }
    count_moves();
  }

  static int divisor_for(double at, int usual, double allowed) {
    if (distance(at, usual) <= allowed) return usual;
    for (const int finer : kFiner) {
      if (distance(at, finer) <= allowed) return finer;
    }
    return kFinest;
  }

  void snap_ends(std::vector<TimedNote>& voice, const std::vector<int>& divisors, double allowed) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < voice.size(); ++i) {
      while (next < voice.size() && voice[next].onset <= voice[i].onset) ++next;
      const TimedNote* after = next < voice.size() ? &voice[next] : nullptr;
      voice[i].release = end_of(voice[i], after, divisors[i], allowed);
    }
  }

  /// The end of the note: the onset of the next one if the gap is articulation, else a point of the grid.
  [[nodiscard]] Fraction end_of(const TimedNote& note, const TimedNote* after, int divisor, double allowed) const {
    const double end = position(note.end);
    const double lasts = position(note.end - note.begin);
    if (after != nullptr) {
      const double gap = position(after->begin) - end;
      const bool joined = std::abs(gap) <= allowed;
      const bool overlaps = gap < 0 && -gap <= std::min(kArticulation * lasts, 0.5 / divisor);
      if (joined || overlaps) return after->onset;
    }
    const Fraction written = end_on_grid(end, divisor, std::min(allowed, honest()));
    if (written.valid() && written / 4 > note.onset) return written / 4;
    if (after != nullptr) {
      const double gap = position(after->begin) - end;
      if (gap > 0 && gap <= kArticulation * (lasts + gap)) return after->onset;
    }
    for (const int finer : {std::max(divisor, 4), 2 * std::max(divisor, 4), 4 * std::max(divisor, 4)}) {
      const Fraction round = nearest(end, finer) / 4;
      if (round > note.onset)
        return after != nullptr && end < position(after->begin) ? std::min(round, after->onset) : round;
    }
    return note.onset + Fraction(1, std::int64_t{16} * std::max(divisor, 4));
  }

  /// The likely notated end: on the division of the beat, or on a simple one.
  static Fraction end_on_grid(double end, int divisor, double allowed) {
    for (const int simple : {divisor, 4, 3, 2 * divisor, 8}) {
      if (simple <= 32 && distance(end, simple) <= allowed) return nearest(end, simple);
    }
    return Fraction::invalid();
  }

  void count_moves() {
    for (const auto& voice : voices_) {
      for (const TimedNote& note : voice) {
        const Fraction onset = tick_ * note.begin;
        if (note.onset == onset && note.release == tick_ * note.end) continue;
        ++report_.moved;
        report_.largest = std::max(report_.largest, 4 * std::abs((note.onset - onset).to_double()));
      }
    }
  }

  static std::string name_of(const Level& level) {
    std::string name = level.divisors[0] == 1 && level.divisors[1] == 0 ? "quarters" : "quarters divided by ";
    if (name.back() != ' ') return name;
    for (std::size_t i = 0; i < level.divisors.size() && level.divisors[i] != 0; ++i) {
      if (i > 0) name += i + 1 < level.divisors.size() && level.divisors[i + 1] != 0 ? ", " : " or ";
      name += std::to_string(level.divisors[i]);
    }
    return name;
  }

  std::vector<std::vector<TimedNote>>& voices_;
  double quarters_;  ///< of a tick
  Fraction tick_;
  std::vector<Beat> beats_;
  std::size_t onsets_ = 0;
  GridReport report_;
};

}  // namespace

std::string GridReport::message() const {
  const int percent = static_cast<int>(std::lround(100 * certainty));
  if (!followed) {
    if (!odd) return {};
    return fmt::format("the notes follow no grid of the beat (certainty {} %); their times are kept as played",
                       percent);
  }
  if (moved == 0) return {};
  return fmt::format(
      "{} of {} notes were moved to a grid of {}, their onsets by at most {:.3f} quarters (certainty {} %)", moved,
      notes, grid, largest, percent);
}

GridReport snap_to_grid(std::vector<std::vector<TimedNote>>& voices, Fraction tick) {
  return Snapper(voices, tick).run();
}

}  // namespace rondo::midi
