#include "similarity/pattern.h"

#include "search/fast/by_length.h"

namespace rondo::fast {
namespace {

/// Looks for a pattern in every document, as its notes lie in the index.
class PatternScan final : public ByLength {
 public:
  PatternScan(const PatternPlan& plan, const Line& query, std::size_t shortest)
      : ByLength(std::max(shortest, Pattern(query, plan.compared).least_notes())),
        rhythm_(plan.compared == PatternPlan::Compared::rhythm),
        pattern_(query, plan.compared) {}

 protected:
  [[nodiscard]] double best_score(std::size_t /*notes*/) const override { return 1; }
  void compare(const SegmentView& view, std::uint32_t notes, DocumentId begin, DocumentId end,
               TopK& top_k) const override {
    thread_local std::vector<std::int64_t> values;
    values.resize(notes);
    const Segment::RunNotes places(*view.segment, begin);
    for (DocumentId d = begin; d < end; ++d) {
      const bool known =
          rhythm_ ? durations(*view.segment, places[d], values) : pitches(*view.segment, places[d], values);
      if (known && !pattern_.occurs(values)) continue;
      if (!view.has(d)) continue;
      if (known) {
        top_k.offer_scored(view, d, 1);
      } else {
        top_k.offer(view, d);
      }
    }
    top_k.looked_at(end - begin);
  }

 private:
  static bool pitches(const Segment& segment, const Segment::Notes& notes, std::vector<std::int64_t>& out) {
    for (std::uint32_t i = 0; i < notes.count; ++i) out[i] = segment.midi(notes.first + i);
    return true;
  }
  /// False: one does not fit the grid.
  static bool durations(const Segment& segment, const Segment::Notes& notes, std::vector<std::int64_t>& out) {
    const auto codes = segment.time_codes(notes);
    for (std::uint32_t i = 0; i < notes.count; ++i) {
      out[i] = segment.ticks_of_code(codes[i]).duration;
      if (out[i] == 0) return false;
    }
    return true;
  }

  bool rhythm_;
  Pattern pattern_;
};

}  // namespace

std::unique_ptr<Method> make_method(const PatternPlan& plan, const Task& task) {
  if (!task.zero_is_none || task.query.size() < 2) return nullptr;
  return std::make_unique<PatternScan>(plan, task.query, task.shortest);
}

}  // namespace rondo::fast
