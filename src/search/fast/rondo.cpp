#include "similarity/systems/rondo.h"

#include <array>
#include <cmath>
#include <utility>

#include "search/fast/sieve.h"
#include "search/kernels/common_notes.h"
#include "search/kernels/explained_align.h"

namespace rondo::fast {
namespace {

/// For the system rondo: aligns every document, many at a time, in the two transpositions that the definition names.
/// The totals are exact; what bounds the documents is their score itself, as a float that is not below it.
class Explained final : public Sieve {
 public:
  Explained(const explained::Costs& costs, const explained::Features& query, std::size_t shortest)
      : Sieve(shortest), costs_(costs), common_(query.pitch), perfect_(costs.perfect(query)) {
    const explained::Settings& settings = costs.settings();
    const auto small = [](std::int32_t value) { return static_cast<std::int16_t>(value); };
    rows_.pitch = query.pitch;
    rows_.next = query.next;
    rows_.place = query.place;
    for (std::size_t i = 0; i < query.size(); ++i) {
      rows_.length.push_back(small(query.length[i] * settings.length));
      rows_.change.push_back(small(query.change[i] * settings.change));
      rows_.weight.push_back(small(costs.weight(query.length[i])));
      rows_.gap.push_back(small(costs.gap(query.length[i])));
    }
    rows_.near = small(settings.near);
    rows_.far = small(settings.far);
    rows_.overhang = small(settings.overhang);
  }

  /// Whether the numbers of a plan are such that bounds hold and pairs fit into 16 bits.
  [[nodiscard]] static bool usual(const RondoPlan& plan) {
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    return within(plan.near, -2, 1) && within(plan.far, -2, 1) && within(plan.length, 0, 2) &&
           within(plan.change, 0, 2) && within(plan.place, 0, 4) && within(plan.interval, 0, 1) &&
           within(plan.weight, 0, 1) && within(plan.gap, 0, 20) && within(plan.long_notes, 0, 1) &&
           within(plan.overhang, 0, 60);
  }

  /// Whether all sums stay within 16 bits. A cell is never below what leaving out the query so far costs.
  [[nodiscard]] static bool fits(const explained::Costs& costs, const explained::Features& query) {
    std::int32_t left_out = costs.settings().overhang;
    for (const std::int16_t length : query.length) left_out += costs.gap(length);
    return left_out <= kernels::kMostExplained && costs.perfect(query) <= kernels::kMostExplained;
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    if (notes > kLongestInLanes) return;
    Melody melody(segment, notes);
    Batch batch(*this, notes, bound);
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d) {
      if (melody.read(run[d])) batch.add(d - begin, melody);
    }
    batch.flush();
  }

 private:
  /// Reads documents of one length, nearly all of them by what the codes of their notes stand for.
  class Melody {
   public:
    Melody(const Segment& segment, std::uint32_t notes)
        : segment_(segment),
          onset_(notes),
          duration_(notes),
          onset_ticks_(notes),
          duration_ticks_(notes),
          pitch_(notes),
          plain_(!segment.has_pitch_exceptions() && !segment.has_time_exceptions()) {
      for (std::size_t code = 0; code < 256; ++code) {
        time_[code] = segment.ticks_of_code(static_cast<std::uint8_t>(code));
        plain_ = plain_ && time_[code].gap >= 0;
      }
    }

    /// False: pitches or times out of all bounds.
    [[nodiscard]] bool read(const Segment::Notes& own) {
      if (!read_pitches(own) || !(plain_ ? read_times(own) : read_any_times(own))) return false;
      explained::make_features(pitch_, onset_, duration_, features_);
      return true;
    }
    [[nodiscard]] const explained::Features& features() const { return features_; }
    [[nodiscard]] std::int32_t low() const { return low_; }

   private:
    [[nodiscard]] bool read_pitches(const Segment::Notes& own) {
      const std::span<const std::uint8_t> codes = segment_.pitch_codes(own);
      const std::span<const std::int16_t> midi = segment_.midi_by_code();
      std::int16_t low = std::numeric_limits<std::int16_t>::max();
      std::int16_t high = std::numeric_limits<std::int16_t>::min();
      for (std::uint32_t i = 0; i < own.count; ++i) {
        pitch_[i] = plain_ ? midi[codes[i]] : static_cast<std::int16_t>(segment_.midi(own.first + i));
        low = std::min(low, pitch_[i]);
        high = std::max(high, pitch_[i]);
      }
      low_ = low;
      return high - low <= kernels::kMostRange;
    }

    [[nodiscard]] bool read_times(const Segment::Notes& own) {
      const std::span<const std::uint8_t> codes = segment_.time_codes(own);
      std::int64_t end = 0;
      for (std::uint32_t i = 0; i < own.count; ++i) {
        const Segment::Ticks ticks = time_[codes[i]];
        if (ticks.duration <= 0) return false;
        onset_[i] = end + ticks.gap;
        duration_[i] = ticks.duration;
        end = onset_[i] + duration_[i];
      }
      return true;
    }

    [[nodiscard]] bool read_any_times(const Segment::Notes& own) {
      if (!segment_.ticks(own, onset_ticks_.data(), duration_ticks_.data())) return false;
      std::copy(onset_ticks_.begin(), onset_ticks_.end(), onset_.begin());
      std::copy(duration_ticks_.begin(), duration_ticks_.end(), duration_.begin());
      return true;
    }

