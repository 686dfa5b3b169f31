#include <cmath>
#include <optional>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_times.h"
#include "search/kernels/rated_align.h"
#include "search/kernels/tune.h"
#include "similarity/metric_weight.h"
#include "similarity/systems/kranenburg.h"
#include "similarity/systems/kranenburg_features.h"

namespace rondo::fast {
namespace {

/// A melody on the grid of Segment::ticks.
struct RatedMelody {
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;
  std::vector<std::int16_t> pitch;  ///< base 40
  PitchTimes times;

  void resize(std::size_t notes) {
    onset.resize(notes);
    duration.resize(notes);
    pitch.resize(notes);
  }

  /// False: pitches or times out of all bounds, or out of order.
  [[nodiscard]] bool settle() {
    return std::is_sorted(onset.begin(), onset.end()) && times.fill(pitch.size(), [this](std::size_t i) {
      const bool usual = pitch[i] >= 0 && pitch[i] < kernels::kTunedPitches;
      return PitchTimes::Note{usual ? pitch[i] : PitchTimes::kNoPitch,
                              duration[i] > 0 ? duration[i] : PitchTimes::kTooLong};
    });
  }

  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
    resize(notes.count);
    if (!segment.ticks(notes, onset.data(), duration.data())) return false;
    for (std::uint32_t i = 0; i < notes.count; ++i) {
      pitch[i] = static_cast<std::int16_t>(segment.base40(notes.first + i));
    }
    return settle();
  }

  /// Where notes begin, 0 at the first onset, kRatedWhole at the last.
  class Places {
   public:
    explicit Places(const RatedMelody& melody)
        : onset_(melody.onset.data()),
          factor_((std::int64_t{kernels::kRatedWhole} << kBits) /
                  std::max(1, melody.onset.back() - melody.onset.front())) {}
    [[nodiscard]] std::int16_t of(std::size_t note) const {
      const std::int64_t since = onset_[note] - onset_[0];
      return static_cast<std::int16_t>((since * factor_ + (std::int64_t{1} << (kBits - 1))) >> kBits);
    }

   private:
    static constexpr int kBits = 32;  // behind the point; times are below 2^29, so what they cut off is little
    const std::int32_t* onset_;
    std::int64_t factor_;
  };
};

/// Reads melodies of a segment, nearly all of them quickly: by what the codes of their notes stand for.
class RatedReader {
 public:
  RatedReader(const Segment& segment, bool onsets) : segment_(segment), onsets_(onsets) {
    for (std::size_t code = 0; code < 256; ++code) {
      time_[code] = segment.ticks_of_code(static_cast<std::uint8_t>(code));
      if (time_[code].duration == 0) time_[code].duration = PitchTimes::kTooLong;
      const int pitch = segment.base40_of_code(static_cast<std::uint8_t>(code));
      const bool usual = code != index::kException && pitch >= 0 && pitch < kernels::kTunedPitches;
      pitch_[code] = static_cast<std::int16_t>(usual ? pitch : PitchTimes::kNoPitch);
    }
  }

  /// The melody, with onsets only if they are wanted. False: pitches or times out of all bounds.
  [[nodiscard]] bool read(const Segment::Notes& notes, RatedMelody& out) const {
    out.resize(notes.count);
    const std::uint8_t* const pitch = segment_.pitch_codes(notes).data();
    const std::uint8_t* const time = segment_.time_codes(notes).data();
    std::int16_t* const to = out.pitch.data();
    if (!onsets_) {
      const bool usual = out.times.fill(notes.count, [&](std::size_t i) {
        to[i] = pitch_[pitch[i]];
        return PitchTimes::Note{to[i], time_[time[i]].duration};
      });
      return usual || out.read(segment_, notes);
    }
    std::int32_t* const onset = out.onset.data();
    std::int64_t end = 0;
    std::int64_t before = -Segment::kMostTicks;
    std::int64_t least_step = 0;
    const bool usual = out.times.fill(notes.count, [&](std::size_t i) {
      to[i] = pitch_[pitch[i]];
      const Segment::Ticks ticks = time_[time[i]];
      const std::int64_t now = end + ticks.gap;
      onset[i] = static_cast<std::int32_t>(now);
      least_step = std::min(least_step, now - before);
      before = now;
      end = now + ticks.duration;
      return PitchTimes::Note{to[i], ticks.duration};
    });
    if (!usual) return out.read(segment_, notes);
    return least_step >= 0 && before <= Segment::kMostTicks;
  }

