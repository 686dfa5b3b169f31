#include "similarity/systems/mongeau_sankoff.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "search/fast/bound_filter.h"
#include "search/fast/per_segment.h"
#include "search/fast/pitch_overlap.h"
#include "search/index/pitch_histograms.h"
#include "search/kernels/common_tonic.h"
#include "search/kernels/keyed_align.h"

namespace rondo::fast {
namespace {

using index::PitchHistograms;
using mongeau_sankoff::Element;
using mongeau_sankoff::Sequence;

/// Notes by where they stand in the octave above the tonic and whether they are on the scale; in a major and a minor
/// key together there are sixteen such. If it is on the scale then its degree is the same in both.
class KeyedCodes {
 public:
  KeyedCodes() {
    for (int semitone = 0; semitone < 12; ++semitone) {
      for (const bool minor : {false, true}) {
        const int degree = mongeau_sankoff::degree_of(semitone, minor);
        const Element note{.semitones = semitone, .degree = degree, .on_scale = degree >= 0};
        std::size_t& code = codes_[place(note)];
        if (code != kNone) continue;
        code = notes_.size();
        notes_.push_back(note);
      }
    }
  }
  [[nodiscard]] std::size_t code_of(const Element& note) const { return codes_[place(note)]; }
  /// A note of each code, in the octave above the tonic.
  [[nodiscard]] const std::vector<Element>& notes() const { return notes_; }

 private:
  static constexpr std::size_t kNone = kernels::kKeyedCodes;
  static std::size_t place(const Element& note) {
    return static_cast<std::size_t>(note.semitones % 12) * 2 + (note.on_scale ? 1 : 0);
  }
  std::array<std::size_t, 24> codes_ = [] {
    std::array<std::size_t, 24> none{};
    none.fill(kNone);
    return none;
  }();
  std::vector<Element> notes_;
};

const KeyedCodes& keyed_codes() {
  static const KeyedCodes codes;
  return codes;
}

/// A weight depends on the code of the document's note, and on which of the two is higher, but not on how far apart
/// they are: for intervals are taken modulo the octave after their sign was dropped. (Of two notes on the scale the one
/// of the higher degree is the higher one, also if one key is major and the other minor.) `steps(w)` is a weight in
/// thousandths as it stands in a table.
template <typename Unit, typename Steps>
typename kernels::KeyedRowsOf<Unit>::Kind keyed_kind(const Element& element, const Steps& steps) {
  constexpr int kFar = 100;  // octaves, more than any melody has
  const auto weight = [&](const Element& other, int octaves) {
    return static_cast<std::uint8_t>(steps(mongeau_sankoff::interval(element, other, octaves)));
  };
  typename kernels::KeyedRowsOf<Unit>::Kind kind;
  using Pitch = typename kernels::KeyedRowsOf<Unit>::Pitch;
  kind.pitch = element.rest ? kernels::KeyedColumnsOf<Unit>::kRest : static_cast<Pitch>(element.semitones);
  kind.rest = weight({.rest = true}, 0);
  for (std::size_t code = 0; code < kernels::kKeyedCodes; ++code) {
    kind.above[code] = weight(keyed_codes().notes()[code], kFar);
    kind.below[code] = weight(keyed_codes().notes()[code], -kFar);
  }
  return kind;
}

/// Lengths as what they cost: kLength thousandths for a whole note, in units of some thousandths, rounded.
class LengthCosts {
 public:
  explicit LengthCosts(double unit)
      : unit_(unit), factor_(static_cast<double>(mongeau_sankoff::kLength) / (Segment::kTicks * unit)) {}

  /// Exactly, for ticks of the segments' grid.
  [[nodiscard]] double exact(double ticks) const { return ticks * factor_; }
  /// Rounded; adds to `error` what was lost or won.
  [[nodiscard]] std::int32_t rounded(double ticks, double& error) const {
    const double wanted = exact(ticks);
    const auto whole = static_cast<std::int32_t>(wanted + 0.5);
    error += std::abs(wanted - whole);
    return whole;
  }
  /// Thousandths.
  [[nodiscard]] double unit() const { return unit_; }
  /// The score of so many units.
  [[nodiscard]] double score(double units) const { return -units * unit_ / 1000; }

