#include <bit>
#include <numeric>

#include "search/fast/pitch_overlap.h"
#include "search/fast/sieve.h"
#include "search/kernels/coinciding.h"

namespace rondo::fast {
namespace {

/// Where notes lie in time and pitch, on the grid of Segment::ticks.
struct Plane {
  std::vector<std::uint8_t> pitch;
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;

  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
    onset.resize(notes.count);
    duration.resize(notes.count);
    return read_pitches(segment, notes, pitch) && segment.ticks(notes, onset.data(), duration.data());
  }
};

/// The query's points: its notes, those of one pitch that overlap joined, as the scores see them. Nothing where they do
/// not fit the grid or the keyboard.
std::optional<Plane> plane_of(const Points& points) {
  Plane out;
  if (points.points.empty() || Segment::kTicks % points.ticks_per_whole != 0) return std::nullopt;
  const std::int64_t factor = Segment::kTicks / points.ticks_per_whole;
  for (const Point& point : points.points) {
    const bool far = std::abs(point.onset) > Segment::kMostTicks / factor || point.end > Segment::kMostTicks / factor;
    if (far || point.pitch < 0 || point.pitch >= kMidiPitches) return std::nullopt;
    out.pitch.push_back(static_cast<std::uint8_t>(point.pitch));
    out.onset.push_back(static_cast<std::int32_t>(point.onset * factor));
    out.duration.push_back(static_cast<std::int32_t>((point.end - point.onset) * factor));
  }
  return out;
}

std::vector<std::int16_t> wide(const std::vector<std::uint8_t>& pitch) { return {pitch.begin(), pitch.end()}; }

constexpr std::size_t kLongest = 2000;  ///< notes; longer documents are scored one by one

/// For P1 and P2: how many notes of the query meet a note of the document under one shift in time and pitch. No more
/// than are on the same pitches under its transposition. In the transpositions that leave a chance, all shifts are
/// tried at once, times taken in a circle (kernels/coinciding.h).
class Coinciding final : public Sieve {
 public:
  Coinciding(const Plane& query, bool all, std::size_t shortest)
      : Sieve(shortest), all_(all), overlap_(wide(query.pitch), each_note), notes_(query.pitch.size()) {
    std::uint32_t times = 0;
    for (const std::int32_t onset : query.onset) times |= since(query, onset);
    finest_ = zeros_behind(times);
    for (int zeros = 0; zeros <= finest_; ++zeros) {
      kernels::TurnedRows rows;
      rows.pitch = query.pitch;
      for (const std::int32_t onset : query.onset) rows.turn.push_back(place(since(query, onset), zeros));
      rows_.push_back(std::move(rows));
    }
    for (std::size_t met = 0; met < bound_of_.size(); ++met) bound_of_[met] = raised(score(met));
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    std::fill(bound, bound + (end - begin), kUnknown);
    each_overlap(overlap_, segment, notes, begin, end,
                 [&](std::size_t i, std::size_t most) { bound[i] = bound_of_[most]; });
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double bar) const override {
    std::size_t needed = 0;
    while (needed <= notes_ && bound_of_[needed] < bar) ++needed;
    thread_local Plane plane;
    for (Candidate& candidate : candidates) {
      const Segment::Notes notes = segment.notes_of(candidate.document);
      if (notes.count > kLongest || !plane.read(segment, notes)) continue;
      candidate.bound = std::min<double>(candidate.bound, bound_of_[most_alike(plane, needed)]);
    }
  }

 private:
  /// Times count from the first note, for only differences matter.
  static std::uint32_t since(const Plane& plane, std::int32_t onset) {
    return static_cast<std::uint32_t>(onset) - static_cast<std::uint32_t>(plane.onset[0]);
  }
  /// By how many halvings all times stay whole. Then usual times are odd multiples of the least, and spread over the
  /// circle.
  static int zeros_behind(std::uint32_t times) { return std::min(std::countr_zero(times), 26); }
  static std::uint8_t place(std::uint32_t time, int zeros) {
    return static_cast<std::uint8_t>((time >> static_cast<unsigned>(zeros)) % kernels::kCircle);
  }

  [[nodiscard]] double score(std::size_t met) const {
    if (all_) return met >= notes_ ? 1.0 : -std::numeric_limits<double>::infinity();
    return static_cast<double>(std::min(met, notes_)) / static_cast<double>(notes_);
  }

