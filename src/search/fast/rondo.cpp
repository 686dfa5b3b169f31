#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "search/fast/rondo_columns.h"
#include "search/fast/rondo_losses.h"
#include "search/fast/rondo_query.h"

namespace rondo::fast {
namespace {

/// Documents of one length, scored exactly as soon as there are enough of them.
class ExactBatch {
 public:
  ExactBatch(const RondoQuery& query, const SegmentView& view, std::uint32_t notes, TopK& top_k)
      : query_(query),
        numbers_(query.numbers_for(notes)),
        view_(view),
        top_k_(top_k),
        reader_(*view.segment, notes, query.costs().rhythm()) {
    columns_.resize(notes);
    columns_.place_factor = static_cast<std::int16_t>(query.costs().place_factor(query.size(), notes));
    if (!query.costs().rhythm()) {
      for (auto* part : {&columns_.length, &columns_.change, &columns_.place}) std::fill(part->begin(), part->end(), 0);
      std::fill(columns_.gap.begin(), columns_.gap.end(), static_cast<std::int16_t>(query.costs().gap(0)));
    }
  }

  void add(DocumentId document, const Segment::Notes& own) {
    if (!reader_.read(own, used_)) {
      top_k_.offer(view_, document);  // out of all bounds: one by one
      return;
    }
    const kernels::CommonDocument pitches{reader_.pitch().data(), reader_.pitch().size(), reader_.low(),
                                          reader_.high()};
    const auto [first, second] = kernels::common_transpositions(query_.common(), pitches);
    const int lowest = reader_.low() - query_.common().high;
    reader_.lanes().first[used_] = static_cast<std::int16_t>(lowest + static_cast<int>(first));
    reader_.lanes().second[used_] = static_cast<std::int16_t>(lowest + static_cast<int>(second));
    document_[used_] = document;
    if (++used_ == kernels::kBatch) flush();
  }

  void flush() {
    if (used_ == 0) return;
    bool doubtful[kernels::kBatch];
    std::int32_t total[kernels::kBatch];
    kernels::explained_features(reader_.lanes(), query_.document_costs(), columns_, doubtful);
    kernels::explained_align(query_.rows(), columns_, numbers_, total);
    top_k_.looked_at(used_);
    for (std::size_t lane = 0; lane < used_; ++lane) {
      if (doubtful[lane]) {
        top_k_.offer(view_, document_[lane]);
      } else {
        top_k_.offer_scored(view_, document_[lane], static_cast<double>(total[lane]) / query_.perfect());
      }
    }
    used_ = 0;
  }

 private:
  const RondoQuery& query_;
  kernels::ExplainedNumbers numbers_;
  const SegmentView& view_;
  TopK& top_k_;
  RondoReader reader_;
  kernels::ExplainedColumns columns_;
  DocumentId document_[kernels::kBatch] = {};
  std::size_t used_ = 0;
};

/// For the system rondo. A kernel bounds the loss of every document in bytes, in all transpositions at once; those that
/// can be among the best are scored exactly, in the two transpositions that the definition names, the most promising
/// first. Where the best score less than bytes can tell, the bounds are computed once more in 16 bits.
class ExplainedNotes final : public Method {
 public:
  ExplainedNotes(RondoQuery query, std::size_t shortest) : query_(std::move(query)), shortest_(shortest) {}

  void run(const SegmentView& view, Workers& workers) const override {
    // To lay out the columns takes about as long as to score everything, so a first search does without. They are those
    // of whole documents.
    const Segment& segment = *view.segment;
    const bool cut = segment.size() > 0 && segment.cut_run(segment.runs().size() - 1);
    const auto* columns = cut ? nullptr : segment.derived<RondoColumns>();
    if (columns == nullptr) return offer_where(view, workers, [](DocumentId) { return true; });
    const double goal = std::max(workers.first().threshold(), usual_goal());
    Losses<std::uint8_t> rough(query_, goal, view.segment->size());
    bound_all(view, *columns, workers, rough);
    offer_all(view, workers, rough, goal, [](DocumentId) { return false; });
    const double threshold = workers.first().threshold();
    if (threshold >= goal) return;
    const std::optional<std::uint8_t> limit = rough.limit(goal);
    const auto done = [&](DocumentId d) { return limit && rough.all()[d] <= *limit; };
    // Below this, bounds exclude too few documents to be worth their time.
    constexpr double kWorthBounds = -0.05;
    if (threshold < kWorthBounds) return offer_where(view, workers, [&](DocumentId d) { return !done(d); });
    Losses<std::uint16_t> fine(query_, threshold, view.segment->size());
    bound_all(view, *columns, workers, fine);
    offer_all(view, workers, fine, threshold, done);
  }

  /// Documents of one length, which are adjacent, fill the lanes together.
  void offer_few(const SegmentView& view, std::span<const DocumentId> documents, TopK& top_k) const override {
    const Segment& segment = *view.segment;
    for (std::size_t i = 0; i < documents.size();) {
      const std::size_t run = segment.run_number(documents[i]);
      const std::uint32_t notes = segment.runs()[run].notes;
      std::size_t end = i + 1;
      while (end < documents.size() && documents[end] < segment.run_end(run)) ++end;
      const std::span<const DocumentId> alike = documents.subspan(i, end - i);
      i = end;
      if (notes > kLongestInLanes || alike.size() < kWorthLanes) {
        for (const DocumentId d : alike) top_k.offer(view, d);
        continue;
      }
      if (query_.best_score(notes) < top_k.threshold()) continue;
      ExactBatch batch(query_, view, notes, top_k);
      const Segment::RunNotes of_run(segment, alike.front());
      for (std::size_t a = 0; a < alike.size(); ++a) {
        if (a + kAhead < alike.size()) announce(segment, of_run[alike[a + kAhead]]);
        batch.add(alike[a], of_run[alike[a]]);
      }
      batch.flush();
    }
  }