 private:
  const Segment& segment_;
  bool onsets_;
  std::array<Segment::Ticks, 256> time_;
  std::array<std::int16_t, 256> pitch_;
};

/// For van Kranenburg's alignments: all documents are aligned in the same transpositions, many at a time, in numbers
/// rounded up. A note more in a gap is taken for the cheaper of beginning and going on.
class Rated final : public BoundFilter {
 public:
  Rated(const kranenburg::Settings& settings, const RatedMelody& query, std::size_t shortest)
      : BoundFilter(shortest), tuning_(query.times.found()) {
    rows_.band = settings.raters.band;
    rows_.places = settings.raters.band && settings.raters.phrase;
    rows_.beats = settings.raters.band && settings.raters.metre;
    const RatedMelody::Places places(query);
    std::vector<double> beats(query.pitch.size(), 0);
    if (rows_.beats) beats = metric_weights(std::vector<std::int64_t>(query.onset.begin(), query.onset.end()));
    for (std::size_t i = 0; i < query.pitch.size(); ++i) {
      rows_.pitch.push_back(static_cast<std::int16_t>(query.pitch[i] * kernels::kRatedStep));
      rows_.place.push_back(places.of(i));
      rows_.beat.push_back(static_cast<std::int16_t>(std::lround(beats[i] * kernels::kRatedBeat)));
    }
    const std::int64_t gap = std::min(settings.gap, settings.extend);
    rows_.gap = static_cast<std::int16_t>(std::min<std::int64_t>(gap * kernels::kRatedOne / kranenburg::kOne, 2000));
    rows_without_beats_ = rows_;
    rows_without_beats_.beats = false;
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > kranenburg::kLongest || std::min<std::size_t>(notes, rows_.pitch.size()) > kernels::kMostRated) return;
    RatedMelody melody;
    kernels::TuneWork work;
    const RatedReader reader(segment, rows_.places);
    // The metric weights that are stored are those of whole documents. Without them ratings can only be higher.
    const bool cut = rows_.beats && segment.cut(begin);
    Batch batch(cut ? rows_without_beats_ : rows_, tuning_, notes, bound);
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d) {
      const Segment::Notes own = run[d];
      if (!reader.read(own, melody)) continue;
      bound[d - begin] = kNever;  // until an alignment raises it
      const std::size_t best = kernels::tune(tuning_, melody.times.found(), work);
      for (std::size_t t = 0; t < best; ++t) batch.add(d - begin, melody, segment.beats(own), work.best[t]);
    }
    batch.flush();
  }

  /// Of documents that are shown in part, the metric weights are worked out and they are aligned again.
  void fine(const Segment& segment, std::span<Candidate> candidates, double /*threshold*/) const override {
    if (!rows_.beats) return;
    RatedMelody melody;
    kernels::TuneWork work;
    const RatedReader reader(segment, rows_.places);
    std::vector<std::int64_t> onsets;
    std::vector<std::uint8_t> beats;
    std::vector<float> bounds(candidates.size(), kUnknown);
    std::optional<Batch> batch;
    std::uint32_t notes = 0;  // of the batch
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const DocumentId d = candidates[c].document;
      if (!segment.cut(d)) continue;
      const Segment::Notes own = segment.notes_of(d);
      if (own.count > kranenburg::kLongest ||
          std::min<std::size_t>(own.count, rows_.pitch.size()) > kernels::kMostRated)
        continue;
      // Those that are cut are all of one length.
      if (batch && own.count != notes) continue;
      if (!reader.read(own, melody)) continue;
      if (!rows_.places) {
        std::vector<std::int32_t> durations(own.count);
        if (!segment.ticks(own, melody.onset.data(), durations.data())) continue;
      }
      if (!std::is_sorted(melody.onset.begin(), melody.onset.end())) continue;
      onsets.assign(melody.onset.begin(), melody.onset.end());
      beats.clear();
      for (const double weight : metric_weights(onsets)) beats.push_back(index::beat_code(weight));
      if (!batch) batch.emplace(rows_, tuning_, notes = own.count, bounds.data());
      bounds[c] = kNever;  // until an alignment raises it
      const std::size_t best = kernels::tune(tuning_, melody.times.found(), work);
      for (std::size_t t = 0; t < best; ++t) batch->add(c, melody, beats, work.best[t]);
    }
    if (batch) batch->flush();
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      candidates[c].bound = std::min<double>(candidates[c].bound, bounds[c]);
    }
  }

 private:
  /// Pairs of a document and a transposition, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const kernels::RatedRows& rows, const kernels::TunedQuery& tuning, std::uint32_t notes, float* bound)
        : rows_(rows), tuning_(tuning), bound_(bound) {
      columns_.columns = notes;
      for (auto* part : {&columns_.pitch, &columns_.place, &columns_.beat}) part->resize(notes * kernels::kBatch);
      columns_.farthest = 0;
    }

    void add(std::size_t owner, const RatedMelody& melody, std::span<const std::uint8_t> beats, int transposition) {
      fill(columns_.pitch, [pitch = melody.pitch.data(), transposition](std::size_t j) {
        return (pitch[j] - transposition) * kernels::kRatedStep;
      });
      if (rows_.places) {
        fill(columns_.place, [places = RatedMelody::Places(melody)](std::size_t j) { return places.of(j); });
      }
      if (rows_.beats) fill(columns_.beat, [&](std::size_t j) { return kernels::rated_beat(beats[j]); });
      const int above = melody.times.found().high - transposition - tuning_.low;
      const int below = tuning_.high - (melody.times.found().low - transposition);
      const auto farthest = static_cast<std::int16_t>(std::max(above, below) * kernels::kRatedStep);
      columns_.farthest = std::max(columns_.farthest, farthest);
      owner_[used_] = owner;
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      std::int16_t best[kernels::kBatch];
      kernels::rated_align(rows_, columns_, best);
      const auto shorter = static_cast<float>(std::min(rows_.pitch.size(), columns_.columns));
      for (std::size_t lane = 0; lane < used_; ++lane) {
        // A bit more than half a unit of the exact ratings (see kranenburg::kOne) and the rounding of floats.
        const float score = (static_cast<float>(best[lane]) / kernels::kRatedOne + 1e-3F) / shorter;
        bound_[owner_[lane]] = std::max(bound_[owner_[lane]], score);
      }
      used_ = 0;
      columns_.farthest = 0;
    }

   private:
    template <typename Value>
    void fill(kernels::AlignedVector<std::int16_t>& part, const Value& value) {
      std::int16_t* to = part.data() + used_;
      for (std::size_t j = 0, notes = columns_.columns; j < notes; ++j, to += kernels::kBatch) {
        *to = static_cast<std::int16_t>(value(j));
      }
    }
    const kernels::RatedRows& rows_;
    const kernels::TunedQuery& tuning_;
    float* bound_;
    kernels::RatedColumns columns_;
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t used_ = 0;
  };

  kernels::TunedQuery tuning_;
  kernels::RatedRows rows_;
  kernels::RatedRows rows_without_beats_;
};
static_assert(kranenburg::kLongest <= index::kMaxNotesWithMetricWeight);
static_assert(2 * kernels::kTunedPitches * kernels::kRatedStep < kernels::kRatedFarthest);

}  // namespace

std::unique_ptr<Method> make_method(const KranenburgPlan& plan, const Task& task) {
  const kranenburg::Settings settings = kranenburg::settings_of(plan);
  const Line& line = task.query;
  if (settings.gap < 0 || settings.extend < 0 || line.size() == 0 || line.size() > kranenburg::kLongest) return nullptr;
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
  return std::make_unique<Rated>(settings, query, task.shortest);
}

}  // namespace rondo::fast
