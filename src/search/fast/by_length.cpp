#include "search/fast/by_length.h"

#include <algorithm>
#include <numeric>

#include "search/kernels/window_align.h"

namespace rondo::fast {

void ByLength::run(const SegmentView& view, Workers& workers) const {
  const Segment& segment = *view.segment;
  std::vector<std::size_t> order(segment.runs().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return best_score(segment.runs()[a].notes) > best_score(segment.runs()[b].notes);
  });
  for (const std::size_t r : order) {
    const index::Run& run = segment.runs()[r];
    if (run.notes < shortest_ || best_score(run.notes) < workers.first().threshold()) continue;
    constexpr std::size_t kPiece = 16 * kernels::kBatch;
    const auto document_at = [&](std::size_t i) { return run.first_document + i; };
    workers.share(view, segment.run_end(r) - run.first_document, kPiece, document_at,
                  [&](TopK& top_k, std::size_t begin, std::size_t end) {
                    const auto first = static_cast<DocumentId>(run.first_document + begin);
                    compare(view, run.notes, first, static_cast<DocumentId>(run.first_document + end), top_k);
                  });
  }
}

}  // namespace rondo::fast
