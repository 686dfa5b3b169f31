#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <variant>

#include "rondo/features/edit_distance.h"
#include "rondo/melody/line.h"

/// Search plans: descriptions of how a system computes its scores, so that an index can be searched without scoring
/// every melody.
///
/// A system returns one from `System::plan`, and thereby guarantees that `PreparedQuery::score` has the values that the
/// plan describes, to the last bit, and that melodies are not comparable if they have fewer notes than the plan needs
/// (one unless it says otherwise). The search then scores only melodies that can be among the best; the result is the
/// same as scoring every melody. A plan does not determine the system's name, its tie break or its explanation. Each
/// plan describes the scores of the systems of the table that it names; `rondo systems` has their definitions.
namespace rondo {

/// How often each window of three notes, by its pitches relative to the first, occurs in a collection.
class WindowCounts {
 public:
  using Key = std::uint64_t;  ///< of a window; never 0

  /// The key of a window from its second and third pitch relative to the first.
  [[nodiscard]] static Key key(std::int16_t second, std::int16_t third) {
    return (std::uint64_t{1} << 32U) | std::uint64_t{static_cast<std::uint16_t>(second)} << 16U |
           static_cast<std::uint16_t>(third);
  }

  /// Counts all windows of a melody.
  void add(const Line& line);
  void add(Key key, std::int64_t count) {
    counts_[key] += count;
    total_ += count;
  }
  /// 0: never seen.
  [[nodiscard]] std::int64_t count(Key key) const {
    const auto found = counts_.find(key);
    return found == counts_.end() ? 0 : found->second;
  }
  /// How often the most frequent window occurs.
  [[nodiscard]] std::int64_t most() const;
  /// Number of all windows; at least 1, so that it can be a divisor.
  [[nodiscard]] std::int64_t total() const { return total_ == 0 ? 1 : total_; }

 private:
  std::unordered_map<Key, std::int64_t> counts_;
  std::int64_t total_ = 0;
};

/// No bounds are known: every melody is scored. The default plan.
struct ExhaustivePlan {};

/// How sequences are aligned.
enum class Aligner : std::uint8_t {
  hybrid,  ///< borders accumulate gaps, the best inner cell counts: the start is penalised, the end is free
  local,   ///< Smith-Waterman: nothing below zero
  global   ///< the last cell
};

/// Windows of three or four notes, aligned (shapeh, shapel, shapeg, spline, time, the systems of 2010 and 2011).
struct WindowPlan {
  enum class Pairing : std::uint8_t {
    shape,          ///< Freq(Shape)
    interval,       ///< Freq(Interval)
    pitch_area,     ///< Freq(SplinePitch)
    pitch_and_time  ///< Combined(SplinePitch, SplineTime), the only one over windows of four notes
  };
  Pairing pairing = Pairing::shape;
  Aligner aligner = Aligner::hybrid;
  /// For the first three pairings: the counts the system has learnt, not null. A search that already has the counts of
  /// a collection writes them here instead of calling `System::learn` for each melody.
  std::shared_ptr<WindowCounts> counts{};
  double pitch = 0;  ///< for the fourth pairing: weights of the two curves, and the means they are scaled by
  double time = 0;
  double pitch_mean = 0;
  double time_mean = 0;

