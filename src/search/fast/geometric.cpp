#include <bit>
#include <numeric>
#include <utility>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_overlap.h"
#include "search/kernels/coinciding.h"
#include "search/kernels/common_time.h"
#include "similarity/points.h"

namespace rondo::fast {
namespace {

/// Where notes lie in time and pitch, on the grid of Segment::ticks.
struct Plane {
  std::vector<std::uint8_t> pitch;
  std::vector<std::int32_t> onset;
  std::vector<std::int32_t> duration;

  [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& notes) {
    return read_pitches(segment, notes, pitch) && read_times(segment, notes);
  }
  [[nodiscard]] bool read_times(const Segment& segment, const Segment::Notes& notes) {
    onset.resize(notes.count);
    duration.resize(notes.count);
    return segment.ticks(notes, onset.data(), duration.data());
  }
  /// No note begins before the one before it has ended. Otherwise some might have to be joined before they are scored.
  [[nodiscard]] bool is_line() const {
    for (std::size_t j = 1; j < onset.size(); ++j) {
      if (onset[j] < onset[j - 1] + duration[j - 1]) return false;
    }
    return true;
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

/// How many notes of a document each pitch has, with room on both sides for every transposition that lays a note of a
/// query onto one of it.
class Keyboard {
 public:
  /// Counts notes by pitch. False: there are pitches that MIDI does not have.
  [[nodiscard]] bool count(const Segment& segment, const Segment::Notes& notes) {
    const bool fits = read_pitches(segment, notes, plane_.pitch);
    // Local variables, for the reason that read_pitches has.
    std::uint8_t* const counts = counts_.data() + kBefore;
    const std::uint8_t* const pitches = plane_.pitch.data();
    const std::uint32_t count = fits ? notes.count : 0;
    std::uint8_t low = kMidiPitches - 1;
    std::uint8_t high = 0;
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::uint8_t pitch = pitches[j];
      counts[pitch] = static_cast<std::uint8_t>(counts[pitch] + (counts[pitch] < kernels::kMostOnPitch ? 1 : 0));
      low = std::min(low, pitch);
      high = std::max(high, pitch);
    }
    low_ = low;
    high_ = high;
    return fits;
  }
  /// Reads when the notes begin and end. False: that does not fit the grid.
  [[nodiscard]] bool read_times(const Segment& segment, const Segment::Notes& notes) {
    return plane_.read_times(segment, notes);
  }
  /// Makes room for the next document.
  void clear() {
    if (low_ <= high_)
      std::fill(counts_.begin() + kBefore + low_, counts_.begin() + kBefore + high_ + 1, std::uint8_t{0});
  }

  [[nodiscard]] const Plane& plane() const { return plane_; }
  [[nodiscard]] int low() const { return low_; }
  [[nodiscard]] int high() const { return high_; }
  /// From pitch 0 on.
  [[nodiscard]] const std::uint8_t* counts() const { return counts_.data() + kBefore; }

 private:
  static constexpr std::size_t kBefore = kMidiPitches;
  static constexpr std::size_t kAll = kBefore + 2 * kMidiPitches + kernels::kWordOfTranspositions;
  Plane plane_;
  std::uint8_t low_ = 0;
  std::uint8_t high_ = 0;
  std::array<std::uint8_t, kAll> counts_{};  ///< all zero between documents
};

/// For P1 and P2: how many notes of the query meet a note of the document under one shift in time and pitch. No more
/// than are on the same pitches under its transposition. In the transpositions that leave a chance, all shifts are
/// tried at once, times taken in a circle (kernels/coinciding.h). What may reach the threshold then is counted out.
///
/// The circle grows with the query, so that the sums of a longer one are no less telling; then the work grows with the
/// length of the query, too.
///
/// Documents are taken in the order of memory: to look at one costs hardly more than to fetch it, and after the first
/// few of them the threshold is nearly where it will be.
class Coinciding final : public Method {
 public:
  Coinciding(Plane query, bool all, std::size_t shortest)
      : query_(std::move(query)), notes_(query_.pitch.size()), all_(all), shortest_(shortest) {
    std::array<std::vector<std::uint32_t>, kMidiPitches> onsets;
    for (std::size_t i = 0; i < notes_; ++i) onsets[query_.pitch[i]].push_back(since_first(query_, i));
    for (std::size_t p = 0; p < onsets.size(); ++p) {
      first_on_[p] = static_cast<std::uint32_t>(since_first_by_pitch_.size());
      since_first_by_pitch_.insert(since_first_by_pitch_.end(), onsets[p].begin(), onsets[p].end());
      if (onsets[p].empty()) continue;
      pitches_.pitch.push_back(static_cast<std::uint8_t>(p));
      pitches_.count.push_back(
          static_cast<std::uint8_t>(std::min<std::size_t>(kernels::kMostOnPitch, onsets[p].size())));
    }
    first_on_.back() = static_cast<std::uint32_t>(since_first_by_pitch_.size());
    const std::size_t words = std::bit_ceil((notes_ + kNotesOfAWord - 1) / kNotesOfAWord);
    finest_ = zeros_behind(query_);
    for (int zeros = 0; zeros <= finest_; ++zeros) {
      kernels::Circles& circles = circles_.emplace_back(words);
      for (std::size_t i = 0; i < notes_; ++i) circles.add(query_.pitch[i], time(query_, i, zeros));
    }
  }

