#include <algorithm>
#include <cmath>
#include <numeric>

#include "rondo/features/edit_distance.h"
#include "search/fast/by_length.h"
#include "search/kernels/letters_align.h"
#include "search/kernels/symbols_align.h"

namespace rondo::fast {
namespace {

/// Costs are brought to whole numbers: most are, or halves, quarters, eighths.
constexpr double kUnit = 8;

/// For contour and rhythm: the edit distance of every document, many at a time and exact. A difference in length costs
/// insertions or deletions.
///
/// To pair two letters costs an insertion and a deletion less, as far as it is cheaper than these: the distance is what
/// it costs to leave out all of the one and put in all of the other, less the most that pairs can save. Where that fits
/// a byte, bytes are aligned, else the costs themselves.
class Letters final : public ByLength {
 public:
  Letters(const EditPlan& plan, const Line& query, std::size_t shortest)
      : ByLength(shortest), rhythm_(plan.letters == EditPlan::Letters::rhythm) {
    const EditCosts& costs = plan.costs;
    costs_ = {whole(costs.insertion), whole(costs.deletion), whole(costs.to_neutral), whole(costs.opposite)};
    for (std::size_t i = 1; i < query.size(); ++i) {
      query_.push_back(rhythm_ ? letter(query.duration[i - 1], query.duration[i])
                               : letter(query.pitch[i - 1], query.pitch[i]));
    }
    prepare_saved();
  }

  /// Costs that are not whole eighths, or too large for 16 bits, are left to others.
  [[nodiscard]] static bool suits(const EditCosts& costs, std::size_t notes) {
    double most = 0;
    for (const double cost : {costs.insertion, costs.deletion, costs.to_neutral, costs.opposite}) {
      if (!(cost >= 0) || cost * kUnit != std::floor(cost * kUnit)) return false;
      most = std::max(most, cost);
    }
    return most * kUnit * static_cast<double>(notes + kLongestInLanes) < 60'000;
  }

 protected:
  [[nodiscard]] double best_score(std::size_t notes) const override { return -least_distance(notes); }
  void compare(const SegmentView& view, std::uint32_t notes, DocumentId begin, DocumentId end,
               TopK& top_k) const override {
    if (notes > kLongestInLanes) {
      for (DocumentId d = begin; d < end; ++d) {
        if (view.has(d)) top_k.offer(view, d);
      }
      return;
    }
    const bool in_bytes = std::min<std::size_t>(query_.size(), notes - 1) <= most_pairs_;
    thread_local std::vector<std::uint8_t> letters;
    letters.resize(notes - 1);
    const Segment& segment = *view.segment;
    const Segment::RunNotes run(segment, begin);
    for (DocumentId first = begin; first < end; first += kernels::kBatch) {
      const DocumentId last = std::min<DocumentId>(end, first + kernels::kBatch);
      bool known[kernels::kBatch] = {};
      std::uint16_t distance[kernels::kBatch];
      const auto fill = [&](auto& columns) {
        for (DocumentId d = first; d < last; ++d) {
          const std::size_t lane = d - first;
          known[lane] = read(segment, run[d], letters.data());
          for (std::size_t j = 0; j < letters.size(); ++j) columns[j * kernels::kBatch + lane] = letters[j];
        }
      };
      if (in_bytes) {
        thread_local kernels::SymbolColumns columns;
        columns.columns = letters.size();
        columns.symbol.resize(letters.size() * kernels::kBatch);
        fill(columns.symbol);
        std::uint8_t saved[kernels::kBatch];
        kernels::pairs_saved(saves_, columns, saved);
        const std::size_t all = query_.size() * costs_.deletion + letters.size() * costs_.insertion;
        for (std::size_t lane = 0; lane < kernels::kBatch; ++lane) {
          distance[lane] = static_cast<std::uint16_t>(all - saved[lane] * saving_unit_);
        }
      } else {
        thread_local kernels::LetterColumns columns;
        columns.columns = letters.size();
        columns.letter.resize(letters.size() * kernels::kBatch);
        std::fill(std::begin(columns.length), std::end(columns.length), static_cast<std::uint32_t>(letters.size()));
        fill(columns.letter);
        kernels::letters_align(query_, columns, costs_, distance);
      }
      top_k.looked_at(last - first);
      for (DocumentId d = first; d < last; ++d) {
        const double score = 0 - distance[d - first] / kUnit;
        if (known[d - first] && score < top_k.threshold()) continue;
        if (!view.has(d)) continue;
        if (known[d - first]) {
          top_k.offer_scored(view, d, score);
        } else {
          top_k.offer(view, d);
        }
      }
    }
  }

