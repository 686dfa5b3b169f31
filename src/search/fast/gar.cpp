#include <numeric>

#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
#include "search/kernels/equal_pitches.h"

namespace rondo::fast {
namespace {

/// For GAR, local alignment of notes by pitch and length in the best transposition. Under a transposition it scores at
/// most 0.48 of the time that the two spend on the same pitches (gar_search.cpp has the proof). The transpositions that
/// are left are aligned, a document and a transposition in each lane, in whole units of time: what comes out is the
/// score, for only equal pitches need be paired.
///
/// That is so because a pairing of unequal pitches never beats leaving its notes out (all in hundredths, for notes a of
/// one side and b, c of the other, d >= 1 semitones apart):
/// - a against b, a <= b: 24(a+b) - 100a - 36(b-a) = -40a - 12b < -12a - 12b;
/// - a against b, c, neither of its pitch: 36(a+b+c) - 36|a-b-c| = 72 min(a,b+c) < 100(min(a,b) + min(a,c));
/// - a against b, c, only b of its pitch, is worse than a against b and c left out, by 100min(a,c) - 36c +
///   36(|a-b-c| - |a-b|): at least 28c if c <= a; else 100a if b >= a, and 28a + 72b if b < a.
class Gar final : public Sieve {
 public:
  Gar(const Line& query, std::vector<std::int32_t> length, std::size_t shortest)
      : Sieve(shortest),
        length_(std::move(length)),
        overlap_(query.pitch, [this](std::size_t i) { return overlap_units(length_[i]); }) {
    pitch_ = query.pitch;
    for (const std::int32_t ticks : length_) unit_ = std::gcd(unit_, ticks);
    total_ = std::accumulate(length_.begin(), length_.end(), std::int64_t{0});
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    Document document;
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      const bool known = document.read(segment, {first + std::uint64_t{d - begin} * notes, notes});
      if (known) find_common(document);
      *bound = known ? raised(most(document.common.most())) : kUnknown;
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double bar) const override {
    Batch batch(*this, candidates);
    Document document;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (!document.read(segment, segment.notes_of(candidates[c].document))) continue;
      std::int32_t unit = unit_;
      std::int64_t total = total_;
      for (const std::int32_t ticks : document.length) {
        unit = std::gcd(unit, ticks);
        total += ticks;
      }
      if (total / unit > kernels::PitchLengths::kMostUnits || document.length.size() > kLongest) continue;
      find_common(document);
      candidates[c].exact = true;
      // A document of which no transposition can reach the bar scores below it.
      candidates[c].bound = kNever;
      for (std::size_t t = 0; t < document.common.size; ++t) {
        const bool any = document.common.amount[t] > 0;
        if (any && raised(most(document.common.amount[t])) >= bar) {
          batch.add(c, document, document.common.lowest + static_cast<int>(t), unit);
        }
      }
    }
    batch.flush();
  }

 private:
  static constexpr std::size_t kLongest = 500;  ///< notes; longer documents are scored one by one

  struct Document {
    std::vector<std::uint8_t>& midi = scratch<std::uint8_t>();
    std::vector<std::int32_t>& onset = scratch<std::int32_t, 0>();
    std::vector<std::int32_t>& length = scratch<std::int32_t, 1>();
    TimeOverlap::Common common;

    [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
      onset.resize(notes.count);
      length.resize(notes.count);
      return read_pitches(segment, notes, midi) && segment.ticks(notes, onset.data(), length.data());
    }
    template <typename T, int kNumber = 0>
    static std::vector<T>& scratch() {
      thread_local std::vector<T> values;
      return values;
    }
  };

  void find_common(Document& document) const {
    overlap_.find(
        document.midi, [&](std::size_t j) { return overlap_units(document.length[j]); }, document.common);
  }
  /// What so many units of common time can score.
  [[nodiscard]] static double most(std::int64_t units) {
    return 0.48 * static_cast<double>(units * kOverlapUnit) / static_cast<double>(Segment::kTicks);
  }

  /// Pairs of a document and a transposition, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const Gar& own, std::span<Candidate> candidates) : own_(own), candidates_(candidates), lanes_(scratch()) {
      lanes_.rows = own.pitch_.size();
      lanes_.query_pitch = own.pitch_;
      lanes_.query_length.resize(lanes_.rows * kernels::kBatch);
    }

    void add(std::size_t candidate, const Document& document, int transposition, std::int32_t unit) {
      const std::size_t notes = document.midi.size();
      if (columns_ < notes) {
        lanes_.pitch.resize(std::max(lanes_.pitch.size(), notes * kernels::kBatch));
        lanes_.length.resize(lanes_.pitch.size());
        clear(columns_, notes, 0, kernels::kBatch);
        columns_ = notes;
      }
      for (std::size_t i = 0; i < own_.length_.size(); ++i) {
        lanes_.query_length[i * kernels::kBatch + used_] = static_cast<std::int16_t>(own_.length_[i] / unit);
      }
      for (std::size_t j = 0; j < notes; ++j) {
        lanes_.pitch[j * kernels::kBatch + used_] = static_cast<std::int16_t>(document.midi[j] - transposition);
        lanes_.length[j * kernels::kBatch + used_] = static_cast<std::int16_t>(document.length[j] / unit);
      }
      clear(notes, columns_, used_, used_ + 1);
      owner_[used_] = {candidate, unit};
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      lanes_.columns = columns_;
      std::int16_t best[kernels::kBatch];
      kernels::equal_pitches(lanes_, best);
      for (std::size_t lane = 0; lane < used_; ++lane) {
        const std::int64_t ticks = std::int64_t{best[lane]} * owner_[lane].unit;
        const double score = static_cast<double>(ticks) / (100.0 * static_cast<double>(Segment::kTicks));
        double& bound = candidates_[owner_[lane].candidate].bound;
        bound = std::max(bound, score);
      }
      used_ = 0;
      columns_ = 0;
    }

   private:
    struct Owner {
      std::size_t candidate = 0;
      std::int32_t unit = 1;
    };
    static kernels::PitchLengths& scratch() {
      thread_local kernels::PitchLengths lanes;
      return lanes;
    }
    void clear(std::size_t first, std::size_t last, std::size_t lane, std::size_t end) {
      for (std::size_t j = first; j < last; ++j) {
        for (std::size_t l = lane; l < end; ++l) {
          lanes_.pitch[j * kernels::kBatch + l] = kernels::PitchLengths::kNoPitch;
          lanes_.length[j * kernels::kBatch + l] = 0;
        }
      }
    }

    const Gar& own_;
    std::span<Candidate> candidates_;
    kernels::PitchLengths& lanes_;
    Owner owner_[kernels::kBatch];
    std::size_t used_ = 0;
    std::size_t columns_ = 0;
  };

  std::vector<std::int32_t> length_;
  std::vector<std::int16_t> pitch_;
  TimeOverlap overlap_;
  std::int32_t unit_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_method(const GarPlan& /*plan*/, const Task& task) {
  const Line& line = task.query;
  if (Segment::kTicks % line.ticks_per_whole != 0) return nullptr;
  const std::int64_t factor = Segment::kTicks / line.ticks_per_whole;
  std::vector<std::int32_t> length;
  std::int64_t units = 0;
  for (const std::int64_t ticks : line.duration) {
    if (ticks > Segment::kMostTicks / factor) return nullptr;
    length.push_back(static_cast<std::int32_t>(ticks * factor));
    units += overlap_units(length.back());
  }
  if (!TimeOverlap::suits(line.pitch, units)) return nullptr;
  return std::make_unique<Gar>(line, std::move(length), task.shortest);
}

}  // namespace rondo::fast
