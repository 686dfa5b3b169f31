#include <array>
#include <cstring>
#include <numeric>

#include "search/fast/bound_filter.h"
#include "search/fast/per_segment.h"
#include "search/fast/pitch_overlap.h"
#include "search/kernels/equal_pitches.h"

namespace rondo::fast {
namespace {

/// For GAR, local alignment of notes by pitch and length in the best transposition. Under a transposition it scores at
/// most 0.48 of the time that the two spend on the same pitches (gar_search.cpp has the proof). The transpositions that
/// are left are aligned, a document and a transposition in each lane, in whole units of time: what comes out is the
/// score if the document's lengths are whole, too, for only equal pitches need be paired. As soon as there is a
/// threshold that is done in bytes; what they cannot tell, in 16 bits.
///
/// In bytes the unit may be so coarse that lengths must be rounded, up. A pair brings 5 min(a, b) - max(a, b): if one
/// of the two becomes longer it brings less only as far as that is longer than the other, and a note left out costs
/// more by what it became longer. So no stretch loses more than all lengths together became longer.
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
    for (const std::int32_t part : kRoughParts) {
      const std::int32_t rough_unit = static_cast<std::int32_t>(Segment::kTicks) / part;
      RoughQuery rough{rough_unit, {}, 0};
      for (const std::int16_t units : length_)
        rough.length.push_back(rounded_up(units * unit_, rough_unit, rough.error));
      const auto longest = *std::max_element(rough.length.begin(), rough.length.end());
      if (longest <= kernels::RoughLengths::kLongest) rough_.push_back(std::move(rough));
    }
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
              float* bound) const override {
    const Units& units = times_of(segment).units;
    const Segment::RunNotes run(segment, begin);
    // Each step is done for all of a few documents before the next: what was written number by number can be read as a
    // vector only when it has reached memory, and meanwhile others are written.
    constexpr DocumentId kTogether = 8;
    struct Laid {
      TimeOverlap::Keyboard keyboard;
      std::vector<std::uint8_t> midi;  ///< of what is not kept
    };
    thread_local std::array<Laid, kTogether> shared;
    std::array<Laid, kTogether>& laid = shared;
    TimeOverlap::Common common;
    for (DocumentId first = begin; first < end; first += kTogether) {
      const DocumentId count = std::min(kTogether, end - first);
      std::array<bool, kTogether> known{};
      for (DocumentId k = 0; k < count; ++k) {
        known[k] = lay(segment, run[first + k], units, laid[k].midi, laid[k].keyboard);
      }
      for (DocumentId k = 0; k < count; ++k, ++bound) {
        if (known[k]) overlap_.find(laid[k].keyboard, common);
        *bound = known[k] ? raised(most(common.most)) : kUnknown;
        laid[k].keyboard.clear(laid[k].midi);
      }
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    const Times& times = times_of(segment);
    const std::int16_t least = needed(threshold);
    const std::span<const Placed> places = by_length(segment, candidates);
    Document document;
    const std::size_t level = rough_level(threshold);
    if (level < rough_.size()) {
      RoughBatch batch(*this, rough_[level], candidates);
      constexpr std::size_t kTogether = 8;  // as in the coarse stage
      thread_local std::array<RoughDocument, kTogether> shared;
      std::array<RoughDocument, kTogether>& documents = shared;
      TimeOverlap::Common common;
      for (std::size_t first = 0; first < places.size(); first += kTogether) {
        const auto some = places.subspan(first, std::min(kTogether, places.size() - first));
        for (std::size_t k = 0; k < some.size(); ++k) {
          documents[k].read(segment, some[k].notes, times, level);
        }
        for (std::size_t k = 0; k < some.size(); ++k) {
          if (documents[k].known) {
            overlap_.find(documents[k].keyboard, common);
            batch.add(some[k].candidate, documents[k], common, least);
          }
          documents[k].keyboard.clear(documents[k].midi);
        }
      }
      batch.finish();
    }
    Batch batch(*this, candidates);
    for (const Placed& place : places) {
      Candidate& candidate = candidates[place.candidate];
      if (candidate.exact || candidate.bound < threshold) continue;
      if (place.notes.count > kLongest || !document.read(segment, place.notes, times.units)) continue;
      if (!document.whole || document.total + total_ > kernels::PitchLengths::kMostUnits) continue;
      find_common(document);
      candidate.exact = true;
      // A document of which no transposition can reach the threshold scores below it.
      candidate.bound = kNever;
      document.common.each_with(least, [&](int transposition) { batch.add(place.candidate, document, transposition); });
    }
    batch.flush();
  }

 private:
  static constexpr std::size_t kLongest = 500;  ///< notes; longer documents are scored one by one

  /// Units of a whole note in bytes, the finer one first.
  static constexpr std::array<std::int32_t, 2> kRoughParts = {32, 8};
  /// The query in coarser units.
  struct RoughQuery {
    std::int32_t unit = 0;  ///< ticks
    std::vector<std::uint8_t> length;
    double error = 0;  ///< units by which all lengths together became longer
  };
  /// In units rounded up, at most 255; adds to `error` by how much.
  static std::uint8_t rounded_up(std::int32_t ticks, std::int32_t unit, double& error) {
    const std::int32_t units = std::min(255, (ticks + unit - 1) / unit);
    error += static_cast<double>(units) - static_cast<double>(ticks) / unit;
    return static_cast<std::uint8_t>(units);
  }
  /// A unit in which the threshold is a byte, with some room: the first that the query is whole in, else the first. As
  /// many as there are if there is none.
  [[nodiscard]] std::size_t rough_level(double threshold) const {
    constexpr double kRoom = 25;
    std::size_t found = rough_.size();
    if (!(threshold > 0)) return found;
    for (std::size_t level = 0; level < rough_.size(); ++level) {
      if (threshold > score(255 - kRoom, rough_[level].unit)) continue;
      if (!(rough_[level].error > 0)) return level;
      found = std::min(found, level);
    }
    return found;
  }
  /// What a stretch that brings so much scores.
  [[nodiscard]] static double score(double best, std::int32_t unit) {
    return 12 * best * unit / (100.0 * static_cast<double>(Segment::kTicks));
  }
  /// The same as the system has it, exactly.
  [[nodiscard]] static double exact_score(std::int64_t best, std::int32_t unit) {
    return static_cast<double>(12 * best * unit) / (100.0 * static_cast<double>(Segment::kTicks));
  }

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
  /// The same in bytes.
  struct RoughUnits {
    struct Code {
      std::uint8_t length = 0;  ///< 0: not known, or too long
      float error = 0;          ///< units by which it became longer
    };
    RoughUnits(const Segment& segment, std::int32_t unit) {
      for (std::size_t c = 0; c < codes.size(); ++c) {
        const std::int32_t ticks = segment.ticks_of_code(static_cast<std::uint8_t>(c)).duration;
        double error = 0;
        const std::uint8_t units = ticks > 0 ? rounded_up(ticks, unit, error) : std::uint8_t{0};
        if (units > 0 && units <= kernels::RoughLengths::kLongest) codes[c] = {units, static_cast<float>(error)};
      }
    }
    std::array<Code, 256> codes{};
  };
  struct Times {
    Units units;
    std::vector<RoughUnits> rough;
  };
  [[nodiscard]] const Times& times_of(const Segment& segment) const {
    return times_.of(segment, [&] {
      Times out{Units(segment, unit_), {}};
      for (const RoughQuery& rough : rough_) out.rough.emplace_back(segment, rough.unit);
      return out;
    });
  }

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

  /// A document in bytes, and how long it stays on each pitch in finer units.
  struct RoughDocument {
    std::vector<std::uint8_t> midi;
    std::vector<std::uint8_t> length;
    TimeOverlap::Keyboard keyboard;
    float error = 0;  ///< units by which lengths became longer
    bool known = false;

    void read(const Segment& segment, const Segment::Notes& notes, const Times& times, std::size_t level) {
      const std::size_t count = notes.count;
      midi.resize(count);
      length.resize(count);
      PitchRange range;
      known = count <= kLongest && read_pitches(segment, notes, midi.data(), range);
      if (!known) {
        midi.clear();
        return;
      }
      keyboard.open(range.low, range.high);
      // Local variables, for the reason that read_pitches has.
      const std::uint8_t* const pitches = midi.data();
      const std::uint8_t* const codes = segment.time_codes(notes).data();
      const std::int32_t* const fine = times.units.length.data();
      const RoughUnits::Code* const rough = times.rough[level].codes.data();
      std::int16_t* const amounts = keyboard.amounts();
      std::uint8_t* const lengths = length.data();
      bool fits = true;
      float longer = 0;
      for (std::size_t j = 0; j < count; ++j) {
        const RoughUnits::Code& code = rough[codes[j]];
        const std::int32_t units = fine[codes[j]];
        fits &= code.length > 0 && units > 0;
        longer += code.error;
        lengths[j] = code.length;
        const std::int32_t sum = amounts[pitches[j]] + units;
        amounts[pitches[j]] = static_cast<std::int16_t>(std::min<std::int32_t>(sum, 32'767));
      }
      known = fits;
      error = longer;
    }
  };

  /// How long a document stays on each pitch. False: that is not known.
  [[nodiscard]] static bool lay(const Segment& segment, const Segment::Notes& notes, const Units& units,
                                std::vector<std::uint8_t>& midi, TimeOverlap::Keyboard& out) {
    midi.resize(notes.count);
    PitchRange range;
    if (!read_pitches(segment, notes, midi.data(), range)) {
      midi.clear();
      return false;
    }
    const std::uint8_t* const pitches = midi.data();
    const std::uint8_t* const codes = segment.time_codes(notes).data();
    const std::int32_t* const lengths = units.length.data();
    bool known = true;
    out.open(range.low, range.high);
    std::int16_t* const amounts = out.amounts();
    for (std::size_t j = 0, count = notes.count; j < count; ++j) {
      const std::int32_t length = lengths[codes[j]];
      known &= length > 0;
      const std::int32_t sum = amounts[pitches[j]] + length;
      amounts[pitches[j]] = static_cast<std::int16_t>(std::min<std::int32_t>(sum, 32'767));
    }
    return known;
  }
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

  /// Pairs of a document and a transposition, aligned in bytes as soon as there are enough.
  class RoughBatch {
   public:
    RoughBatch(const Gar& own, const RoughQuery& query, std::span<Candidate> candidates)
        : query_(query), candidates_(candidates), lanes_(scratch()), found_(candidates.size()) {
      lanes_.columns = 0;
      lanes_.query_pitch.assign(own.pitch_.begin(), own.pitch_.end());
      lanes_.query_length = query.length;
    }

    /// In all transpositions with at least so much in common.
    void add(std::size_t candidate, const RoughDocument& document, const TimeOverlap::Common& common,
             std::int16_t least) {
      std::int8_t moves[2 * kMidiPitches];
      std::size_t size = 0;
      common.each_with(least, [&](int t) { moves[size++] = static_cast<std::int8_t>(t); });
      if (size == 0) {
        // Of which no transposition can reach the threshold, that scores below it.
        candidates_[candidate].exact = true;
        candidates_[candidate].bound = kNever;
      }
      found_[candidate].error = query_.error + static_cast<double>(document.error);
      for (std::size_t begin = 0; begin < size;) {
        const std::size_t count = std::min(size - begin, kernels::kBatch - used_);
        put(document, count);
        for (std::size_t k = 0; k < count; ++k) {
          lanes_.transposition[used_ + k] = moves[begin + k];
          owner_[used_ + k] = candidate;
        }
        begin += count;
        used_ += count;
        if (used_ == kernels::kBatch) flush();
      }
    }

    /// Gives the candidates their bounds.
    void finish() {
      flush();
      for (std::size_t c = 0; c < found_.size(); ++c) {
        const Found& found = found_[c];
        if (found.best < 0 || found.best == 255) continue;  // not aligned, or too much
        Candidate& candidate = candidates_[c];
        candidate.exact = !(found.error > 0);
        if (candidate.exact) {
          candidate.bound = exact_score(found.best, query_.unit);
        } else {
          // And something for the rounding of the error itself.
          const double best = found.best + found.error + 1e-3;
          candidate.bound = std::min<double>(candidate.bound, raised(score(best, query_.unit)));
        }
      }
    }

   private:
    struct Found {
      int best = -1;  ///< below 0: it was not aligned
      double error = 0;
    };
    static kernels::RoughLengths& scratch() {
      thread_local kernels::RoughLengths lanes;
      return lanes;
    }

    /// The notes of a document into so many lanes.
    void put(const RoughDocument& document, std::size_t count) {
      const std::size_t notes = document.midi.size();
      if (lanes_.columns < notes) {
        if (lanes_.length.size() < notes * kernels::kBatch) {
          lanes_.pitch.resize(notes * kernels::kBatch);
          lanes_.length.resize(lanes_.pitch.size());
        }
        clear(lanes_.columns, notes, 0, used_);
        lanes_.columns = notes;
      }
      std::uint8_t* pitch = lanes_.pitch.data() + used_;
      std::uint8_t* length = lanes_.length.data() + used_;
      const std::uint8_t* const midi = document.midi.data();
      const std::uint8_t* const units = document.length.data();
      // Eight lanes at a time are one number; what that writes into lanes behind them is written over later.
      if (count <= 8 && used_ + 8 <= kernels::kBatch) {
        for (std::size_t j = 0; j < notes; ++j, pitch += kernels::kBatch, length += kernels::kBatch) {
          constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
          const std::uint64_t pitches = midi[j] * kEach;
          const std::uint64_t lengths = units[j] * kEach;
          std::memcpy(pitch, &pitches, sizeof pitches);
          std::memcpy(length, &lengths, sizeof lengths);
        }
      } else {
        for (std::size_t j = 0; j < notes; ++j, pitch += kernels::kBatch, length += kernels::kBatch) {
          std::memset(pitch, midi[j], count);
          std::memset(length, units[j], count);
        }
      }
      clear(notes, lanes_.columns, used_, used_ + count);
    }
    void clear(std::size_t first, std::size_t last, std::size_t lane, std::size_t end) {
      for (std::size_t j = first; j < last; ++j) {
        std::memset(lanes_.pitch.data() + j * kernels::kBatch + lane, kernels::RoughLengths::kNoPitch, end - lane);
        std::memset(lanes_.length.data() + j * kernels::kBatch + lane, 0, end - lane);
      }
    }

    void flush() {
      if (used_ == 0) return;
      std::uint8_t best[kernels::kBatch];
      kernels::equal_roughly(lanes_, best);
      for (std::size_t lane = 0; lane < used_; ++lane) {
        int& most = found_[owner_[lane]].best;
        most = std::max(most, int{best[lane]});
      }
      used_ = 0;
      lanes_.columns = 0;
    }

    const RoughQuery& query_;
    std::span<Candidate> candidates_;
    kernels::RoughLengths& lanes_;
    std::vector<Found> found_;
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t used_ = 0;
  };

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
        if (lanes_.length.size() < notes * kernels::kBatch) {
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
        double& bound = candidates_[owner_[lane]].bound;
        bound = std::max(bound, exact_score(best[lane], own_.unit_));
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
  std::vector<RoughQuery> rough_;
  PerSegment<Times> times_;
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
