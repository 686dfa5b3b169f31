#include "similarity/systems/mongeau_sankoff.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_overlap.h"
#include "search/kernels/keyed_align.h"

namespace rondo::fast {
namespace {

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
/// of the higher degree is the higher one, also if one key is major and the other minor.)
kernels::KeyedRows::Kind keyed_kind(const Element& element) {
  constexpr int kFar = 100;  // octaves, more than any melody has
  const auto steps = [&](const Element& other, int octaves) {
    return static_cast<std::uint8_t>(mongeau_sankoff::interval(element, other, octaves) / mongeau_sankoff::kWeightStep);
  };
  kernels::KeyedRows::Kind kind;
  kind.pitch = element.rest ? kernels::KeyedColumns::kRest : static_cast<std::int16_t>(element.semitones);
  kind.rest = steps({.rest = true}, 0);
  for (std::size_t code = 0; code < kernels::kKeyedCodes; ++code) {
    kind.above[code] = steps(keyed_codes().notes()[code], kFar);
    kind.below[code] = steps(keyed_codes().notes()[code], -kFar);
  }
  return kind;
}

/// Lengths as what they cost: kLength thousandths for a whole note, in units of some thousandths, rounded.
class LengthCosts {
 public:
  /// `unit` divides the step of weights, so that these are whole.
  explicit LengthCosts(std::int64_t unit)
      : unit_(unit),
        factor_(static_cast<double>(mongeau_sankoff::kLength) / static_cast<double>(Segment::kTicks * unit)) {}

  /// Exactly, for ticks of the segments' grid.
  [[nodiscard]] double exact(double ticks) const { return ticks * factor_; }
  /// Rounded; adds to `error` what was lost or won.
  [[nodiscard]] std::uint16_t rounded(double ticks, double& error) const {
    const double wanted = exact(ticks);
    const auto whole = static_cast<std::int32_t>(wanted + 0.5);
    error += std::abs(wanted - whole);
    return static_cast<std::uint16_t>(whole);
  }
  [[nodiscard]] std::uint16_t weight_step() const {
    return static_cast<std::uint16_t>(mongeau_sankoff::kWeightStep / unit_);
  }
  /// The score of so many units.
  [[nodiscard]] double score(double units) const { return -units * static_cast<double>(unit_) / 1000; }

 private:
  std::int64_t unit_;
  double factor_;
};

/// For Mongeau-Sankoff, an edit distance of notes heard in one key. Every step of an alignment costs at least
/// kLength times the difference in length between its two sides, so all of them cost at least that of the difference
/// between the whole melodies. Documents that this leaves are aligned, one in each lane, in whole units.
///
/// What comes out is the score if lengths are whole in those units. Otherwise it is off by no more than the lengths
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
    rows_.step = costs_.weight_step();
    for (const Element& element : query_.elements) {
      if (!element.rest)
        classes_[static_cast<std::size_t>(element.semitones % 12)] += static_cast<double>(element.duration);
      rows_.length.push_back(costs_.rounded(in_segment_ticks(element.duration, grid), error_));
      const kernels::KeyedRows::Kind kind = keyed_kind(element);
      const auto known = std::find_if(rows_.kinds.begin(), rows_.kinds.end(),
                                      [&](const auto& other) { return other.pitch == kind.pitch; });
      rows_.kind.push_back(static_cast<std::uint16_t>(known - rows_.kinds.begin()));
      if (known == rows_.kinds.end()) rows_.kinds.push_back(kind);
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
    const TimeUnits units(segment, costs_);
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      const std::int64_t total = units.total(segment, d, run[d]);
      if (total > 0) *bound = raised(costs_.score(costs_.exact(std::abs(static_cast<double>(total) - total_))));
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double /*threshold*/) const override {
    if (!fits_) return;
    const TimeUnits units(segment, costs_);
    Batch batch(*this, candidates);
    for (const Placed& place : by_length(segment, candidates)) {
      if (place.notes.count <= kMostColumns) {
        batch.add(place.candidate, segment, candidates[place.candidate].document, place.notes, units);
      }
    }
    batch.flush();
  }

