#include "similarity/systems/orio.h"

#include <mutex>

#include "search/fast/gram_finder.h"
#include "search/fast/method.h"
#include "search/fast/orio_digest.h"
#include "similarity/fusion.h"

namespace rondo::fast {
namespace {

using Cosines = std::array<double, orio::kParts>;

/// Longer ones are compared by the parts themselves. With these, a sum of products of weights, of which there are three
/// for every pair of notes at most and none is above (1024 x 24)^2 in a collection of 2^32 melodies, stays below 2^53:
/// so it is exact and the same in whatever order it is added up.
constexpr std::size_t kLongestQuery = 500;
constexpr std::size_t kLongestDocument = 4000;

/// The symbols that a query has, as numbers from 1 on; 0 for all others.
class SymbolClasses {
 public:
  explicit SymbolClasses(const std::vector<std::uint16_t>& symbols) : symbols_(symbols) {
    std::sort(symbols_.begin(), symbols_.end());
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
  }
  [[nodiscard]] std::size_t size() const { return symbols_.size(); }
  [[nodiscard]] std::uint16_t of(unsigned symbol) const {
    const auto found = std::lower_bound(symbols_.begin(), symbols_.end(), symbol);
    if (found == symbols_.end() || *found != symbol) return 0;
    return static_cast<std::uint16_t>(found - symbols_.begin() + 1);
  }

 private:
  std::vector<std::uint16_t> symbols_;
};

/// The number of a part.
constexpr std::size_t part_at(Feature feature, std::size_t level) {
  return static_cast<std::size_t>(feature) * kLevels.size() + level;
}

/// A query as three of its parts, those of one level, read documents of a digest: note by note, each with an automaton
/// that adds up the products of weights of the n-grams in common. A product is the query's weight of an n-gram times
/// its idf, for each time that it occurs in the document, which is the definition's sum with its terms taken apart.
class LevelReader {
 public:
  LevelReader(const orio::Parts& parts, const Line& query, std::size_t level) {
    const SymbolClasses intervals = add(Feature::intervals, parts, query, level);
    const SymbolClasses times = add(Feature::times, parts, query, level);
    const SymbolClasses both = add(Feature::both, parts, query, level);
    both_.assign((intervals.size() + 1) * kTimeClasses, 0);
    for (unsigned t = 0; t < time_.size(); ++t) {
      time_[t] =
          static_cast<std::uint8_t>(times.of(orio::time_symbol_of(static_cast<std::uint8_t>(t), kLevels[level])));
    }
    for (unsigned i = 0; i < interval_.size(); ++i) {
      const unsigned interval = orio::interval_symbol_of(static_cast<std::uint8_t>(i), kLevels[level]);
      interval_[i] = static_cast<std::uint8_t>(intervals.of(interval));
      for (unsigned t = 0; interval_[i] != 0 && t < time_.size(); ++t) {
        if (time_[t] == 0) continue;
        const unsigned time = orio::time_symbol_of(static_cast<std::uint8_t>(t), kLevels[level]);
        both_[interval_[i] * kTimeClasses + time_[t]] = both.of(interval + time);
      }
    }
  }

  /// By feature.
  using Products = std::array<std::int64_t, kFeatures.size()>;
  [[nodiscard]] Products products(std::span<const orio::StepCode> steps) const {
    GramFinder::State intervals = 0;
    GramFinder::State times = 0;
    GramFinder::State both = 0;
    Products sum{};
    for (const orio::StepCode step : steps) {
      const std::size_t interval = interval_[step.interval];
      const std::size_t time = time_[step.time];
      intervals = finders_[0].next(intervals, interval);
      times = finders_[1].next(times, time);
      both = finders_[2].next(both, both_[interval * kTimeClasses + time]);
      sum[0] += finders_[0].worth(intervals);
      sum[1] += finders_[1].worth(times);
      sum[2] += finders_[2].worth(both);
    }
    return sum;
  }

 private:
  /// Times have four bits of symbols.
  static constexpr std::size_t kTimeClasses = 16;

