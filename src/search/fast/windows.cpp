#include <bit>
#include <cmath>
#include <optional>

#include "search/fast/method.h"
#include "search/fast/window_query.h"

namespace rondo::fast {
namespace {

/// For the systems that align windows of notes (similarity.md, section 1). Three stages, each finer and more expensive
/// than the one before:
/// 1. Only identical windows score above zero, so the lists of which documents have which windows of the query give
///    each document a bound; most are ruled out by it alone.
/// 2. The vector kernels align the others in rounded-up numbers, for some plans in bytes first.
/// 3. What can still reach the threshold is scored exactly.
class Windows final : public Method {
 public:
  Windows(const WindowPlan& plan, const Line& query, std::size_t shortest) : query_(plan, query), shortest_(shortest) {}

  void run(const SegmentView& view, Workers& workers) const override {
    const std::uint32_t size = view.segment->size();
    // So few documents are aligned sooner than sorted out by lists; and the best of all bounds come first, so that few
    // are scored needlessly.
    constexpr std::uint32_t kFew = 1024;
    if (size <= kFew) return align_all(view, workers.first());
    const WindowQuery::Lists lists = query_.lists(*view.segment);
    Tally tally(size, lists.lists);
    const Search search{view, tally, lists};
    const int all = tally.outstanding();
    while (!tally.done() && tally.outstanding() * 2 > all) tally.read_next();
    align(view, workers.first(), promising(search));
    // Reading a list costs as much as it is long, and it pays as long as it spares candidates. To count those costs as
    // well, so it is done each time that what is outstanding has shrunk by a quarter.
    while (!tally.done() && candidates(search, workers.first().threshold()) > size / 256) {
      const int enough = tally.outstanding() * 3 / 4;
      while (!tally.done() && tally.outstanding() > enough) tally.read_next();
    }
    score_candidates(search, workers);
  }

 private:
  struct Search {
    const SegmentView& view;
    const Tally& tally;
    const WindowQuery::Lists& lists;
  };

  void align_all(const SegmentView& view, TopK& top_k) const {
    std::vector<DocumentId> documents;
    each_run(view, [&](DocumentId begin, DocumentId end, std::size_t) {
      for (DocumentId d = begin; d < end; ++d) {
        if (view.has(d)) documents.push_back(d);
      }
    });
    top_k.looked_at(documents.size());
    align(view, top_k, documents);
  }

  /// Windows two melodies can have in common: what scores are divided by.
  [[nodiscard]] std::size_t shorter(std::size_t document_notes) const {
    return std::min(query_.windows(), spline::gram_count(document_notes, query_.notes()));
  }
  [[nodiscard]] bool normalised() const { return query_.plan().aligner != Aligner::global; }

  /// The bound that a sum of the tally gives for a document of so many windows.
  [[nodiscard]] double bound(const Search& search, int sum, std::size_t windows) const {
    const WindowQuery::Lists& lists = search.lists;
    const std::size_t pairs = std::min(query_.windows(), windows);
    const double steps = sum >= Tally::kFull || pairs > lists.most_pairs ? 1e9 : sum + search.tally.outstanding();
    const auto divisor = static_cast<double>(pairs);
    const double total = std::min(steps * lists.step + lists.extra + lists.each_pair * divisor, lists.most * divisor);
    return raised(normalised() ? total / divisor : total - query_.not_paired(windows));
  }
  /// A score between that of a document of usual length that has nothing in common with the query, 0, and that of one
  /// that has all, 1.
  [[nodiscard]] double score_of_share(double share, const Search& search) const {
    if (normalised()) return share * search.lists.most;
    const std::size_t usual = query_.most_windows(*search.view.segment);
    return share * search.lists.most * static_cast<double>(std::min(query_.windows(), usual)) -
           query_.not_paired(usual);
  }
  /// Room for the rounding of floating point, far below any difference between scores that are not equal.
  [[nodiscard]] static double raised(double bound) { return bound + 1e-9 * std::max(1.0, std::abs(bound)); }