  /// A bound of the notes that meet; where it is below `needed`, no more is said than that.
  [[nodiscard]] std::size_t most_alike(const Plane& plane, std::size_t needed) const {
    constexpr std::size_t kRoom = kMidiPitches + kernels::kTranspositions;
    thread_local std::array<std::uint64_t, kRoom + kMidiPitches + kRoom> words{};  // all zero between calls
    std::uint64_t* const at = words.data() + kRoom;
    std::uint32_t times = 0;
    for (const std::int32_t onset : plane.onset) times |= since(plane, onset);
    const int zeros = std::min(finest_, zeros_behind(times));
    for (std::size_t j = 0; j < plane.pitch.size(); ++j) {
      at[plane.pitch[j]] |= std::uint64_t{1} << place(since(plane, plane.onset[j]), zeros);
    }
    thread_local NoteOverlap::Common common;
    overlap_.find(plane.pitch, each_note, common);
    const kernels::TurnedRows& rows = rows_[static_cast<std::size_t>(zeros)];
    std::size_t most = needed == 0 ? 0 : needed - 1;
    for (std::size_t t = 0; t < common.size; t += kernels::kTranspositions) {
      std::uint8_t chance = 0;
      for (std::size_t k = 0; k < kernels::kTranspositions; ++k) chance = std::max(chance, common.amount[t + k]);
      if (chance <= most) continue;
      most = std::max<std::size_t>(most, kernels::most_coinciding(rows, at, common.lowest + static_cast<int>(t)));
    }
    for (const std::uint8_t pitch : plane.pitch) at[pitch] = 0;
    return most;
  }

  bool all_;
  NoteOverlap overlap_;
  std::size_t notes_;
  int finest_ = 0;
  std::vector<kernels::TurnedRows> rows_;  ///< by halvings
  std::array<float, 257> bound_of_{};      ///< by notes that meet
};

/// For P3: the longest time at equal pitch under one shift. No longer than the two spend on the same pitches under its
/// transposition. For the transpositions that are left, the common time as a function of the shift is swept: it is
/// piecewise linear, its turns are whole numbers on the grid, so what comes out is the score.
class CommonTime final : public Sieve {
 public:
  CommonTime(Plane query, std::size_t shortest)
      : Sieve(shortest),
        query_(std::move(query)),
        overlap_(wide(query_.pitch), [this](std::size_t i) { return overlap_units(query_.duration[i]); }) {
    for (std::size_t i = 0; i < query_.pitch.size(); ++i) {
      sounding_ += query_.duration[i];
      unit_ = std::gcd(unit_, std::gcd(query_.onset[i] - query_.onset[0], query_.duration[i]));
      first_ = std::min(first_, query_.onset[i]);
      last_ = std::max(last_, query_.onset[i] + query_.duration[i]);
    }
  }

  [[nodiscard]] static bool suits(const Plane& query) {
    std::int64_t units = 0;
    for (const std::int32_t ticks : query.duration) units += overlap_units(ticks);
    return TimeOverlap::suits(wide(query.pitch), units);
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
              float* bound) const override {
    thread_local Plane plane;
    TimeOverlap::Common common;
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      *bound = kUnknown;
      if (!plane.read(segment, {first + std::uint64_t{d - begin} * notes, notes})) continue;
      find_common(plane, common);
      *bound = raised(std::min(1.0, share(common.most())));
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double bar) const override {
    thread_local Plane plane;
    TimeOverlap::Common common;
    for (Candidate& candidate : candidates) {
      const Segment::Notes notes = segment.notes_of(candidate.document);
      if (notes.count > kLongest || !plane.read(segment, notes) || !is_line(plane)) continue;
      find_common(plane, common);
      std::int64_t best = 0;
      const Sweep sweep(*this, plane);
      if (!sweep.fits()) continue;
      for (std::size_t t = 0; t < common.size; ++t) {
        if (raised(share(common.amount[t])) < bar) continue;
        best = std::max(best, sweep.longest(common.lowest + static_cast<int>(t)));
      }
      candidate.bound = static_cast<double>(best) / static_cast<double>(sounding_);
      candidate.exact = true;
    }
  }

