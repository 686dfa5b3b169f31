#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
#include "search/index/grams.h"
#include "search/kernels/symbols_align.h"
#include "similarity/simile.h"

namespace rondo::fast {
namespace {

/// For opti3, 0.505 intervals + 0.417 rhythm + 0.24 harmony - 0.146. Its harmony is 1 at most. Its rhythm is computed,
/// many documents at a time. Its intervals are 2s / (a + b) for s windows of three intervals in common among the a and
/// b of the two; windows that are equal are also equal folded into the octave, and of those there are few enough to be
/// counted in a table.
class Opti3Parts final : public Sieve {
 public:
  Opti3Parts(const Line& query, std::size_t shortest) : Sieve(shortest), windows_(query.size() - 3) {
    for (std::size_t i = 0; i < windows_; ++i) ++counts_[index::folded_window(query.pitch, i)];
    for (int interval = -127; interval <= 127; ++interval) {
      folded_[static_cast<std::size_t>(interval + 127)] = static_cast<std::uint8_t>(index::folded_interval(interval));
    }
    std::vector<std::int8_t> classes;
    simile::rhythm_classes(query, classes);
    for (const int letter : classes) rhythm_.push_back(letter_of(letter));
  }
  /// So that numbers of edits fit 8 bits; longer documents are scored one by one.
  static constexpr std::size_t kMostNotes = 120;

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > kMostNotes) return;
    thread_local kernels::SymbolColumns columns;
    thread_local std::vector<std::uint16_t> counts;
    counts = counts_;
    columns.columns = notes;
    columns.symbol.assign(std::size_t{notes} * kernels::kBatch, 0);
    const auto both = static_cast<double>(windows_ + notes - 3);
    const auto longer = static_cast<double>(std::max<std::size_t>(rhythm_.size(), notes));
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; d += kernels::kBatch) {
      const auto lanes = std::min<std::size_t>(kernels::kBatch, end - d);
      int shared[kernels::kBatch];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Segment::Notes at{first + (std::uint64_t{d - begin} + lane) * notes, notes};
        shared[lane] = fill_rhythm(segment, at, columns, lane) ? windows_in_common(segment, at, counts) : -1;
      }
      std::uint8_t edits[kernels::kBatch];
      kernels::symbol_edits(rhythm_, columns, edits);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        if (shared[lane] < 0) continue;
        const double rhythm = 1 - edits[lane] / longer;
        bound[d - begin + lane] = raised(0.505 * 2 * shared[lane] / both + 0.417 * rhythm + 0.24 - 0.146);
      }
    }
  }
  void fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*bar*/) const override {}

 private:
  static std::uint8_t letter_of(int rhythm_class) { return static_cast<std::uint8_t>(rhythm_class + 2); }

  /// -1: not known. `counts` has what the query has, before and after.
  [[nodiscard]] int windows_in_common(const Segment& segment, const Segment::Notes& notes,
                                      std::vector<std::uint16_t>& counts) const {
    thread_local std::vector<std::uint8_t> midi;
    thread_local std::vector<std::uint32_t> met;
    if (!read_pitches(segment, notes, midi)) return -1;
    met.clear();
    std::uint32_t window = 0;
    for (std::uint32_t i = 1; i < notes.count; ++i) {
      window = (window * 25 + folded_[static_cast<std::size_t>(midi[i] - midi[i - 1] + 127)]) % index::kFolded;
      if (i < 3 || counts[window] == 0) continue;
      --counts[window];
      met.push_back(window);
    }
    for (const std::uint32_t one : met) ++counts[one];
    return static_cast<int>(met.size());
  }

  /// False: its times are not known.
  [[nodiscard]] static bool fill_rhythm(const Segment& segment, const Segment::Notes& notes,
                                        kernels::SymbolColumns& columns, std::size_t lane) {
    thread_local std::vector<std::int32_t> onset;
    thread_local std::vector<std::int32_t> time;
    onset.resize(notes.count);
    time.resize(notes.count);
    if (!segment.ticks(notes, onset.data(), time.data())) return false;
    for (std::size_t i = 0; i + 1 < time.size(); ++i) time[i] = onset[i + 1] - onset[i];
    const std::int64_t usual = usual_time(time);
    std::uint8_t* out = columns.symbol.data() + lane;
    for (const std::int32_t one : time) {
      *out = letter_of(simile::rhythm_class(one, usual));
      out += kernels::kBatch;
    }
    return true;
  }

  /// The most frequent; of equally frequent ones the shortest.
  [[nodiscard]] static std::int64_t usual_time(std::span<const std::int32_t> times) {
    struct Count {
      std::int32_t time;
      std::int32_t times;
    };
    Count known[kMostNotes];
    std::size_t size = 0;
    for (const std::int32_t time : times) {
      std::size_t at = 0;
      while (at < size && known[at].time != time) ++at;
      if (at == size) known[size++] = {time, 0};
      ++known[at].times;
    }
    const Count* usual = std::min_element(known, known + size, [](const Count& a, const Count& b) {
      return a.times != b.times ? a.times > b.times : a.time < b.time;
    });
    return std::max(1, usual->time);
  }

  std::size_t windows_;
  std::vector<std::uint16_t> counts_ = std::vector<std::uint16_t>(index::kFolded, 0);
  std::array<std::uint8_t, 255> folded_{};
  std::vector<std::uint8_t> rhythm_;
};

}  // namespace

std::unique_ptr<Method> make_opti3_method(const Task& task) {
  if (task.row.name != "opti3" || task.query.size() < task.row.shortest) return nullptr;
  if (task.query.size() > Opti3Parts::kMostNotes) return nullptr;
  return std::make_unique<Opti3Parts>(task.query, task.row.shortest);
}

}  // namespace rondo::fast
