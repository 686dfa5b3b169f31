#include <bit>
#include <numeric>
#include <optional>
#include <utility>

#include "search/fast/bound_filter.h"
#include "search/fast/pitch_overlap.h"
#include "search/fast/plane.h"
#include "search/index/onset_places.h"
#include "search/kernels/coinciding.h"
#include "search/kernels/common_time.h"
#include "similarity/points.h"

namespace rondo::fast {
namespace {

using index::OnsetPlaces;
using index::PointReader;

std::vector<std::int16_t> wide(const std::vector<std::uint8_t>& pitch) { return {pitch.begin(), pitch.end()}; }

/// For P1 and P2: how many notes of the query meet a note of the document under one shift in time and pitch. All shifts
/// are tried at once, times taken in circles (kernels/coinciding.h): in a small one all transpositions; in a larger one
/// those that this leaves a chance. What may reach the threshold then is counted out.
///
/// The largest circle grows with the query, so that the sums of a longer one are no less telling; then the work grows
/// with the length of the query, too.
///
/// Documents are taken in the order of memory: to look at one costs hardly more than to fetch it, and after the first
/// few of them the threshold is nearly where it will be.
class Coinciding final : public Method {
 public:
  Coinciding(Plane query, bool all, std::size_t shortest)
      : query_(std::move(query)),
        notes_(query_.pitch.size()),
        all_(all),
        shortest_(shortest),
        rough_(1, query_.pitch, times_of(query_)),
        middle_(1, query_.pitch, times_of(query_)) {
    ascending_ = query_.pitch;
    std::sort(ascending_.begin(), ascending_.end());
    const std::vector<std::uint32_t> times = times_of(query_);
    std::array<std::vector<std::uint32_t>, kMidiPitches> onsets;
    for (std::size_t i = 0; i < notes_; ++i) onsets[query_.pitch[i]].push_back(times[i]);
    for (std::size_t p = 0; p < onsets.size(); ++p) {
      first_on_[p] = static_cast<std::uint32_t>(since_first_by_pitch_.size());
      since_first_by_pitch_.insert(since_first_by_pitch_.end(), onsets[p].begin(), onsets[p].end());
    }
    first_on_.back() = static_cast<std::uint32_t>(since_first_by_pitch_.size());
    const std::size_t words = std::bit_ceil((notes_ + kNotesOfAWord - 1) / kNotesOfAWord);
    // By fours, so that all together cost hardly more than the largest alone, which few get to.
    for (std::size_t some = 4; some < words; some *= 4) large_.emplace_back(some, query_.pitch, times);
    if (words > 1) large_.emplace_back(words, query_.pitch, times);
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
    std::optional<OnsetPlaces> made;
    const OnsetPlaces* const kept = segment.onset_places();
    const OnsetPlaces& places = kept != nullptr ? *kept : made.emplace(segment);
    const PointReader reader(segment);
    // What is shorter than the query comes last: little of it would raise the threshold.
    look_at(view, workers, places, reader, as_long, segment.size());
    look_at(view, workers, places, reader, first, as_long);
  }

 private:
  /// A word of the largest circle for so many notes of the query.
  static constexpr std::size_t kNotesOfAWord = 32;

  /// Times count from the first note, for only differences matter.
  static std::uint32_t since_first(const Plane& plane, std::size_t note) {
    return static_cast<std::uint32_t>(plane.onset[note]) - static_cast<std::uint32_t>(plane.onset[0]);
  }
  static std::vector<std::uint32_t> times_of(const Plane& plane) {
    std::vector<std::uint32_t> out(plane.onset.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = since_first(plane, i);
    return out;
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

  /// What a thread keeps from one document to the next.
  struct Scratch {
    static constexpr std::size_t kDocuments = 32;  ///< compared at once
    std::array<kernels::PlacedNotes, kDocuments> documents;
    std::array<DocumentId, kDocuments> ids{};
    std::size_t count = 0;
    kernels::AlignedVector<std::uint32_t> rows;
    PointReader::Points points;
    kernels::TimedNotes timed;
    std::vector<std::uint32_t> moves;
    // By a hash value that few different moves share, so they need rarely be sorted.
    static constexpr int kHashBits = 12;
    static std::uint32_t hash(std::uint32_t move) { return (move * 0x9E3779B1U) >> (32U - kHashBits); }
    std::array<std::uint16_t, std::size_t{1} << kHashBits> moves_with_hash{};  ///< all zero between documents
  };

  void look_at(const SegmentView& view, Workers& workers, const OnsetPlaces& places, const PointReader& reader,
               DocumentId first, DocumentId last) const {
    constexpr std::size_t kPiece = 4096;
    const auto document_at = [&](std::size_t i) { return first + i; };
    workers.share(view, last - first, kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
      const Segment& segment = *view.segment;
      thread_local Scratch shared;
      Scratch& scratch = shared;
      scratch.rows.resize(PointReader::kMaxNotes + kernels::PlacedNotes::kRoom);
      scratch.count = 0;
      const bool only_chosen = view.chosen != nullptr && view.removed->empty() && view.except.empty();
      std::size_t least = needed(top_k.threshold());
      const auto to = static_cast<DocumentId>(first + end);
      for (auto d = static_cast<DocumentId>(first + begin); d < to && least <= notes_;) {
        const DocumentId run_end = std::min(to, segment.run_end(segment.run_number(d)));
        const Segment::RunNotes run(segment, d);
        for (; d < run_end && least <= notes_; ++d) {
          if (only_chosen ? !view.chosen->has(d) : !view.has(d)) continue;
          const Segment::Notes notes = run[d];
          if (!places.known(notes)) {
            top_k.looked_at(1);
            top_k.offer(view, d);
            continue;
          }
          scratch.ids[scratch.count] = d;
          kernels::PlacedNotes& next = scratch.documents[scratch.count];
          next.notes = notes.count;
          next.pitch = places.pitches(notes);
          next.place = places.places(notes);
          if (++scratch.count < Scratch::kDocuments) continue;
          compare(view, top_k, reader, least, scratch);
          least = needed(top_k.threshold());
        }
      }
      if (least <= notes_) compare(view, top_k, reader, least, scratch);
    });
  }

  /// Offers those documents of the batch that may have enough notes in common with the query, and empties it.
  void compare(const SegmentView& view, TopK& top_k, const PointReader& reader, std::size_t least,
               Scratch& scratch) const {
    const std::span documents(scratch.documents.data(), std::exchange(scratch.count, 0));
    // Enough notes of the query must come to lie on or above the document's lowest, and on or below its highest.
    const kernels::Reach reach{-ascending_[notes_ - least], -ascending_[least - 1]};
    kernels::enough_roughly(rough_, documents, reach, static_cast<std::uint32_t>(least), scratch.rows.data());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (!documents[i].any) continue;
      top_k.looked_at(1);
      least = std::max(least, needed(top_k.threshold()));
      if (least > notes_) return;
      const DocumentId id = scratch.ids[i];
      if (!read_points(reader, view.segment->notes_of(id), scratch)) {
        top_k.offer(view, id);
        continue;
      }
      const std::size_t met = most_met(documents[i].chances, scratch, least);
      if (met >= least) top_k.offer_scored(view, id, score(met));
    }
  }

