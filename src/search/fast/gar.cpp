#include <array>
#include <numeric>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_overlap.h"
#include "search/kernels/equal_pitches.h"

namespace rondo::fast {
namespace {

/// For GAR, local alignment of notes by pitch and length in the best transposition. Under a transposition it scores at
/// most 0.48 of the time that the two spend on the same pitches (gar_search.cpp has the proof). The transpositions that
/// are left are aligned, a document and a transposition in each lane, in whole units of time: what comes out is the
/// score if the document's lengths are whole, too, for only equal pitches need be paired.
///
/// That is so because a pairing of unequal pitches never beats leaving its notes out (all in hundredths, for notes a of
/// one side and b, c of the other, d >= 1 semitones apart):
/// - a against b, a <= b: 24(a+b) - 100a - 36(b-a) = -40a - 12b < -12a - 12b;
/// - a against b, c, neither of its pitch: 36(a+b+c) - 36|a-b-c| = 72 min(a,b+c) < 100(min(a,b) + min(a,c));
/// - a against b, c, only b of its pitch, is worse than a against b and c left out, by 100min(a,c) - 36c +
///   36(|a-b-c| - |a-b|): at least 28c if c <= a; else 100a if b >= a, and 28a + 72b if b < a.
class Gar final : public BoundFilter {
 public:
  /// `length` in units of so many ticks of the segments' grid.
  Gar(const Line& query, std::vector<std::int16_t> length, std::int32_t unit, std::size_t shortest)
      : BoundFilter(shortest), unit_(unit), overlap_(query.pitch, [&](std::size_t i) { return length[i]; }) {
    total_ = std::accumulate(length.begin(), length.end(), std::int64_t{0});
    pitch_ = query.pitch;
    length_ = std::move(length);
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
              float* bound) const override {
    const Units units(segment, unit_);
    Document document;
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      const bool known = document.read(segment, run[d], units);
      if (known) find_common(document);
      *bound = known ? raised(most(document.common.most)) : kUnknown;
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    const Units units(segment, unit_);
    const std::int16_t least = needed(threshold);
    Batch batch(*this, candidates);
    Document document;
    for (const Placed& place : by_length(segment, candidates)) {
      if (place.notes.count > kLongest || !document.read(segment, place.notes, units)) continue;
      if (!document.whole || document.total + total_ > kernels::PitchLengths::kMostUnits) continue;
      find_common(document);
      Candidate& candidate = candidates[place.candidate];
      candidate.exact = true;
      // A document of which no transposition can reach the threshold scores below it.
      candidate.bound = kNever;
      document.common.each_with(least, [&](int transposition) { batch.add(place.candidate, document, transposition); });
    }
    batch.flush();
  }

 private:
  static constexpr std::size_t kLongest = 500;  ///< notes; longer documents are scored one by one

  /// Lengths by time codes, in units rounded up.
  struct Units {
    Units(const Segment& segment, std::int32_t unit) {
      for (std::size_t code = 0; code < length.size(); ++code) {
        const std::int32_t ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code)).duration;
        const std::int32_t rounded = (ticks + unit - 1) / unit;
        length[code] = ticks > 0 && rounded <= kernels::PitchLengths::kMostUnits ? rounded : 0;
        whole[code] = length[code] * unit == ticks;
      }
    }
    std::array<std::int32_t, 256> length{};  ///< 0: not known, or too long
    std::array<bool, 256> whole{};
  };

  struct Document {
    std::vector<std::uint8_t>& midi = scratch<std::uint8_t>();
    std::vector<std::int16_t>& length = scratch<std::int16_t>();
    std::int64_t total = 0;
    bool whole = true;  ///< no length had to be rounded
    TimeOverlap::Common common;

    /// False: it is not known.
    [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes, const Units& units) {
      if (!read_pitches(segment, notes, midi)) return false;
      length.resize(notes.count);
      const std::uint8_t* const codes = segment.time_codes(notes).data();
      std::int16_t* const to = length.data();
      bool known = true;
      bool all_whole = true;
      std::int64_t sum = 0;
      for (std::size_t j = 0, count = notes.count; j < count; ++j) {
        const std::int32_t rounded = units.length[codes[j]];
        known &= rounded > 0;
        all_whole &= units.whole[codes[j]];
        sum += rounded;
        to[j] = static_cast<std::int16_t>(rounded);
      }
      whole = all_whole;
      total = sum;
      return known;
    }
    template <typename T>
    static std::vector<T>& scratch() {
      thread_local std::vector<T> values;
      return values;
    }
  };

