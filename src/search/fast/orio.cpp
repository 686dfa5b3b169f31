#include <algorithm>
#include <mutex>
#include <optional>

#include "search/fast/method.h"
#include "search/fast/orio_digest.h"
#include "search/fast/orio_openings.h"
#include "search/fast/orio_reader.h"
#include "similarity/fusion.h"

namespace rondo::fast {
namespace {

/// Longer ones, and more pairs of notes, are compared by the parts themselves. With so many, a sum of products of
/// weights, of which there are three for every pair of notes at most and none is above (1024 x 24)^2 in a collection of
/// 2^32 melodies, stays below 2^53: so it is exact and the same in whatever order it is added up.
constexpr std::size_t kMostPairs = 4'000'000;
constexpr std::size_t kLongestQuery = 2000;  // whose pairs with itself are so many
constexpr std::size_t kLongestDocument = 4000;

/// For Orio, whose score is a sum of nine cosines, each stretched between the least and the greatest of all documents
/// that take part. So all nine of every document are computed first, exactly, from what was worked out about the
/// documents when the system learnt them; a document that is not there is compared by the parts themselves.
///
/// Of a document that is shown in part upper bounds are computed, each a few hundredths above the cosine at most. Then
/// the least and the greatest are found among the few that can be them, and the exact score only of those whose bound
/// reaches the threshold.
class StretchedCosines final : public Method {
 public:
  StretchedCosines(const orio::Learnt& learnt, const Task& task)
      : shortest_(std::max(NgramCosine::kShortest, task.shortest)), learnt_(learnt) {
    const orio::Parts& parts = learnt.parts;
    if (task.query.size() <= kLongestQuery) reader_.emplace(parts, task.query);
    longest_ = std::min(kLongestDocument, kMostPairs / task.query.size());
    for (std::size_t i = 0; i < parts.size(); ++i) slow_[i] = parts[i]->prepare(task.query);
  }

  void survey(std::span<const SegmentView> views, Workers& workers) override {
    surveyed_.resize(views.size());
    for (std::size_t f = 0; f < views.size(); ++f) {
      const SegmentView& view = views[f];
      Surveyed& out = surveyed_[f];
      out.segment = view.segment;
      out.number = view.number;
      find_digest(out);
      out.blocks.resize((view.segment->size() + kBlock - 1) / kBlock);
      const auto document_at = [](std::size_t i) { return i; };
      workers.share(view, view.segment->size(), kBlock, document_at,
                    [&](TopK& top_k, std::size_t begin, std::size_t end) {
                      survey_block(view, static_cast<DocumentId>(begin), static_cast<DocumentId>(end), out);
                      top_k.looked_at(end - begin);
                    });
      join_voices(out);
    }
    find_extremes();
  }

