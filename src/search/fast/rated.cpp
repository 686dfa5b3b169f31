#include <cmath>

#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
#include "search/kernels/rated_align.h"
#include "similarity/systems/kranenburg.h"
#include "similarity/systems/kranenburg_features.h"

namespace rondo::fast {
namespace {

/// Pitches in base 40 lie below this; no melody with a spelling has others.
constexpr int kSpelledPitches = 500;
/// How much of their time two melodies spend on the same pitches.
using SharedTime = PitchOverlap<std::int16_t, std::int16_t, kSpelledPitches>;

/// A melody on the grid of Segment::ticks.
struct RatedMelody {
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;
  std::vector<std::int16_t> pitch;  ///< base 40
  std::int64_t sounding = 0;

  void resize(std::size_t notes) {
    onset.resize(notes);
    duration.resize(notes);
    pitch.resize(notes);
  }

  /// False: pitches or times out of all bounds.
  [[nodiscard]] bool settle() {
    bool inside = true;
    sounding = 0;
    for (std::size_t i = 0; i < pitch.size(); ++i) {
      inside &= static_cast<std::uint16_t>(pitch[i]) < kSpelledPitches;
      sounding += duration[i];
    }
    return inside && sounding > 0 && sounding <= Segment::kMostTicks;
  }

  /// Onsets are found only if they are wanted.
  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes, bool onsets) {
    resize(notes.count);
    if (!onsets && !segment.has_time_exceptions()) {
      const std::span<const std::uint8_t> codes = segment.time_codes(notes);
      bool fits = true;
      for (std::size_t i = 0; i < codes.size(); ++i) {
        duration[i] = segment.ticks_of_code(codes[i]).duration;
        fits &= duration[i] > 0;
      }
      if (!fits) return false;
    } else if (!segment.ticks(notes, onset.data(), duration.data())) {
      return false;
    }
    for (std::uint32_t i = 0; i < notes.count; ++i) {
      pitch[i] = static_cast<std::int16_t>(segment.base40(notes.first + i));
    }
    return settle();
  }

  /// Where notes begin, 0 at the first onset, 32767 at the last.
  class Places {
   public:
    explicit Places(const RatedMelody& melody)
        : onset_(melody.onset), factor_(32767.0 / std::max(1, onset_.back() - onset_.front())) {}
    [[nodiscard]] std::int16_t of(std::size_t note) const {
      const double place = static_cast<double>(onset_[note] - onset_.front()) * factor_;
      return static_cast<std::int16_t>(std::clamp(place, 0.0, 32767.0) + 0.5);
    }

   private:
    const std::vector<std::int32_t>& onset_;
    double factor_;
  };

  /// A note's share of the time, in units of which all together are kWhole, rounded up to the next.
  class Shares {
   public:
    static constexpr double kWhole = 30'000;
    explicit Shares(const RatedMelody& melody)
        : duration_(melody.duration), factor_(kWhole / static_cast<double>(melody.sounding)) {}
    [[nodiscard]] std::int32_t of(std::size_t note) const {
      return 1 + static_cast<std::int32_t>(static_cast<double>(duration_[note]) * factor_);
    }

