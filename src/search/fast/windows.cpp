#include <array>
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
///    each document a bound; most fall through here without having been looked at.
/// 2. The vector kernels align those that are left in rounded-up numbers: of rhythms and pitches, first the
///    pitches and in bytes.
/// 3. What can still reach the threshold is scored exactly.
class Windows final : public Method {
 public:
  Windows(const WindowPlan& plan, const Line& query, std::size_t shortest) : query_(plan, query), shortest_(shortest) {
    // A global alignment pays for all windows, which must fit in as well, or be paid for in advance.
    const bool pays = plan.aligner == Aligner::global && plan.pairing == WindowPlan::Pairing::pitch_and_time;
    if (query_.windows() > kUsual && !pays) for_usual_.emplace(plan, query, kUsual);
  }

  void run(const SegmentView& view, Workers& workers) const override {
    if (view.segment->size() <= kFew) return align_all(view, workers.first());
    const std::size_t most_windows = query_.most_windows(*view.segment);
    if (query_.plan().aligner == Aligner::global || query_.windows() <= most_windows) {
      return search_stretch(view, workers, {query_.whole(), kAnyLength, nullptr});
    }
    // Of a long query a document meets no more than a part, and only within that part does the number of windows that
    // they share tell anything.
    Scored scored(view.segment->size());
    seed_by_samples(view, workers.first(), most_windows, scored);
    const double threshold = workers.first().threshold();
    if (!(threshold > 0)) return search_stretch(view, workers, {query_.whole(), kAnyLength, nullptr});
    align_longer(view, workers, most_windows, scored);
    for (const Stretch& stretch : query_.stretches(threshold, most_windows)) {
      search_stretch(view, workers, {stretch, most_windows, &scored});
    }
  }

 private:
  using Stretch = WindowQuery::Stretch;
  /// The documents that were scored already.
  using Scored = std::vector<std::uint8_t>;
  static constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();
  /// Alignments within a stretch of the query, with documents of so many windows at most.
  struct Part {
    Stretch stretch;
    std::size_t most_windows;
    Scored* scored;  ///< null: the part is the only one
  };

  void search_stretch(const SegmentView& view, Workers& workers, const Part& part) const {
    const WindowQuery::Lists lists = query_.lists(*view.segment, part.stretch);
    Tally tally(view.segment->size(), lists.lists);
    add_common(view, lists, tally);
    if (part.scored == nullptr) {
      read_half(tally);
      for (const DocumentId d : promising(view, tally, lists, kSeeds)) workers.first().offer(view, d);
    }
    // Reading a list costs as much as it is long, and it pays as long as it spares candidates. To count those costs as
    // well, so it is done each time that what is outstanding has shrunk by a quarter.
    while (!tally.done() &&
           candidates(view, workers.first().threshold(), tally, lists, part) > view.segment->size() / 256) {
      const int enough = tally.outstanding() * 3 / 4;
      while (!tally.done() && tally.outstanding() > enough) tally.read_next();
    }
    score_candidates(view, workers, tally, lists, part);
  }

  static void read_half(Tally& tally) {
    const int all = tally.outstanding();
    while (!tally.done() && tally.outstanding() * 2 > all) tally.read_next();
  }

  void add_common(const SegmentView& view, const WindowQuery::Lists& lists, Tally& tally) const {
    if (lists.common.empty()) return;
    for (const WeightedList& list : lists.common) tally.add(list);
    each_run(view, kAnyLength, [&](DocumentId begin, DocumentId end, std::size_t windows) {
      tally.limit(
          begin, end,
          lists.most_common * static_cast<int>(std::min<std::size_t>({query_.windows(), windows, Tally::kFull})));
    });
  }