 private:
  double unit_;
  double factor_;
};

/// A query in units of some thousandths, as many as fit `Unit`.
template <typename Unit>
struct KeyedQuery {
  LengthCosts costs;
  double error = 0;  ///< units, of its lengths together
  kernels::KeyedRowsOf<Unit> rows;

  /// Elements with `grid` ticks to a whole note. Weights are rounded down where the unit does not divide them.
  KeyedQuery(const Sequence& query, const LengthCosts& length_costs, double grid) : costs(length_costs) {
    const bool by_step = sizeof(Unit) > 1;  // else step 1
    const double step = by_step ? static_cast<double>(mongeau_sankoff::kWeightStep) : costs.unit();
    if (by_step) rows.step = static_cast<Unit>(step / costs.unit());
    for (const Element& element : query.elements) {
      const double ticks = static_cast<double>(element.duration * Segment::kTicks) / grid;
      rows.length.push_back(static_cast<Unit>(costs.rounded(ticks, error)));
      const auto kind = keyed_kind<Unit>(
          element, [&](std::int64_t weight) { return std::floor(static_cast<double>(weight) / step); });
      const auto known = std::find_if(rows.kinds.begin(), rows.kinds.end(),
                                      [&](const auto& other) { return other.pitch == kind.pitch; });
      rows.kind.push_back(static_cast<std::uint16_t>(known - rows.kinds.begin()));
      if (known == rows.kinds.end()) rows.kinds.push_back(kind);
    }
  }
};

/// What time codes mean, in units.
template <typename Unit>
struct KeyedTimes {
  struct Code {
    Unit note = 0;
    Unit rest = 0;  ///< before it
    bool fits = false;
    bool has_rest = false;
    std::uint16_t note_error = 0;  ///< in kErrorSteps, rounded up
    std::uint16_t rest_error = 0;
  };
  /// Parts of a unit. An error is half of one at most.
  static constexpr double kErrorSteps = 1 << 14;
  std::array<Code, 256> codes{};