   private:
    const std::vector<std::int32_t>& duration_;
    double factor_;
  };
};

/// For van Kranenburg's alignments: all documents are aligned in the same transpositions, many at a time, in numbers
/// rounded up. A note more in a gap is taken for the cheaper of beginning and going on; the metric weight, which can
/// only lower a rating, is left out.
class Rated final : public Sieve {
 public:
  Rated(const kranenburg::Settings& settings, RatedMelody query, std::size_t shortest)
      : Sieve(shortest),
        query_(std::move(query)),
        shared_(query_.pitch, [shares = RatedMelody::Shares(query_)](std::size_t i) { return shares.of(i); }) {
    rows_.pitch = query_.pitch;
    rows_.band = settings.raters.band;
    rows_.places = settings.raters.band && settings.raters.phrase;
    const RatedMelody::Places places(query_);
    for (std::size_t i = 0; i < query_.pitch.size(); ++i) rows_.place.push_back(places.of(i));
    const std::int64_t gap = std::min(settings.gap, settings.extend);
    rows_.gap = static_cast<std::int16_t>(std::min<std::int64_t>(gap * kernels::kRatedOne / kranenburg::kOne, 2000));
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > kranenburg::kLongest) return;
    thread_local RatedMelody melody;
    SharedTime::Common common;
    Batch batch(rows_, notes, bound);
    // Each note's share is rounded up by no more than one, so sums that differ by less may be equal.
    const auto slack = static_cast<std::int32_t>(query_.pitch.size() + notes + 2);
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d) {
      if (!melody.read(segment, {first + std::uint64_t{d - begin} * notes, notes}, rows_.places)) continue;
      bound[d - begin] = kNever;  // until an alignment raises it
      const RatedMelody::Shares shares(melody);
      shared_.find(
          melody.pitch, [&](std::size_t j) { return shares.of(j); }, common);
      const std::int32_t least = std::max(1, common.most() - slack);
      common.each_with(static_cast<std::int16_t>(least), [&](int t) { batch.add(d - begin, melody, t); });
    }
    batch.flush();
  }
  void fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*bar*/) const override {}

 private:
  /// Pairs of a document and a transposition, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const kernels::RatedRows& rows, std::uint32_t notes, float* bound)
        : rows_(rows), bound_(bound), columns_(scratch()) {
      columns_.columns = notes;
      columns_.pitch.resize(notes * kernels::kBatch);
      columns_.place.resize(notes * kernels::kBatch);
    }

    void add(std::size_t owner, const RatedMelody& melody, std::int32_t transposition) {
      std::int16_t* pitch = columns_.pitch.data() + used_;
      for (std::size_t j = 0; j < columns_.columns; ++j, pitch += kernels::kBatch) {
        *pitch = static_cast<std::int16_t>(melody.pitch[j] - transposition);
      }
      if (rows_.places) {
        const RatedMelody::Places places(melody);
        std::int16_t* place = columns_.place.data() + used_;
        for (std::size_t j = 0; j < columns_.columns; ++j, place += kernels::kBatch) *place = places.of(j);
      }
      owner_[used_] = owner;
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      std::int16_t best[kernels::kBatch];
      kernels::rated_align(rows_, columns_, best);
      const auto shorter = static_cast<double>(std::min(rows_.pitch.size(), columns_.columns));
      for (std::size_t lane = 0; lane < used_; ++lane) {
        // Half a unit of the exact ratings is far below one of these; see kranenburg::kOne.
        const float score = raised((best[lane] / static_cast<double>(kernels::kRatedOne) + 1e-4) / shorter);
        bound_[owner_[lane]] = std::max(bound_[owner_[lane]], score);
      }
      used_ = 0;
    }

   private:
    static kernels::RatedColumns& scratch() {
      thread_local kernels::RatedColumns columns;
      return columns;
    }
    const kernels::RatedRows& rows_;
    float* bound_;
    kernels::RatedColumns& columns_;
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t used_ = 0;
  };

  RatedMelody query_;
  SharedTime shared_;
  kernels::RatedRows rows_;
};

}  // namespace

std::unique_ptr<Method> make_rated_method(const Task& task) {
  const std::optional<kranenburg::Settings> settings = kranenburg::settings_of(task.system);
  const Line& line = task.query;
  if (!settings || line.size() == 0 || line.size() > kernels::kMostRated) return nullptr;
  if (Segment::kTicks % line.ticks_per_whole != 0) return nullptr;
  const std::int64_t factor = Segment::kTicks / line.ticks_per_whole;
  RatedMelody query;
  query.resize(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::int64_t most = Segment::kMostTicks / factor;
    if (std::abs(line.onset[i]) > most || line.duration[i] > most) return nullptr;
    query.onset[i] = static_cast<std::int32_t>(line.onset[i] * factor);
    query.duration[i] = static_cast<std::int32_t>(line.duration[i] * factor);
    query.pitch[i] = line.base40[i];
  }
  if (!query.settle()) return nullptr;
  return std::make_unique<Rated>(*settings, std::move(query), task.row.shortest);
}

}  // namespace rondo::fast