  /// Finds a threshold for a long query.
  void seed_by_samples(const SegmentView& view, TopK& top_k, std::size_t most_windows, Scored& scored) const {
    std::vector<Candidate> candidates;
    thread_local std::vector<Segment::Notes> notes;
    for (const Stretch& sample : query_.samples(most_windows)) {
      const WindowQuery::Lists lists = query_.lists(*view.segment, sample);
      Tally tally(view.segment->size(), lists.lists);
      // How much of the query must be looked at depends on the threshold, where alignments begin with both melodies.
      const bool hybrid = query_.plan().aligner == Aligner::hybrid;
      if (hybrid) {
        while (!tally.done()) tally.read_next();
      } else {
        read_half(tally);
      }
      std::vector<DocumentId> found = promising(view, tally, lists, hybrid ? 2 * kSeeds : kSeeds);
      std::sort(found.begin(), found.end());
      view.segment->notes_of(found, notes);
      // Where they were found, with as much on either side as a document can reach beyond: to align each with all of
      // the query would take time quadratic in its length. No bounds then, but good enough to know the best by.
      const Stretch near = hybrid ? query_.whole()
                                  : Stretch{sample.begin - std::min(sample.begin, most_windows),
                                            std::min(query_.windows(), sample.end + most_windows)};
      rate(view, top_k, found, notes, {}, {near, kAnyLength, &scored}, candidates);
    }
    score(view, top_k, candidates, &scored);
  }

  /// Documents of more windows, which are few.
  void align_longer(const SegmentView& view, Workers& workers, std::size_t most_windows, Scored& scored) const {
    std::vector<DocumentId> documents;
    each_run(view, kAnyLength, [&](DocumentId begin, DocumentId end, std::size_t windows) {
      if (windows <= most_windows) return;
      for (DocumentId d = begin; d < end; ++d) {
        if (view.has(d)) documents.push_back(d);
      }
    });
    share(view, workers, documents, [&](TopK& top_k, std::span<const DocumentId> some) {
      align(view, top_k, some, {query_.whole(), kAnyLength, &scored});
    });
  }

