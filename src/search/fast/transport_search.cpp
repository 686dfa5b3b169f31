#include <array>
#include <cmath>
#include <numeric>

#include "base/interrupt.h"
#include "search/fast/bound_filter.h"
#include "search/fast/heap_prices.h"
#include "search/kernels/nearest_work.h"
#include "similarity/systems/transportation.h"

namespace rondo::fast {
namespace {

using transportation::Weights;

/// Where the weight of a melody lies along one axis, in kCells parts of equal weight: the mean of each part, from the
/// lowest up.
constexpr std::size_t kCells = 16;
using Cells = std::array<float, kCells>;
/// The same where not all of the weight is carried: the mean of each part lies between that of taking the lowest and
/// that of taking the highest.
struct Reach {
  Cells low{};
  Cells high{};
};

/// Fills cells with weights that come in order of their place.
class CellFiller {
 public:
  CellFiller(std::int64_t total, Cells& out) : total_(total), room_(total), out_(out) {}
  void add(std::int64_t weight, double at) {
    // A cell takes a kCells-th of the total: all times kCells, so that it is whole.
    for (std::int64_t left = weight * static_cast<std::int64_t>(kCells); left > 0 && cell_ < kCells;) {
      const std::int64_t taken = std::min(left, room_);
      sum_ += static_cast<double>(taken) * at;
      left -= taken;
      room_ -= taken;
      if (room_ > 0) continue;
      out_[cell_++] = static_cast<float>(sum_ / static_cast<double>(total_));
      sum_ = 0;
      room_ = total_;
    }
  }

 private:
  std::int64_t total_;
  std::int64_t room_;
  Cells& out_;
  std::size_t cell_ = 0;
  double sum_ = 0;
};

/// A melody on the grid of Segment::ticks.
struct Melody {
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;
  std::vector<std::int16_t> pitch;  ///< base 40
  std::int64_t length = 0;
  std::int64_t sounding = 0;
  double mean = 0;  ///< of the pitch

  void resize(std::size_t notes) {
    onset.resize(notes);
    duration.resize(notes);
    pitch.resize(notes);
  }

  /// False: onsets do not ascend, or pitches are out of all bounds; then nothing is known of it.
  [[nodiscard]] bool settle() {
    sounding = 0;
    std::int64_t moment = 0;
    std::int32_t end = onset[0];
    bool usual = true;
    for (std::size_t i = 0; i < onset.size(); ++i) {
      usual = usual && (i == 0 || onset[i] >= onset[i - 1]) && pitch[i] >= 0 && pitch[i] < kPitches;
      end = std::max(end, onset[i] + duration[i]);
      sounding += duration[i];
      moment += std::int64_t{duration[i]} * pitch[i];
    }
    if (sounding > Segment::kMostTicks) return false;
    length = end - onset[0];
    mean = static_cast<double>(moment) / static_cast<double>(sounding);
    return usual;
  }

  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
    if (notes.count == 0 || notes.count > transportation::kLongest) return false;
    resize(notes.count);
    if (!segment.ticks(notes, onset.data(), duration.data())) return false;
    for (std::uint32_t i = 0; i < notes.count; ++i)
      pitch[i] = static_cast<std::int16_t>(segment.base40(notes.first + i));
    return settle();
  }