 private:
  /// What time codes mean, in ticks and in units of cost.
  class TimeUnits {
   public:
    struct Unit {
      std::int32_t ticks = 0;  ///< 0: nothing
      std::uint16_t units = 0;
      double error = 0;
    };
    struct Time {
      bool known = false;
      Unit note;
      Unit rest;  ///< before it
    };
    TimeUnits(const Segment& segment, const LengthCosts& costs) {
      // So that no sum of onsets leaves the grid.
      constexpr std::int32_t kMost = std::int32_t{1} << 19;
      for (std::size_t code = 0; code < times_.size(); ++code) {
        const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code));
        Time& time = times_[code];
        time.known = ticks.duration > 0 && ticks.duration <= kMost && std::abs(ticks.gap) <= kMost;
        if (!time.known ||
            costs.exact(static_cast<double>(ticks.duration) + std::max(0, ticks.gap)) > kernels::kMostKeyedUnits)
          continue;
        time.note = unit(costs, ticks.duration);
        if (ticks.gap > 0) time.rest = unit(costs, ticks.gap);
      }
      for (std::size_t code = 0; code < times_.size(); ++code) {
        ticks_[code] = times_[code].note.ticks + times_[code].rest.ticks;
      }
    }
    [[nodiscard]] const Time& of(std::uint8_t code) const { return times_[code]; }

    /// What a document lasts with the rests between its notes. 0: that is not known, or it, or the bars of its line,
    /// are not whole in the grid of segments; then the grid that the system finds for both melodies may be too coarse
    /// for them, and it rounds. Or it is too long to be aligned.
    [[nodiscard]] std::int64_t total(const Segment& segment, DocumentId document, const Segment::Notes& notes) const {
      const std::uint32_t grid = segment.ticks_per_whole(document);
      if (grid == 0 || Segment::kTicks % grid != 0) return 0;
      const std::uint8_t* const codes = segment.time_codes(notes).data();
      std::int64_t sum = 0;
      bool known = true;
      for (std::size_t i = 0, count = notes.count; i < count; ++i) {
        sum += ticks_[codes[i]];
        known &= ticks_[codes[i]] != 0;
      }
      return known ? sum - times_[codes[0]].rest.ticks : 0;
    }

