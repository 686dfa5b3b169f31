#include <array>
#include <map>
#include <mutex>

#include "search/fast/bound_filter.h"
#include "search/fast/tally.h"
#include "search/fast/time_numbers.h"
#include "search/index/grams.h"
#include "search/kernels/symbols_align.h"
#include "similarity/simile.h"

namespace rondo::fast {
namespace {

/// For opti3, 0.505 intervals + 0.417 rhythm + 0.24 harmony - 0.146.
///
/// Its intervals are 2s / (a + b) for s windows of three intervals in common among the a and b of the two. Windows that
/// are equal are also equal folded into the octave, and which documents have those stands in lists. So that part is
/// bounded for all documents without looking at any of them. The harmony is an edit distance of the keys of measures,
/// which is at least the difference of their numbers. Of what is left the rhythm is computed exactly, many documents at
/// a time; then the number of measures, and at last their keys.
class Opti3Parts final : public BoundFilter {
 public:
  Opti3Parts(const Line& query, std::size_t shortest) : BoundFilter(shortest), windows_(query.size() - 3) {
    simile::bar_keys(query, keys_);
    for (std::size_t i = 0; i < windows_; ++i) ++counts_[index::folded_window(query.pitch, i)];
    std::vector<std::int8_t> classes;
    simile::rhythm_classes(query, classes);
    for (const int letter : classes) rhythm_.push_back(letter_of(letter));
  }
  static constexpr std::size_t kLongestQuery = 5000;

 protected:
  void bound_all(const SegmentView& view, Workers& /*workers*/, std::vector<float>& bound) const override {
    const Segment& segment = *view.segment;
    std::vector<WeightedList> lists;
    for (const auto& [window, count] : counts_) add_lists(segment.four(), window, 1, count, lists);
    Tally tally(segment.size(), std::move(lists));
    while (!tally.done()) tally.read_next();
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const std::uint32_t notes = segment.runs()[r].notes;
      if (notes < shortest()) continue;
      std::array<float, Tally::kFull + 1> by_sum{};
      for (std::size_t sum = 0; sum < by_sum.size(); ++sum) {
        // A full sum may hide more.
        const std::size_t shared = sum < Tally::kFull ? sum : std::max<std::size_t>(windows_, notes);
        by_sum[sum] = raised(intervals(shared, notes) + kRhythm * most_rhythm(notes) + kHarmony + kConstant);
      }
      for (DocumentId d = segment.runs()[r].first_document; d < segment.run_end(r); ++d) {
        bound[d] = by_sum[static_cast<std::size_t>(tally.sum(d))];
      }
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    // Those of one length are aligned together.
    const auto before = [](const Candidate& a, const Candidate& b) { return a.document < b.document; };
    if (!std::is_sorted(candidates.begin(), candidates.end(), before)) {
      std::sort(candidates.begin(), candidates.end(), before);
    }
    compare_rhythm(segment, candidates, threshold);
    Line line;
    std::vector<std::int8_t> keys;
    for (Candidate& candidate : candidates) {
      if (candidate.bound < threshold) continue;
      segment.line(candidate.document, line);
      const double most = most_harmony(simile::measures_with_notes(line));
      lower(candidate, kHarmony * (1 - most));
      if (candidate.bound < threshold) continue;
      simile::bar_keys(line, keys);
      lower(candidate, kHarmony * (most - simile::harmony_similarity(keys_, keys)));
    }
  }

 private:
  static constexpr double kIntervals = 0.505;
  static constexpr double kRhythm = 0.417;
  static constexpr double kHarmony = 0.24;
  static constexpr double kConstant = -0.146;

  static std::uint8_t letter_of(int rhythm_class) { return static_cast<std::uint8_t>(rhythm_class + 2); }

  [[nodiscard]] double intervals(std::size_t shared, std::size_t notes) const {
    const auto fewer = static_cast<double>(std::min(windows_, notes - 3));
    return kIntervals * 2 * std::min(static_cast<double>(shared), fewer) / static_cast<double>(windows_ + notes - 3);
  }

  /// The rhythms of two melodies differ at least by the notes that one of them has more.
  [[nodiscard]] double most_rhythm(std::size_t notes) const {
    return static_cast<double>(std::min(rhythm_.size(), notes)) / static_cast<double>(std::max(rhythm_.size(), notes));
  }

  /// The numbers of measures differ by so many edits at least.
  [[nodiscard]] double most_harmony(std::size_t measures) const {
    return static_cast<double>(std::min(keys_.size(), measures)) /
           static_cast<double>(std::max(keys_.size(), measures));
  }

  static void lower(Candidate& candidate, double by) { candidate.bound = raised(candidate.bound - by); }

