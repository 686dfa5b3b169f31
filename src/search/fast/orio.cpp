#include <algorithm>
#include <mutex>
#include <optional>

#include "search/fast/method.h"
#include "search/fast/orio_digest.h"
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

/// For Orio, whose score is a sum of nine cosines, each normalised by the least and the greatest of all documents that
/// take part. So all nine of every document are computed first, exactly, from the digest of the documents that the
/// system has learnt; a document that is not in it, or truncated, is compared by the parts themselves.
class NormalisedCosines final : public Method {
 public:
  NormalisedCosines(const orio::Learnt& learnt, const Task& task)
      : shortest_(std::max(NgramCosine::kShortest, task.shortest)), learnt_(learnt) {
    const orio::Parts& parts = learnt.parts;
    if (task.query.size() <= kLongestQuery) reader_.emplace(parts, task.query);
    longest_ = std::min(kLongestDocument, kMostPairs / task.query.size());
    for (std::size_t i = 0; i < parts.size(); ++i) by_parts_[i] = parts[i]->prepare(task.query);
  }

  void survey(std::span<const SegmentView> views, Workers& workers) override {
    surveyed_.resize(views.size());
    for (std::size_t f = 0; f < views.size(); ++f) {
      const SegmentView& view = views[f];
      Surveyed& out = surveyed_[f];
      out.segment = view.segment;
      out.number = view.number;
      out.digest = learnt_.digest;
      if (out.digest != nullptr) out.group = out.digest->find(digest_key(*view.segment));
      out.blocks.resize((view.segment->size() + kBlock - 1) / kBlock);
      const auto document_at = [](std::size_t i) { return i; };
      workers.share(view, view.segment->size(), kBlock, document_at,
                    [&](TopK& top_k, std::size_t begin, std::size_t end) {
                      survey_block(view, static_cast<DocumentId>(begin), static_cast<DocumentId>(end), out);
                      top_k.looked_at(end - begin);
                    });
      join_voices(out);
    }
  }

  void run(const SegmentView& view, Workers& workers) const override {
    const auto own = std::find_if(surveyed_.begin(), surveyed_.end(),
                                  [&](const Surveyed& one) { return one.number == view.number; });
    // Ignores the deadline: the rest is cheap, and surveyed scores must not be lost.
    TopK& top_k = workers.first();
    const auto offer = [&](const Scored& one) { top_k.offer_scored(view, one.document, total(one.cosines)); };
    for (const std::vector<Scored>& block : own->blocks) std::for_each(block.begin(), block.end(), offer);
    std::for_each(own->pieces.begin(), own->pieces.end(), offer);
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  struct Scored {
    DocumentId document = 0;
    Cosines cosines{};
  };
  /// What was found in one segment.
  struct Surveyed {
    const Segment* segment = nullptr;
    std::size_t number = 0;
    std::shared_ptr<const orio::Digest> digest{};
    const orio::Digest::Group* group = nullptr;  ///< null: the digest does not have this segment
    std::vector<std::vector<Scored>> blocks{};   ///< documents that are their piece's only voice
    std::vector<Scored> voices{};                ///< all others
    std::vector<Scored> pieces{};                ///< their pieces, by the voice that stands for the piece
  };
  using AllStretches = std::array<fusion::Stretch, orio::kParts>;

  [[nodiscard]] double total(const Cosines& cosines) const {
    double sum = 0;
    for (std::size_t i = 0; i < cosines.size(); ++i) sum += stretch_[i](cosines[i]);
    return sum;
  }

  static void show(const Scored& one, AllStretches& all) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].show(one.cosines[i]);
  }

  void survey_block(const SegmentView& view, DocumentId begin, DocumentId end, Surveyed& out) {
    const Segment& segment = *view.segment;
    std::vector<Scored> alone;
    std::vector<Scored> voices;
    alone.reserve(end - begin);
    AllStretches stretches;
    for (DocumentId d = begin; d < end; ++d) {
      const Segment::Notes notes = segment.notes_of(d);
      if (notes.count < shortest_ || !view.has(d)) continue;
      const Scored one{d, cosines(out, d, notes)};
      if (!segment.alone(d)) {
        voices.push_back(one);
        continue;
      }
      alone.push_back(one);
      show(one, stretches);
    }
    out.blocks[begin / kBlock] = std::move(alone);
    const std::lock_guard lock(mutex_);
    out.voices.insert(out.voices.end(), voices.begin(), voices.end());
    for (std::size_t i = 0; i < stretches.size(); ++i) stretch_[i].show(stretches[i]);
  }

  [[nodiscard]] Cosines cosines(const Surveyed& own, DocumentId d, const Segment::Notes& notes) const {
    if (reader_ && own.group != nullptr && notes.count <= longest_ && !own.segment->cut(d)) {
      // The first note has no step to it.
      return reader_->cosines(std::span(own.group->steps).subspan(notes.first + 1, notes.count - 1),
                              own.group->squares[d]);
    }
    thread_local Line line;
    own.segment->line(d, line);
    Cosines out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = by_parts_[i]->score(line).value;
    return out;
  }

  /// A piece has under each part the score of its best voice; the best of the first part, and of equal ones the first,
  /// stands for it.
  static Scored joined(std::span<const Scored> voices) {
    Scored piece = voices.front();
    for (const Scored& voice : voices.subspan(1)) {
      if (voice.cosines[0] > piece.cosines[0]) piece.document = voice.document;
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
    const auto piece = [&](const Scored& voice) { return segment.piece(voice.document); };
    for (auto begin = out.voices.begin(); begin != out.voices.end();) {
      const auto end =
          std::find_if(begin, out.voices.end(), [&](const Scored& other) { return piece(other) != piece(*begin); });
      out.pieces.push_back(joined({begin, end}));
      show(out.pieces.back(), stretch_);
      begin = end;
    }
  }

  std::size_t shortest_;
  std::size_t longest_ = 0;  ///< document that is read from the digest
  const orio::Learnt& learnt_;
  std::optional<DigestReader> reader_;
  std::array<std::unique_ptr<PreparedQuery>, orio::kParts> by_parts_;
  std::vector<Surveyed> surveyed_;
  std::mutex mutex_;  ///< of what all threads write to while they survey
  AllStretches stretch_;
};

}  // namespace

std::unique_ptr<Method> make_method(const OrioPlan& plan, const Task& task) {
  if (plan.learnt == nullptr || task.query.size() < NgramCosine::kShortest) return nullptr;
  return std::make_unique<NormalisedCosines>(*plan.learnt, task);
}

}  // namespace rondo::fast