  SymbolClasses add(Feature feature, const orio::Parts& parts, const Line& query, std::size_t level) {
    std::vector<std::uint16_t> text;
    level_symbols(query, feature, kLevels[level], text);
    SymbolClasses classes(text);
    for (std::uint16_t& symbol : text) symbol = classes.of(symbol);
    const NgramCosine& part = *parts[part_at(feature, level)];
    const GramWeights weights(part);
    GramTable<std::uint32_t> counts;
    part.count(query, counts);
    std::vector<NgramCosine::Gram> grams;
    part.grams_of(query, grams);
    finders_[static_cast<std::size_t>(feature)] = GramFinder(text, classes.size(), [&](std::size_t i, std::size_t n) {
      // The n-grams of one length come before those of the next; there are text.size() + 1 - n of them.
      std::size_t at = i;
      for (std::size_t shorter = NgramCosine::kLeast; shorter < n; ++shorter) at += text.size() + 1 - shorter;
      const auto idf = static_cast<std::int64_t>(weights.of(grams[at]));
      return std::int64_t{counts.get(grams[at])} * idf * idf;
    });
    return classes;
  }

  // Classes of what a step's codes stand for; of both by the classes of the two.
  std::array<std::uint8_t, 256> interval_{};
  std::array<std::uint8_t, 256> time_{};
  std::vector<std::uint16_t> both_;
  std::array<GramFinder, kFeatures.size()> finders_;  ///< by feature
};

/// A query as all parts read documents of a digest.
class DigestReader {
 public:
  DigestReader(const orio::Parts& parts, const Line& query) {
    for (std::size_t level = 0; level < kLevels.size(); ++level) levels_.emplace_back(parts, query, level);
    for (std::size_t i = 0; i < parts.size(); ++i) squares_[i] = GramWeights(*parts[i]).square_of(query);
  }

  [[nodiscard]] Cosines cosines(std::span<const orio::StepCode> steps, const Cosines& squares) const {
    Cosines out{};
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      const LevelReader::Products products = levels_[level].products(steps);
      for (const Feature feature : kFeatures) {
        const std::size_t i = part_at(feature, level);
        const auto product = static_cast<double>(products[static_cast<std::size_t>(feature)]);
        if (product > 0) out[i] = NgramCosine::cosine(product, squares_[i], squares[i]);
      }
    }
    return out;
  }

 private:
  std::vector<LevelReader> levels_;
  Cosines squares_{};
};

/// For Orio, whose score is a sum of nine cosines, each stretched between the least and the greatest of all documents
/// that take part. So all nine of every document are computed first, exactly, from what was worked out about the
/// documents when the system learnt them; a document that is not there is compared by the parts themselves.
class StretchedCosines final : public Method {
 public:
  StretchedCosines(const orio::Learnt& learnt, const Task& task)
      : shortest_(std::max(NgramCosine::kShortest, task.shortest)), learnt_(learnt) {
    const orio::Parts& parts = learnt.parts;
    if (task.query.size() <= kLongestQuery) reader_.emplace(parts, task.query);
    for (std::size_t i = 0; i < parts.size(); ++i) slow_[i] = parts[i]->prepare(task.query);
  }

  void survey(std::span<const SegmentView> views, Workers& workers) override {
    surveyed_.resize(views.size());
    for (std::size_t f = 0; f < views.size(); ++f) {
      const SegmentView& view = views[f];
      Surveyed& out = surveyed_[f];
      out.number = view.number;
      out.digest = learnt_.with(digest_key(*view.segment));
      out.blocks.resize((view.segment->size() + kBlock - 1) / kBlock);
      const auto document_at = [](std::size_t i) { return i; };
      workers.share(view, view.segment->size(), kBlock, document_at,
                    [&](TopK& top_k, std::size_t begin, std::size_t end) {
                      survey_block(view, static_cast<DocumentId>(begin), static_cast<DocumentId>(end), out);
                      top_k.looked_at(end - begin);
                    });
      join_voices(view, out);
    }
  }

  void run(const SegmentView& view, Workers& workers) const override {
    const auto own = std::find_if(surveyed_.begin(), surveyed_.end(),
                                  [&](const Surveyed& one) { return one.number == view.number; });
    // What is left is little, and what was surveyed before time was up shall not be lost: so nobody asks for the time.
    TopK& top_k = workers.first();
    for (const std::vector<Scored>& block : own->blocks) {
      for (const Scored& one : block) top_k.offer_scored(view, one.document, total(one.cosines));
    }
    for (const Scored& one : own->pieces) top_k.offer_scored(view, one.document, total(one.cosines));
  }

 private:
  static constexpr std::size_t kBlock = 4096;