  void find_common(Document& document) const {
    overlap_.find(
        document.midi, [length = document.length.data()](std::size_t j) { return int{length[j]}; }, document.common);
  }
  /// What so many units of common time can score.
  [[nodiscard]] double most(std::int64_t units) const {
    return 0.48 * static_cast<double>(units * unit_) / static_cast<double>(Segment::kTicks);
  }
  /// How many units the two must have in common to reach the threshold.
  [[nodiscard]] std::int16_t needed(double threshold) const {
    std::int16_t low = 1;
    std::int16_t high = std::numeric_limits<std::int16_t>::max();
    while (low < high) {
      const auto middle = static_cast<std::int16_t>(low + (high - low) / 2);
      if (raised(most(middle)) < threshold) {
        low = static_cast<std::int16_t>(middle + 1);
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Pairs of a document and a transposition, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const Gar& own, std::span<Candidate> candidates) : own_(own), candidates_(candidates), lanes_(scratch()) {
      lanes_.query_pitch = own.pitch_;
      lanes_.query_length = own.length_;
    }

    void add(std::size_t candidate, const Document& document, int transposition) {
      const std::size_t notes = document.midi.size();
      if (columns_ < notes) {
        if (lanes_.pitch.size() < notes * kernels::kBatch) {
          lanes_.pitch.resize(notes * kernels::kBatch);
          lanes_.length.resize(lanes_.pitch.size());
        }
        clear(columns_, notes, 0, kernels::kBatch);
        columns_ = notes;
      }
      std::int16_t* pitch = lanes_.pitch.data() + used_;
      std::int16_t* length = lanes_.length.data() + used_;
      const std::uint8_t* const midi = document.midi.data();
      const std::int16_t* const units = document.length.data();
      for (std::size_t j = 0; j < notes; ++j, pitch += kernels::kBatch, length += kernels::kBatch) {
        *pitch = static_cast<std::int16_t>(midi[j] - transposition);
        *length = units[j];
      }
      clear(notes, columns_, used_, used_ + 1);
      owner_[used_] = candidate;
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      lanes_.columns = columns_;
      std::int16_t best[kernels::kBatch];
      kernels::equal_pitches(lanes_, best);
      for (std::size_t lane = 0; lane < used_; ++lane) {
        const std::int64_t ticks = std::int64_t{12} * best[lane] * own_.unit_;
        const double score = static_cast<double>(ticks) / (100.0 * static_cast<double>(Segment::kTicks));
        double& bound = candidates_[owner_[lane]].bound;
        bound = std::max(bound, score);
      }
      used_ = 0;
      columns_ = 0;
    }

   private:
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
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t used_ = 0;
    std::size_t columns_ = 0;
  };

  std::int32_t unit_;
  std::vector<std::int16_t> length_;
  std::vector<std::int16_t> pitch_;
  TimeOverlap overlap_;
  std::int64_t total_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_method(const GarPlan& /*plan*/, const Task& task) {
  const Line& line = task.query;
  if (Segment::kTicks % line.ticks_per_whole != 0) return nullptr;
  const std::int64_t factor = Segment::kTicks / line.ticks_per_whole;
  std::int64_t common = 0;
  std::int64_t total = 0;
  for (const std::int64_t ticks : line.duration) {
    if (ticks > Segment::kMostTicks / factor) return nullptr;
    common = std::gcd(common, ticks * factor);
    total += ticks * factor;
  }
  // All of the query's lengths are whole in it, and as many of the documents' as can be: sixty-fourths and their
  // triplets, if the query is not too long for that.
  std::int64_t unit = 1;
  for (const std::int64_t part : {192, 96, 64, 48, 32, 24, 16, 8, 4}) {
    unit = std::gcd(Segment::kTicks / part, common);
    if (total / unit <= kernels::PitchLengths::kMostUnits / 2) break;
  }
  if (total / unit > kernels::PitchLengths::kMostUnits || !TimeOverlap::suits(line.pitch, total / unit)) return nullptr;
  std::vector<std::int16_t> length;
  length.reserve(line.duration.size());
  for (const std::int64_t ticks : line.duration) length.push_back(static_cast<std::int16_t>(ticks * factor / unit));
  return std::make_unique<Gar>(line, std::move(length), static_cast<std::int32_t>(unit), task.shortest);
}

}  // namespace rondo::fast