 private:
  static std::uint16_t whole(double cost) { return static_cast<std::uint16_t>(cost * kUnit); }
  /// Branchless: contours are unpredictable.
  template <typename T>
  static std::uint8_t letter(T before, T after) {
    static_assert(kernels::kNeutral == 0 && kernels::kOther == 2 * kernels::kOne);
    return static_cast<std::uint8_t>(kernels::kOne * (after > before) + kernels::kOther * (after < before));
  }

  [[nodiscard]] double least_distance(std::size_t notes) const {
    const double more = static_cast<double>(notes) - static_cast<double>(query_.size() + 1);
    return (more > 0 ? more * costs_.insertion : -more * costs_.deletion) / kUnit;
  }

  /// What pairs of letters save, in units as large as can be.
  void prepare_saved() {
    const int both = costs_.insertion + costs_.deletion;
    const auto saved = [&](int cost) { return std::max(0, both - cost); };
    const int unit = std::gcd(both, std::gcd(saved(costs_.to_neutral), saved(costs_.opposite)));
    if (unit == 0) return;  // nothing costs anything
    saving_unit_ = static_cast<std::size_t>(unit);
    most_pairs_ = 255 / static_cast<std::size_t>(both / unit);
    if (most_pairs_ == 0) return;
    for (const std::uint16_t own : query_) {
      kernels::SymbolScores& saves = saves_.emplace_back();
      for (const std::uint16_t other : {kernels::kNeutral, kernels::kOne, kernels::kOther}) {
        const bool neutral = own == kernels::kNeutral || other == kernels::kNeutral;
        const int cost = own == other ? 0 : neutral ? costs_.to_neutral : costs_.opposite;
        saves[other] = static_cast<std::uint8_t>(saved(cost) / unit);
      }
    }
  }

  /// The letters of a document. False: a duration without a place in the order.
  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes, std::uint8_t* out) const {
    bool known = true;
    const auto read_all = [&](const auto& value) {
      int before = value(0);
      for (std::uint32_t i = 1; i < notes.count; ++i) {
        const int now = value(i);
        *out++ = letter(before, now);
        before = now;
      }
    };
    if (rhythm_) {
      read_all([&](std::uint32_t i) {
        const int order = segment.duration_order(notes.first + i);
        known &= order != Segment::kNoOrder;
        return order;
      });
    } else if (segment.has_pitch_exceptions()) {
      read_all([&](std::uint32_t i) { return segment.midi(notes.first + i); });
    } else {
      const std::uint8_t* const codes = segment.pitch_codes(notes).data();
      const std::int16_t* const midi = segment.midi_by_code().data();
      read_all([&](std::uint32_t i) { return int{midi[codes[i]]}; });
    }
    return known;
  }

  bool rhythm_;
  kernels::LetterCosts costs_;
  std::vector<std::uint16_t> query_;
  std::size_t most_pairs_ = 0;  ///< whose savings fit a byte
  std::size_t saving_unit_ = 0;
  std::vector<kernels::SymbolScores> saves_;  ///< of each letter of the query, in that unit
};

}  // namespace

std::unique_ptr<Method> make_method(const EditPlan& plan, const Task& task) {
  if (task.query.size() < 2 || !Letters::suits(plan.costs, task.query.size())) return nullptr;
  return std::make_unique<Letters>(plan, task.query, std::max<std::size_t>(2, task.shortest));
}

}  // namespace rondo::fast