  struct Scored {
    DocumentId document = 0;
    Cosines cosines{};
  };
  /// What was found in one segment.
  struct Surveyed {
    std::size_t number = 0;
    std::shared_ptr<const orio::Digest> digest;  ///< null: none has this segment
    std::vector<std::vector<Scored>> blocks;     ///< documents that are their piece's only voice
    std::vector<Scored> voices;                  ///< all others
    std::vector<Scored> pieces;                  ///< what these are together, by the voice that stands for the piece
  };

  [[nodiscard]] double total(const Cosines& cosines) const {
    double sum = 0;
    for (std::size_t i = 0; i < cosines.size(); ++i) sum += stretch_[i](cosines[i]);
    return sum;
  }

  void survey_block(const SegmentView& view, DocumentId begin, DocumentId end, Surveyed& out) {
    const Segment& segment = *view.segment;
    const orio::Digest::Group* digest = out.digest == nullptr ? nullptr : out.digest->find(digest_key(segment));
    std::vector<Scored> alone;
    std::vector<Scored> voices;
    alone.reserve(end - begin);
    std::array<fusion::Stretch, orio::kParts> stretch;
    for (DocumentId d = begin; d < end; ++d) {
      const Segment::Notes notes = segment.notes_of(d);
      if (notes.count < shortest_ || !view.has(d)) continue;
      const Scored one{d, cosines(segment, d, notes, digest)};
      if (!segment.alone(d)) {
        voices.push_back(one);
        continue;
      }
      alone.push_back(one);
      for (std::size_t i = 0; i < stretch.size(); ++i) stretch[i].show(one.cosines[i]);
    }
    out.blocks[begin / kBlock] = std::move(alone);
    const std::lock_guard lock(mutex_);
    out.voices.insert(out.voices.end(), voices.begin(), voices.end());
    for (std::size_t i = 0; i < stretch.size(); ++i) stretch_[i].show(stretch[i]);
  }

  [[nodiscard]] Cosines cosines(const Segment& segment, DocumentId d, const Segment::Notes& notes,
                                const orio::Digest::Group* digest) const {
    if (reader_ && digest != nullptr && notes.count <= kLongestDocument) {
      // The first note has no way to it.
      return reader_->cosines(std::span(digest->steps).subspan(notes.first + 1, notes.count - 1), digest->squares[d]);
    }
    thread_local Line line;
    segment.line(d, line);
    Cosines out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = slow_[i]->score(line).value;
    return out;
  }

  /// A piece has under each part the score of its best voice; the best of the first part, and of equal ones the first,
  /// stands for it.
  void join_voices(const SegmentView& view, Surveyed& out) {
    const Segment& segment = *view.segment;
    std::sort(out.voices.begin(), out.voices.end(), [&](const Scored& a, const Scored& b) {
      const PieceKey one = segment.piece(a.document);
      const PieceKey other = segment.piece(b.document);
      return one != other ? one < other : segment.voice_number(a.document) < segment.voice_number(b.document);
    });
    for (std::size_t v = 0; v < out.voices.size();) {
      Scored piece = out.voices[v];
      for (++v; v < out.voices.size(); ++v) {
        const Scored& voice = out.voices[v];
        if (segment.piece(voice.document) != segment.piece(piece.document)) break;
        if (voice.cosines[0] > piece.cosines[0]) piece.document = voice.document;
        for (std::size_t i = 0; i < piece.cosines.size(); ++i) {
          piece.cosines[i] = std::max(piece.cosines[i], voice.cosines[i]);
        }
      }
      out.pieces.push_back(piece);
      for (std::size_t i = 0; i < stretch_.size(); ++i) stretch_[i].show(piece.cosines[i]);
    }
  }

  std::size_t shortest_;
  const orio::Learnt& learnt_;
  std::optional<DigestReader> reader_;
  std::array<std::unique_ptr<PreparedQuery>, orio::kParts> slow_;
  std::vector<Surveyed> surveyed_;
  std::mutex mutex_;  ///< of what all threads write to while they survey
  std::array<fusion::Stretch, orio::kParts> stretch_;
};

}  // namespace

std::unique_ptr<Method> make_method(const OrioPlan& plan, const Task& task) {
  if (plan.learnt == nullptr || task.query.size() < NgramCosine::kShortest) return nullptr;
  return std::make_unique<StretchedCosines>(*plan.learnt, task);
}

}  // namespace rondo::fast