  [[nodiscard]] double time(std::size_t i) const {
    return static_cast<double>(onset[i] - onset[0]) / static_cast<double>(length);
  }
  [[nodiscard]] Cells time_cells(double scale) const {
    Cells out{};
    CellFiller filler(sounding, out);
    for (std::size_t i = 0; i < onset.size(); ++i) filler.add(duration[i], scale * time(i));
    return out;
  }
  [[nodiscard]] Cells pitch_cells() const {
    Cells out{};
    CellFiller filler(sounding, out);
    for (const OnPitch& here : by_pitch()) filler.add(here.duration, here.pitch);
    return out;
  }
  /// The same where only `carried` is, when each tick weighs `tick`.
  [[nodiscard]] Reach time_reach(double scale, std::int64_t tick, std::int64_t carried) const {
    return reach(carried, onset.size(),
                 [&](std::size_t i, CellFiller& filler) { filler.add(tick * duration[i], scale * time(i)); });
  }
  [[nodiscard]] Reach pitch_reach(std::int64_t tick, std::int64_t carried) const {
    const std::vector<OnPitch>& pitches = by_pitch();
    return reach(carried, pitches.size(),
                 [&](std::size_t i, CellFiller& filler) { filler.add(tick * pitches[i].duration, pitches[i].pitch); });
  }
  void heaps(double scale, kernels::Heaps& out) const {
    out.clear(onset.size());
    for (std::size_t i = 0; i < onset.size(); ++i) {
      out.time[i] = static_cast<float>(scale * time(i));
      out.pitch[i] = pitch[i];
      out.weight[i] = static_cast<float>(static_cast<double>(duration[i]) / static_cast<double>(sounding));
    }
    out.pad();
  }

  static constexpr std::int16_t kPitches = 500;

 private:
  struct OnPitch {
    std::int16_t pitch = 0;
    std::int64_t duration = 0;
  };
  /// From the lowest up; good until the next call.
  [[nodiscard]] const std::vector<OnPitch>& by_pitch() const {
    thread_local std::array<std::int64_t, kPitches> weight{};  // all zero between calls
    thread_local std::vector<OnPitch> out;
    out.clear();
    out.reserve(kPitches);  // an allocation that fails later would leave weights behind
    std::int16_t low = pitch[0];
    std::int16_t high = pitch[0];
    for (std::size_t i = 0; i < pitch.size(); ++i) {
      weight[static_cast<std::size_t>(pitch[i])] += duration[i];
      low = std::min(low, pitch[i]);
      high = std::max(high, pitch[i]);
    }
    for (std::int16_t p = low; p <= high; ++p) {
      std::int64_t& here = weight[static_cast<std::size_t>(p)];
      if (here > 0) out.push_back({p, here});
      here = 0;
    }
    return out;
  }
  /// `add(i, filler)` adds the i-th of `count` weights in ascending order of their place.
  template <typename Add>
  [[nodiscard]] static Reach reach(std::int64_t carried, std::size_t count, const Add& add) {
    Reach out;
    CellFiller lowest(carried, out.low);
    for (std::size_t i = 0; i < count; ++i) add(i, lowest);
    CellFiller highest(carried, out.high);
    for (std::size_t i = count; i-- > 0;) add(i, highest);
    std::reverse(out.high.begin(), out.high.end());
    return out;
  }
};

/// For EMD and PTD. Lower bounds of the distance, for each way to lay the query onto the document:
/// 1. By Jensen's inequality the mean distance is at least the root of the squares of the mean distances in time and in
///    pitch, and these are at least those of the two melodies on each axis by itself. There the best is to carry in
///    order; and what is carried between the k-th parts of equal weight goes at least from mean to mean. Where one side
///    is heavier by d, it is a choice which part of it is carried: in order, what has the weight x below it on the
///    lighter side meets what has between x and x + d below it on the heavier one.
/// 2. A heap goes at least to the nearest place of the other side. That holds for all heaps of the side that is carried
///    whole: both, or the lighter one.
/// 3. Where many heaps have the same nearest place, they cannot all go there: dual prices account for that.
/// The exact distance is then that of the ways that are left.
class HeapBounds final : public BoundFilter {
 public:
  HeapBounds(Melody query, std::unique_ptr<transportation::PlacedQuery> prepared, const TransportPlan& settings,
             std::size_t shortest)
      : BoundFilter(shortest),
        query_(std::move(query)),
        prepared_(std::move(prepared)),
        weights_(settings.weights),
        time_(settings.time),
        transpositions_(settings.transpositions) {
    pitch_ = query_.pitch_cells();
    const Cells cells = query_.time_cells(time_);
    for (std::size_t s = 0; s < transportation::kStretches.size(); ++s) {
      for (std::size_t k = 0; k < kCells; ++k) {
        stretched_[s][k] = cells[k] * static_cast<float>(transportation::kStretches[s]);
      }
    }
    query_.heaps(time_, heaps_);
    for (std::size_t i = 0; i < heaps_.size; ++i) {
      mean_time_ += heaps_.weight[i] * heaps_.time[i];
      latest_ = std::max(latest_, heaps_.time[i]);
    }
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
              float* bound) const override {
    thread_local Melody melody;
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      const bool known = melody.read(segment, run[d]);
      *bound = known ? score_below(apart(melody)) : kUnknown;
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    thread_local Melody melody;
    thread_local kernels::Heaps heaps;
    thread_local Placings placings;
    thread_local Line line;
    for (Candidate& candidate : candidates) {
      if (interrupted()) return;
      if (!melody.read(segment, segment.notes_of(candidate.document))) continue;
      float enough = farthest(threshold);
      list(melody, enough, placings);
      if (placings.size() > 0) {
        melody.heaps(time_, heaps);
        drop_by_nearest(melody, heaps, enough, placings);
      }
      if (placings.size() == 0) {
        candidate.bound = kNever;
        continue;
      }
      const bool first_of_all = !std::isfinite(threshold);
      if (first_of_all) {
        // No threshold yet: use this document's own best placing, as far as it is known.
        segment.line(candidate.document, line);
        enough = farthest(prepared_->score_under(line, std::span(placings.exact).first(1), threshold));
      }
      drop_by_prices(melody, heaps, enough, placings);
      candidate.bound =
          placings.size() == 0 ? kNever : std::min<double>(candidate.bound, score_below(placings.work.front()));
      if (candidate.bound < threshold) continue;
      if (!first_of_all) segment.line(candidate.document, line);
      for (std::size_t p = 0; p < placings.size(); ++p) {
        placings.exact[p].bound = -static_cast<double>(score_below(placings.work[p]));
      }
      candidate.bound = prepared_->score_under(line, placings.exact, threshold);
      candidate.exact = true;
    }
  }