  KeyedTimes(const Segment& segment, const LengthCosts& costs, std::int32_t most) {
    for (std::size_t c = 0; c < codes.size(); ++c) {
      const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(c));
      const std::int32_t gap = std::max(0, ticks.gap);
      if (ticks.duration <= 0 || costs.exact(static_cast<double>(ticks.duration) + gap) > most) continue;
      double note_error = 0;
      double rest_error = 0;
      codes[c].note = static_cast<Unit>(costs.rounded(ticks.duration, note_error));
      codes[c].rest = static_cast<Unit>(costs.rounded(gap, rest_error));
      codes[c].fits = true;
      codes[c].has_rest = gap > 0;
      codes[c].note_error = static_cast<std::uint16_t>(std::ceil(note_error * kErrorSteps));
      codes[c].rest_error = static_cast<std::uint16_t>(std::ceil(rest_error * kErrorSteps));
    }
  }
};

/// For Mongeau-Sankoff, an edit distance of notes heard in one key. Every step of an alignment costs at least
/// kLength times the difference in length between its two sides, so all of them cost at least that of the difference
/// between the whole melodies. Documents that this leaves are aligned, one in each lane: as soon as there is a
/// threshold in bytes, and those that may reach it in 16 bits.
///
/// What comes out is the score if lengths are whole in the unit. Otherwise it is off by no more than the lengths
/// are: each belongs to one step, the cost of which changes by no more than the length does. (Two notes of equal length
/// and pitch, which cost nothing, are still of equal length. Two that become so by rounding cost too little, which a
/// bound may.) Runs that are not tried are never cheaper, whatever the lengths.
class KeyedNotes final : public BoundFilter {
 public:
  /// A melody with `grid` ticks to a whole note, heard in its key. `fits`: it can be aligned in 16 bits; else only the
  /// difference in length rules documents out, which then is large.
  KeyedNotes(Sequence query, std::int64_t grid, bool minor, const LengthCosts& costs, std::size_t shortest, bool fits)
      : BoundFilter(shortest),
        query_(std::move(query)),
        minor_(minor),
        total_(in_segment_ticks(total_of(query_), grid)),
        costs_(costs),
        fits_(fits) {
    if (!fits_) return;
    for (const Element& element : query_.elements) {
      if (!element.rest)
        tonic_.time[static_cast<std::size_t>(element.semitones % 12)] += static_cast<double>(element.duration);
    }
    for (const double time : tonic_.time) tonic_.total += time;
    exact_.emplace(query_, costs_, static_cast<double>(grid));
    for (const int units : kRoughSixteenths) {
      const LengthCosts rough(static_cast<double>(mongeau_sankoff::kLength) / (16.0 * units));
      const auto too_much = [&](const Element& element) {
        return element.semitones > kMostRoughPitch ||
               rough.exact(in_segment_ticks(element.duration, grid)) > kernels::kMostRoughUnits;
      };
      if (std::any_of(query_.elements.begin(), query_.elements.end(), too_much)) continue;
      rough_.emplace_back(query_, rough, static_cast<double>(grid));
    }
  }
  [[nodiscard]] static std::int64_t total_of(const Sequence& sequence) {
    std::int64_t total = 0;
    for (const Element& element : sequence.elements) total += element.duration;
    return total;
  }
  /// In ticks of the segments' grid; whole where it can be, so that equal lengths stay equal.
  [[nodiscard]] static double in_segment_ticks(std::int64_t ticks, std::int64_t grid) {
    return static_cast<double>(ticks * Segment::kTicks) / static_cast<double>(grid);
  }
  static constexpr std::size_t kMostRows = 1000;    ///< notes of a query
  static constexpr std::size_t kMostColumns = 300;  ///< notes of a document that is aligned

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes == 0 || notes > mongeau_sankoff::kLongest) return;
    const TimeTicks& ticks = times_of(segment).ticks;
    const Segment::RunNotes run(segment, begin);
    const PitchHistograms* const kept = segment.cut(begin) ? nullptr : segment.histograms();
    std::uint32_t grid = 0;  // of the document before
    bool whole = false;
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      if (kept != nullptr && kept->document(d).known && kept->document(d).on_grid) {
        const PitchHistograms::Document& own = kept->document(d);
        if (costs_.exact(own.longest) > kernels::kMostKeyedUnits) continue;
        *bound = raised(costs_.score(costs_.exact(std::abs(static_cast<double>(own.total) - total_))));
        continue;
      }
      if (segment.ticks_per_whole(d) != grid) {
        grid = segment.ticks_per_whole(d);
        whole = TimeTicks::whole(grid);
      }
      const std::int64_t total = ticks.total(segment, run[d]);
      if (whole && total > 0)
        *bound = raised(costs_.score(costs_.exact(std::abs(static_cast<double>(total) - total_))));
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    if (!fits_) return;
    const Times& times = times_of(segment);
    const PitchHistograms* const kept = segment.histograms();
    for (std::size_t c = 0; kept != nullptr && c < candidates.size(); ++c) kept->announce(candidates[c].document);
    const std::span<const Placed> places = by_length(segment, candidates);
    thread_local std::vector<Hearing> all_hearings;
    std::vector<Hearing>& hearings = all_hearings;
    const auto is_taken = [&](const Placed& place) {
      const Candidate& candidate = candidates[place.candidate];
      // What has no bound is not known, or not whole.
      return place.notes.count <= kMostColumns && std::isfinite(candidate.bound) && candidate.bound >= threshold;
    };
    const auto is_kept = [&](const Placed& place) {
      const DocumentId d = candidates[place.candidate].document;
      return kept != nullptr && kept->document(d).known && !segment.cut(d);
    };
    const auto align_all = [&](auto&& batch) {
      const auto is_heard = [&](const Placed& place) { return is_taken(place) && is_kept(place); };
      if (kept != nullptr) hear_kept(segment, *kept, places, candidates, is_heard, hearings);
      for (std::size_t p = 0; p < places.size(); ++p) {
        if (!is_taken(places[p])) continue;
        batch.add(places[p].candidate, segment, places[p].notes, times.ticks,
                  is_kept(places[p]) ? &hearings[p] : nullptr);
      }
      batch.flush();
    };
    const std::size_t level = rough_level(threshold);
    if (level < rough_.size()) {
      align_all(Batch<std::uint8_t>(*this, rough_[level], times.rough[level], candidates, -1000 * threshold));
    }
    align_all(Batch<std::uint16_t>(*this, *exact_, times.exact, candidates, 0));
  }

 private:
  /// Units of a sixteenth in bytes, finer ones first. Nearly all lengths are whole in them, and weights nearly so.
  static constexpr std::array<int, 5> kRoughSixteenths = {28, 14, 7, 4, 2};
  /// Pitches of bytes: what is beyond the query's is told from it, and no more need be known.
  static constexpr int kMostRoughPitch = 100;
  static constexpr int kLeastRoughColumn = -20;
  static constexpr int kMostRoughColumn = 120;

  /// The finest unit in which bytes hold the cost of what reaches the threshold; as many as there are if none does.
  [[nodiscard]] std::size_t rough_level(double threshold) const {
    constexpr double kRoom = 20;  // for rounding
    const double cost = -1000 * threshold;
    std::size_t level = 0;
    while (level < rough_.size() && !(cost <= (255 - kRoom) * rough_[level].costs.unit())) ++level;
    return level;
  }

  /// What time codes mean, in ticks.
  class TimeTicks {
   public:
    struct Code {
      std::int32_t note = 0;   ///< 0: not known, or too long
      std::int32_t rest = 0;   ///< before it
      std::int32_t small = 0;  ///< the note in kSmall ticks; below 0 where it is not whole in them
    };
    /// Triplets of sixty-fourths: numbers are small in it, and nearly all lengths whole.
    static constexpr std::int32_t kSmall = static_cast<std::int32_t>(Segment::kTicks) / 192;

    TimeTicks(const Segment& segment, const LengthCosts& costs) {
      // So that no sum of onsets leaves the grid.
      constexpr std::int32_t kMost = std::int32_t{1} << 19;
      both_.fill(kUnknownTotal);
      for (std::size_t c = 0; c < codes_.size(); ++c) {
        const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(c));
        const bool known = ticks.duration > 0 && ticks.duration <= kMost && std::abs(ticks.gap) <= kMost;
        const std::int32_t rest = std::max(0, ticks.gap);
        if (!known || costs.exact(static_cast<double>(ticks.duration) + rest) > kernels::kMostKeyedUnits) continue;
        codes_[c] = {ticks.duration, rest, ticks.duration % kSmall == 0 ? ticks.duration / kSmall : -1};
        both_[c] = ticks.duration + rest;
      }
    }
    [[nodiscard]] const Code& of(std::uint8_t code) const { return codes_[code]; }

    /// Whether a document, and the bars of its line, are whole in the grid of segments. Otherwise the grid that the
    /// system finds for both melodies may be too coarse for them, and it rounds.
    [[nodiscard]] static bool whole(std::uint32_t grid) {
      static const std::vector<bool> divides = [] {
        std::vector<bool> out(Segment::kTicks + 1);
        for (std::int64_t part = 1; part <= Segment::kTicks; ++part) {
          out[static_cast<std::size_t>(part)] = Segment::kTicks % part == 0;
        }
        return out;
      }();
      return grid < divides.size() && divides[grid];
    }

    /// What a document lasts with the rests between its notes. 0 or less: that is not known, or too long to be aligned.
    [[nodiscard]] std::int64_t total(const Segment& segment, const Segment::Notes& notes) const {
      const std::uint8_t* const codes = segment.time_codes(notes).data();
      const std::int64_t* const both = both_.data();
      std::int64_t sum = 0;
      for (std::size_t i = 0, count = notes.count; i < count; ++i) sum += both[codes[i]];
      return sum - codes_[codes[0]].rest;
    }

   private:
    static constexpr std::int64_t kUnknownTotal = -(std::int64_t{1} << 50);
    std::array<Code, 256> codes_{};
    std::array<std::int64_t, 256> both_{};
  };

  /// What the times of a segment are in all these units.
  struct Times {
    TimeTicks ticks;
    KeyedTimes<std::uint16_t> exact;
    std::vector<KeyedTimes<std::uint8_t>> rough;
  };
  [[nodiscard]] const Times& times_of(const Segment& segment) const {
    return times_.of(segment, [&] {
      Times out{TimeTicks(segment, costs_), KeyedTimes<std::uint16_t>(segment, costs_, kernels::kMostKeyedUnits), {}};
      for (const auto& level : rough_) out.rough.emplace_back(segment, level.costs, kernels::kMostRoughUnits);
      return out;
    });
  }

  /// What the notes of each MIDI number are in each key, as the kernel wants it.
  struct KeyTable {
    KeyTable() {
      for (int tonic = 0; tonic < 12; ++tonic) {
        for (const bool minor : {false, true}) {
          for (int midi = 0; midi < kMidiPitches; ++midi) {
            const int semitone = (midi - tonic + 12) % 12;
            const int degree = mongeau_sankoff::degree_of(semitone, minor);
            const Element note{.semitones = semitone, .degree = degree, .on_scale = degree >= 0};
            of({tonic, minor})[static_cast<std::size_t>(midi)] = static_cast<std::uint8_t>(keyed_codes().code_of(note));
          }
        }
      }
    }
    using Codes = std::array<std::uint8_t, kMidiPitches>;
    [[nodiscard]] Codes& of(const KeyGuess& key) {
      return codes[static_cast<std::size_t>(key.tonic) * 2 + (key.minor ? 1 : 0)];
    }
    std::array<Codes, 24> codes{};
  };
  static const KeyTable::Codes& codes_in(const KeyGuess& key) {
    static KeyTable table;
    return table.of(key);
  }

  /// How the system hears a document.
  struct Hearing {
    std::size_t elements = 0;  ///< notes, and rests between them
    int up = 0;                ///< added to a MIDI number it is in semitones as the query's are
    int low = 0;               ///< pitches in semitones, from the lowest
    int high = 0;              ///< to the highest
    const KeyTable::Codes* in_key = nullptr;
  };
  /// Of those documents of which the histogram is known: so all their pitches have codes. In three loops: a tonic is a
  /// long chain of operations, and those of several documents overlap only if little else comes between them.
  template <typename IsTaken>
  void hear_kept(const Segment& segment, const PitchHistograms& kept, std::span<const Placed> places,
                 std::span<const Candidate> candidates, const IsTaken& is_taken, std::vector<Hearing>& out) const {
    static_assert(PitchHistograms::kPitches == kernels::PitchTicks::kPitches);
    thread_local std::vector<kernels::PitchTicks> pitches;
    thread_local std::vector<std::uint32_t> taken;
    thread_local std::vector<std::uint8_t> tonics;
    pitches.clear();
    taken.clear();
    const std::int16_t* const midi = segment.midi_by_code().data();
    for (std::uint32_t p = 0; p < places.size(); ++p) {
      if (!is_taken(places[p])) continue;
      const DocumentId d = candidates[places[p].candidate].document;
      const PitchHistograms::Document& own = kept.document(d);
      const int first = midi[segment.pitch_codes(places[p].notes)[0]] - own.low;
      pitches.push_back({kept.row(d).time.data(), own.sounding, kPitchClass[static_cast<std::size_t>(first)]});
      taken.push_back(p);
    }
    tonics.resize(pitches.size());
    kernels::common_tonics(tonic_, pitches, tonics.data());
    out.resize(places.size());
    for (std::size_t t = 0; t < taken.size(); ++t) {
      const Placed& place = places[taken[t]];
      const PitchHistograms::Document& own = kept.document(candidates[place.candidate].document);
      const int tonic = kPitchClass[std::size_t{tonics[t]} + own.low];
      out[taken[t]] = heard_from(tonic, own.sounding, own.moment, {own.low, own.high}, place.notes.count + own.rests);
    }
  }
  /// Of another one, the pitches of which it reads. False: they are not those of MIDI. All times are known.
  [[nodiscard]] bool hear(const Segment& segment, const Segment::Notes& notes, const TimeTicks& ticks,
                          std::vector<std::uint8_t>& pitches, Hearing& out) const {
    PitchRange range;
    pitches.resize(notes.count);
    if (!read_pitches(segment, notes, pitches.data(), range)) return false;
    kernels::ClassTicks classes{};
    std::int64_t sounding = 0;
    std::int64_t moment = 0;
    std::size_t rests = 0;
    const std::uint8_t* const midi = pitches.data();
    const std::uint8_t* const codes = segment.time_codes(notes).data();
    // In small numbers, or else in ticks: what matters are proportions.
    const auto take = [&](auto length_of) {
      std::int32_t all = 0;
      for (std::size_t i = 0, count = notes.count; i < count; ++i) {
        const TimeTicks::Code& time = ticks.of(codes[i]);
        const std::int32_t length = length_of(time);
        all |= length;
        classes.time[kPitchClass[midi[i]]] += length;
        sounding += length;
        moment += std::int64_t{length} * midi[i];
        rests += time.rest > 0 ? 1 : 0;
      }
      return all >= 0;
    };
    if (!take([](const TimeTicks::Code& time) { return time.small; })) {
      classes = {};
      sounding = moment = 0;
      rests = 0;
      (void)take([](const TimeTicks::Code& time) { return time.note; });
    }
    rests -= ticks.of(codes[0]).rest > 0 ? 1 : 0;
    const int tonic = kernels::common_tonic(tonic_, classes, kPitchClass[midi[0]]);
    out = heard_from(tonic, sounding, moment, range, notes.count + rests);
    return true;
  }
  /// Of a document with this tonic, a pitch class.
  [[nodiscard]] Hearing heard_from(int tonic, std::int64_t sounding, std::int64_t moment, PitchRange range,
                                   std::size_t elements) const {
    const int lowest_tonic = range.low - kPitchClass[static_cast<std::size_t>(range.low - tonic + 12)];
    const double mean = static_cast<double>(moment - sounding * lowest_tonic) / static_cast<double>(sounding);
    const int up = 12 * mongeau_sankoff::octaves_between(query_.mean, mean) - lowest_tonic;
    return {elements, up, range.low + up, range.high + up, &codes_in({tonic, minor_})};
  }
  /// Of MIDI numbers, and of the octave above them.
  static constexpr std::array<std::uint8_t, kMidiPitches + 12> kPitchClass = [] {
    std::array<std::uint8_t, kMidiPitches + 12> classes{};
    for (std::size_t p = 0; p < classes.size(); ++p) classes[p] = static_cast<std::uint8_t>(p % 12);
    return classes;
  }();

  /// Documents, aligned as soon as there are enough.
  template <typename Unit>
  class Batch {
   public:
    using Columns = kernels::KeyedColumnsOf<Unit>;
    /// `limit`: thousandths of cost beyond which it need not be known, in bytes.
    Batch(const KeyedNotes& own, const KeyedQuery<Unit>& query, const KeyedTimes<Unit>& times,
          std::span<Candidate> candidates, double limit)
        : own_(own), query_(query), times_(times), candidates_(candidates), limit_(limit), columns_(scratch()) {
      columns_.columns = 0;
    }

    /// Takes a document, unless it cannot be aligned in such numbers or is not known. `hearing`: null where its
    /// histogram is not known.
    void add(std::size_t candidate, const Segment& segment, const Segment::Notes& notes, const TimeTicks& ticks,
             const Hearing* hearing) {
      if constexpr (sizeof(Unit) > 1) {
        // Half a unit for every note and rest is more than rounding can add.
        const auto total = static_cast<double>(ticks.total(segment, notes));
        if (query_.costs.exact(total) + notes.count > kernels::kMostKeyedUnits) return;
      }
      if (hearing != nullptr) {
        const std::int16_t* const by_code = segment.midi_by_code().data();
        const std::uint8_t* const pitches = segment.pitch_codes(notes).data();
        return put(candidate, segment, notes, *hearing, [=](std::size_t i) { return by_code[pitches[i]]; });
      }
      Hearing own;
      if (!own_.hear(segment, notes, ticks, midi_, own)) return;
      put(candidate, segment, notes, own, [midi = midi_.data()](std::size_t i) { return int{midi[i]}; });
    }

    void flush() {
      if (used_ == 0) return;
      // Lanes that are not used hold what an earlier batch left there.
      columns_.clear(0, columns_.columns, used_, kernels::kBatch);
      Unit cost[kernels::kBatch];
      if constexpr (sizeof(Unit) > 1) {
        kernels::keyed_align(query_.rows, columns_, cost);
      } else {
        double error = 0;
        for (std::size_t lane = 0; lane < used_; ++lane) error = std::max(error, owner_[lane].error);
        const double limit = std::min(254.0, std::floor(limit_ / query_.costs.unit() + error) + 1);
        kernels::keyed_roughly(query_.rows, columns_, static_cast<std::uint8_t>(limit), cost);
      }
      for (std::size_t lane = 0; lane < used_; ++lane) {
        double& bound = candidates_[owner_[lane].candidate].bound;
        const double units = std::max(0.0, cost[lane] - owner_[lane].error);
        bound = std::min<double>(bound, raised(query_.costs.score(units)));
      }
      used_ = 0;
      columns_.columns = 0;
    }

   private:
    /// Lays the elements of a document into the next lane; `midi_of(i)` is the MIDI number of note i.
    template <typename MidiOf>
    void put(std::size_t candidate, const Segment& segment, const Segment::Notes& notes, const Hearing& hearing,
             const MidiOf& midi_of) {
      // Nearly all fit as they are.
      if (sizeof(Unit) == 1 && (hearing.low < kLeastRoughColumn || hearing.high > kMostRoughColumn)) {
        put_moved(candidate, segment, notes, hearing, midi_of,
                  [up = hearing.up](int midi) { return std::clamp(midi + up, kLeastRoughColumn, kMostRoughColumn); });
      } else {
        put_moved(candidate, segment, notes, hearing, midi_of, [up = hearing.up](int midi) { return midi + up; });
      }
    }
    template <typename MidiOf, typename Semitones>
    void put_moved(std::size_t candidate, const Segment& segment, const Segment::Notes& notes, const Hearing& hearing,
                   const MidiOf& midi_of, const Semitones& semitones) {
      columns_.make_room(hearing.elements, used_);
      // Local variables, for the reason that read_pitches has.
      const std::uint8_t* const codes = segment.time_codes(notes).data();
      const std::uint8_t* const in_key = hearing.in_key->data();
      const typename KeyedTimes<Unit>::Code* const times = times_.codes.data();
      Unit* length = columns_.length.data() + used_;
      typename Columns::Pitch* pitch = columns_.pitch.data() + used_;
      Unit* code = columns_.code.data() + used_;
      const auto put_element = [&](Unit units, typename Columns::Pitch at, Unit coded) {
        *length = units;
        *pitch = at;
        *code = coded;
        length += kernels::kBatch;
        pitch += kernels::kBatch;
        code += kernels::kBatch;
      };
      std::uint32_t error = 0;
      bool fits = true;
      for (std::size_t i = 0, count = notes.count; i < count; ++i) {
        const typename KeyedTimes<Unit>::Code& time = times[codes[i]];
        fits &= time.fits;
        if (time.has_rest && i > 0) {
          put_element(time.rest, Columns::kRest, Columns::kNoCode);
          error += time.rest_error;
        }
        const int midi = midi_of(i);
        put_element(time.note, static_cast<typename Columns::Pitch>(semitones(midi)), Columns::coded(in_key[midi]));
        error += time.note_error;
      }
      if (!fits) return;
      columns_.clear(hearing.elements, columns_.columns, used_, used_ + 1);
      // And something for the rounding of these numbers themselves.
      owner_[used_] = {candidate, query_.error + error / KeyedTimes<Unit>::kErrorSteps + 1e-3};
      if (++used_ == kernels::kBatch) flush();
    }

    struct Owner {
      std::size_t candidate = 0;
      double error = 0;  ///< units that the cost may be off by
    };
    static Columns& scratch() {
      thread_local Columns columns;
      return columns;
    }
    static std::vector<std::uint8_t>& midi_scratch() {
      thread_local std::vector<std::uint8_t> midi;
      return midi;
    }

    const KeyedNotes& own_;
    const KeyedQuery<Unit>& query_;
    const KeyedTimes<Unit>& times_;
    std::span<Candidate> candidates_;
    double limit_;
    Columns& columns_;
    std::vector<std::uint8_t>& midi_ = midi_scratch();
    Owner owner_[kernels::kBatch];
    std::size_t used_ = 0;
  };

  Sequence query_;
  bool minor_;                 ///< the query's mode, in which documents are heard too
  kernels::TonicQuery tonic_;  ///< in ticks; exact in doubles, for what is aligned lasts less than 2^23 ticks
  double total_;               ///< in ticks of the segments' grid
  LengthCosts costs_;
  bool fits_;
  std::optional<KeyedQuery<std::uint16_t>> exact_;
  std::vector<KeyedQuery<std::uint8_t>> rough_;  ///< finer ones first
  PerSegment<Times> times_;
};