  void run(const SegmentView& view, Workers& workers) const override {
    const auto own = std::find_if(surveyed_.begin(), surveyed_.end(),
                                  [&](const Surveyed& one) { return one.number == view.number; });
    // What is left is little, and what was surveyed before time was up shall not be lost: so nobody asks for the time.
    TopK& top_k = workers.first();
    std::vector<Bounded> left;
    own->each([&](const Scored& one) {
      if (one.exact) {
        top_k.offer_scored(view, one.document, total(one.cosines));
      } else {
        left.push_back({total(one.cosines), &one});
      }
    });
    // The most promising first, and more at a time as long as there is no threshold.
    for (std::size_t some = 256; !left.empty(); some *= 4) {
      std::erase_if(left, [&](const Bounded& one) { return one.bound < top_k.threshold(); });
      const std::size_t count = std::min(some, left.size());
      const auto end = left.begin() + static_cast<std::ptrdiff_t>(count);
      if (end != left.end()) std::nth_element(left.begin(), end, left.end(), higher);
      std::sort(left.begin(), end, higher);
      for (auto one = left.begin(); one != end && one->bound >= top_k.threshold(); ++one) {
        const Scored scored = exactly(*own, *one->scored);
        top_k.offer_scored(view, scored.document, total(scored.cosines));
      }
      left.erase(left.begin(), end);
    }
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  struct Scored {
    DocumentId document = 0;
    bool exact = true;  ///< else the cosines are upper bounds
    Cosines cosines{};
  };
  struct Bounded {
    double bound = 0;
    const Scored* scored = nullptr;
  };
  static bool higher(const Bounded& a, const Bounded& b) { return a.bound > b.bound; }
  /// What was found in one segment.
  struct Surveyed {
    const Segment* segment = nullptr;
    std::size_t number = 0;
    std::shared_ptr<const orio::Digest> digest{};
    const orio::Digest::Group* group = nullptr;  ///< null: no digest has this segment
    /// Where the group is that of whole documents; null: they are not known, or the documents are as in the group.
    std::shared_ptr<const orio::Beginnings> beginnings{};
    std::span<const orio::EndCode> endings{};
    bool whole = false;                         ///< the group has whole documents, and some are shown in part
    std::vector<std::vector<Scored>> blocks{};  ///< documents that are their piece's only voice
    std::vector<Scored> voices{};               ///< all others, by piece
    std::vector<Scored> pieces{};               ///< what these are together, by the voice that stands for the piece

    [[nodiscard]] std::span<const orio::StepCode> steps(const Segment::Notes& notes) const {
      // The first note has no way to it.
      return std::span(group->steps).subspan(notes.first + 1, notes.count - 1);
    }
    [[nodiscard]] const orio::EndCode& end(const Segment::Notes& notes) const {
      return endings[notes.first + notes.count - 1];
    }
    template <typename Visit>
    void each(const Visit& visit) const {
      for (const std::vector<Scored>& block : blocks) std::for_each(block.begin(), block.end(), visit);
      std::for_each(pieces.begin(), pieces.end(), visit);
    }
  };

  [[nodiscard]] double total(const Cosines& cosines) const {
    double sum = 0;
    for (std::size_t i = 0; i < cosines.size(); ++i) sum += stretch_[i](cosines[i]);
    return sum;
  }

  /// What is known of the documents of a segment.
  void find_digest(Surveyed& out) {
    const Segment& segment = *out.segment;
    out.digest = learnt_.digest;
    if (out.digest == nullptr) return;
    out.group = out.digest->find(digest_key(segment));
    if (out.group != nullptr) return;
    out.group = out.digest->find(whole_digest_key(segment));
    if (out.group == nullptr) return;
    out.whole = true;
    out.beginnings = learnt_.beginnings_of(out.digest);
    if (out.beginnings == nullptr || !reader_) return;
    out.endings = out.beginnings->endings[static_cast<std::size_t>(out.group - out.digest->groups.data())];
    for (std::size_t r = 0; openings_ == nullptr && r < segment.runs().size(); ++r) {
      const std::uint32_t notes = segment.runs()[r].notes;
      if (!segment.cut_run(r) || notes < NgramCosine::kShortest || notes > OpeningCosines::kLongest) continue;
      openings_ = std::make_unique<OpeningCosines>(learnt_.parts, *reader_, notes);
    }
  }

  /// The least and the greatest cosines of one part that are known as yet.
  struct Extremes {
    fusion::Stretch exact;
    double least_high = std::numeric_limits<double>::infinity();  ///< one is no greater than this
    double most_low = 0;                                          ///< and one no less than this
    void show(double cosine, bool is_exact) {
      // None of the query's n-grams: that is exact, too.
      if (is_exact || cosine == 0) {
        exact.show(cosine);
      } else {
        least_high = std::min(least_high, cosine);
        most_low = std::max(most_low, OpeningCosines::least(cosine));
      }
    }
    void show(const Extremes& other) {
      exact.show(other.exact);
      least_high = std::min(least_high, other.least_high);
      most_low = std::max(most_low, other.most_low);
    }
  };
  using AllExtremes = std::array<Extremes, orio::kParts>;
  static void show(const Scored& one, AllExtremes& all) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].show(one.cosines[i], one.exact);
  }

