#include "similarity/systems/mongeau_sankoff.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "search/fast/bound_filter.h"
#include "search/fast/per_segment.h"
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
/// of the higher degree is the higher one, also if one key is major and the other minor.) Weights
/// are in steps.
kernels::KeyedRows::Kind keyed_kind(const Element& element) {
  constexpr int kFar = 100;  // octaves, more than any melody has
  const auto weight = [&](const Element& other, int octaves) {
    return static_cast<std::uint8_t>(mongeau_sankoff::interval(element, other, octaves) / mongeau_sankoff::kWeightStep);
  };
  kernels::KeyedRows::Kind kind;
  kind.pitch = element.rest ? kernels::KeyedColumns::kRest : static_cast<std::int16_t>(element.semitones);
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

/// A query in units of some thousandths.
struct KeyedQuery {
  double error = 0;  ///< units, of its lengths together
  kernels::KeyedRows rows;

  /// Elements with `grid` ticks to a whole note. Weights are rounded down where the unit does not divide them.
  KeyedQuery(const Sequence& query, const LengthCosts& costs, double grid) {
    rows.step = static_cast<std::uint16_t>(static_cast<double>(mongeau_sankoff::kWeightStep) / costs.unit());
    for (const Element& element : query.elements) {
      const double ticks = static_cast<double>(element.duration * Segment::kTicks) / grid;
      rows.length.push_back(static_cast<std::uint16_t>(costs.rounded(ticks, error)));
      const kernels::KeyedRows::Kind kind = keyed_kind(element);
      const auto known = std::find_if(rows.kinds.begin(), rows.kinds.end(),
                                      [&](const auto& other) { return other.pitch == kind.pitch; });
      rows.kind.push_back(static_cast<std::uint16_t>(known - rows.kinds.begin()));
      if (known == rows.kinds.end()) rows.kinds.push_back(kind);
    }
  }
};

/// What time codes mean, in ticks and in units.
struct KeyedTimes {
  struct Code {
    std::int32_t note = 0;  ///< ticks; 0: not known, or too long
    std::int32_t rest = 0;  ///< before it
    std::uint16_t note_units = 0;
    std::uint16_t rest_units = 0;
    float note_error = 0;  ///< units
    float rest_error = 0;
  };
  std::array<Code, 256> codes{};

  KeyedTimes(const Segment& segment, const LengthCosts& costs) {
    // So that no sum of onsets leaves the grid.
    constexpr std::int32_t kMost = std::int32_t{1} << 19;
    for (std::size_t c = 0; c < codes.size(); ++c) {
      const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(c));
      const bool known = ticks.duration > 0 && ticks.duration <= kMost && std::abs(ticks.gap) <= kMost;
      const std::int32_t rest = std::max(0, ticks.gap);
      if (!known || costs.exact(static_cast<double>(ticks.duration) + rest) > kernels::kMostKeyedUnits) continue;
      double note_error = 0;
      double rest_error = 0;
      codes[c].note = ticks.duration;
      codes[c].rest = rest;
      codes[c].note_units = static_cast<std::uint16_t>(costs.rounded(ticks.duration, note_error));
      codes[c].rest_units = static_cast<std::uint16_t>(costs.rounded(rest, rest_error));
      codes[c].note_error = static_cast<float>(note_error);
      codes[c].rest_error = static_cast<float>(rest_error);
    }
  }

  /// What a document lasts with the rests between its notes, in ticks. 0: not known, or too long to be aligned.
  [[nodiscard]] std::int64_t total(const Segment& segment, const Segment::Notes& notes) const {
    const std::uint8_t* const at = segment.time_codes(notes).data();
    std::int64_t sum = 0;
    bool known = true;
    for (std::size_t i = 0, count = notes.count; i < count; ++i) {
      const Code& code = codes[at[i]];
      known &= code.note > 0;
      sum += code.note + code.rest;
    }
    return known ? sum - codes[at[0]].rest : 0;
  }
};

/// Whether a document, and the bars of its line, are whole in the grid of segments. Otherwise the grid that the system
/// finds for both melodies may be too coarse for them, and it rounds.
bool whole_in_segments(std::uint32_t grid) { return grid > 0 && Segment::kTicks % grid == 0; }