/// Nothing: it cannot be aligned.
std::optional<Sequence> heard_query(const Line& line, const KeyGuess& key) {
  if (line.size() == 0 || line.size() > KeyedNotes::kMostRows) return std::nullopt;
  // On a finer common grid the system would round.
  if (std::lcm(Segment::kTicks, line.ticks_per_whole) > kFinestGrid) return std::nullopt;
  const auto is_midi = [](int p) { return p >= 0 && p < kMidiPitches; };
  if (!std::all_of(line.pitch.begin(), line.pitch.end(), is_midi)) return std::nullopt;
  Sequence out = mongeau_sankoff::make_sequence(line, key);
  const auto is_long = [&](const Element& element) {
    return element.duration > Segment::kMostTicks / Segment::kTicks * line.ticks_per_whole;
  };
  if (std::any_of(out.elements.begin(), out.elements.end(), is_long)) return std::nullopt;
  return out;
}

}  // namespace

std::unique_ptr<Method> make_method(const MongeauSankoffPlan& /*plan*/, const Task& task) {
  const KeyGuess key = guess_key(task.query);
  std::optional<Sequence> query = heard_query(task.query, key);
  if (!query) return nullptr;
  const std::int64_t grid = task.query.ticks_per_whole;
  const double total = KeyedNotes::in_segment_ticks(KeyedNotes::total_of(*query), grid);
  constexpr std::int64_t kCoarsest = 50;
  for (const std::int64_t unit :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, std::int64_t{10}, std::int64_t{25}, kCoarsest}) {
    const LengthCosts costs(static_cast<double>(unit));
    // So that documents of twice its length, too, can be aligned.
    const bool fits = costs.exact(total) <= kernels::kMostKeyedUnits / 2.0;
    if (!fits && unit != kCoarsest) continue;
    return std::make_unique<KeyedNotes>(std::move(*query), grid, key.minor, costs, task.shortest, fits);
  }
  return nullptr;
}

}  // namespace rondo::fast