  /// The least sum with which a document of so many windows can reach the threshold.
  [[nodiscard]] int least(const Search& search, double threshold, std::size_t windows) const {
    int low = 0;
    int high = Tally::kFull + 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (middle > Tally::kFull || bound(search, middle, windows) >= threshold) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// visit(first document, end, windows) for the documents of each length.
  template <typename Visit>
  void each_run(const SegmentView& view, const Visit& visit) const {
    const Segment& segment = *view.segment;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const std::size_t windows = spline::gram_count(segment.runs()[r].notes, query_.notes());
      if (windows > 0 && segment.runs()[r].notes >= shortest_) {
        visit(segment.runs()[r].first_document, segment.run_end(r), windows);
      }
    }
  }

  /// About how many documents have a bound as high as this.
  [[nodiscard]] std::size_t candidates(const Search& search, double threshold) const {
    std::size_t count = 0;
    each_run(search.view, [&](DocumentId begin, DocumentId end, std::size_t windows) {
      count += search.tally.estimate(begin, end, least(search, threshold, windows));
    });
    return count;
  }

  /// Some documents that are likely to give a threshold.
  [[nodiscard]] std::vector<DocumentId> promising(const Search& search) const {
    constexpr std::size_t kSeeds = 48;
    constexpr double kLeastShare = 0.3;
    std::vector<DocumentId> found;
    for (const double share : {0.95, 0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, kLeastShare}) {
      const double score = score_of_share(share, search);
      // An estimate takes a fraction of the time of collecting.
      if (share > kLeastShare && candidates(search, score) < kSeeds / 2) continue;
      found.clear();
      each_run(search.view, [&](DocumentId begin, DocumentId end, std::size_t windows) {
        if (found.size() < kSeeds * 8) {
          search.tally.collect(begin, end, std::max(1, least(search, score, windows)), found);
        }
      });
      std::erase_if(found, [&](DocumentId d) { return !search.view.has(d); });
      if (found.size() >= kSeeds) break;
    }
    const auto better = [&tally = search.tally](DocumentId a, DocumentId b) {
      return tally.sum(a) != tally.sum(b) ? tally.sum(a) > tally.sum(b) : a < b;
    };
    const auto best = std::min(std::ptrdiff_t{kSeeds}, std::ssize(found));
    std::partial_sort(found.begin(), found.begin() + best, found.end(), better);
    found.resize(static_cast<std::size_t>(best));
    std::sort(found.begin(), found.end());
    return found;
  }