  [[nodiscard]] std::size_t piece() const override { return 16; }

 private:
  static constexpr float kAnyDistance = 1e30F;
  /// The distance from which on no placing reaches the threshold. It and the next have room for the rounding of floats
  /// here, and of distances to whole units there.
  [[nodiscard]] static float farthest(double threshold) {
    return std::isfinite(threshold) ? static_cast<float>(-threshold * (1 + 1e-4) + 1e-3) : kAnyDistance;
  }
  [[nodiscard]] static float score_below(float distance) {
    return raised(std::min(0.0, -static_cast<double>(distance) * (1 - 1e-5) + 1e-4));
  }

  /// Shares that are carried, on one denominator; below 2^60.
  [[nodiscard]] bool weigh_the_same(const Melody& other) const {
    return weights_ == Weights::shares || query_.sounding * other.length == other.sounding * query_.length;
  }
  [[nodiscard]] bool query_is_lighter(const Melody& other) const {
    return query_.sounding * other.length < other.sounding * query_.length;
  }

  /// What the sides weigh if that which is carried weighs 1.
  struct Loads {
    float query = 1;
    float document = 1;
  };
  [[nodiscard]] Loads loads(const Melody& other) const {
    if (weigh_the_same(other)) return {};
    const double ratio = static_cast<double>(query_.sounding) * static_cast<double>(other.length) /
                         (static_cast<double>(other.sounding) * static_cast<double>(query_.length));
    return {std::max(1.0F, static_cast<float>(ratio)), std::max(1.0F, static_cast<float>(1 / ratio))};
  }

  struct Transpositions {
    int first = 0;
    int last = 0;
  };
  /// Those around equal mean pitch; where rounding might decide, one more, which the exact score leaves out.
  [[nodiscard]] Transpositions transpositions(const Melody& other) const {
    const double middle = other.mean - query_.mean;
    return {static_cast<int>(std::ceil(middle - 0.5 - 1e-6)) - transpositions_,
            static_cast<int>(std::floor(middle + 0.5 + 1e-6)) + transpositions_};
  }