  void survey_block(const SegmentView& view, DocumentId begin, DocumentId end, Surveyed& out) {
    const Segment& segment = *view.segment;
    std::vector<Scored> alone;
    std::vector<Scored> voices;
    alone.reserve(end - begin);
    AllExtremes extremes;
    for (DocumentId d = begin; d < end; ++d) {
      const Segment::Notes notes = segment.notes_of(d);
      if (notes.count < shortest_ || !view.has(d)) continue;
      const Scored one = scored(out, d, notes);
      if (!segment.alone(d)) {
        voices.push_back(one);
        continue;
      }
      alone.push_back(one);
      show(one, extremes);
    }
    out.blocks[begin / kBlock] = std::move(alone);
    const std::lock_guard lock(mutex_);
    out.voices.insert(out.voices.end(), voices.begin(), voices.end());
    for (std::size_t i = 0; i < extremes.size(); ++i) extremes_[i].show(extremes[i]);
  }

  [[nodiscard]] Scored scored(const Surveyed& own, DocumentId d, const Segment::Notes& notes) const {
    Scored out{d};
    const bool cut = own.whole && own.segment->cut(d);
    if (reader_ && own.group != nullptr && !cut && notes.count <= longest_) {
      out.cosines = reader_->cosines(own.steps(notes), own.group->squares[d]);
    } else if (cut && !own.endings.empty() && openings_ != nullptr &&
               openings_->bound(own.steps(notes), own.end(notes), out.cosines)) {
      out.exact = false;
    } else {
      thread_local Line line;
      own.segment->line(d, line);
      for (std::size_t i = 0; i < out.cosines.size(); ++i) out.cosines[i] = slow_[i]->score(line).value;
    }
    return out;
  }

  /// A piece has under each part the score of its best voice; the best of the first part, and of equal ones the first,
  /// stands for it.
  static Scored joined(std::span<const Scored> voices) {
    Scored piece = voices.front();
    for (const Scored& voice : voices.subspan(1)) {
      if (voice.cosines[0] > piece.cosines[0]) piece.document = voice.document;
      piece.exact = piece.exact && voice.exact;
      for (std::size_t i = 0; i < piece.cosines.size(); ++i) {
        piece.cosines[i] = std::max(piece.cosines[i], voice.cosines[i]);
      }
    }
    return piece;
  }

  void join_voices(Surveyed& out) {
    const Segment& segment = *out.segment;
    std::sort(out.voices.begin(), out.voices.end(), [&](const Scored& a, const Scored& b) {
      const PieceKey one = segment.piece(a.document);
      const PieceKey other = segment.piece(b.document);
      return one != other ? one < other : segment.voice_number(a.document) < segment.voice_number(b.document);
    });
    for (std::size_t v = 0; v < out.voices.size();) {
      const std::span<const Scored> voices = voices_of(out, segment.piece(out.voices[v].document));
      out.pieces.push_back(joined(voices));
      show(out.pieces.back(), extremes_);
      v += voices.size();
    }
  }
  [[nodiscard]] static std::span<const Scored> voices_of(const Surveyed& own, PieceKey piece) {
    const auto before = [&](const Scored& a, PieceKey b) { return own.segment->piece(a.document) < b; };
    const auto after = [&](PieceKey a, const Scored& b) { return a < own.segment->piece(b.document); };
    const auto begin = std::lower_bound(own.voices.begin(), own.voices.end(), piece, before);
    return {begin, std::upper_bound(begin, own.voices.end(), piece, after)};
  }

