#include "search/fast/method.h"

namespace rondo::fast {
namespace {

/// Scores every document that is long enough.
class Exhaustive final : public Method {
 public:
  explicit Exhaustive(std::size_t shortest) : shortest_(shortest) {}

  void run(const SegmentView& view, Workers& workers) const override {
    const Segment& segment = *view.segment;
    DocumentId first = 0;
    for (std::size_t r = 0; r < segment.runs().size() && segment.runs()[r].notes < shortest_; ++r) {
      first = segment.run_end(r);
    }
    constexpr std::size_t kPiece = 256;
    const auto document_at = [&](std::size_t i) { return first + i; };
    workers.share(view, segment.size() - first, kPiece, document_at,
                  [&](TopK& top_k, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i) {
                      const auto d = static_cast<DocumentId>(first + i);
                      if (view.has(d)) top_k.offer(view, d);
                    }
                  });
  }

 private:
  std::size_t shortest_;
};

}  // namespace

std::unique_ptr<Method> make_method(const ExhaustivePlan& /*plan*/, const Task& task) {
  return std::make_unique<Exhaustive>(task.shortest);
}

}  // namespace rondo::fast
