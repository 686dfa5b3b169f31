#include "similarity/systems/mongeau_sankoff.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
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
  [[nodiscard]] double exact(std::int64_t ticks) const { return static_cast<double>(ticks) * factor_; }
  /// Rounded; adds to `error` what was lost or won.
  [[nodiscard]] std::uint16_t rounded(std::int64_t ticks, double& error) const {
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

/// For Mongeau-Sankoff, an edit distance of notes heard in their keys. Every step of an alignment costs at least
/// kLength times the difference in length between its two sides, so all of them cost at least that of the difference
/// between the whole melodies. Documents that this leaves are aligned, one in each lane, in whole units.
///
/// What comes out is the score if lengths are whole in those units. Otherwise it is off by no more than the lengths
/// are: each belongs to one step, the cost of which changes by no more than the length does. (Two notes of equal length
/// and pitch, which cost nothing, are still of equal length. Two that become so by rounding cost too little, which a
/// bound may.) Runs that are not tried are never cheaper, whatever the lengths.
class KeyedNotes final : public Sieve {
 public:
  /// The query's lengths are in ticks of the segments' grid, too.
  KeyedNotes(Sequence query, const LengthCosts& costs, std::size_t shortest)
      : Sieve(shortest), query_(std::move(query)), total_(total_of(query_)), costs_(costs) {
    rows_.step = costs_.weight_step();
    for (const Element& element : query_.elements) {
      rows_.length.push_back(costs_.rounded(element.duration, error_));
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
  static constexpr std::size_t kMostRows = 120;     ///< notes of a query
  static constexpr std::size_t kMostColumns = 300;  ///< notes of a document that is aligned

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > mongeau_sankoff::kLongest) return;
    Times times;
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      if (!times.read(segment, d, {first + std::uint64_t{d - begin} * notes, notes})) continue;
      *bound = raised(costs_.score(costs_.exact(std::abs(times.total() - total_))));
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double /*bar*/) const override {
    // Those of one length together, so that lanes are filled up little.
    struct Place {
      std::uint32_t notes;
      std::uint32_t candidate;
    };
    thread_local std::vector<Place> order;
    order.clear();
    for (const Candidate& one : candidates) {
      order.push_back({segment.notes_of(one.document).count, static_cast<std::uint32_t>(order.size())});
    }
    const auto shorter = [](const Place& a, const Place& b) { return a.notes < b.notes; };
    if (!std::is_sorted(order.begin(), order.end(), shorter)) std::sort(order.begin(), order.end(), shorter);
    Batch batch(*this, candidates);
    thread_local Sequence melody;
    for (const Place& place : order) {
      if (hear(segment, candidates[place.candidate].document, melody)) batch.add(place.candidate, melody);
    }
    batch.flush();
  }

 private:
  /// The onsets and lengths of a document, in ticks of the segments' grid.
  struct Times {
    std::vector<std::int32_t>& onset = scratch<0>();
    std::vector<std::int32_t>& length = scratch<1>();

    /// False: they, or the bars of the line, are not whole in it. Then the grid that the system finds for both melodies
    /// may be too coarse for them, and it rounds.
    [[nodiscard]] bool read(const Segment& segment, DocumentId document, const Segment::Notes& notes) {
      const std::uint32_t grid = segment.ticks_per_whole(document);
      if (grid == 0 || Segment::kTicks % grid != 0) return false;
      onset.resize(notes.count);
      length.resize(notes.count);
      return notes.count > 0 && segment.ticks(notes, onset.data(), length.data());
    }
    /// With the rests between notes.
    [[nodiscard]] std::int64_t total() const {
      std::int64_t sum = length[0];
      for (std::size_t i = 1; i < length.size(); ++i) {
        sum += length[i] + std::max(0, onset[i] - onset[i - 1] - length[i - 1]);
      }
      return sum;
    }
    template <int kNumber>
    static std::vector<std::int32_t>& scratch() {
      thread_local std::vector<std::int32_t> values;
      return values;
    }
  };

  /// As the system hears it. False: it cannot be aligned in 16 bits, or not known.
  [[nodiscard]] bool hear(const Segment& segment, DocumentId document, Sequence& out) const {
    const Segment::Notes notes = segment.notes_of(document);
    if (notes.count > kMostColumns) return false;
    thread_local std::vector<std::uint8_t> midi;
    Times times;
    if (!times.read(segment, document, notes) || !read_pitches(segment, notes, midi)) return false;
    // Half a unit for every note and rest is more than rounding can add.
    if (costs_.exact(times.total()) + notes.count > kernels::kMostKeyedUnits) return false;
    // In ticks of the line itself, so that of keys that fit equally well the same is taken.
    const std::int64_t factor = Segment::kTicks / segment.ticks_per_whole(document);
    PitchClassTimes time{};
    for (std::size_t i = 0; i < midi.size(); ++i) time[midi[i] % 12] += times.length[i];
    for (std::int64_t& one : time) one /= factor;
    const KeyGuess key = guess_key(time, midi[0] % 12);
    mongeau_sankoff::hear(std::span<const std::uint8_t>(midi), std::span<const std::int32_t>(times.onset),
                          std::span<const std::int32_t>(times.length), key, out);
    return true;
  }

  /// Documents, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const KeyedNotes& own, std::span<Candidate> candidates)
        : own_(own), candidates_(candidates), columns_(scratch()) {
      columns_.columns = 0;
    }

    void add(std::size_t candidate, const Sequence& melody) {
      const std::vector<Element>& elements = melody.elements;
      make_room(elements.size());
      const std::int32_t octaves = mongeau_sankoff::octaves_between(own_.query_, melody);
      double error = own_.error_;
      std::size_t at = used_;
      for (const Element& element : elements) {
        columns_.length[at] = own_.costs_.rounded(element.duration, error);
        if (element.rest) {
          columns_.pitch[at] = kernels::KeyedColumns::kRest;
          columns_.code[at] = kernels::KeyedColumns::kNoCode;
        } else {
          columns_.pitch[at] = static_cast<std::int16_t>(element.semitones + 12 * octaves);
          columns_.code[at] = kernels::KeyedColumns::coded(codes_.code_of(element));
        }
        at += kernels::kBatch;
      }
      clear(elements.size(), columns_.columns, used_, used_ + 1);
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
    const KeyedCodes& codes_ = keyed_codes();
    std::span<Candidate> candidates_;
    kernels::KeyedColumns& columns_;
    Owner owner_[kernels::kBatch];
    std::size_t used_ = 0;
  };

  Sequence query_;
  std::int64_t total_;
  LengthCosts costs_;
  double error_ = 0;  ///< units, of the query's lengths together
  kernels::KeyedRows rows_;
};

/// With lengths in ticks of the segments' grid. Nothing: they do not fit.
std::optional<Sequence> heard_query(const Line& line) {
  if (line.size() == 0 || line.size() > KeyedNotes::kMostRows) return std::nullopt;
  if (Segment::kTicks % line.ticks_per_whole != 0) return std::nullopt;
  const auto is_midi = [](int p) { return p >= 0 && p < kMidiPitches; };
  if (!std::all_of(line.pitch.begin(), line.pitch.end(), is_midi)) return std::nullopt;
  Sequence out = mongeau_sankoff::make_sequence(line);
  const std::int64_t factor = Segment::kTicks / line.ticks_per_whole;
  for (Element& element : out.elements) {
    if (element.duration > Segment::kMostTicks / factor) return std::nullopt;
    element.duration *= factor;
  }
  return out;
}

}  // namespace

std::unique_ptr<Method> make_method(const MongeauSankoffPlan& /*plan*/, const Task& task) {
  std::optional<Sequence> query = heard_query(task.query);
  if (!query) return nullptr;
  for (const std::int64_t unit : {1, 2, 5, 10, 25, 50}) {
    const LengthCosts costs(unit);
    // So that documents of twice its length, too, can be aligned.
    if (costs.exact(KeyedNotes::total_of(*query)) > kernels::kMostKeyedUnits / 2.0) continue;
    return std::make_unique<KeyedNotes>(std::move(*query), costs, task.shortest);
  }
  return nullptr;
}

}  // namespace rondo::fast