  [[nodiscard]] static bool suits(const Plane& query) { return query.pitch.size() <= kernels::kMostCoinciding; }

  void run(const SegmentView& view, Workers& workers) const override {
    const Segment& segment = *view.segment;
    DocumentId first = 0;
    DocumentId as_long = 0;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      if (segment.runs()[r].notes < shortest_) first = segment.run_end(r);
      if (segment.runs()[r].notes < std::max(shortest_, notes_)) as_long = segment.run_end(r);
    }
    // What is shorter than the query comes last: little of it would raise the threshold.
    look_at(view, workers, as_long, segment.size());
    look_at(view, workers, first, as_long);
  }

 private:
  /// A word of the circle for so many notes of the query.
  static constexpr std::size_t kNotesOfAWord = 32;

  /// Times count from the first note, for only differences matter.
  static std::uint32_t since_first(const Plane& plane, std::size_t note) {
    return static_cast<std::uint32_t>(plane.onset[note]) - static_cast<std::uint32_t>(plane.onset[0]);
  }
  /// By how many halvings all times stay whole. Then usual times are odd multiples of the least, and spread over the
  /// circle.
  static int zeros_behind(const Plane& plane) {
    std::uint32_t times = 0;
    for (std::size_t i = 0; i < plane.onset.size(); ++i) times |= since_first(plane, i);
    return std::min(std::countr_zero(times), 26);
  }
  static std::uint32_t time(const Plane& plane, std::size_t note, int zeros) {
    return since_first(plane, note) >> static_cast<unsigned>(zeros);
  }

  [[nodiscard]] double score(std::size_t met) const {
    if (all_) return met >= notes_ ? 1 : 0;
    return static_cast<double>(met) / static_cast<double>(notes_);
  }
  /// How many notes must meet for a score that counts; more than there are where none would.
  [[nodiscard]] std::size_t needed(double threshold) const {
    // From just below what it should be: this is asked for every few documents.
    const double about = std::clamp(threshold * static_cast<double>(notes_) - 1, 1.0, static_cast<double>(notes_));
    std::size_t met = all_ ? notes_ : static_cast<std::size_t>(about);
    while (met <= notes_ && score(met) < threshold) ++met;
    return met;
  }

  void look_at(const SegmentView& view, Workers& workers, DocumentId first, DocumentId last) const {
    constexpr std::size_t kPiece = 4096;
    const auto document_at = [&](std::size_t i) { return first + i; };
    workers.share(view, last - first, kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
      thread_local std::vector<DocumentId> documents;
      thread_local std::vector<Segment::Notes> notes;
      documents.clear();
      for (std::size_t d = first + begin; d < first + end; ++d) {
        if (view.has(static_cast<DocumentId>(d))) documents.push_back(static_cast<DocumentId>(d));
      }
      view.segment->notes_of(documents, notes);
      for (std::size_t i = 0; i < documents.size(); i += kTogether) {
        const std::size_t count = std::min(kTogether, documents.size() - i);
        score_candidates(view, top_k, std::span(documents).subspan(i, count), std::span(notes).subspan(i, count));
      }
    });
  }

  /// Transpositions in which enough notes are on the same pitches.
  struct Chances {
    int lowest = 0;
    std::array<std::uint64_t, 4> bits{};  ///< from the lowest on
  };