  [[nodiscard]] static float mean_apart(const Cells& a, float move, const Cells& b) {
    float sum[4] = {};
    for (std::size_t k = 0; k < kCells; k += 4) {
      for (std::size_t l = 0; l < 4; ++l) sum[l] += std::abs(a[k + l] + move - b[k + l]);
    }
    return (sum[0] + sum[1] + sum[2] + sum[3]) / static_cast<float>(kCells);
  }
  [[nodiscard]] static float mean_apart(const Cells& a, float move, const Reach& b) {
    float sum[4] = {};
    for (std::size_t k = 0; k < kCells; k += 4) {
      for (std::size_t l = 0; l < 4; ++l) {
        const float at = a[k + l] + move;
        sum[l] += std::max(0.0F, std::max(b.low[k + l] - at, at - b.high[k + l]));
      }
    }
    return (sum[0] + sum[1] + sum[2] + sum[3]) / static_cast<float>(kCells);
  }
  [[nodiscard]] static Reach times(const Reach& reach, double factor) {
    Reach out;
    for (std::size_t k = 0; k < kCells; ++k) {
      out.low[k] = reach.low[k] * static_cast<float>(factor);
      out.high[k] = reach.high[k] * static_cast<float>(factor);
    }
    return out;
  }

  /// The first bound on each axis: by stretch and, from the first on, by transposition.
  struct Axes {
    std::array<float, transportation::kStretches.size()> in_time{};
    std::vector<float> in_pitch;
    int first = 0;
  };
  void measure(const Melody& other, Axes& out) const {
    const Transpositions range = transpositions(other);
    out.first = range.first;
    out.in_pitch.clear();
    const auto fill = [&](const auto& in_time, const auto& in_pitch) {
      for (std::size_t s = 0; s < out.in_time.size(); ++s) out.in_time[s] = in_time(s);
      for (int t = range.first; t <= range.last; ++t) out.in_pitch.push_back(in_pitch(static_cast<float>(t)));
    };
    if (weigh_the_same(other)) {
      const Cells time = other.time_cells(time_);
      const Cells pitch = other.pitch_cells();
      return fill([&](std::size_t s) { return mean_apart(stretched_[s], 0, time); },
                  [&](float t) { return mean_apart(pitch_, t, pitch); });
    }
    // Weights on one denominator.
    const std::int64_t carried = std::min(query_.sounding * other.length, other.sounding * query_.length);
    if (query_is_lighter(other)) {
      const Reach time = other.time_reach(time_, query_.length, carried);
      const Reach pitch = other.pitch_reach(query_.length, carried);
      return fill([&](std::size_t s) { return mean_apart(stretched_[s], 0, time); },
                  [&](float t) { return mean_apart(pitch_, t, pitch); });
    }
    const Cells time = other.time_cells(time_);
    const Cells pitch = other.pitch_cells();
    const Reach own_time = query_.time_reach(time_, other.length, carried);
    const Reach own_pitch = query_.pitch_reach(other.length, carried);
    fill([&](std::size_t s) { return mean_apart(time, 0, times(own_time, transportation::kStretches[s])); },
         [&](float t) { return mean_apart(pitch, -t, own_pitch); });
  }

  [[nodiscard]] float apart(const Melody& other) const {
    thread_local Axes axes;
    measure(other, axes);
    const float in_time = *std::min_element(axes.in_time.begin(), axes.in_time.end());
    const float in_pitch = *std::min_element(axes.in_pitch.begin(), axes.in_pitch.end());
    return std::sqrt(in_time * in_time + in_pitch * in_pitch);
  }

  /// Placings in floats, for the bound, and as the score has them.
  struct Placings {
    std::vector<kernels::HeapPlacing> near;
    std::vector<transportation::Placing> exact;
    std::vector<float> work;  ///< a lower bound, once there is one

    [[nodiscard]] std::size_t size() const { return near.size(); }
    void clear() {
      near.clear();
      exact.clear();
      work.clear();
    }
    void add(double stretch, int transposition, float least_work) {
      near.push_back({static_cast<float>(stretch), static_cast<float>(transposition)});
      exact.push_back({0, stretch, transposition});
      work.push_back(least_work);
    }
    /// Only those whose work is less, the least first.
    void keep_below(float enough) {
      thread_local std::vector<std::pair<float, transportation::Placing>> kept;
      kept.clear();
      for (std::size_t p = 0; p < size(); ++p) {
        if (work[p] < enough) kept.emplace_back(work[p], exact[p]);
      }
      std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      clear();
      for (const auto& [least, placing] : kept) add(placing.stretch, placing.transposition, least);
    }
  };