   private:
    static Unit unit(const LengthCosts& costs, std::int32_t ticks) {
      Unit out;
      out.ticks = ticks;
      out.units = costs.rounded(ticks, out.error);
      return out;
    }
    std::array<Time, 256> times_{};
    std::array<std::int32_t, 256> ticks_{};  ///< of note and rest together
  };

  /// What the notes of each MIDI number are in each key, as the kernel wants it.
  struct KeyTable {
    KeyTable() {
      for (int tonic = 0; tonic < 12; ++tonic) {
        for (const bool minor : {false, true}) {
          for (int midi = 0; midi < kMidiPitches; ++midi) {
            const int semitone = (midi - tonic + 12) % 12;
            const int degree = mongeau_sankoff::degree_of(semitone, minor);
            const Element note{.semitones = semitone, .degree = degree, .on_scale = degree >= 0};
            of({tonic, minor})[static_cast<std::size_t>(midi)] =
                kernels::KeyedColumns::coded(keyed_codes().code_of(note));
          }
        }
      }
    }
    using Codes = std::array<std::uint16_t, kMidiPitches>;
    [[nodiscard]] Codes& of(const KeyGuess& key) {
      return codes[static_cast<std::size_t>(key.tonic) * 2 + (key.minor ? 1 : 0)];
    }
    std::array<Codes, 24> codes{};
  };
  static const KeyTable::Codes& codes_in(const KeyGuess& key) {
    static KeyTable table;
    return table.of(key);
  }

  /// Documents, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const KeyedNotes& own, std::span<Candidate> candidates)
        : own_(own), candidates_(candidates), columns_(scratch()) {
      columns_.columns = 0;
    }

    /// A document as the system hears it, unless it cannot be aligned in 16 bits or is not known.
    void add(std::size_t candidate, const Segment& segment, DocumentId document, const Segment::Notes& notes,
             const TimeUnits& units) {
      const std::int64_t total = units.total(segment, document, notes);
      // Half a unit for every note and rest is more than rounding can add.
      if (total == 0 || own_.costs_.exact(static_cast<double>(total)) + notes.count > kernels::kMostKeyedUnits) return;
      thread_local std::vector<std::uint8_t> midi;
      if (!read_pitches(segment, notes, midi)) return;
      const std::uint8_t* const codes = segment.time_codes(notes).data();

      std::array<std::int32_t, kMidiPitches> on_pitch;  // ticks; only what is in reach is cleared
      const auto [low, high] = std::minmax_element(midi.begin(), midi.end());
      const int lowest = *low;
      std::fill(on_pitch.begin() + lowest, on_pitch.begin() + *high + 1, 0);
      std::size_t rests = 0;
      for (std::size_t i = 0; i < midi.size(); ++i) {
        const TimeUnits::Time& time = units.of(codes[i]);
        on_pitch[midi[i]] += time.note.ticks;
        rests += time.rest.ticks > 0 ? 1 : 0;
      }
      rests -= units.of(codes[0]).rest.ticks > 0 ? 1 : 0;
      mongeau_sankoff::ClassTimes<double> classes{};
      std::int64_t sounding = 0;
      std::int64_t moment = 0;
      for (int p = lowest; p <= *high; ++p) {
        const std::int64_t ticks = on_pitch[static_cast<std::size_t>(p)];
        classes[static_cast<std::size_t>(p % 12)] += static_cast<double>(ticks);
        sounding += ticks;
        moment += ticks * p;
      }
      const KeyGuess key{mongeau_sankoff::common_tonic(own_.classes_, classes, midi[0] % 12), own_.minor_};
      const int tonic = lowest - (lowest - key.tonic + 12) % 12;
      Sequence heard;
      heard.mean = static_cast<double>(moment - sounding * tonic) / static_cast<double>(sounding);
      const int up = 12 * mongeau_sankoff::octaves_between(own_.query_, heard) - tonic;

      const std::size_t elements = midi.size() + rests;
      make_room(elements);
      const KeyTable::Codes& in_key = codes_in(key);
      double error = own_.error_;
      std::size_t at = used_;
      for (std::size_t i = 0; i < midi.size(); ++i) {
        const TimeUnits::Time& time = units.of(codes[i]);
        if (i > 0 && time.rest.ticks > 0) {
          columns_.length[at] = time.rest.units;
          columns_.pitch[at] = kernels::KeyedColumns::kRest;
          columns_.code[at] = kernels::KeyedColumns::kNoCode;
          error += time.rest.error;
          at += kernels::kBatch;
        }
        columns_.length[at] = time.note.units;
        columns_.pitch[at] = static_cast<std::int16_t>(midi[i] + up);
        columns_.code[at] = in_key[midi[i]];
        error += time.note.error;
        at += kernels::kBatch;
      }
      clear(elements, columns_.columns, used_, used_ + 1);
      owner_[used_] = {candidate, error};
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      // Lanes that are not used hold what an earlier batch left there.
      clear(0, columns_.columns, used_, kernels::kBatch);
      std::uint16_t cost[kernels::kBatch];
      kernels::keyed_align(own_.rows_, columns_, cost);
      for (std::size_t lane = 0; lane < used_; ++lane) {
        double& bound = candidates_[owner_[lane].candidate].bound;
        const double units = std::max(0.0, cost[lane] - owner_[lane].error);
        bound = std::min<double>(bound, raised(own_.costs_.score(units)));
      }
      used_ = 0;
      columns_.columns = 0;
    }

   private:
    struct Owner {
      std::size_t candidate = 0;
      double error = 0;  ///< units that the cost may be off by
    };
    static kernels::KeyedColumns& scratch() {
      thread_local kernels::KeyedColumns columns;
      return columns;
    }
    void make_room(std::size_t columns) {
      if (columns <= columns_.columns) return;
      const std::size_t needed = std::max(columns_.pitch.size(), columns * kernels::kBatch);
      columns_.pitch.resize(needed);
      columns_.code.resize(needed);
      columns_.length.resize(needed);
      clear(columns_.columns, columns, 0, used_);
      columns_.columns = columns;
    }
    /// Columns [first, last) of lanes [lane, end) hold nothing.
    void clear(std::size_t first, std::size_t last, std::size_t lane, std::size_t end) {
      for (std::size_t j = first; j < last; ++j) {
        for (std::size_t at = j * kernels::kBatch + lane; at < j * kernels::kBatch + end; ++at) {
          columns_.pitch[at] = kernels::KeyedColumns::kNothing;
          columns_.code[at] = kernels::KeyedColumns::kNoCode;
          columns_.length[at] = 0;
        }
      }
    }

    const KeyedNotes& own_;
    std::span<Candidate> candidates_;
    kernels::KeyedColumns& columns_;
    Owner owner_[kernels::kBatch];
    std::size_t used_ = 0;
  };

  Sequence query_;
  bool minor_;  ///< the query's mode, in which documents are heard too
  /// In ticks; exact in doubles, for what is aligned lasts less than 2^23 ticks.
  mongeau_sankoff::ClassTimes<double> classes_{};
  double total_;  ///< in ticks of the segments' grid
  LengthCosts costs_;
  bool fits_;
  double error_ = 0;  ///< units, of the query's lengths together
  kernels::KeyedRows rows_;
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
    const LengthCosts costs(unit);
    // So that documents of twice its length, too, can be aligned.
    const bool fits = costs.exact(total) <= kernels::kMostKeyedUnits / 2.0;
    if (!fits && unit != kCoarsest) continue;
    return std::make_unique<KeyedNotes>(std::move(*query), grid, key.minor, costs, task.shortest, fits);
  }
  return nullptr;
}

}  // namespace rondo::fast