  [[nodiscard]] std::size_t notes() const { return pairing == Pairing::pitch_and_time ? 4 : 3; }
};

/// Minus the edit distance of strings with one letter for each step from note to note (contour, rhythm). Two notes.
struct EditPlan {
  enum class Letters : std::uint8_t {
    contour,  ///< up, down, repeated (neutral)
    rhythm    ///< longer, shorter, equal (neutral)
  };
  Letters letters = Letters::contour;
  EditCosts costs{};
};

/// Minus the edit distance of pitches in the best transposition (LDP).
struct PitchEditPlan {};

/// How many different sequences of five intervals, folded into the octave, two melodies share (ngr5). Six notes. Used
/// only if the row says `zero_is_none`.
struct SharedIntervalsPlan {};

/// One translation in time and pitch moves the query onto the document (P1, P2, P3). P1 only if the row says
/// `zero_is_none`.
struct GeometricPlan {
  enum class Problem : std::uint8_t {
    p1,  ///< 1 if every note of the query begins with one of the document, else 0
    p2,  ///< the share of its notes that do
    p3   ///< the share of its time at equal pitch
  };
  Problem problem = Problem::p2;
};

/// Minus the minimal cost of transporting one melody's weight to the other's (EMD, PTD).
struct TransportPlan {
  enum class Weights : std::uint8_t {
    durations,  ///< EMD: shares of the melody's length; the surplus of the heavier melody (fewer rests) is not moved
    shares      ///< PTD: shares of the melody's sounding time, so both have the same total weight
  };
  Weights weights = Weights::shares;
  double time = 40;        ///< a melody's length in base-40 steps of pitch
  int transpositions = 6;  ///< base-40 steps tried up and down
};

/// Local alignment of notes by pitch and length in the best transposition (GAR).
struct GarPlan {};

/// Minus the edit distance of implication/realisation structures (GAM). Three notes.
struct GamPlan {
  double gap = 0.4;  ///< cost of an unmatched structure, for each note; rounded to millionths
};

/// Alignment of intervals, then of rhythms (pioi). Three notes.
struct PioiPlan {};

/// Interval sequences, rhythm and harmony (opti3). Four notes.
struct Opti3Plan {};

/// Van Kranenburg's alignment: the features by which notes match, and the costs of gaps.
struct KranenburgPlan {
  bool band = false;    ///< near pitches match too; otherwise only equal ones
  bool phrase = false;  ///< position in the melody counts too
  bool metre = false;   ///< metric weight counts too
  double gap = 0.6;     ///< cost of the first note of a gap; rounded to 23-millionths, as the next
  double extend = 0.6;  ///< cost of each further note
};

/// The best explanation of the query's notes by the document's (rondo). Parameters are rounded to 1/1024 or 1/256, as
/// defined in docs/rondo-system.md.
struct RondoPlan {
  double near = 0;        ///< value of a pair of notes two to four semitones apart; that of equal notes is 1
  double far = 0;         ///< value of another pair of different pitch
  double length = 0;      ///< cost of a factor of two between lengths
  double change = 0;      ///< and between changes of length
  double place = 0;       ///< cost of positions at opposite ends
  double interval = 0;    ///< cost where the next intervals differ
  double weight = 0;      ///< how much more a pair counts if the query's note is twice as long
  double gap = 0;         ///< cost of a note left out
  double long_notes = 0;  ///< how much more a gap costs if the note is twice as long
  double overhang = 0;    ///< maximum cost of the document's notes before or after all pairs
  double beyond = 1;      ///< cost of a query note before or after the whole document, relative to a gap
  friend bool operator==(const RondoPlan&, const RondoPlan&) = default;
};

/// 1 if the notes of the query occur one after the other, else 0; unknown notes (Line::unknown) match any (pattern,
/// pattern-contour, pattern-rhythm). Two notes. Used only if the row says `zero_is_none`.
struct PatternPlan {
  enum class Compared : std::uint8_t {
    intervals,  ///< semitones from note to note
    contour,    ///< up, down, repeated
    rhythm      ///< ratios of the lengths of notes
  };
  Compared compared = Compared::intervals;
};

/// Minus the edit distance of notes relative to a key, in the best common transposition (mongeau-sankoff).
struct MongeauSankoffPlan {};

namespace orio {
struct Learnt;
}
/// Nine cosines of n-grams, each scaled to the range it has in the collection (Orio). Its content is internal to Orio.
struct OrioPlan {
  std::shared_ptr<orio::Learnt> learnt{};
};

using SearchPlan = std::variant<ExhaustivePlan, WindowPlan, EditPlan, PitchEditPlan, SharedIntervalsPlan, GeometricPlan,
                                TransportPlan, GarPlan, GamPlan, PioiPlan, Opti3Plan, KranenburgPlan,
                                MongeauSankoffPlan, OrioPlan, PatternPlan, RondoPlan>;

}  // namespace rondo