  /// The cosine of one part of a document that has bounds.
  [[nodiscard]] double exact_cosine(const Surveyed& own, const Scored& document, std::size_t part) const {
    if (document.exact || document.cosines[part] == 0) return document.cosines[part];
    const Segment::Notes notes = own.segment->notes_of(document.document);
    return openings_->exact(part, own.steps(notes), own.end(notes));
  }
  /// The same of a document or a piece.
  [[nodiscard]] double exactly(const Surveyed& own, const Scored& one, std::size_t part) const {
    if (own.segment->alone(one.document)) return exact_cosine(own, one, part);
    double most = 0;
    for (const Scored& voice : voices_of(own, own.segment->piece(one.document))) {
      most = std::max(most, exact_cosine(own, voice, part));
    }
    return most;
  }
  /// All cosines of a document or a piece.
  [[nodiscard]] Scored exactly(const Surveyed& own, const Scored& one) const {
    const auto all = [&](Scored scored) {
      for (std::size_t i = 0; i < scored.cosines.size(); ++i) scored.cosines[i] = exact_cosine(own, scored, i);
      scored.exact = true;
      return scored;
    };
    if (own.segment->alone(one.document)) return all(one);
    std::vector<Scored> voices;
    for (const Scored& voice : voices_of(own, own.segment->piece(one.document))) voices.push_back(all(voice));
    return joined(voices);
  }

  /// The least and the greatest cosines of each part, exactly.
  void find_extremes() {
    struct Place {
      double bound = 0;
      const Surveyed* own = nullptr;
      const Scored* scored = nullptr;
    };
    std::array<std::vector<Place>, orio::kParts> high;
    std::array<std::vector<Place>, orio::kParts> low;
    for (std::size_t i = 0; i < stretch_.size(); ++i) {
      Extremes& known = extremes_[i];
      stretch_[i] = known.exact;
      known.least_high = std::min(known.least_high, stretch_[i].least());
      known.most_low = std::max(known.most_low, stretch_[i].most());
    }
    for (const Surveyed& own : surveyed_) {
      if (own.endings.empty()) continue;
      own.each([&](const Scored& one) {
        for (std::size_t i = 0; !one.exact && i < stretch_.size(); ++i) {
          const double bound = one.cosines[i];
          if (bound >= extremes_[i].most_low && bound > stretch_[i].most()) high[i].push_back({bound, &own, &one});
          const double least = OpeningCosines::least(bound);
          if (least <= extremes_[i].least_high && least < stretch_[i].least()) low[i].push_back({least, &own, &one});
        }
      });
    }
    for (std::size_t i = 0; i < stretch_.size(); ++i) {
      std::sort(high[i].begin(), high[i].end(), [](const Place& a, const Place& b) { return a.bound > b.bound; });
      for (const Place& one : high[i]) {
        if (one.bound <= stretch_[i].most()) break;
        stretch_[i].show(exactly(*one.own, *one.scored, i));
      }
      std::sort(low[i].begin(), low[i].end(), [](const Place& a, const Place& b) { return a.bound < b.bound; });
      for (const Place& one : low[i]) {
        if (one.bound >= stretch_[i].least()) break;
        stretch_[i].show(exactly(*one.own, *one.scored, i));
      }
    }
  }

  std::size_t shortest_;
  std::size_t longest_ = 0;  ///< document that is read from the digest
  const orio::Learnt& learnt_;
  std::optional<DigestReader> reader_;
  /// For documents that are shown in part; asked for exact cosines by one thread only.
  std::unique_ptr<OpeningCosines> openings_;
  std::array<std::unique_ptr<PreparedQuery>, orio::kParts> slow_;
  std::vector<Surveyed> surveyed_;
  std::mutex mutex_;  ///< of what all threads write to while they survey
  AllExtremes extremes_;
  std::array<fusion::Stretch, orio::kParts> stretch_;
};

}  // namespace

std::unique_ptr<Method> make_method(const OrioPlan& plan, const Task& task) {
  if (plan.learnt == nullptr || task.query.size() < NgramCosine::kShortest) return nullptr;
  return std::make_unique<StretchedCosines>(*plan.learnt, task);
}

}  // namespace rondo::fast
