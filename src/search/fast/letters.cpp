#include <algorithm>
#include <cmath>

#include "rondo/features/edit_distance.h"
#include "search/fast/by_length.h"
#include "search/kernels/letters_align.h"

namespace rondo::fast {
namespace {

/// Costs are brought to whole numbers: most are, or halves, quarters, eighths.
constexpr double kUnit = 8;

/// For contour and rhythm: the edit distance of every document, many at a time and exact. A difference in length costs
/// insertions or deletions.
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
    thread_local kernels::LetterColumns columns;
    columns.columns = notes - 1;
    if (columns.letter.size() < columns.columns * kernels::kBatch) {
      columns.letter.resize(columns.columns * kernels::kBatch);
    }
    for (DocumentId first = begin; first < end; first += kernels::kBatch) {
      const DocumentId last = std::min<DocumentId>(end, first + kernels::kBatch);
      if (notes > kLongestInLanes) {
        for (DocumentId d = first; d < last; ++d) {
          if (view.has(d)) top_k.offer(view, d);
        }
        continue;
      }
      std::fill(std::begin(columns.length), std::end(columns.length), 0U);
      bool known[kernels::kBatch] = {};
      for (DocumentId d = first; d < last; ++d) known[d - first] = fill(*view.segment, d, d - first, columns);
      std::uint16_t distance[kernels::kBatch];
      kernels::letters_align(query_, columns, costs_, distance);
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
  template <typename T>
  static std::uint16_t letter(T before, T after) {
    return after > before ? kernels::kOne : after < before ? kernels::kOther : kernels::kNeutral;
  }

  [[nodiscard]] double least_distance(std::size_t notes) const {
    const double more = static_cast<double>(notes) - static_cast<double>(query_.size() + 1);
    return (more > 0 ? more * costs_.insertion : -more * costs_.deletion) / kUnit;
  }

  /// False: a duration without a place in the order.
  [[nodiscard]] bool fill(const Segment& segment, DocumentId d, std::size_t lane,
                          kernels::LetterColumns& columns) const {
    const Segment::Notes notes = segment.notes_of(d);
    columns.length[lane] = notes.count - 1;
    std::uint16_t* out = columns.letter.data() + lane;
    const auto value = [&](std::uint32_t i) {
      return rhythm_ ? int{segment.duration_order(notes.first + i)} : segment.midi(notes.first + i);
    };
    int before = value(0);
    bool known = !rhythm_ || before != Segment::kNoOrder;
    for (std::uint32_t i = 1; i < notes.count; ++i, out += kernels::kBatch) {
      const int now = value(i);
      known = known && (!rhythm_ || now != Segment::kNoOrder);
      *out = letter(before, now);
      before = now;
    }
    return known;
  }

  bool rhythm_;
  kernels::LetterCosts costs_;
  std::vector<std::uint16_t> query_;
};

}  // namespace

std::unique_ptr<Method> make_method(const EditPlan& plan, const Task& task) {
  if (task.query.size() < 2 || !Letters::suits(plan.costs, task.query.size())) return nullptr;
  return std::make_unique<Letters>(plan, task.query, std::max<std::size_t>(2, task.shortest));
}

}  // namespace rondo::fast
