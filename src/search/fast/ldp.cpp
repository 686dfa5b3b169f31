#include <cmath>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_overlap.h"
#include "search/kernels/pitch_edits.h"

namespace rondo::fast {
namespace {

/// For LDP, the edit distance of pitches in the transposition that suits best. Every note of the query that does not
/// meet its own pitch costs at least 1, so under a transposition the distance is at least the notes that find no
/// partner in the overlap of the two sets of pitches. Only transpositions that this leaves are tried, a document and a
/// transposition in each lane; distances are whole numbers, so what comes out is the score.
class Ldp final : public BoundFilter {
 public:
  Ldp(const Line& query, std::size_t shortest) : BoundFilter(shortest), overlap_(query.pitch, each_note) {
    for (const int p : query.pitch) pitch_.push_back(static_cast<std::uint8_t>(p + kMargin));
    mean_ = mean(query.pitch);
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > longest()) return;
    each_overlap(overlap_, segment, begin, end, [&](std::size_t i, std::size_t most) {
      bound[i] = static_cast<float>(most) - static_cast<float>(pitch_.size());
    });
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    // No distance is greater than the notes of the query.
    const auto notes = static_cast<double>(pitch_.size());
    Batch batch(pitch_, candidates, static_cast<std::size_t>(std::clamp(-threshold, 0.0, notes)));
    thread_local std::vector<std::uint8_t> midi;
    thread_local std::vector<Later> later;
    later.clear();
    const bool one_first = pitch_.size() > kLongestInBytes;
    NoteOverlap::Common common;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Segment::Notes own = segment.notes_of(candidates[c].document);
      if (own.count > longest() || !read_pitches(segment, own, midi)) continue;
      overlap_.find(midi, each_note, common);
      candidates[c].bound = kNever;
      candidates[c].exact = true;
      const std::size_t from = later.size();
      for (std::size_t t = 0; t < common.size; ++t) {
        const std::size_t notes_met = common.amount[t];
        if (notes_met == 0 || notes_met + batch.most() < pitch_.size()) continue;
        const int transposition = common.lowest + static_cast<int>(t);
        if (one_first) {
          later.push_back({c, transposition, notes_met});
        } else {
          batch.add(c, midi, transposition);
        }
      }
      if (later.size() == from) continue;
      // A long query has all notes of a document in many transpositions. The one that lays them where most of its own
      // are is likely to be as good as any can be, and then no other is tried.
      const double level = mean(midi) - mean_;
      const auto worse = [&](const Later& one, const Later& other) {
        if (one.notes_met != other.notes_met) return one.notes_met < other.notes_met;
        return std::abs(one.transposition - level) > std::abs(other.transposition - level);
      };
      const auto first = std::max_element(later.begin() + static_cast<std::ptrdiff_t>(from), later.end(), worse);
      batch.add(c, midi, first->transposition);
      later.erase(first);
    }
    batch.flush();
    for (const Later& one : later) {
      const double best = static_cast<double>(one.notes_met) - notes;
      if (candidates[one.candidate].bound >= best) continue;
      if (!read_pitches(segment, segment.notes_of(candidates[one.candidate].document), midi)) continue;
      batch.add(one.candidate, midi, one.transposition);
    }
    batch.flush();
  }

 private:
  /// Pitches are moved up by this, so that what a transposition moves below zero is still far from any.
  static constexpr int kMargin = 4;
  /// Distances of longer queries do not fit 8 bits; by how much they are less than the query has notes does, if
  /// documents are short.
  static constexpr std::size_t kLongestInBytes = 250;
  [[nodiscard]] std::size_t longest() const {
    return pitch_.size() > kLongestInBytes ? kernels::kMostGainColumns : kLongestInLanes;
  }

  /// A transposition that is tried if others have not turned out as good as it can be.
  struct Later {
    std::size_t candidate;
    int transposition;
    std::size_t notes_met;
  };

  template <typename Pitches>
  [[nodiscard]] static double mean(const Pitches& pitches) {
    double sum = 0;
    for (const int p : pitches) sum += p;
    return sum / static_cast<double>(pitches.size());
  }

  /// Pairs of a document and a transposition, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(std::span<const std::uint8_t> query, std::span<Candidate> candidates, std::size_t most)
        : query_(query), candidates_(candidates), most_(most), columns_(scratch()) {
      columns_.columns = 0;
    }
    [[nodiscard]] std::size_t most() const { return most_; }

    void add(std::size_t candidate, std::span<const std::uint8_t> midi, int transposition) {
      const std::size_t needed = midi.size() * kernels::kBatch;
      if (columns_.pitch.size() < needed) columns_.pitch.resize(needed);
      for (std::size_t j = columns_.columns; j < midi.size(); ++j) {
        std::fill_n(columns_.pitch.begin() + static_cast<std::ptrdiff_t>(j * kernels::kBatch), kernels::kBatch,
                    kernels::PitchColumns::kNoPitch);
      }
      columns_.columns = std::max(columns_.columns, midi.size());
      std::uint8_t* out = columns_.pitch.data() + lanes_;
      for (const int p : midi) {
        // Beyond the margins nothing is nearer than an insertion and a deletion cost.
        *out = static_cast<std::uint8_t>(std::clamp(p - transposition + kMargin, 0, 140));
        out += kernels::kBatch;
      }
      for (std::size_t j = midi.size(); j < columns_.columns; ++j, out += kernels::kBatch) {
        *out = kernels::PitchColumns::kNoPitch;
      }
      owner_[lanes_++] = candidate;
      if (lanes_ == kernels::kBatch) flush();
    }

    void flush() {
      if (lanes_ == 0) return;
      std::uint8_t found[kernels::kBatch];
      const bool gains = query_.size() > kLongestInBytes;
      if (gains) {
        kernels::pitch_gains(query_, columns_, found);
      } else {
        kernels::pitch_edits(query_, columns_, static_cast<std::uint8_t>(most_), found);
      }
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        const std::size_t distance = gains ? query_.size() - found[lane] : found[lane];
        if (distance > most_) continue;
        double& bound = candidates_[owner_[lane]].bound;
        bound = std::max(bound, static_cast<double>(-static_cast<std::int64_t>(distance)));  // never -0
      }
      lanes_ = 0;
      columns_.columns = 0;
    }

   private:
    static kernels::PitchColumns& scratch() {
      thread_local kernels::PitchColumns columns;
      return columns;
    }

    std::span<const std::uint8_t> query_;
    std::span<Candidate> candidates_;
    std::size_t most_;
    kernels::PitchColumns& columns_;
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t lanes_ = 0;
  };

  NoteOverlap overlap_;
  std::vector<std::uint8_t> pitch_;
  double mean_ = 0;  ///< of its pitches
};

}  // namespace

std::unique_ptr<Method> make_method(const PitchEditPlan& /*plan*/, const Task& task) {
  if (!NoteOverlap::suits_short(task.query.pitch)) return nullptr;
  return std::make_unique<Ldp>(task.query, task.shortest);
}

}  // namespace rondo::fast