  /// Documents that may reach the threshold, in four rounds: a few of the most promising, so that the threshold is
  /// nearly where it will be; some more, and more; all others. In a round they come in the order of the segment, which
  /// is that of memory, and those of one length stay together.
  void score_candidates(const Search& search, Workers& workers) const {
    const SegmentView& view = search.view;
    const auto gains = query_.gains(query_.most_windows(*view.segment));
    std::vector<DocumentId> documents;
    double above = std::numeric_limits<double>::infinity();
    for (const std::size_t enough :
         {std::size_t{512}, std::size_t{4096}, std::size_t{24'000}, std::size_t{view.segment->size()}}) {
      const double from = bound_of_best(search, workers.first().threshold(), enough);
      documents.clear();
      each_run(view, [&](DocumentId begin, DocumentId end, std::size_t windows) {
        const int done = least(search, above, windows);
        search.tally.collect(begin, end, least(search, from, windows), documents, done - 1);
      });
      above = std::min(above, from);
      // Skip filtered documents before aligning: with a selective filter they are nearly all.
      if (view.chosen != nullptr) std::erase_if(documents, [&](DocumentId d) { return !view.has(d); });
      constexpr std::size_t kPiece = 32 * kernels::kBatch;
      const auto document_at = [&](std::size_t i) { return documents[i]; };
      workers.share(view, documents.size(), kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
        const auto some = std::span(documents).subspan(begin, end - begin);
        top_k.looked_at(some.size());
        std::vector<DocumentId> left;
        if (gains && top_k.threshold() > std::numeric_limits<double>::lowest()) {
          keep_by_gains(view, top_k.threshold(), *gains, some, left);
          align(view, top_k, left);
        } else if (query_.losses() != nullptr && top_k.threshold() > 0) {
          keep_by_losses(search, top_k.threshold(), some, left);
          align(view, top_k, left);
        } else {
          align(view, top_k, some);
        }
      });
    }
  }

  /// The bound that about so many documents reach, or the threshold if those that reach it are no more.
  [[nodiscard]] double bound_of_best(const Search& search, double threshold, std::size_t enough) const {
    if (enough >= search.view.segment->size()) return threshold;
    double low = std::max(threshold, score_of_share(0, search));
    double high = score_of_share(1, search);
    if (candidates(search, low) <= enough) return threshold;
    for (int step = 0; step < 6; ++step) {
      const double middle = (low + high) / 2;
      (candidates(search, middle) <= enough ? high : low) = middle;
    }
    return high;
  }

  /// The threshold in the numbers of the kernel, for documents with at least so many pairs of windows.
  [[nodiscard]] std::int16_t enough(double threshold, std::size_t pairs) const {
    const double total = normalised() ? threshold * static_cast<double>(pairs) : threshold;
    if (!(total > 0)) return -32768;
    return static_cast<std::int16_t>(std::clamp(std::floor(total / query_.unit()) - 2, -32768.0, 32767.0));
  }

  /// Lays documents out for a kernel, a batch at a time: visit(first, notes, columns) for each. In ascending order, so
  /// the longest of a batch comes last.
  template <typename Fill, typename Announce, typename Visit>
  static void each_batch(std::span<const Segment::Notes> notes, std::size_t window, const Fill& fill,
                         const Announce& announce, const Visit& visit) {
    thread_local kernels::Columns columns;
    // Prefetch four batches ahead: fetching takes longer than aligning.
    constexpr std::size_t kAhead = 4 * kernels::kBatch;
    const auto fetch = [&](std::size_t begin, std::size_t count) {
      for (std::size_t i = begin; i < std::min(notes.size(), begin + count); ++i) announce(notes[i]);
    };
    fetch(0, kAhead);
    for (std::size_t begin = 0; begin < notes.size(); begin += kernels::kBatch) {
      const auto batch = notes.subspan(begin, std::min(kernels::kBatch, notes.size() - begin));
      columns.reset(batch.back().count, window);
      fill(batch, columns);
      fetch(begin + kAhead, kernels::kBatch);
      visit(begin, batch, columns);
    }
  }
  /// The same of the pitches alone.
  template <typename Visit>
  void each_batch_of_pitches(const Segment& segment, std::span<const Segment::Notes> notes, const Visit& visit) const {
    each_batch(
        notes, query_.notes(), [&](auto batch, kernels::Columns& to) { query_.fill_pitches(segment, batch, to); },
        [&](const Segment::Notes& one) { segment.announce_pitches(one); }, visit);
  }
  /// The notes of documents, and how many of them, the shorter ones, have so many notes at most.
  struct Lengths {
    std::vector<Segment::Notes> notes;
    std::size_t short_ones = 0;
  };
  static Lengths lengths_of(const Segment& segment, std::span<const DocumentId> documents, std::size_t most_notes) {
    Lengths out;
    segment.notes_of(documents, out.notes);
    const auto longer =
        std::find_if(out.notes.begin(), out.notes.end(), [&](const auto& one) { return one.count > most_notes; });
    out.short_ones = static_cast<std::size_t>(longer - out.notes.begin());
    return out;
  }

  /// Of these documents those that can reach the threshold by what lists say they gain, and by the rough alignment of
  /// what they lose by differences and gaps.
  void keep_by_losses(const Search& search, double threshold, std::span<const DocumentId> documents,
                      std::vector<DocumentId>& left) const {
    const auto units = [&](double value) {
      return static_cast<std::uint8_t>(std::min(255.0, std::floor(value / query_.loss_unit() + 1e-6)));
    };
    const Lengths all = lengths_of(*search.view.segment, documents, kLongestInLanes);
    const auto notes = std::span(all.notes).first(all.short_ones);
    each_batch_of_pitches(
        *search.view.segment, notes, [&](std::size_t begin, auto batch, const kernels::Columns& columns) {
          kernels::LossLimits limits;
          std::uint64_t possible = 0;
          for (std::size_t lane = 0; lane < batch.size(); ++lane) {
            const std::size_t pairs = shorter(batch[lane].count);
            const double more = bound(search, search.tally.sum(documents[begin + lane]), pairs) - threshold;
            if (more < 0) continue;
            limits.lane[lane] = units(more * static_cast<double>(pairs));
            possible |= std::uint64_t{1} << lane;
          }
          // The least that any of them needs.
          limits.needed = units(threshold * static_cast<double>(shorter(batch.front().count)));
          for (possible &= kernels::window_losses(*query_.losses(), columns, limits); possible != 0;
               possible &= possible - 1) {
            left.push_back(documents[begin + static_cast<std::size_t>(std::countr_zero(possible))]);
          }
        });
    left.insert(left.end(), documents.begin() + static_cast<std::ptrdiff_t>(all.short_ones), documents.end());
  }

  /// Of these documents those that the rough alignment of what they gain leaves a chance to reach the threshold.
  void keep_by_gains(const SegmentView& view, double threshold, const WindowQuery::Gains& gains,
                     std::span<const DocumentId> documents, std::vector<DocumentId>& left) const {
    const Lengths all = lengths_of(*view.segment, documents, gains.most_windows + query_.notes() - 1);
    const auto notes = std::span(all.notes).first(all.short_ones);
    each_batch_of_pitches(*view.segment, notes, [&](std::size_t begin, auto batch, const kernels::Columns& columns) {
      std::uint8_t best[kernels::kBatch];
      kernels::window_gains(gains.rows, columns, best);
      for (std::size_t lane = 0; lane < batch.size(); ++lane) {
        if (raised(gains.value(best[lane])) >= threshold) left.push_back(documents[begin + lane]);
      }
    });
    left.insert(left.end(), documents.begin() + static_cast<std::ptrdiff_t>(all.short_ones), documents.end());
  }

  struct Candidate {
    DocumentId document;
    double bound;
  };

  /// Bounds by the kernel, then exact scores of those that can still reach the threshold, the most promising first. In
  /// ascending order.
  void align(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents) const {
    const Segment& segment = *view.segment;
    const Lengths all = lengths_of(segment, documents, query_.fits() ? kLongestInLanes : 0);
    const auto notes = std::span(all.notes).first(all.short_ones);
    std::vector<Candidate> left;
    each_batch(
        notes, query_.notes(), [&](auto batch, kernels::Columns& columns) { query_.fill(segment, batch, columns); },
        [&](const Segment::Notes& one) { query_.announce(segment, one); },
        [&](std::size_t begin, auto batch, const kernels::Columns& columns) {
          std::int16_t best[kernels::kBatch];
          kernels::window_align({query_.plan().pairing, query_.plan().aligner, &query_.rows(), &columns,
                                 enough(top_k.threshold(), shorter(batch.front().count))},
                                best);
          for (std::size_t lane = 0; lane < batch.size(); ++lane) {
            const DocumentId d = documents[begin + lane];
            const double total = best[lane] * query_.unit();
            const double bound = raised(normalised() ? total / static_cast<double>(shorter(batch[lane].count)) : total);
            if (bound < top_k.threshold() || !view.has(d)) continue;
            if (query_.plan().aligner == Aligner::local && best[lane] <= 0) {
              // Nothing in common, and nothing scores less. Where the best have nothing, that goes for every document.
              top_k.offer_scored(view, d, 0);
            } else {
              left.push_back({d, bound});
            }
          }
        });
    for (const DocumentId d : documents.subspan(all.short_ones)) {
      if (view.has(d)) left.push_back({d, std::numeric_limits<double>::infinity()});
    }
    std::sort(left.begin(), left.end(), [](const Candidate& a, const Candidate& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.document < b.document;
    });
    for (const Candidate& candidate : left) {
      if (candidate.bound < top_k.threshold()) break;
      top_k.offer(view, candidate.document);
    }
  }

  WindowQuery query_;
  std::size_t shortest_;
};

}  // namespace

std::unique_ptr<Method> make_method(const WindowPlan& plan, const Task& task) {
  if (task.query.size() < plan.notes()) return nullptr;
  if (plan.counts == nullptr && plan.pairing != WindowPlan::Pairing::pitch_and_time) return nullptr;
  return std::make_unique<Windows>(plan, task.query, task.shortest);
}

}  // namespace rondo::fast