  /// Each step is done for all of a few documents before the next: what was written byte by byte can be read as a
  /// vector only when it has reached memory, and meanwhile others are written.
  static constexpr std::size_t kTogether = 8;
  void score_candidates(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents,
                        std::span<const Segment::Notes> notes) const {
    const std::size_t least = needed(top_k.threshold());
    if (least > notes_) return;
    thread_local std::array<Keyboard, kTogether> keyboards;
    std::array<Chances, kTogether> chances;
    std::array<bool, kTogether> left{};
    for (std::size_t k = 0; k < documents.size(); ++k) {
      // A note of a document meets one of the query at most, unless some begin at once.
      left[k] = keyboards[k].count(*view.segment, notes[k]);
      if (!left[k]) top_k.offer(view, documents[k]);
    }
    for (std::size_t k = 0; k < documents.size(); ++k) {
      left[k] = left[k] && find_chances(keyboards[k], least, chances[k]);
      keyboards[k].clear();
      if (!left[k]) continue;
      top_k.looked_at(1);
      const bool known = notes[k].count <= kLongestInLanes && keyboards[k].read_times(*view.segment, notes[k]) &&
                         keyboards[k].plane().is_line();
      if (!known) {
        top_k.offer(view, documents[k]);
        continue;
      }
      const std::size_t met = most_met(keyboards[k].plane(), chances[k], least);
      if (met >= least) top_k.offer_scored(view, documents[k], score(met));
    }
  }

  /// False: there are none.
  [[nodiscard]] bool find_chances(const Keyboard& keyboard, std::size_t least, Chances& out) const {
    out.lowest = keyboard.low() - pitches_.pitch.back();
    const int highest = keyboard.high() - pitches_.pitch.front();
    const auto border = static_cast<std::uint8_t>(std::min<std::size_t>(least, kernels::kMostOnPitch));
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < out.bits.size(); ++w) {
      const int from = out.lowest + kernels::kWordOfTranspositions * static_cast<int>(w);
      if (from > highest) break;
      out.bits[w] = kernels::enough_on_pitch(pitches_, keyboard.counts(), from, border);
      any |= out.bits[w];
    }
    return any != 0;
  }

  /// The most notes that meet in a transposition with a chance; if they are fewer than `least`, any number below it.
  [[nodiscard]] std::size_t most_met(const Plane& document, const Chances& chances, std::size_t least) const {
    thread_local kernels::TurnedRows rows;
    const int zeros = std::min(finest_, zeros_behind(document));
    const kernels::Circles& circles = circles_[static_cast<std::size_t>(zeros)];
    rows.pitch = document.pitch;
    rows.turn.resize(document.pitch.size());
    for (std::size_t j = 0; j < rows.turn.size(); ++j) rows.turn[j] = time(document, j, zeros);
    std::size_t most = least - 1;
    int from = chances.lowest;
    for (std::uint64_t left : chances.bits) {
      while (left != 0) {
        const int next = std::countr_zero(left);
        // More than before, now.
        const std::uint32_t enough =
            kernels::enough_coincide(circles, rows, from + next, static_cast<std::uint32_t>(most + 1));
        constexpr std::uint64_t kLookedAt = (std::uint64_t{1} << kernels::kTranspositions) - 1;
        std::uint64_t close = left >> static_cast<unsigned>(next) & enough;
        left &= ~(kLookedAt << static_cast<unsigned>(next));
        for (; close != 0; close &= close - 1) {
          most = std::max(most, met_under(rows, zeros, from + next + std::countr_zero(close), most));
          if (most == notes_) return most;
        }
      }
      from += kernels::kWordOfTranspositions;
    }
    return most;
  }

  /// The most notes that meet in one transposition; any number that is not above `beaten` if they are no more.
  [[nodiscard]] std::size_t met_under(const kernels::TurnedRows& document, int zeros, int transposition,
                                      std::size_t beaten) const {
    thread_local std::vector<std::uint32_t> moves;
    moves.clear();
    for (std::size_t j = 0; j < document.pitch.size(); ++j) {
      const int pitch = document.pitch[j] - transposition;
      if (pitch < 0 || pitch >= kMidiPitches) continue;
      const auto p = static_cast<std::size_t>(pitch);
      for (std::uint32_t i = first_on_[p]; i < first_on_[p + 1]; ++i) {
        moves.push_back(document.turn[j] - (since_first_by_pitch_[i] >> static_cast<unsigned>(zeros)));
      }
    }
    if (moves.size() <= beaten) return 0;
    // In so wide a circle hardly any two moves that differ fall together; so they need rarely be sorted.
    constexpr std::size_t kWide = 4096;
    thread_local std::array<std::uint16_t, kWide> at_place{};  // all zero between calls
    std::size_t bound = 0;
    for (const std::uint32_t move : moves) bound = std::max<std::size_t>(bound, ++at_place[move % kWide]);
    for (const std::uint32_t move : moves) at_place[move % kWide] = 0;
    if (bound <= beaten) return bound;
    std::sort(moves.begin(), moves.end());
    std::size_t most = 0;
    std::size_t alike = 0;
    for (std::size_t m = 0; m < moves.size(); ++m) {
      alike = m > 0 && moves[m] == moves[m - 1] ? alike + 1 : 1;
      most = std::max(most, alike);
    }
    return most;
  }

