#include <cmath>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_overlap.h"
#include "search/index/grams.h"
#include "search/kernels/symbols_align.h"
#include "similarity/symbols.h"

namespace rondo::fast {
namespace {

/// Numbers for interval symbols, which are -12 .. 12; those of index::folded_interval.
std::uint8_t interval_code(int symbol) { return static_cast<std::uint8_t>(symbol + 12); }
constexpr std::uint8_t kNoInterval = 255;
/// Behind the five letters; scores -3 against all.
constexpr std::uint8_t kNoLetter = 5;

/// For pioi, 38^2 times the square of an alignment of intervals plus the square of one of rhythms. The first is
/// computed for all documents, many at a time and exactly; it outweighs the second so much that few are left when that
/// is, too.
class Pioi final : public BoundFilter {
 public:
  Pioi(const Line& query, std::size_t shortest) : BoundFilter(shortest) {
    for (const int symbol : interval_symbols(query)) intervals_.push_back(interval_code(symbol));
    for (const std::int8_t letter : ioi_letters(query)) {
      kernels::SymbolScores scores{};
      for (std::size_t other = 0; other < kLetterScores.size(); ++other) {
        const int score = kLetterScores[static_cast<std::size_t>(letter)][other] + kernels::kSymbolZero;
        scores[other] = static_cast<std::uint8_t>(score);
      }
      letters_.push_back(scores);
    }
  }
  static constexpr std::size_t kLongestQuery = 5000;

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    if (!fits(notes)) return std::fill(bound, bound + (end - begin), kUnknown);
    thread_local kernels::SymbolColumns intervals;
    thread_local std::vector<std::uint8_t> midi;
    intervals.columns = notes - 1;
    intervals.symbol.assign(intervals.columns * kernels::kBatch, kNoInterval);
    const double rhythm = kMostOfLetters * static_cast<double>(std::min<std::size_t>(letters_.size(), notes - 2));
    std::array<float, 256> by_pitch{};
    for (std::size_t pitch = 0; pitch < by_pitch.size(); ++pitch) {
      by_pitch[pitch] = raised(score(static_cast<double>(pitch), rhythm));
    }
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; d += kernels::kBatch) {
      const auto lanes = std::min<std::size_t>(kernels::kBatch, end - d);
      bool known[kernels::kBatch];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        known[lane] = read_pitches(segment, run[static_cast<DocumentId>(d + lane)], midi);
        if (known[lane]) put_intervals(midi, intervals, lane);
      }
      std::uint8_t pitch[kernels::kBatch];
      kernels::equal_symbols(intervals_, intervals, pitch);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        bound[d - begin + lane] = known[lane] ? by_pitch[pitch[lane]] : kUnknown;
      }
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double /*threshold*/) const override {
    thread_local kernels::SymbolColumns letters;
    for (std::size_t begin = 0; begin < candidates.size(); begin += kernels::kBatch) {
      const auto batch = candidates.subspan(begin, std::min(kernels::kBatch, candidates.size() - begin));
      letters.columns = 0;
      for (const Candidate& candidate : batch) {
        const std::size_t notes = segment.notes_of(candidate.document).count;
        if (fits(notes)) letters.columns = std::max(letters.columns, notes - 2);
      }
      letters.symbol.assign(letters.columns * kernels::kBatch, kNoLetter);
      bool known[kernels::kBatch];
      for (std::size_t lane = 0; lane < batch.size(); ++lane) {
        const Segment::Notes notes = segment.notes_of(batch[lane].document);
        known[lane] = fits(notes.count) && put_letters(segment, notes, letters, lane);
      }
      std::uint8_t rhythm[kernels::kBatch];
      kernels::scored_symbols(letters_, letters, rhythm);
      for (std::size_t lane = 0; lane < batch.size(); ++lane) {
        if (known[lane]) lower(batch[lane], segment.notes_of(batch[lane].document).count, rhythm[lane]);
      }
    }
  }

 private:
  /// What a letter scores at most.
  static constexpr double kMostOfLetters = 3;

  /// Letters score 3 each at most, and no sum may leave 8 bits: so one of the two melodies must be short enough.
  [[nodiscard]] bool fits(std::size_t notes) const {
    constexpr std::size_t kMostNotes = 80;
    return std::min(notes, intervals_.size() + 1) <= kMostNotes;
  }

  static double score(double pitch, double rhythm) { return 38.0 * 38.0 * pitch * pitch + rhythm * rhythm; }

  static void put_intervals(std::span<const std::uint8_t> midi, kernels::SymbolColumns& out, std::size_t lane) {
    std::uint8_t* at = out.symbol.data() + lane;
    for (std::size_t i = 1; i < midi.size(); ++i, at += kernels::kBatch) {
      *at = static_cast<std::uint8_t>(index::folded_interval(midi[i] - midi[i - 1]));
    }
  }

  /// False: its times are not known.
  [[nodiscard]] static bool put_letters(const Segment& segment, const Segment::Notes& notes,
                                        kernels::SymbolColumns& out, std::size_t lane) {
    thread_local std::vector<std::int32_t> onset;
    thread_local std::vector<std::int32_t> duration;
    onset.resize(notes.count);
    duration.resize(notes.count);
    if (!segment.ticks(notes, onset.data(), duration.data())) return false;
    std::uint8_t* at = out.symbol.data() + lane;
    for (std::size_t i = 2; i < onset.size(); ++i, at += kernels::kBatch) {
      *at = static_cast<std::uint8_t>(ioi_letter(onset[i - 1] - onset[i - 2], onset[i] - onset[i - 1]));
    }
    return true;
  }

  /// Replaces the assumed rhythm term by the computed one.
  void lower(Candidate& candidate, std::uint32_t notes, std::uint8_t rhythm) const {
    if (!std::isfinite(candidate.bound)) return;
    const double most = kMostOfLetters * static_cast<double>(std::min<std::size_t>(letters_.size(), notes - 2));
    candidate.bound = raised(candidate.bound - most * most + static_cast<double>(rhythm) * rhythm);
  }

  std::vector<std::uint8_t> intervals_;
  std::vector<kernels::SymbolScores> letters_;
};

}  // namespace

std::unique_ptr<Method> make_method(const PioiPlan& /*plan*/, const Task& task) {
  constexpr std::size_t kShortest = 3;
  if (task.query.size() < kShortest || task.query.size() > Pioi::kLongestQuery) return nullptr;
  return std::make_unique<Pioi>(task.query, std::max(kShortest, task.shortest));
}

}  // namespace rondo::fast
