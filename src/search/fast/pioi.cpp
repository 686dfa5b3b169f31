#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
#include "search/kernels/symbols_align.h"
#include "similarity/symbols.h"

namespace rondo::fast {
namespace {

/// Numbers for interval symbols, which are -12 .. 12.
std::uint8_t interval_code(int symbol) { return static_cast<std::uint8_t>(symbol + 12); }
constexpr std::uint8_t kNoInterval = 255;
/// Behind the five letters; scores -3 against all.
constexpr std::uint8_t kNoLetter = 5;

/// For pioi: both of its alignments of all documents, many at a time and exact.
class Pioi final : public Sieve {
 public:
  Pioi(const Line& query, std::size_t shortest) : Sieve(shortest) {
    for (const int symbol : interval_symbols(query)) intervals_.push_back(interval_code(symbol));
    for (const std::int8_t letter : ioi_letters(query)) {
      kernels::SymbolScores scores{};
      for (std::size_t other = 0; other < kLetterScores.size(); ++other) {
        const int score = kLetterScores[static_cast<std::size_t>(letter)][other] + kernels::kSymbolZero;
        scores[other] = static_cast<std::uint8_t>(score);
      }
      letters_.push_back(scores);
    }
    for (int interval = -127; interval <= 127; ++interval) {
      const int size = interval == 0 ? 0 : 1 + (std::abs(interval) - 1) % 12;
      codes_[static_cast<std::size_t>(interval + 127)] = interval_code(interval < 0 ? -size : size);
    }
  }
  /// Letters score 3 each at most.
  static constexpr std::size_t kMostNotes = 80;

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    thread_local kernels::SymbolColumns intervals;
    thread_local kernels::SymbolColumns letters;
    intervals.columns = notes - 1;
    letters.columns = notes - 2;
    intervals.symbol.assign(intervals.columns * kernels::kBatch, kNoInterval);
    letters.symbol.assign(letters.columns * kernels::kBatch, kNoLetter);
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; d += kernels::kBatch) {
      const auto lanes = std::min<std::size_t>(kernels::kBatch, end - d);
      bool known[kernels::kBatch];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::uint64_t at = first + (std::uint64_t{d - begin} + lane) * notes;
        known[lane] = fill(segment, {at, notes}, lane, intervals, letters);
      }
      std::uint8_t pitch[kernels::kBatch];
      std::uint8_t rhythm[kernels::kBatch];
      kernels::equal_symbols(intervals_, intervals, pitch);
      kernels::scored_symbols(letters_, letters, rhythm);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double weighted = 38.0 * pitch[lane];
        const double score = weighted * weighted + static_cast<double>(rhythm[lane]) * rhythm[lane];
        bound[d - begin + lane] = known[lane] ? raised(score) : kUnknown;
      }
    }
  }
  void fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*bar*/) const override {}

 private:
  [[nodiscard]] bool fill(const Segment& segment, const Segment::Notes& notes, std::size_t lane,
                          kernels::SymbolColumns& intervals, kernels::SymbolColumns& letters) const {
    thread_local std::vector<std::uint8_t> midi;
    thread_local std::vector<std::int32_t> onset;
    thread_local std::vector<std::int32_t> duration;
    onset.resize(notes.count);
    duration.resize(notes.count);
    if (!read_pitches(segment, notes, midi) || !segment.ticks(notes, onset.data(), duration.data())) return false;
    std::uint8_t* out = intervals.symbol.data() + lane;
    for (std::size_t i = 1; i < midi.size(); ++i, out += kernels::kBatch) {
      *out = codes_[static_cast<std::size_t>(midi[i] - midi[i - 1] + 127)];
    }
    out = letters.symbol.data() + lane;
    for (std::size_t i = 2; i < onset.size(); ++i, out += kernels::kBatch) {
      *out = static_cast<std::uint8_t>(ioi_letter(onset[i - 1] - onset[i - 2], onset[i] - onset[i - 1]));
    }
    return true;
  }

  std::vector<std::uint8_t> intervals_;
  std::vector<kernels::SymbolScores> letters_;
  std::array<std::uint8_t, 255> codes_{};
};

}  // namespace

std::unique_ptr<Method> make_pioi_method(const Task& task) {
  if (task.row.name != "pioi" || task.query.size() < task.row.shortest) return nullptr;
  if (task.query.size() > Pioi::kMostNotes) return nullptr;
  return std::make_unique<Pioi>(task.query, task.row.shortest);
}

}  // namespace rondo::fast