  Plane query_;
  std::size_t notes_;
  bool all_;
  std::size_t shortest_;
  kernels::PitchCounts pitches_;
  std::vector<std::uint32_t> since_first_by_pitch_;         ///< onsets
  std::array<std::uint32_t, kMidiPitches + 1> first_on_{};  ///< by pitch, the first onset
  int finest_ = 0;
  std::vector<kernels::Circles> circles_;  ///< by halvings
};

/// For P3: the longest time at equal pitch under one shift. No longer than the two spend on the same pitches under its
/// transposition. For the transpositions that are left, the common time as a function of the shift is swept: it is
/// piecewise linear, its turns are whole numbers on the grid, so what comes out is the score.
class CommonTime final : public BoundFilter {
 public:
  CommonTime(Plane query, std::size_t shortest)
      : BoundFilter(shortest),
        query_(std::move(query)),
        overlap_(wide(query_.pitch), [this](std::size_t i) { return overlap_units(query_.duration[i]); }) {
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    std::int32_t last = std::numeric_limits<std::int32_t>::min();
    for (std::size_t i = 0; i < query_.pitch.size(); ++i) {
      sounding_ += query_.duration[i];
      unit_ = std::gcd(unit_, std::gcd(query_.onset[i] - query_.onset[0], query_.duration[i]));
      first = std::min(first, query_.onset[i]);
      last = std::max(last, query_.onset[i] + query_.duration[i]);
    }
    length_ = (last - first) / unit_;
    for (std::size_t i = 0; i < query_.pitch.size(); ++i) {
      const std::int32_t left = last - query_.onset[i];
      to_end_.push_back({left / unit_, (left - query_.duration[i]) / unit_});
    }
  }

  [[nodiscard]] static bool suits(const Plane& query) {
    std::int64_t units = 0;
    for (const std::int32_t ticks : query.duration) units += overlap_units(ticks);
    return TimeOverlap::suits(wide(query.pitch), units);
  }