 private:
  void find_common(const Plane& plane, TimeOverlap::Common& out) const {
    overlap_.find(
        plane.pitch, [&](std::size_t j) { return overlap_units(plane.duration[j]); }, out);
  }
  [[nodiscard]] double share(std::int64_t units) const {
    return static_cast<double>(units * kOverlapUnit) / static_cast<double>(sounding_);
  }
  /// Notes that overlap might have to be joined first.
  [[nodiscard]] static bool is_line(const Plane& plane) {
    for (std::size_t j = 1; j < plane.onset.size(); ++j) {
      if (plane.onset[j] < plane.onset[j - 1] + plane.duration[j - 1]) return false;
    }
    return true;
  }

  /// The common time of the query and one document for all shifts, in the largest unit that all times are whole in.
  class Sweep {
   public:
    Sweep(const CommonTime& own, const Plane& document) : own_(own), document_(document), unit_(own.unit_) {
      const std::int32_t begin = document.onset.front();
      for (std::size_t j = 0; j < document.pitch.size(); ++j) {
        unit_ = std::gcd(unit_, std::gcd(document.onset[j] - begin, document.duration[j]));
      }
      // From where the document's first note begins at the query's end to the other way round.
      zero_ = begin - own.last_;
      const std::int64_t end = std::int64_t{document.onset.back()} + document.duration.back() - own.first_;
      steps_ = static_cast<std::size_t>((end - zero_) / unit_) + 1;
      for (std::vector<std::uint16_t>& notes : at_pitch()) notes.clear();
      for (std::size_t j = 0; j < document.pitch.size(); ++j) {
        at_pitch()[document.pitch[j]].push_back(static_cast<std::uint16_t>(j));
      }
    }
    /// Not for times so fine, or melodies so long, that sorting the turns is quicker.
    [[nodiscard]] bool fits() const { return steps_ <= 20'000; }

    /// In ticks.
    [[nodiscard]] std::int64_t longest(int transposition) const {
      thread_local std::vector<std::int32_t> turns;  // changes of the slope
      turns.assign(steps_, 0);
      const auto turn = [&](std::int32_t ticks, int by) {
        turns[static_cast<std::size_t>((ticks - zero_) / unit_)] += by;
      };
      for (std::size_t i = 0; i < own_.query_.pitch.size(); ++i) {
        const int pitch = own_.query_.pitch[i] + transposition;
        if (pitch < 0 || pitch >= kMidiPitches) continue;
        const std::int32_t begin = own_.query_.onset[i];
        const std::int32_t end = begin + own_.query_.duration[i];
        for (const std::uint16_t j : at_pitch()[static_cast<std::size_t>(pitch)]) {
          const std::int32_t other_begin = document_.onset[j];
          const std::int32_t other_end = other_begin + document_.duration[j];
          turn(other_begin - end, 1);
          turn(other_begin - begin, -1);
          turn(other_end - end, -1);
          turn(other_end - begin, 1);
        }
      }
      std::int64_t slope = 0;
      std::int64_t common = 0;
      std::int64_t most = 0;
      for (const std::int32_t by : turns) {
        most = std::max(most, common);
        slope += by;
        common += slope;
      }
      return most * unit_;
    }

   private:
    static std::array<std::vector<std::uint16_t>, kMidiPitches>& at_pitch() {
      thread_local std::array<std::vector<std::uint16_t>, kMidiPitches> notes;
      return notes;
    }

    const CommonTime& own_;
    const Plane& document_;
    std::int32_t unit_;
    std::int32_t zero_ = 0;
    std::size_t steps_ = 0;
  };

  Plane query_;
  TimeOverlap overlap_;
  std::int64_t sounding_ = 0;
  std::int32_t unit_ = 0;
  std::int32_t first_ = std::numeric_limits<std::int32_t>::max();
  std::int32_t last_ = std::numeric_limits<std::int32_t>::min();
};

}  // namespace

std::unique_ptr<Method> make_geometric_method(const Task& task) {
  const std::string_view name = task.row.name;
  if (name != "P1" && name != "P2" && name != "P3") return nullptr;
  const auto plane = plane_of(make_points(task.query));
  if (!plane) return nullptr;
  if (name == "P3") {
    return CommonTime::suits(*plane) ? std::make_unique<CommonTime>(*plane, task.row.shortest) : nullptr;
  }
  if (!NoteOverlap::suits(wide(plane->pitch), static_cast<std::int64_t>(plane->pitch.size()))) return nullptr;
  return std::make_unique<Coinciding>(*plane, name == "P1", task.row.shortest);
}

}  // namespace rondo::fast