 private:
  static constexpr std::size_t kWorthLanes = 2;
  static constexpr std::size_t kAhead = 8;  ///< documents that are prefetched: they lie all over memory
  /// Nearly every query finds as many documents as are wanted above this score, and hardly any other document comes
  /// near it. Bytes tell well what lies above.
  static constexpr double kUsualGoal = 0.4;

  void announce(const Segment& segment, const Segment::Notes& notes) const {
    segment.announce_pitches(notes);
    if (query_.costs().rhythm()) segment.announce_times(notes);
  }

  /// A score that bytes distinguish well from those below it: the lower, the fewer notes the query has.
  [[nodiscard]] double usual_goal() const {
    constexpr double kFineUnit = 12;
    return std::clamp(1 - std::numeric_limits<std::uint8_t>::max() * kFineUnit / query_.perfect(), 0.1, kUsualGoal);
  }

  template <typename Unit>
  void bound_all(const SegmentView& view, const RondoColumns& columns, Workers& workers, Losses<Unit>& losses) const {
    const Segment& segment = *view.segment;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const index::Run& run = segment.runs()[r];
      if (run.notes < shortest_ || query_.best_score(run.notes) < workers.first().threshold()) continue;
      const std::size_t size = segment.run_end(r) - run.first_document;
      if (run.notes > kLongestInLanes) {
        std::fill_n(losses.of(run.first_document), size, Unit{0});
        continue;
      }
      [[maybe_unused]] std::vector<std::uint16_t> places;
      if constexpr (sizeof(Unit) == 2) query_.loss_of_places(losses.unit(), run.notes, places);
      constexpr std::size_t kPiece = 64 * kernels::kBatch;
      const auto document_at = [&](std::size_t i) { return run.first_document + i; };
      workers.share(view, size, kPiece, document_at, [&](TopK&, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; i += kernels::kBatch) {
          const auto first = static_cast<DocumentId>(run.first_document + i);
          const auto last = static_cast<DocumentId>(run.first_document + std::min(end, i + kernels::kBatch));
          if (!any(view, first, last)) continue;
          const kernels::ExplainedLossColumns block = columns.block(r, i / kernels::kBatch);
          Unit loss[kernels::kBatch];
          if constexpr (sizeof(Unit) == 1) {
            kernels::explained_loss(losses.rows(), block, loss);
          } else {
            kernels::explained_loss(losses.rows(), block, places, loss);
          }
          std::copy(loss, loss + (last - first), losses.of(first));
        }
      });
    }
  }

  [[nodiscard]] static bool any(const SegmentView& view, DocumentId begin, DocumentId end) {
    if (view.chosen == nullptr) return true;
    while (begin < end && !view.chosen->has(begin)) ++begin;
    return begin < end;
  }

  /// Scores the documents whose bound reaches `least` and the threshold, unless they are `done`: the best few first, so
  /// that the threshold is nearly where it will be, then more, then all.
  template <typename Unit, typename Done>
  void offer_all(const SegmentView& view, Workers& workers, const Losses<Unit>& losses, double least,
                 const Done& done) const {
    const Segment& segment = *view.segment;
    constexpr unsigned kShift = sizeof(Unit) == 1 ? 0 : 4;
    std::vector<std::size_t> counts((Losses<Unit>::kMost >> kShift) + 1, 0);
    for (const Unit loss : losses.all()) ++counts[loss >> kShift];
    std::size_t level = 0;  // the first that is not done
    for (const std::size_t wanted : {std::size_t{256}, std::size_t{4096}, std::size_t{segment.size()}}) {
      const std::optional<Unit> limit = losses.limit(std::max(workers.first().threshold(), least));
      if (!limit || level > std::size_t{*limit} >> kShift) return;
      const std::size_t from = level;
      for (std::size_t found = 0; level < counts.size() && found < wanted; ++level) found += counts[level];
      const std::size_t to = std::min<std::size_t>(*limit, (level << kShift) - 1);
      offer_where(view, workers, [&](DocumentId d) {
        const std::size_t loss = losses.all()[d];
        return loss >= from << kShift && loss <= to && !done(d);
      });
    }
  }

  /// Scores documents that are long enough and take part, in the order of the segment, which is that of memory.
  template <typename Wanted>
  void offer_where(const SegmentView& view, Workers& workers, const Wanted& wanted) const {
    const Segment& segment = *view.segment;
    std::vector<DocumentId> documents;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      if (segment.runs()[r].notes < shortest_) continue;
      for (DocumentId d = segment.runs()[r].first_document; d < segment.run_end(r); ++d) {
        if (wanted(d) && view.has(d)) documents.push_back(d);
      }
    }
    constexpr std::size_t kPiece = 1024;
    const auto document_at = [&](std::size_t i) { return documents[i]; };
    workers.share(view, documents.size(), kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
      offer_few(view, std::span(documents).subspan(begin, end - begin), top_k);
    });
  }

  RondoQuery query_;
  std::size_t shortest_;
};

}  // namespace

std::unique_ptr<Method> make_method(const RondoPlan& plan, const Task& task) {
  auto query = RondoQuery::of(plan, task.query);
  if (!query) return nullptr;
  return std::make_unique<ExplainedNotes>(std::move(*query), std::max(task.shortest, explained::kShortest));
}

}  // namespace rondo::fast