 protected:
  void coarse(const Segment& segment, std::uint32_t /*notes*/, DocumentId begin, DocumentId end,
              float* bound) const override {
    thread_local Plane plane;
    TimeOverlap::Common common;
    const Segment::RunNotes run(segment, begin);
    for (DocumentId d = begin; d < end; ++d, ++bound) {
      *bound = kUnknown;
      if (!plane.read(segment, run[d])) continue;
      find_common(plane, common);
      *bound = raised(std::min(1.0, share(common.most)));
    }
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const override {
    thread_local Plane plane;
    TimeOverlap::Common common;
    const std::int16_t least = needed(threshold);
    for (Candidate& candidate : candidates) {
      const Segment::Notes notes = segment.notes_of(candidate.document);
      if (notes.count > kLongestInLanes || !plane.read(segment, notes) || !plane.is_line()) continue;
      find_common(plane, common);
      const std::optional<std::int64_t> longest = sweep(plane, common, least);
      if (!longest) continue;
      candidate.bound = static_cast<double>(*longest) / static_cast<double>(sounding_);
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
  /// How many units the two must spend on the same pitches to reach the threshold.
  [[nodiscard]] std::int16_t needed(double threshold) const {
    std::int16_t low = 1;
    std::int16_t high = std::numeric_limits<std::int16_t>::max();
    while (low < high) {
      const auto middle = static_cast<std::int16_t>(low + (high - low) / 2);
      if (raised(share(middle)) < threshold) {
        low = static_cast<std::int16_t>(middle + 1);
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Where a note begins and ends, in whole units.
  struct Stretch {
    std::int32_t begin = 0;
    std::int32_t end = 0;
  };

  /// The longest common time of all shifts in the transpositions with at least so much on the same pitches, in ticks.
  /// Nothing where times are so fine, or melodies so long, that sorting the turns is quicker.
  [[nodiscard]] std::optional<std::int64_t> sweep(const Plane& document, const TimeOverlap::Common& common,
                                                  std::int16_t least) const {
    // In the largest unit that all times are whole in: nearly always the query's own.
    std::int32_t unit = unit_;
    const std::int32_t begin = document.onset.front();
    for (std::size_t j = 0; j < document.pitch.size(); ++j) {
      for (const std::int32_t ticks : {document.onset[j] - begin, document.duration[j]}) {
        if (ticks % unit != 0) unit = std::gcd(unit, ticks);
      }
    }
    const std::int32_t finer = unit_ / unit;
    // From where the document's first note begins at the query's end to the other way round.
    const std::int32_t end = document.onset.back() + document.duration.back();
    const std::int64_t steps = (end - begin) / unit + std::int64_t{length_} * finer + 1;
    if (steps > 20'000) return std::nullopt;

    thread_local std::vector<Stretch> notes;
    thread_local std::array<std::uint16_t, kMidiPitches> first{};  // note of each pitch, from 1; 0: none
    thread_local std::vector<std::uint16_t> next;                  // of the same pitch
    notes.resize(document.pitch.size());
    next.resize(document.pitch.size());
    for (std::size_t j = 0; j < document.pitch.size(); ++j) {
      const std::int32_t from = (document.onset[j] - begin) / unit;
      notes[j] = {from, from + document.duration[j] / unit};
      next[j] = std::exchange(first[document.pitch[j]], static_cast<std::uint16_t>(j + 1));
    }
    thread_local std::vector<std::int16_t> turns;
    std::int16_t most = 0;
    std::size_t sweeps = 0;
    const auto do_sweeps = [&] {
      most = std::max(most, kernels::longest_common(turns.data(), static_cast<std::size_t>(steps)));
      sweeps = 0;
    };
    common.each_with(least, [&](int transposition) {
      if (sweeps == 0) turns.assign(static_cast<std::size_t>(steps) * kernels::kSweeps, 0);
      for (std::size_t i = 0; i < to_end_.size(); ++i) {
        const int pitch = query_.pitch[i] + transposition;
        if (pitch < 0 || pitch >= kMidiPitches) continue;
        const auto turn = [&](std::int32_t own, std::int32_t other, int by) {
          std::int16_t& slope = turns[static_cast<std::size_t>(own * finer + other) * kernels::kSweeps + sweeps];
          slope = static_cast<std::int16_t>(slope + by);
        };
        for (std::uint16_t j = first[static_cast<std::size_t>(pitch)]; j != 0; j = next[j - 1U]) {
          // Touching with the query's note before the other they begin to overlap, more and more until one lies within
          // the other.
          turn(to_end_[i].end, notes[j - 1U].begin, 1);
          turn(to_end_[i].begin, notes[j - 1U].begin, -1);
          turn(to_end_[i].end, notes[j - 1U].end, -1);
          turn(to_end_[i].begin, notes[j - 1U].end, 1);
        }
      }
      if (++sweeps == kernels::kSweeps) do_sweeps();
    });
    if (sweeps > 0) do_sweeps();
    for (const std::uint8_t pitch : document.pitch) first[pitch] = 0;
    return std::int64_t{most} * unit;
  }

  Plane query_;
  TimeOverlap overlap_;
  std::int64_t sounding_ = 0;
  std::int32_t unit_ = 0;
  std::int32_t length_ = 0;      ///< in units
  std::vector<Stretch> to_end_;  ///< how long before the query's end its notes begin and end, in units
};

}  // namespace

std::unique_ptr<Method> make_method(const GeometricPlan& plan, const Task& task) {
  using Problem = GeometricPlan::Problem;
  const auto plane = plane_of(make_points(task.query));
  if (!plane) return nullptr;
  if (plan.problem == Problem::p3) {
    return CommonTime::suits(*plane) ? std::make_unique<CommonTime>(*plane, task.shortest) : nullptr;
  }
  // With P1, what does not meet in all notes is not looked at.
  if (!Coinciding::suits(*plane) || (plan.problem == Problem::p1 && !task.zero_is_none)) return nullptr;
  return std::make_unique<Coinciding>(*plane, plan.problem == Problem::p1, task.shortest);
}

}  // namespace rondo::fast
