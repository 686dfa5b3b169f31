#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rondo/similarity/plan.h"
#include "search/kernels/aligned.h"
#include "similarity/align.h"

/// Alignment of a query with many documents at once, one document in each lane of a vector, in 16-bit numbers of which
/// every one is rounded up. So what comes out is never below the true score: a bound, and a tight one.
namespace rondo::kernels {

/// Documents in a batch: a multiple of the lanes of every instruction set.
inline constexpr std::size_t kBatch = 64;

/// Features lie within these bounds, so that differences and sums of two fit 16 bits. Bringing a number into them can
/// only bring two numbers nearer together, which keeps a bound a bound.
inline constexpr std::int16_t kFeatureLimit = 6000;

/// The query. What stands in a cell of the table comes from up to four numbers of the query's window (a row) and the
/// same of the document's (a column), by pairing:
///   shape           f0: the two intervals in one number; f1, f2: the tests that mean "same class" and "opposite
///                   class" (a column: the tests it passes)
///   interval, pitch_area   f0, f1: the two intervals times `factor[0]`
///   pitch_and_time  f0, f1: two linear functionals of the pitch curve, times factor[0] and factor[1]; f2, f3: the
///                   same of the time curve, times time_factor[0] and [1] and rounded
struct Rows {
  std::vector<std::int16_t> match;  ///< of an identical window (of the pitch curve)
  std::vector<std::int16_t> gap;
  std::vector<std::int16_t> feature[4];
  std::int16_t match_time = 0;                     ///< of an identical time curve
  std::int16_t same = 0, other = 0, opposite = 0;  ///< penalties of the pairing `shape`, not above zero
  std::int16_t document_gap = 0;                   ///< of any window of a document, but for pitch_and_time
  std::int16_t factor[2] = {0, 0};
  float time_factor[2] = {0, 0};
  std::vector<std::int16_t> rest;  ///< what the rows after each can add; see still_to_gain
  std::int16_t most = 32767;       ///< what a pair can add, or more; see most_to_gain
};

/// The tests of the shape classes (similarity.md, section 1).
enum Test : std::int16_t { kValley = 1, kHill = 2, kRise = 4, kFall = 8 };
[[nodiscard]] std::int16_t tests_passed(int first, int second);
/// Two intervals in one number.
[[nodiscard]] std::int16_t both_intervals(int first, int second);
/// The two functionals of a pitch curve with these intervals, as whole numbers: six times the integral of its slope,
/// and eight times the first half of it less the second. The area between two curves is at least either difference.
struct Functionals {
  int whole;
  int halves;
};
[[nodiscard]] inline Functionals functionals(int u, int v, int w) { return {u + 4 * v + w, u - w}; }
/// The same of a time curve with these four durations.
struct TimeFunctionals {
  float whole;
  float halves;
};
[[nodiscard]] TimeFunctionals functionals(float a, float b, float c, float d);
/// Number times factor, within kFeatureLimit.
[[nodiscard]] std::int16_t scaled(int value, std::int16_t factor);
[[nodiscard]] std::int16_t scaled(float value, float factor);

/// One batch of documents: their notes, laid out [note][lane].
struct Columns {
  std::size_t notes = 0;           ///< of the longest document
  std::size_t window = 3;          ///< notes of a window
  std::uint32_t length[kBatch]{};  ///< windows of each; 0: lane unused
  AlignedVector<std::int16_t> pitch;
  AlignedVector<float> duration;  ///< used by pitch_and_time alone

  void reset(std::size_t most_notes, std::size_t notes_of_window);
  [[nodiscard]] std::size_t columns() const { return notes < window ? 0 : notes - window + 1; }
};

struct Job {
  WindowPlan::Pairing pairing = WindowPlan::Pairing::shape;
  Aligner aligner = Aligner::hybrid;
  const Rows* rows = nullptr;
  const Columns* columns = nullptr;
  /// What a document must reach to matter. Where none can any more an alignment is left off; what stays below is given
  /// as one less than this.
  std::int16_t enough = -32768;
};
/// After each so many rows it is checked which documents can still reach `enough`.
inline constexpr std::size_t kRowsBetweenChecks = 4;

/// What the rows after each can add to an alignment at most.
[[nodiscard]] std::vector<std::int16_t> still_to_gain(const Rows& rows);
/// What a pair can add at most.
[[nodiscard]] std::int16_t most_to_gain(const Rows& rows);

/// The value of a whole alignment, for each lane.
void window_align(const Job& job, std::int16_t* best);
/// The scalar reference.
void window_align_plain(const Job& job, std::int16_t* best);

}  // namespace rondo::kernels