  /// The documents that still reach the threshold lose what their rhythm lacks.
  void compare_rhythm(const Segment& segment, std::span<Candidate> candidates, double threshold) const {
    const Rhythms& rhythms = rhythms_of(segment);
    thread_local std::vector<DocumentId> documents;
    thread_local std::vector<Segment::Notes> notes;
    thread_local std::vector<Candidate*> left;
    documents.clear();
    left.clear();
    for (Candidate& candidate : candidates) {
      if (candidate.bound < threshold) continue;
      left.push_back(&candidate);
      documents.push_back(candidate.document);
    }
    segment.notes_of(documents, notes);
    for (const Segment::Notes& one : notes) segment.announce_times(one);
    for (std::size_t begin = 0; begin < left.size();) {
      std::size_t end = begin;
      while (end < left.size() && end - begin < kernels::kBatch && notes[end].count == notes[begin].count) ++end;
      if (std::min<std::size_t>(notes[begin].count, rhythm_.size()) <= kernels::kMostSaved) {
        hear_rhythm(rhythms, segment, std::span(left).subspan(begin, end - begin),
                    std::span(notes).subspan(begin, end - begin));
      }
      begin = end;
    }
  }

  /// Classes of times against the most frequent one, by their numbers.
  struct Rhythms {
    explicit Rhythms(const Segment& segment) : numbers(segment) {
      const std::vector<std::int32_t>& ticks = numbers.ticks();
      for (std::size_t usual = 0; usual < ticks.size(); ++usual) {
        for (std::size_t i = 0; i < ticks.size(); ++i) {
          letters[usual * kNumbers + i] = letter_of(simile::rhythm_class(ticks[i], std::max(1, ticks[usual])));
        }
      }
    }
    static constexpr std::size_t kNumbers = 256;
    TimeNumbers numbers;
    std::vector<std::uint8_t> letters = std::vector<std::uint8_t>(kNumbers * kNumbers);
  };
  /// Made once for each segment; searches with one method come segment by segment.
  [[nodiscard]] const Rhythms& rhythms_of(const Segment& segment) const {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<Rhythms>& rhythms = rhythms_[&segment];
    if (!rhythms) rhythms = std::make_unique<Rhythms>(segment);
    return *rhythms;
  }

  /// The documents, all of one length, lose what their rhythm lacks.
  void hear_rhythm(const Rhythms& rhythms, const Segment& segment, std::span<Candidate* const> candidates,
                   std::span<const Segment::Notes> notes) const {
    thread_local kernels::SymbolColumns columns;
    columns.columns = notes[0].count;
    columns.symbol.resize(columns.columns * kernels::kBatch);
    bool known[kernels::kBatch];
    for (std::size_t lane = 0; lane < notes.size(); ++lane) {
      known[lane] = fill_rhythm(rhythms, segment, notes[lane], columns.symbol.data() + lane);
    }
    std::uint8_t saved[kernels::kBatch];
    kernels::edits_saved(rhythm_, columns, saved);
    const std::size_t both = rhythm_.size() + columns.columns;
    const auto longer = static_cast<double>(std::max<std::size_t>(rhythm_.size(), columns.columns));
    for (std::size_t lane = 0; lane < notes.size(); ++lane) {
      if (!known[lane]) continue;
      const double more =
          most_rhythm(columns.columns) - (1 - static_cast<double>(both - saved[lane]) / longer);  // than it is
      lower(*candidates[lane], kRhythm * more);
    }
  }

  /// False: its times are not known.
  [[nodiscard]] static bool fill_rhythm(const Rhythms& rhythms, const Segment& segment, const Segment::Notes& notes,
                                        std::uint8_t* out) {
    thread_local std::vector<std::uint8_t> numbers;
    thread_local std::array<std::uint8_t, Rhythms::kNumbers> counts{};  // all zero between calls
    if (!rhythms.numbers.read(segment, notes, numbers)) return false;
    for (const std::uint8_t number : numbers) ++counts[number];
    // The most frequent; of equally frequent ones the shortest, which has the lowest number.
    std::size_t best = 0;
    for (const std::uint8_t number : numbers) {
      best = std::max<std::size_t>(best, counts[number] * Rhythms::kNumbers + (255U - number));
    }
    const std::uint8_t* letters = rhythms.letters.data() + (255U - best % Rhythms::kNumbers) * Rhythms::kNumbers;
    for (const std::uint8_t number : numbers) {
      counts[number] = 0;
      *out = letters[number];
      out += kernels::kBatch;
    }
    return true;
  }

  std::size_t windows_;
  std::vector<std::int8_t> keys_;
  std::map<std::uint32_t, int> counts_;  ///< of folded windows
  std::vector<std::uint8_t> rhythm_;
  mutable std::mutex mutex_;
  mutable std::map<const Segment*, std::unique_ptr<Rhythms>> rhythms_;
};

}  // namespace

std::unique_ptr<Method> make_method(const Opti3Plan& /*plan*/, const Task& task) {
  constexpr std::size_t kShortest = 4;
  if (task.query.size() < kShortest || task.query.size() > Opti3Parts::kLongestQuery) return nullptr;
  return std::make_unique<Opti3Parts>(task.query, std::max(kShortest, task.shortest));
}

}  // namespace rondo::fast