  /// The placings that the first bound leaves.
  void list(const Melody& other, float enough, Placings& out) const {
    out.clear();
    thread_local Axes axes;
    measure(other, axes);
    for (std::size_t t = 0; t < axes.in_pitch.size(); ++t) {
      const float in_pitch = axes.in_pitch[t];
      if (in_pitch > enough) continue;
      for (std::size_t s = 0; s < axes.in_time.size(); ++s) {
        if (axes.in_time[s] * axes.in_time[s] + in_pitch * in_pitch > enough * enough) continue;
        out.add(transportation::kStretches[s], axes.first + static_cast<int>(t), 0);
      }
    }
  }

  /// Those that the second bound leaves, the best first.
  void drop_by_nearest(const Melody& other, const kernels::Heaps& heaps, float enough, Placings& placings) const {
    const bool both = weigh_the_same(other);
    const kernels::HeapSides sides{both || query_is_lighter(other), both || !query_is_lighter(other)};
    kernels::nearest_work(heaps_, heaps, placings.near, sides, enough, placings.work.data());
    placings.keep_below(enough);
  }

  /// Those that the third one leaves. What bounds one placing bounds the others too, less what lies between them: each
  /// heap that is carried moves at most this much less.
  void drop_by_prices(const Melody& other, const kernels::Heaps& heaps, float enough, Placings& placings) const {
    if (enough >= kAnyDistance) return;
    constexpr float kRoom = 1.0001F;  // for rounding
    thread_local HeapPrices prices;
    const Loads loads = this->loads(other);
    prices.begin(heaps_, loads.query, heaps, loads.document);
    const float in_time = std::min(latest_, mean_time_ * loads.query);
    for (std::size_t p = 0; p < placings.size(); ++p) {
      if (placings.work[p] >= enough) continue;
      const kernels::HeapPlacing here = placings.near[p];
      const float bound = prices.bound(here, enough);
      placings.work[p] = std::max(placings.work[p], bound);
      for (std::size_t o = p + 1; o < placings.size(); ++o) {
        const kernels::HeapPlacing there = placings.near[o];
        const float apart =
            std::abs(there.transposition - here.transposition) + in_time * std::abs(there.stretch - here.stretch);
        placings.work[o] = std::max(placings.work[o], bound - apart * kRoom);
      }
    }
    placings.keep_below(enough);
  }

  Melody query_;
  std::unique_ptr<transportation::PlacedQuery> prepared_;
  Weights weights_;
  double time_;
  int transpositions_;
  Cells pitch_{};
  std::array<Cells, transportation::kStretches.size()> stretched_{};
  kernels::Heaps heaps_;
  float mean_time_ = 0;  ///< of the heaps
  float latest_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_method(const TransportPlan& plan, const Task& task) {
  const Line& line = task.query;
  if (line.size() == 0 || Segment::kTicks % line.ticks_per_whole != 0) return nullptr;
  Melody query;
  query.resize(std::min(line.size(), transportation::kLongest));
  const std::int64_t factor = Segment::kTicks / line.ticks_per_whole;
  for (std::size_t i = 0; i < query.onset.size(); ++i) {
    const std::int64_t most = Segment::kMostTicks / factor;
    if (std::abs(line.onset[i]) > most || line.onset[i] + line.duration[i] > most) return nullptr;
    query.onset[i] = static_cast<std::int32_t>(line.onset[i] * factor);
    query.duration[i] = static_cast<std::int32_t>(line.duration[i] * factor);
    query.pitch[i] = line.base40[i];
  }
  if (!query.settle()) return nullptr;
  return std::make_unique<HeapBounds>(std::move(query), transportation::prepare(plan, line), plan, task.shortest);
}

}  // namespace rondo::fast