/// For Mongeau-Sankoff, an edit distance of notes heard in one key. Every step of an alignment costs at least
/// kLength times the difference in length between its two sides, so all of them cost at least that of the difference
/// between the whole melodies. Documents that this leaves are aligned, one in each lane.
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
        classes_[static_cast<std::size_t>(element.semitones % 12)] += static_cast<double>(element.duration);
    }
    rows_.emplace(query_, costs_, static_cast<double>(grid));
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
    const KeyedTimes& times = times_of(segment);
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      if (!whole_in_segments(segment.ticks_per_whole(d))) continue;
      const std::int64_t total = times.total(segment, run[d]);
      if (total > 0) *bound = raised(costs_.score(costs_.exact(std::abs(static_cast<double>(total) - total_))));
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    if (!fits_) return;
    Batch batch(*this, segment, candidates);
    for (const Placed& place : by_length(segment, candidates)) {
      const Candidate& candidate = candidates[place.candidate];
      // What has no bound is not known, or not whole.
      if (place.notes.count > kMostColumns || !std::isfinite(candidate.bound) || candidate.bound < threshold) continue;
      batch.add(place.candidate, place.notes);
    }
    batch.flush();
  }

 private:
  [[nodiscard]] const KeyedTimes& times_of(const Segment& segment) const {
    return times_.of(segment, [&] { return KeyedTimes(segment, costs_); });
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
    const KeyTable::Codes* in_key = nullptr;
  };
  /// False: its pitches are not those of MIDI. All times are known.
  [[nodiscard]] bool hear(const Segment& segment, const Segment::Notes& notes, const KeyedTimes& times,
                          std::vector<std::uint8_t>& pitches, Hearing& out) const {
    PitchRange range;
    pitches.resize(notes.count);
    if (!read_pitches(segment, notes, pitches.data(), range)) return false;
    mongeau_sankoff::ClassTimes<double> classes{};
    std::int64_t sounding = 0;
    std::int64_t moment = 0;
    const std::uint8_t* const midi = pitches.data();
    const std::uint8_t* const codes = segment.time_codes(notes).data();
    out.elements = notes.count;
    for (std::size_t i = 0, count = notes.count; i < count; ++i) {
      const KeyedTimes::Code& time = times.codes[codes[i]];
      classes[kPitchClass[midi[i]]] += time.note;
      sounding += time.note;
      moment += std::int64_t{time.note} * midi[i];
      out.elements += time.rest > 0 && i > 0 ? 1 : 0;
    }
    const int tonic = mongeau_sankoff::common_tonic(classes_, classes, kPitchClass[midi[0]]);
    const int lowest_tonic = range.low - kPitchClass[static_cast<std::size_t>(range.low - tonic + 12)];
    const double mean = static_cast<double>(moment - sounding * lowest_tonic) / static_cast<double>(sounding);
    out.up = 12 * mongeau_sankoff::octaves_between(query_.mean, mean) - lowest_tonic;
    out.in_key = &codes_in({tonic, minor_});
    return true;
  }
  /// Of MIDI numbers, and of the octave above them.
  static constexpr std::array<std::uint8_t, kMidiPitches + 12> kPitchClass = [] {
    std::array<std::uint8_t, kMidiPitches + 12> classes{};
    for (std::size_t p = 0; p < classes.size(); ++p) classes[p] = static_cast<std::uint8_t>(p % 12);
    return classes;
  }();

  /// Documents, aligned as soon as there are enough.
  class Batch {
   public:
    using Columns = kernels::KeyedColumns;
    Batch(const KeyedNotes& own, const Segment& segment, std::span<Candidate> candidates)
        : own_(own), segment_(segment), times_(own.times_of(segment)), candidates_(candidates) {}

    /// Takes a document, unless it is too long for such numbers or not known.
    void add(std::size_t candidate, const Segment::Notes& notes) {
      // Half a unit for every note and rest is more than rounding can add.
      const auto total = static_cast<double>(times_.total(segment_, notes));
      if (own_.costs_.exact(total) + notes.count > kernels::kMostKeyedUnits) return;
      Hearing hearing;
      if (!own_.hear(segment_, notes, times_, midi_, hearing)) return;
      columns_.make_room(hearing.elements, used_);
      const std::uint8_t* const codes = segment_.time_codes(notes).data();
      std::size_t at = used_;
      const auto put = [&](std::uint16_t units, std::int16_t pitch, std::uint16_t code) {
        columns_.length[at] = units;
        columns_.pitch[at] = pitch;
        columns_.code[at] = code;
        at += kernels::kBatch;
      };
      double error = own_.rows_->error;
      for (std::size_t i = 0; i < notes.count; ++i) {
        const KeyedTimes::Code& time = times_.codes[codes[i]];
        if (time.rest > 0 && i > 0) {
          put(time.rest_units, Columns::kRest, Columns::kNoCode);
          error += time.rest_error;
        }
        put(time.note_units, static_cast<std::int16_t>(midi_[i] + hearing.up),
            Columns::coded((*hearing.in_key)[midi_[i]]));
        error += time.note_error;
      }
      columns_.clear(hearing.elements, columns_.columns, used_, used_ + 1);
      // And something for the rounding of these numbers themselves.
      owner_[used_] = {candidate, error + 1e-3};
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      // Lanes that are not used hold what an earlier batch left there.
      columns_.clear(0, columns_.columns, used_, kernels::kBatch);
      std::uint16_t cost[kernels::kBatch];
      kernels::keyed_align(own_.rows_->rows, columns_, cost);
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

    const KeyedNotes& own_;
    const Segment& segment_;
    const KeyedTimes& times_;
    std::span<Candidate> candidates_;
    Columns columns_;
    std::vector<std::uint8_t> midi_;
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
  std::optional<KeyedQuery> rows_;
  PerSegment<KeyedTimes> times_;
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