  /// work(top_k, some of the documents), by whichever thread is free.
  template <typename Work>
  static void share(const SegmentView& view, Workers& workers, const std::vector<DocumentId>& documents,
                    const Work& work) {
    constexpr std::size_t kPiece = 32 * kernels::kBatch;
    const auto document_at = [&](std::size_t i) { return documents[i]; };
    workers.share(view, documents.size(), kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
      const auto some = std::span(documents).subspan(begin, end - begin);
      top_k.looked_at(some.size());
      work(top_k, some);
    });
  }

  /// So few documents are aligned sooner than sorted out by lists; and the best of all bounds come first, so that next
  /// to nothing is scored in vain.
  static constexpr std::uint32_t kFew = 1024;
  void align_all(const SegmentView& view, TopK& top_k) const {
    std::vector<DocumentId> documents;
    each_run(view, kAnyLength, [&](DocumentId begin, DocumentId end, std::size_t) {
      for (DocumentId d = begin; d < end; ++d) {
        if (view.has(d)) documents.push_back(d);
      }
    });
    top_k.looked_at(documents.size());
    align(view, top_k, documents, {query_.whole(), kAnyLength, nullptr});
  }

  /// Windows two melodies can have in common: what scores are divided by.
  [[nodiscard]] std::size_t shorter(std::size_t document_notes) const {
    return std::min(query_.windows(), spline::gram_count(document_notes, query_.notes()));
  }
  [[nodiscard]] bool normalised() const { return query_.plan().aligner != Aligner::global; }

  /// The bound that a sum of the tally gives for a document of so many windows.
  [[nodiscard]] double bound(int sum, const Tally& tally, const WindowQuery::Lists& lists, std::size_t windows) const {
    const std::size_t pairs = std::min(query_.windows(), windows);
    const double steps = sum >= Tally::kFull || pairs > lists.most_pairs ? 1e9 : sum + tally.outstanding();
    const double total = std::min(steps * lists.step + lists.extra, lists.most * static_cast<double>(pairs));
    return raised(normalised() ? total / static_cast<double>(pairs) : total - query_.not_paired(windows));
  }
  /// A score between that of a document of usual length that has nothing in common with the query, 0, and that of one
  /// that has all, 1.
  [[nodiscard]] double score_of_share(double share, const SegmentView& view, const WindowQuery::Lists& lists) const {
    if (normalised()) return share * lists.most;
    const std::size_t usual = query_.most_windows(*view.segment);
    return share * lists.most * static_cast<double>(std::min(query_.windows(), usual)) - query_.not_paired(usual);
  }
  /// Room for the rounding of floating point, far below any difference between scores that are not equal.
  [[nodiscard]] static double raised(double bound) { return bound + 1e-9 * std::max(1.0, std::abs(bound)); }

  /// The least sum with which a document of so many windows can reach the threshold.
  [[nodiscard]] int least(double threshold, const Tally& tally, const WindowQuery::Lists& lists,
                          std::size_t windows) const {
    int low = 0;
    int high = Tally::kFull + 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (middle > Tally::kFull || bound(middle, tally, lists, windows) >= threshold) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// Documents of one length, if that is so many windows at most.
  template <typename Visit>
  void each_run(const SegmentView& view, std::size_t most_windows, const Visit& visit) const {
    const Segment& segment = *view.segment;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const std::size_t windows = spline::gram_count(segment.runs()[r].notes, query_.notes());
      if (windows > most_windows) break;
      if (windows > 0 && segment.runs()[r].notes >= shortest_)
        visit(segment.runs()[r].first_document, segment.run_end(r), windows);
    }
  }

  /// About how many documents have a bound as high as this.
  [[nodiscard]] std::size_t candidates(const SegmentView& view, double threshold, const Tally& tally,
                                       const WindowQuery::Lists& lists, const Part& part) const {
    std::size_t count = 0;
    each_run(view, part.most_windows, [&](DocumentId begin, DocumentId end, std::size_t windows) {
      count += tally.estimate(begin, end, least(threshold, tally, lists, windows));
    });
    return count;
  }

  static constexpr std::size_t kSeeds = 48;
  /// So many documents that are likely to give a threshold, or fewer.
  [[nodiscard]] std::vector<DocumentId> promising(const SegmentView& view, const Tally& tally,
                                                  const WindowQuery::Lists& lists, std::size_t wanted) const {
    std::vector<DocumentId> found;
    const Part whole{query_.whole(), kAnyLength, nullptr};
    constexpr double kLeastShare = 0.3;
    for (const double share : {0.95, 0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, kLeastShare}) {
      const double score = score_of_share(share, view, lists);
      // An estimate takes a fraction of the time of collecting.
      if (share > kLeastShare && candidates(view, score, tally, lists, whole) < wanted / 2) continue;
      found.clear();
      each_run(view, kAnyLength, [&](DocumentId begin, DocumentId end, std::size_t windows) {
        if (found.size() < wanted * 8)
          tally.collect(begin, end, std::max(1, least(score, tally, lists, windows)), found);
      });
      std::erase_if(found, [&](DocumentId d) { return !view.has(d); });
      if (found.size() >= wanted) break;
    }
    const auto better = [&](DocumentId a, DocumentId b) {
      return tally.sum(a) != tally.sum(b) ? tally.sum(a) > tally.sum(b) : a < b;
    };
    const auto best = std::min(static_cast<std::ptrdiff_t>(wanted), std::ssize(found));
    std::partial_sort(found.begin(), found.begin() + best, found.end(), better);
    found.resize(static_cast<std::size_t>(best));
    return found;
  }

  /// Documents that may reach the threshold, in four rounds: a few of the most promising, so that the threshold is
  /// nearly where it will be; some more, and more; all others. In a round they come in the order of the segment, which
  /// is that of memory, and those of one length stay together.
  void score_candidates(const SegmentView& view, Workers& workers, const Tally& tally, const WindowQuery::Lists& lists,
                        const Part& part) const {
    std::vector<DocumentId> documents;
    double above = std::numeric_limits<double>::infinity();
    for (const std::size_t enough :
         {std::size_t{512}, std::size_t{4096}, std::size_t{24'000}, std::size_t{view.segment->size()}}) {
      const auto gains = gains_for(view, workers.first().threshold(), part);
      const double from = bound_of_best(view, workers.first().threshold(), tally, lists, part, enough);
      documents.clear();
      each_run(view, part.most_windows, [&](DocumentId begin, DocumentId end, std::size_t windows) {
        const int done = least(above, tally, lists, windows);
        tally.collect(begin, end, least(from, tally, lists, windows), documents, done - 1);
      });
      above = std::min(above, from);
      // What takes no part would be aligned in vain; where it is much, that is nearly all the work.
      if (view.chosen != nullptr) std::erase_if(documents, [&](DocumentId d) { return !view.has(d); });
      share(view, workers, documents, [&](TopK& top_k, std::span<const DocumentId> some) {
        const bool none = !gains && query_.losses() == nullptr;
        if (none || !(top_k.threshold() > (normalised() ? 0 : -1e9))) return align(view, top_k, some, part);
        if (gains) {
          std::vector<DocumentId> left;
          keep_gaining(view, top_k.threshold(), *gains, some, left);
          align(view, top_k, left, part);
        } else {
          ToAlign left;
          keep_with_chance(view, top_k.threshold(), tally, lists, some, left);
          align(view, top_k, left.documents, left.notes, left.may_gain, part);
        }
      });
    }
  }

  /// A rough alignment that is worth while: for local alignments within stretches of long queries only.
  [[nodiscard]] std::optional<WindowQuery::Gains> gains_for(const SegmentView& view, double threshold,
                                                            const Part& part) const {
    if (query_.plan().aligner == Aligner::local) {
      return part.scored == nullptr ? std::nullopt : query_.gains(part.stretch, part.most_windows);
    }
    const std::size_t most_windows = query_.most_windows(*view.segment);
    const std::size_t end = std::min(part.stretch.end, query_.rows_needed(threshold, most_windows));
    return query_.gains({part.stretch.begin, end}, most_windows);
  }

  /// The bound that about so many documents reach, or the threshold if those that reach it are no more.
  [[nodiscard]] double bound_of_best(const SegmentView& view, double threshold, const Tally& tally,
                                     const WindowQuery::Lists& lists, const Part& part, std::size_t enough) const {
    if (enough >= view.segment->size()) return threshold;
    double low = std::max(threshold, score_of_share(0, view, lists));
    double high = score_of_share(1, view, lists);
    if (candidates(view, low, tally, lists, part) <= enough) return threshold;
    for (int step = 0; step < 6; ++step) {
      const double middle = (low + high) / 2;
      (candidates(view, middle, tally, lists, part) <= enough ? high : low) = middle;
    }
    return high;
  }

  struct Candidate {
    DocumentId document;
    double bound;
  };

  /// The threshold in the numbers of the kernel, for documents with at least so many pairs of windows.
  [[nodiscard]] std::int16_t enough(double threshold, std::size_t pairs, const WindowQuery& query) const {
    const double total = (normalised() ? threshold * static_cast<double>(pairs) : threshold) - query.paid();
    if (!(total > 0)) return -32768;
    return static_cast<std::int16_t>(std::clamp(std::floor(total / query.unit()) - 2, -32768.0, 32767.0));
  }

  /// Whole units, rounded down, with room for the rounding of floating point.
  [[nodiscard]] static int units(double value, double unit) {
    return static_cast<int>(std::min(1e9, std::floor(value / unit + 1e-6)));
  }

  /// What documents may lose by differences and gaps and still reach the threshold: no more than what lists say they
  /// gain goes beyond it. In units of the rough alignment.
  class MayLose {
   public:
    static constexpr int kNever = -1;     ///< the threshold is beyond what it gains
    static constexpr int kUnknown = 255;  ///< more than can be told
    MayLose(const Windows& own, double threshold, const Tally& tally, const WindowQuery::Lists& lists)
        : own_(own), threshold_(threshold), tally_(tally), lists_(lists) {}
    [[nodiscard]] int operator()(DocumentId document, std::size_t pairs) {
      if (pairs != pairs_) {
        pairs_ = pairs;
        for (int sum = 0; sum <= Tally::kFull; ++sum) {
          const double more = (own_.bound(sum, tally_, lists_, pairs) - threshold_) * static_cast<double>(pairs);
          by_sum_[static_cast<std::size_t>(sum)] =
              more < 0 ? kNever : std::min(kUnknown, units(more, own_.query_.loss_unit()));
        }
      }
      return by_sum_[static_cast<std::size_t>(tally_.sum(document))];
    }

   private:
    const Windows& own_;
    double threshold_;
    const Tally& tally_;
    const WindowQuery::Lists& lists_;
    std::size_t pairs_ = 0;
    std::array<int, Tally::kFull + 1> by_sum_{};
  };

  /// A document that a rough alignment is to tell of.
  struct Chance {
    DocumentId document;
    std::uint8_t may_lose;  ///< MayLose::kUnknown is more than any loss that is counted
    Segment::Notes notes;
  };

  /// Orders documents of one length by what they may lose: an alignment of many at once goes on for as long as any of
  /// them may.
  static void by_loss(std::span<Chance> some) {
    thread_local std::vector<Chance> before;
    before.assign(some.begin(), some.end());
    std::array<std::uint32_t, 257> next{};
    for (const Chance& one : before) ++next[one.may_lose + 1U];
    for (std::size_t loss = 0; loss < 256; ++loss) next[loss + 1] += next[loss];
    for (const Chance& one : before) some[next[one.may_lose]++] = one;
  }

  /// Documents to be aligned, the longest last, with their notes, and what each can gain at most. Not in their order:
  /// where they are truncated, several runs have one length.
  struct ToAlign {
    std::vector<DocumentId> documents;
    std::vector<Segment::Notes> notes;
    std::vector<double> may_gain;
  };

  /// Of these documents those that a rough alignment leaves a chance to reach the threshold; those of one length by
  /// what they may lose.
  void keep_with_chance(const SegmentView& view, double threshold, const Tally& tally, const WindowQuery::Lists& lists,
                        std::span<const DocumentId> documents, ToAlign& left) const {
    thread_local kernels::Columns columns;
    thread_local std::vector<Segment::Notes> notes;
    thread_local std::vector<Chance> chances;
    view.segment->notes_of(documents, notes);
    chances.clear();
    MayLose may_lose(*this, threshold, tally, lists);
    std::size_t in_lanes = 0;  // those that are longer come last
    while (in_lanes < documents.size() && notes[in_lanes].count <= kLongestInLanes) ++in_lanes;
    for (std::size_t i = 0; i < in_lanes; ++i) {
      const int lost = may_lose(documents[i], shorter(notes[i].count));
      if (lost != MayLose::kNever) chances.push_back({documents[i], static_cast<std::uint8_t>(lost), notes[i]});
    }
    for (std::size_t begin = 0; begin < chances.size();) {
      std::size_t end = begin;
      while (end < chances.size() && chances[end].notes.count == chances[begin].notes.count) ++end;
      by_loss(std::span(chances).subspan(begin, end - begin));
      begin = end;
    }
    notes.clear();
    for (const Chance& one : chances) notes.push_back(one.notes);
    const auto announce = [&](std::size_t begin, std::size_t count) {
      const std::size_t end = std::min(notes.size(), begin + count);
      for (std::size_t i = begin; i < end; ++i) view.segment->announce_pitches(notes[i]);
    };
    // So far ahead, for to align a batch takes less time than to fetch one.
    constexpr std::size_t kAhead = 4 * kernels::kBatch;
    announce(0, kAhead);
    kernels::LossLimits limits;
    for (std::size_t begin = 0; begin < chances.size(); begin += kernels::kBatch) {
      const auto batch = std::span(notes).subspan(begin, std::min(kernels::kBatch, notes.size() - begin));
      std::fill(std::begin(limits.lane), std::end(limits.lane), std::uint8_t{0});
      for (std::size_t lane = 0; lane < batch.size(); ++lane) limits.lane[lane] = chances[begin + lane].may_lose;
      columns.reset(batch.back().count, query_.notes());
      query_.fill_pitches(*view.segment, batch, columns);
      // The least that any of them needs.
      limits.needed = static_cast<std::uint8_t>(
          std::min(255, units(threshold * static_cast<double>(shorter(batch.front().count)), query_.loss_unit())));
      announce(begin + kAhead, kernels::kBatch);
      std::uint64_t bits = kernels::window_losses(*query_.losses(), columns, limits);
      if (batch.size() < 64) bits &= (std::uint64_t{1} << batch.size()) - 1;
      for (; bits != 0; bits &= bits - 1) {
        const Chance& one = chances[begin + static_cast<std::size_t>(std::countr_zero(bits))];
        left.documents.push_back(one.document);
        left.notes.push_back(one.notes);
        left.may_gain.push_back(may_gain(threshold, one));
      }
    }
    for (std::size_t i = in_lanes; i < documents.size(); ++i) {
      const Segment::Notes own = view.segment->notes_of(documents[i]);
      if (may_lose(documents[i], shorter(own.count)) == MayLose::kNever) continue;
      left.documents.push_back(documents[i]);
      left.notes.push_back(own);
      left.may_gain.push_back(std::numeric_limits<double>::infinity());
    }
  }

  /// What lists say it gains: what it needs, and what it may lose besides.
  [[nodiscard]] double may_gain(double threshold, const Chance& one) const {
    if (one.may_lose == MayLose::kUnknown) return std::numeric_limits<double>::infinity();
    return threshold * static_cast<double>(shorter(one.notes.count)) + (one.may_lose + 1) * query_.loss_unit();
  }

  /// Of these documents those that a rough alignment leaves a chance to reach the threshold.
  void keep_gaining(const SegmentView& view, double threshold, const WindowQuery::Gains& gains,
                    std::span<const DocumentId> documents, std::vector<DocumentId>& left) const {
    thread_local kernels::Columns columns;
    thread_local std::vector<Segment::Notes> all_notes;
    view.segment->notes_of(documents, all_notes);
    std::size_t in_lanes = all_notes.size();  // those that are longer come last
    while (in_lanes > 0 && spline::gram_count(all_notes[in_lanes - 1].count, query_.notes()) > gains.most_windows) {
      --in_lanes;
    }
    const auto notes = std::span(all_notes).first(in_lanes);
    const auto announce = [&](std::size_t begin, std::size_t count) {
      const std::size_t end = std::min(notes.size(), begin + count);
      for (std::size_t i = begin; i < end; ++i) view.segment->announce_pitches(notes[i]);
    };
    announce(0, kernels::kBatch);
    for (std::size_t begin = 0; begin < notes.size(); begin += kernels::kBatch) {
      const auto batch = notes.subspan(begin, std::min(kernels::kBatch, notes.size() - begin));
      columns.reset(batch.back().count, query_.notes());
      query_.fill_pitches(*view.segment, batch, columns);
      announce(begin + kernels::kBatch, kernels::kBatch);
      std::uint8_t best[kernels::kBatch];
      kernels::window_gains(gains.rows, columns, best);
      for (std::size_t lane = 0; lane < batch.size(); ++lane) {
        const double value = gains.value(best[lane]);
        const double bound = normalised() ? value / static_cast<double>(shorter(batch[lane].count)) : value;
        if (raised(bound) >= threshold) left.push_back(documents[begin + lane]);
      }
    }
    left.insert(left.end(), documents.begin() + static_cast<std::ptrdiff_t>(in_lanes), documents.end());
  }

  /// Bounds by the kernel, then exact scores of those that can still reach the threshold. In ascending order.
  void align(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents, const Part& part) const {
    thread_local std::vector<Segment::Notes> notes;
    view.segment->notes_of(documents, notes);
    align(view, top_k, documents, notes, {}, part);
  }
  /// The same of those of ToAlign; `may_gain` may be empty, if it is not known.
  void align(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents,
             std::span<const Segment::Notes> notes, std::span<const double> may_gain, const Part& part) const {
    std::vector<Candidate> left;
    rate(view, top_k, documents, notes, may_gain, part, left);
    score(view, top_k, left, part.scored);
  }
  /// Appends those that can reach the threshold, with their bounds by the kernel.
  void rate(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents,
            std::span<const Segment::Notes> notes, std::span<const double> may_gain, const Part& part,
            std::vector<Candidate>& left) const {
    thread_local kernels::Columns columns;
    // The longest come last. What the query goes on for beyond them can only lose; it is aligned as far as it matters.
    const std::size_t longest = notes.empty() ? 0 : spline::gram_count(notes.back().count, query_.notes());
    const WindowQuery& query = for_usual_ && for_usual_->fits(longest) ? *for_usual_ : query_;
    const std::size_t needed = query_.rows_needed(top_k.threshold(), std::max<std::size_t>(1, longest));
    const Stretch stretch{part.stretch.begin, std::min(part.stretch.end, needed)};
    kernels::Rows some_rows;
    if (stretch != query.whole()) query.some_rows(stretch, some_rows);
    const kernels::Rows& rows = stretch != query.whole() ? some_rows : query.rows();
    const auto announce = [&](std::size_t begin) {
      const std::size_t end = std::min(notes.size(), begin + kernels::kBatch);
      for (std::size_t i = begin; i < end; ++i) query_.announce(*view.segment, notes[i]);
    };
    announce(0);
    for (std::size_t begin = 0; begin < documents.size(); begin += kernels::kBatch) {
      const auto batch = documents.subspan(begin, std::min(kernels::kBatch, documents.size() - begin));
      const std::size_t most = notes[begin + batch.size() - 1].count;  // the longest come last
      if (!query.fits(longest) || most > kLongestInLanes) {
        for (const DocumentId d : batch) left.push_back({d, std::numeric_limits<double>::infinity()});
        continue;
      }
      columns.reset(most, query_.notes());
      query_.fill(*view.segment, notes.subspan(begin, batch.size()), columns);
      announce(begin + batch.size());  // they come while these are aligned
      std::int16_t best[kernels::kBatch];
      std::int16_t most_gain[kernels::kBatch];
      if (!may_gain.empty()) {
        std::fill(std::begin(most_gain), std::end(most_gain), std::int16_t{0});
        for (std::size_t lane = 0; lane < batch.size(); ++lane) {
          most_gain[lane] =
              static_cast<std::int16_t>(std::min(32767.0, std::ceil(may_gain[begin + lane] / query.unit())));
        }
      }
      const std::size_t fewest =
          std::min<std::size_t>(query_.windows(), columns.length[0]);  // the shortest comes first
      kernels::window_align({query_.plan().pairing, query_.plan().aligner, &rows, &columns,
                             enough(top_k.threshold(), fewest, query), may_gain.empty() ? nullptr : most_gain},
                            best);
      for (std::size_t lane = 0; lane < batch.size(); ++lane) {
        const double total = best[lane] * query.unit() + query.paid();
        const std::size_t pairs = std::min<std::size_t>(query_.windows(), columns.length[lane]);
        const double bound = raised(normalised() ? total / static_cast<double>(pairs) : total);
        if (bound < top_k.threshold()) continue;
        if (query_.plan().aligner == Aligner::local && best[lane] <= 0) {
          // Nothing in common, and nothing scores less. Where the best have nothing, that goes for every document. But
          // what a part of the query has nothing in common with may be like another.
          if (part.stretch == query_.whole() && view.has(batch[lane])) top_k.offer_scored(view, batch[lane], 0);
        } else {
          left.push_back({batch[lane], bound});
        }
      }
    }
  }
  /// Exact scores of those that can still reach the threshold, the most promising first.
  static void score(const SegmentView& view, TopK& top_k, std::vector<Candidate>& left, Scored* scored) {
    std::sort(left.begin(), left.end(), [](const Candidate& a, const Candidate& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.document < b.document;
    });
    for (const Candidate& candidate : left) {
      if (candidate.bound < top_k.threshold()) break;
      if (!view.has(candidate.document)) continue;
      // Parts overlap, and a score is that of the whole query.
      if (scored != nullptr && std::exchange((*scored)[candidate.document], std::uint8_t{1}) != 0) continue;
      top_k.offer(view, candidate.document);
    }
  }

  /// Windows of a document of usual length. With so few, numbers are finer than a long query would allow.
  static constexpr std::size_t kUsual = 64;
  WindowQuery query_;
  std::optional<WindowQuery> for_usual_;
  std::size_t shortest_;
};

}  // namespace

std::unique_ptr<Method> make_method(const WindowPlan& plan, const Task& task) {
  if (task.query.size() < plan.notes()) return nullptr;
  if (plan.counts == nullptr && plan.pairing != WindowPlan::Pairing::pitch_and_time) return nullptr;
  return std::make_unique<Windows>(plan, task.query, task.shortest);
}

}  // namespace rondo::fast
