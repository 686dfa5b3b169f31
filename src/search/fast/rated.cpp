#include <array>
#include <cmath>

#include "search/fast/sieve.h"
#include "search/kernels/rated_align.h"
#include "similarity/systems/kranenburg.h"
#include "similarity/systems/kranenburg_features.h"

namespace rondo::fast {
namespace {

/// Pitches lie below this; no melody with a spelling has others.
constexpr std::int32_t kPitches = 500;

/// A melody on the grid of Segment::ticks, with the time it spends on each pitch.
struct RatedMelody {
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;
  std::vector<std::int16_t> pitch;  ///< base 40
  std::vector<kranenburg::PitchTime> histogram;
  std::int64_t sounding = 0;

  void resize(std::size_t notes) {
    onset.resize(notes);
    duration.resize(notes);
    pitch.resize(notes);
  }

  /// False: pitches or times out of all bounds.
  [[nodiscard]] bool settle() {
    thread_local std::array<std::int64_t, kPitches> time{};
    const auto inside = [](int p) { return p >= 0 && p < kPitches; };
    if (!std::all_of(pitch.begin(), pitch.end(), inside)) return false;
    histogram.clear();
    sounding = 0;
    for (std::size_t i = 0; i < pitch.size(); ++i) {
      std::int64_t& here = time[static_cast<std::size_t>(pitch[i])];
      if (here == 0) histogram.push_back({pitch[i], 0});
      here += duration[i];
      sounding += duration[i];
    }
    for (kranenburg::PitchTime& one : histogram) {
      one.time = std::exchange(time[static_cast<std::size_t>(one.pitch)], 0);
    }
    return sounding <= Segment::kMostTicks;
  }

  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
    resize(notes.count);
    if (!segment.ticks(notes, onset.data(), duration.data())) return false;
    for (std::uint32_t i = 0; i < notes.count; ++i) {
      pitch[i] = static_cast<std::int16_t>(segment.base40(notes.first + i));
    }
    return settle();
  }

  /// 0 at the first onset, 32767 at the last.
  [[nodiscard]] std::int16_t place(std::size_t i) const {
    const auto length = static_cast<double>(std::max(1, onset.back() - onset.front()));
    const double share = static_cast<double>(onset[i] - onset.front()) / length;
    return static_cast<std::int16_t>(std::clamp(std::nearbyint(share * 32767), 0.0, 32767.0));
  }
};

/// For van Kranenburg's alignments: all documents are aligned in the same transpositions, many at a time, in numbers
/// rounded up. A note more in a gap is taken for the cheaper of beginning and going on; the metric weight, which can
/// only lower a rating, is left out.
class Rated final : public Sieve {
 public:
  Rated(const kranenburg::Settings& settings, RatedMelody query, std::size_t shortest)
      : Sieve(shortest), query_(std::move(query)) {
    rows_.pitch = query_.pitch;
    rows_.band = settings.raters.band;
    rows_.places = settings.raters.band && settings.raters.phrase;
    for (std::size_t i = 0; i < query_.pitch.size(); ++i) rows_.place.push_back(query_.place(i));
    const std::int64_t gap = std::min(settings.gap, settings.extend);
    rows_.gap = static_cast<std::int16_t>(std::min<std::int64_t>(gap * kernels::kRatedOne / kranenburg::kOne, 2000));
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > kranenburg::kLongest) return;
    thread_local RatedMelody melody;
    thread_local std::vector<std::int32_t> transpositions;
    Batch batch(rows_, notes, bound);
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d) {
      if (!melody.read(segment, {first + std::uint64_t{d - begin} * notes, notes})) continue;
      bound[d - begin] = kNever;  // until an alignment raises it
      find_transpositions(melody, transpositions);
      for (const std::int32_t t : transpositions) batch.add(d - begin, melody, t);
    }
    batch.flush();
  }
  void fine(const Segment& /*segment*/, std::span<Candidate> /*candidates*/, double /*bar*/) const override {}

 private:
  /// As best_transpositions finds them: the products are the same up to a common factor.
  void find_transpositions(const RatedMelody& other, std::vector<std::int32_t>& out) const {
    thread_local std::array<std::int64_t, 2 * kPitches> common{};
    std::int64_t* const at = common.data() + kPitches;
    std::int32_t low = kPitches;
    std::int32_t high = -kPitches;
    thread_local std::vector<kranenburg::PitchTime> others;
    others = other.histogram;
    for (kranenburg::PitchTime& one : others) one.time *= query_.sounding;
    for (const kranenburg::PitchTime& own : query_.histogram) {
      const std::int64_t time = own.time * other.sounding;
      for (const kranenburg::PitchTime& one : others) {
        const std::int32_t t = one.pitch - own.pitch;
        at[t] += std::min(time, one.time);
        low = std::min(low, t);
        high = std::max(high, t);
      }
    }
    const std::int64_t most = *std::max_element(at + low, at + high + 1);
    out.clear();
    for (std::int32_t t = low; t <= high; ++t) {
      if (std::exchange(at[t], 0) == most) out.push_back(t);
    }
  }

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
      for (std::size_t j = 0; j < columns_.columns; ++j) {
        const std::size_t at = j * kernels::kBatch + used_;
        columns_.pitch[at] = static_cast<std::int16_t>(melody.pitch[j] - transposition);
        if (rows_.places) columns_.place[at] = melody.place(j);
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