    const Segment& segment_;
    std::vector<std::int64_t> onset_, duration_;
    std::vector<std::int32_t> onset_ticks_, duration_ticks_;
    std::vector<std::int16_t> pitch_;
    std::array<Segment::Ticks, 256> time_{};
    explained::Features features_;
    std::int32_t low_ = 0;
    bool plain_;
  };

  /// Documents of one length, aligned as soon as there are enough.
  class Batch {
   public:
    Batch(const Explained& own, std::uint32_t notes, float* bound) : own_(own), bound_(bound) {
      const explained::Costs& costs = own.costs_;
      columns_.resize(notes);
      std::fill(columns_.interval.begin(), columns_.interval.end() - kernels::kBatch,
                static_cast<std::int16_t>(costs.settings().interval));
      std::fill(columns_.interval.end() - kernels::kBatch, columns_.interval.end(), std::int16_t{0});
      std::fill(std::begin(columns_.count), std::end(columns_.count), static_cast<std::int16_t>(notes));
      std::fill(std::begin(columns_.place_factor), std::end(columns_.place_factor),
                static_cast<std::int16_t>(costs.place_factor(own.rows_.pitch.size(), notes)));
    }

    void add(std::size_t owner, const Melody& melody) {
      const auto [one, other] = own_.transpositions(melody);
      const explained::Features& notes = melody.features();
      const auto length = static_cast<std::int16_t>(own_.costs_.settings().length);
      const auto change = static_cast<std::int16_t>(own_.costs_.settings().change);
      fill(columns_.pitch, [&](std::size_t j) { return notes.pitch[j] - one; });
      fill(columns_.other, [&](std::size_t j) { return notes.pitch[j] - other; });
      fill(columns_.next, [&](std::size_t j) { return notes.next[j]; });
      fill(columns_.length, [&](std::size_t j) { return notes.length[j] * length; });
      fill(columns_.change, [&](std::size_t j) { return notes.change[j] * change; });
      fill(columns_.place, [&](std::size_t j) { return notes.place[j]; });
      fill(columns_.gap, [&](std::size_t j) { return own_.costs_.gap(notes.length[j]); });
      owner_[used_] = owner;
      if (++used_ == kernels::kBatch) flush();
    }

    void flush() {
      if (used_ == 0) return;
      std::int16_t total[kernels::kBatch];
      kernels::explained_align(own_.rows_, columns_, total);
      for (std::size_t lane = 0; lane < used_; ++lane) {
        bound_[owner_[lane]] = raised(static_cast<double>(total[lane]) / static_cast<double>(own_.perfect_));
      }
      used_ = 0;
    }

   private:
    template <typename Value>
    void fill(std::vector<std::int16_t>& part, const Value& value) {
      std::int16_t* to = part.data() + used_;
      for (std::size_t j = 0, notes = columns_.columns; j < notes; ++j, to += kernels::kBatch) {
        *to = static_cast<std::int16_t>(value(j));
      }
    }

    const Explained& own_;
    float* bound_;
    kernels::ExplainedColumns columns_;
    std::size_t owner_[kernels::kBatch] = {};
    std::size_t used_ = 0;
  };

  /// Those of the definition; if there is but one, that twice.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> transpositions(const Melody& melody) const {
    static_assert(explained::kTranspositions == 2);
    std::uint8_t counts[kernels::kMostTranspositions];
    const std::vector<std::int16_t>& pitch = melody.features().pitch;
    const std::size_t found = kernels::common_by_transposition(common_, pitch.data(), pitch.size(), counts);
    // Of equal counts the lower transposition is the greater number.
    std::uint32_t best = 0;
    std::uint32_t second = 0;
    for (std::size_t t = 0; t < found; ++t) {
      const std::uint32_t number = (std::uint32_t{counts[t]} << 16U) + (0xFFFFU - static_cast<std::uint32_t>(t));
      second = std::max(second, std::min(best, number));
      best = std::max(best, number);
    }
    if (second < 0x10000U) second = best;
    const auto transposition = [](std::uint32_t number) {
      return static_cast<std::int32_t>(0xFFFFU - (number & 0xFFFFU));
    };
    const std::int32_t lowest = melody.low() - common_.high;
    return {lowest + transposition(best), lowest + transposition(second)};
  }

  explained::Costs costs_;
  kernels::CommonQuery common_;
  std::int32_t perfect_;
  kernels::ExplainedRows rows_;
};

}  // namespace

std::unique_ptr<Method> make_method(const RondoPlan& plan, const Task& task) {
  const Line& line = task.query;
  if (line.size() == 0 || line.size() > kernels::kMostCommon || !Explained::usual(plan)) return nullptr;
  const auto [low, high] = std::minmax_element(line.pitch.begin(), line.pitch.end());
  if (*high - *low > kernels::kMostRange) return nullptr;
  explained::Features query;
  explained::make_features(line.pitch, line.onset, line.duration, query);
  const explained::Costs costs(explained::settings_of(plan), query.rhythm);
  if (!Explained::fits(costs, query)) return nullptr;
  return std::make_unique<Explained>(costs, query, task.shortest);
}

}  // namespace rondo::fast