  /// No two points are equal, so a point meets one of the query at most.
  [[nodiscard]] static bool read_points(const PointReader& reader, const Segment::Notes& notes, Scratch& scratch) {
    PointReader::Points& points = scratch.points;
    if (!reader.read(notes, points)) return false;
    kernels::TimedNotes& out = scratch.timed;
    out.resize(notes.count);
    std::size_t kept = 0;
    for (std::size_t j = 0; j < notes.count; ++j) {
      if (points.any_joined && points.joined[j]) continue;
      out.pitch[kept] = points.pitch[j];
      out.onset[kept] = points.onset[j];
      ++kept;
    }
    out.notes = kept;
    return true;
  }

  /// The most notes that meet in a transposition with a chance; if they are fewer than `least`, any number below it.
  [[nodiscard]] std::size_t most_met(const kernels::Transpositions& chances, Scratch& scratch,
                                     std::size_t least) const {
    const kernels::TimedNotes& document = scratch.timed;
    constexpr std::uint64_t kLookedAt = (std::uint64_t{1} << kernels::FineCircles::kTogether) - 1;
    std::size_t most = least - 1;
    int from = chances.lowest;
    for (std::uint64_t left : chances.bits) {
      while (left != 0) {
        const int next = std::countr_zero(left);
        // More than before, now.
        const auto more = static_cast<std::uint32_t>(most + 1);
        std::uint64_t close = left >> static_cast<unsigned>(next) & kLookedAt;
        left &= ~(kLookedAt << static_cast<unsigned>(next));
        close &= kernels::enough_coincide(middle_, document, from + next, more);
        for (const kernels::FineCircles& large : large_) {
          if (close != 0) close &= kernels::enough_coincide(large, document, from + next, more);
        }
        for (; close != 0; close &= close - 1) {
          most = std::max(most, met_under(scratch, from + next + std::countr_zero(close), most));
          if (most == notes_) return most;
        }
      }
      from += 64;
    }
    return most;
  }

  /// The most notes that meet in one transposition; any number that is not above `beaten` if they are no more.
  [[nodiscard]] std::size_t met_under(Scratch& scratch, int transposition, std::size_t beaten) const {
    const kernels::TimedNotes& document = scratch.timed;
    std::vector<std::uint32_t>& moves = scratch.moves;
    moves.clear();
    for (std::size_t j = 0; j < document.notes; ++j) {
      const int pitch = document.pitch[j] - transposition;
      if (pitch < 0 || pitch >= kMidiPitches) continue;
      const auto p = static_cast<std::size_t>(pitch);
      for (std::uint32_t i = first_on_[p]; i < first_on_[p + 1]; ++i) {
        moves.push_back(document.onset[j] - since_first_by_pitch_[i]);
      }
    }
    if (moves.size() <= beaten) return 0;
    std::size_t bound = 0;
    for (const std::uint32_t move : moves) {
      bound = std::max<std::size_t>(bound, ++scratch.moves_with_hash[Scratch::hash(move)]);
    }
    for (const std::uint32_t move : moves) scratch.moves_with_hash[Scratch::hash(move)] = 0;
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
  std::vector<std::uint8_t> ascending_;                     ///< pitches
  std::vector<std::uint32_t> since_first_by_pitch_;         ///< onsets
  std::array<std::uint32_t, kMidiPitches + 1> first_on_{};  ///< by pitch, the first onset
  kernels::RoughCircle rough_;
  kernels::FineCircles middle_;
  std::vector<kernels::FineCircles> large_;  ///< of more words each, where one is too few
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
