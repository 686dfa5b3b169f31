#include "similarity/systems/rondo.h"

#include <array>
#include <cmath>
#include <map>

#include "search/fast/by_length.h"
#include "search/fast/tally.h"
#include "search/index/grams.h"
#include "search/kernels/common_notes.h"
#include "search/kernels/explained_align.h"
#include "search/kernels/explained_features.h"
#include "similarity/octave_cache.h"
#include "similarity/spline/grams.h"

namespace rondo::fast {
namespace {

/// What the costs say of a note left out, as a rule that a kernel can compute. Null: not by such a rule.
std::optional<kernels::ExplainedGap> gap_rule(const explained::Costs& costs) {
  const double slope = costs.rhythm() ? costs.settings().long_notes / explained::kLengthSteps : 0;
  const double unit = explained::kOne * costs.settings().gap * 65536;
  kernels::ExplainedGap rule;
  rule.base = static_cast<std::int32_t>(std::lround(unit)) + 32768;
  rule.slope = static_cast<std::int32_t>(std::lround(unit * slope));
  rule.least = costs.gap(-explained::kMostLength);
  for (std::int32_t length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
    if (rule.of(length) != costs.gap(length)) return std::nullopt;
  }
  return rule;
}

/// The query of the system rondo as the kernels want it.
struct ExplainedQuery {
  explained::Costs costs;
  kernels::CommonQuery common;
  kernels::ExplainedRows rows;
  kernels::ExplainedCosts document_costs;
  std::int32_t perfect = 0;
  bool narrow = true;  ///< sums over all of the query fit into 16 bits
  // What it costs beyond the least to leave out the whole query: before a document, or within it.
  std::int32_t leaving_out = 0;
  std::int32_t leaving_within = 0;
  std::int32_t most_gap = 0;                ///< what a note of a document costs at most if it is left out
  std::vector<std::int32_t> relative_most;  ///< as `most`, in relative numbers
  /// [notes of a document]: a total that none of so many exceeds; the last is for all with more.
  std::vector<std::int32_t> most;

  ExplainedQuery(const explained::Costs& of, const explained::Features& query, const kernels::ExplainedGap& gap)
      : costs(of), common(query.pitch), perfect(of.perfect(query)) {
    const explained::Settings& settings = costs.settings();
    const auto small = [](std::int32_t value) { return static_cast<std::int16_t>(value); };
    rows.pitch = query.pitch;
    rows.next = query.next;
    rows.place = query.place;
    std::vector<std::int32_t> gain;  // by pairing a note instead of leaving it out
    std::int32_t left_out = 0;       // at the least, where none is paired
    std::int32_t all_gaps = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      rows.length.push_back(small(query.length[i] * settings.length));
      rows.change.push_back(small(query.change[i] * settings.change));
      rows.weight.push_back(small(costs.weight(query.length[i])));
      rows.gap.push_back(small(costs.gap(query.length[i])));
      rows.beyond.push_back(small(costs.beyond(query.length[i])));
      gain.push_back(explained::Costs::weighted(explained::kFine, rows.weight[i]) + rows.beyond[i]);
      left_out += rows.beyond[i];
      all_gaps += rows.gap[i];
    }
    rows.near = small(settings.near);
    rows.far = small(settings.far);
    rows.interval = small(settings.interval);
    rows.overhang = small(settings.overhang);
    rows.number_values();
    document_costs = {costs.rhythm(), small(settings.length), small(settings.change), gap};
    narrow = all_gaps + settings.overhang <= kernels::kMostExplained && perfect <= kernels::kMostExplained;
    std::vector<std::int32_t> relative;
    std::int32_t around = 0;
    std::int32_t within = 0;
    for (std::size_t i = 0; i < query.size(); ++i) {
      relative.push_back(explained::Costs::weighted(explained::kFine, rows.weight[i]) + rows.least(i));
      around += rows.beyond[i] - rows.least(i);
      within += rows.gap[i] - rows.least(i);
    }
    leaving_out = around;
    leaving_within = within;
    for (std::int32_t length = -explained::kMostLength; length <= explained::kMostLength; ++length) {
      most_gap = std::max(most_gap, costs.gap(length));
    }
    std::sort(relative.begin(), relative.end(), std::greater<>());
    relative_most.push_back(0);
    for (const std::int32_t more : relative) relative_most.push_back(relative_most.back() + more);
    std::sort(gain.begin(), gain.end(), std::greater<>());
    most.push_back(-left_out);
    for (const std::int32_t more : gain) most.push_back(most.back() + more);
  }

  /// In which numbers documents of so many notes are aligned: exactly, so as narrow as they can be.
  [[nodiscard]] kernels::ExplainedNumbers numbers_for(std::size_t notes) const {
    if (narrow) return kernels::ExplainedNumbers::narrow;
    // No cell is more than all pairs together, nor less than leaving out what is before it: of the document in front of
    // the query's notes, or of the query within the document.
    const std::int64_t above = relative_most[std::min(notes, relative_most.size() - 1)];
    const std::int64_t below = std::min<std::int64_t>(leaving_out + static_cast<std::int64_t>(notes) * most_gap,
                                                      std::max(leaving_out, leaving_within) + rows.overhang);
    return above <= kernels::kMostExplained && below + rows.overhang <= kernels::kMostExplained
               ? kernels::ExplainedNumbers::relative
               : kernels::ExplainedNumbers::wide;
  }

  /// The score that no document of so many notes exceeds.
  [[nodiscard]] double best_score(std::size_t notes) const {
    return static_cast<double>(most[std::min(notes, most.size() - 1)]) / static_cast<double>(perfect);
  }
};

/// Documents of one length, compared as soon as there are enough.
class ExplainedBatch {
 public:
  ExplainedBatch(const ExplainedQuery& query, const SegmentView& view, std::uint32_t notes, TopK& top_k)
      : query_(query), numbers_(query.numbers_for(notes)), view_(view), contest_(top_k), pitch_(notes) {
    notes_.resize(notes);
    columns_.resize(notes);
    columns_.place_factor = static_cast<std::int16_t>(query.costs.place_factor(query.rows.pitch.size(), notes));
    if (!query.costs.rhythm()) {
      for (auto* part : {&columns_.length, &columns_.change, &columns_.place}) std::fill(part->begin(), part->end(), 0);
      std::fill(columns_.gap.begin(), columns_.gap.end(), static_cast<std::int16_t>(query.costs.gap(0)));
    }
    const Segment& segment = *view.segment;
    for (std::size_t code = 0; code < 256; ++code) {
      const Segment::Ticks ticks = segment.ticks_of_code(static_cast<std::uint8_t>(code));
      const bool usual = code != index::kException && ticks.gap >= 0 && ticks.duration > 0 &&
                         ticks.gap + ticks.duration <= kLongestTime;
      times_[code] = {ticks.gap, ticks.duration, usual ? octaves_of(ticks.duration) : 0, usual ? 0 : 1};
    }
  }

  void add(DocumentId document, const Segment::Notes& own) {
    if (!read_pitches(own) || !(query_.costs.rhythm() ? read_times(own) : true)) {
      contest_.offer(view_, document);  // out of all bounds: one by one
      return;
    }
    const kernels::CommonDocument pitches{pitch_.data(), pitch_.size(), low_, high_};
    const auto [first, second] = kernels::common_transpositions(query_.common, pitches);
    const int lowest = low_ - query_.common.high;
    notes_.first[used_] = static_cast<std::int16_t>(lowest + static_cast<int>(first));
    notes_.second[used_] = static_cast<std::int16_t>(lowest + static_cast<int>(second));
    document_[used_] = document;
    if (++used_ == kernels::kBatch) flush();
  }

  void flush() {
    if (used_ == 0) return;
    bool doubtful[kernels::kBatch];
    std::int32_t total[kernels::kBatch];
    kernels::explained_features(notes_, query_.document_costs, columns_, doubtful);
    kernels::explained_align(query_.rows, columns_, numbers_, total);
    contest_.looked_at(used_);
    for (std::size_t lane = 0; lane < used_; ++lane) {
      if (doubtful[lane]) {
        contest_.offer(view_, document_[lane]);
      } else {
        contest_.offer_scored(view_, document_[lane],
                              static_cast<double>(total[lane]) / static_cast<double>(query_.perfect));
      }
    }
    used_ = 0;
  }

 private:
  /// False: not all have a code, or they are too far apart.
  [[nodiscard]] bool read_pitches(const Segment::Notes& own) {
    const Segment& segment = *view_.segment;
    const std::uint8_t* const codes = segment.pitch_codes(own).data();
    const std::int16_t* const midi = segment.midi_by_code().data();
    if (segment.has_pitch_exceptions() && std::find(codes, codes + own.count, index::kException) != codes + own.count) {
      return false;
    }
    std::int16_t low = std::numeric_limits<std::int16_t>::max();
    std::int16_t high = std::numeric_limits<std::int16_t>::min();
    std::int16_t* to = notes_.pitch.data() + used_;
    for (std::size_t j = 0; j < pitch_.size(); ++j, to += kernels::kBatch) {
      const std::int16_t pitch = midi[codes[j]];
      pitch_[j] = *to = pitch;
      low = std::min(low, pitch);
      high = std::max(high, pitch);
    }
    low_ = low;
    high_ = high;
    return high - low <= kernels::kMostRange;
  }

  /// False: times that no code says, or that are out of all bounds.
  [[nodiscard]] bool read_times(const Segment::Notes& own) {
    const std::uint8_t* const codes = view_.segment->time_codes(own).data();
    const std::size_t last = pitch_.size() - 1;
    std::int32_t* length = notes_.length.data() + used_;
    float* octaves = notes_.octaves.data() + used_;
    std::int32_t all = 0;
    Time now = times_[codes[0]];
    std::int32_t unusual = now.unusual;
    for (std::size_t j = 0; j < last; ++j, length += kernels::kBatch, octaves += kernels::kBatch) {
      const Time next = times_[codes[j + 1]];
      const std::int32_t ticks = now.duration + next.gap;
      unusual |= next.unusual;
      *length = ticks;
      *octaves = next.gap == 0 ? now.octaves : octaves_of(ticks);
      all += ticks;
      now = next;
    }
    *length = now.duration;
    *octaves = now.octaves;
    if (unusual != 0) return false;
    notes_.all[used_] = last == 0 ? now.duration : all;
    notes_.average[used_] = last == 0 ? now.octaves : octaves_of(all) - octaves_of(static_cast<std::int32_t>(last));
    return true;
  }

  static float octaves_of(std::int32_t ticks) {
    thread_local OctaveCache known;
    return static_cast<float>(known.of(ticks));
  }

  /// Ticks; so many times the longest melody in lanes is less than 2^31.
  static constexpr std::int32_t kLongestTime = 1 << 20;
  static_assert(kLongestInLanes << 20U < (std::size_t{1} << 31U));

  /// What a code stands for, with the logarithm of the duration.
  struct Time {
    std::int32_t gap = 0;
    std::int32_t duration = 0;
    float octaves = 0;
    std::int32_t unusual = 0;
  };

  const ExplainedQuery& query_;
  kernels::ExplainedNumbers numbers_;
  const SegmentView& view_;
  TopK& contest_;
  std::array<Time, 256> times_{};
  kernels::ExplainedNotes notes_;
  kernels::ExplainedColumns columns_;
  std::vector<std::int16_t> pitch_;
  int low_ = 0;
  int high_ = 0;
  DocumentId document_[kernels::kBatch] = {};
  std::size_t used_ = 0;
};

/// For the system rondo: aligns every document, many at a time and exactly, in the two transpositions that the
/// definition names.
class Explained final : public ByLength {
 public:
  Explained(ExplainedQuery query, std::size_t shortest) : ByLength(shortest), query_(std::move(query)) {}

  /// Documents of one length, which are adjacent, fill the lanes together.
  void offer_few(const SegmentView& view, std::span<const DocumentId> documents, TopK& top_k) const override {
    const Segment& segment = *view.segment;
    for (std::size_t i = 0; i < documents.size();) {
      const std::size_t run = segment.run_number(documents[i]);
      const std::uint32_t notes = segment.runs()[run].notes;
      std::size_t end = i + 1;
      while (end < documents.size() && documents[end] < segment.run_end(run)) ++end;
      const std::span<const DocumentId> alike = documents.subspan(i, end - i);
      i = end;
      if (notes > kLongestInLanes || alike.size() < kWorthLanes) {
        for (const DocumentId d : alike) top_k.offer(view, d);
        continue;
      }
      if (query_.best_score(notes) < top_k.threshold()) continue;
      ExplainedBatch batch(query_, view, notes, top_k);
      const Segment::RunNotes of_run(segment, alike.front());
      for (const DocumentId d : alike) batch.add(d, of_run[d]);
      batch.flush();
    }
  }

  /// Whether the numbers of a plan are such that bounds hold and pairs fit into 16 bits.
  [[nodiscard]] static bool usual(const RondoPlan& plan) {
    const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
    return within(plan.near, -2, 1) && within(plan.far, -2, 1) && within(plan.length, 0, 2) &&
           within(plan.change, 0, 2) && within(plan.place, 0, 4) && within(plan.interval, 0, 1) &&
           within(plan.weight, 0, 1) && within(plan.gap, 0, 20) && within(plan.long_notes, 0, 1) &&
           within(plan.overhang, 0, 60) && within(plan.beyond, 0, 1);
  }

 protected:
  [[nodiscard]] double best_score(std::size_t notes) const override { return query_.best_score(notes); }

  void compare(const SegmentView& view, std::uint32_t notes, DocumentId begin, DocumentId end,
               TopK& top_k) const override {
    if (notes > kLongestInLanes) {
      for (DocumentId d = begin; d < end; ++d) {
        if (view.has(d)) top_k.offer(view, d);
      }
      return;
    }
    ExplainedBatch batch(query_, view, notes, top_k);
    const Segment::RunNotes run(*view.segment, begin);
    for (DocumentId d = begin; d < end; ++d) {
      if (view.has(d)) batch.add(d, run[d]);
    }
    batch.flush();
  }

 private:
  static constexpr std::size_t kWorthLanes = 2;

  ExplainedQuery query_;
};

/// The same for the documents only that have most windows of the query: of three notes, of four, and of rhythm.
class ExplainedPromising final : public Method {
 public:
  ExplainedPromising(ExplainedQuery query, const Line& line, std::size_t shortest)
      : query_(std::move(query)), shortest_(shortest) {
    for (std::size_t i = 0; i + 3 <= line.size(); ++i)
      ++threes_[spline::key_of<3>(spline::relative_pitches<3>(line, i))];
    for (std::size_t i = 0; i + 4 <= line.size(); ++i) {
      ++fours_[index::folded_window(line.pitch, i)];
      if (query_.costs.rhythm()) ++rhythms_[index::rhythm_window(line.duration, i)];
    }
  }

  void run(const SegmentView& view, Workers& workers) const override {
    const Segment& segment = *view.segment;
    Tally tally(segment.size(), lists(segment));
    while (!tally.done()) tally.read_next();
    const int least = least_sum(tally, segment.size());
    std::vector<DocumentId> documents;
    for (std::size_t r = 0; r < segment.runs().size(); ++r) {
      const index::Run& run = segment.runs()[r];
      if (run.notes < shortest_) continue;
      documents.clear();
      tally.collect(run.first_document, segment.run_end(r), least, documents);
      constexpr std::size_t kPiece = 16 * kernels::kBatch;
      const auto document_at = [&](std::size_t i) { return documents[i]; };
      workers.share(view, documents.size(), kPiece, document_at, [&](TopK& top_k, std::size_t begin, std::size_t end) {
        if (run.notes > kLongestInLanes) {
          for (std::size_t i = begin; i < end; ++i) {
            if (view.has(documents[i])) top_k.offer(view, documents[i]);
          }
          return;
        }
        ExplainedBatch batch(query_, view, run.notes, top_k);
        const Segment::RunNotes notes(segment, run.first_document);
        for (std::size_t i = begin; i < end; ++i) {
          if (i + kAhead < end) announce(segment, notes[documents[i + kAhead]]);
          if (view.has(documents[i])) batch.add(documents[i], notes[documents[i]]);
        }
        batch.flush();
      });
    }
  }

 private:
  /// Documents that are compared, of a segment of any size.
  static constexpr std::size_t kCompared = 80'000;
  static constexpr std::size_t kAhead = 8;

  void announce(const Segment& segment, const Segment::Notes& notes) const {
    segment.announce_pitches(notes);
    if (query_.costs.rhythm()) segment.announce_times(notes);
  }

  [[nodiscard]] std::vector<WeightedList> lists(const Segment& segment) const {
    // A whole query must stay below what a tally can count.
    const std::size_t windows = std::max<std::size_t>(1, query_.rows.pitch.size());
    const int step = std::max(1, static_cast<int>(Tally::kFull / windows) / 6);
    std::vector<WeightedList> out;
    for (const auto& [key, count] : threes_) add_lists(segment.three(), key, 3 * step, count, out);
    for (const auto& [key, count] : fours_) add_lists(segment.four(), key, 2 * step, count, out);
    for (const auto& [key, count] : rhythms_) add_lists(segment.rhythm(), key, step, count, out);
    return out;
  }

  /// The least sum that not too many documents reach, by halving; never 0.
  static int least_sum(const Tally& tally, std::uint32_t documents) {
    int low = 1;
    int high = Tally::kFull;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (tally.count(0, documents, middle) <= kCompared) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  ExplainedQuery query_;
  std::size_t shortest_;
  std::map<spline::GramKey, int> threes_;
  std::map<std::uint32_t, int> fours_;
  std::map<std::uint64_t, int> rhythms_;
};

/// Null: the kernels cannot do it.
std::optional<ExplainedQuery> explained_query(const RondoPlan& plan, const Line& line) {
  if (line.size() < explained::kShortest || line.size() > kernels::kMostCommon || !Explained::usual(plan)) return {};
  const auto [low, high] = std::minmax_element(line.pitch.begin(), line.pitch.end());
  if (*high - *low > kernels::kMostRange) return {};
  explained::Features query;
  explained::make_features(line.pitch, line.onset, line.duration, query);
  const explained::Costs costs(explained::settings_of(plan), query.rhythm);
  const std::optional<kernels::ExplainedGap> gap = gap_rule(costs);
  if (!gap) return {};
  return ExplainedQuery(costs, query, *gap);
}

}  // namespace

std::unique_ptr<Method> make_method(const RondoPlan& plan, const Task& task) {
  auto query = explained_query(plan, task.query);
  if (!query) return nullptr;
  return std::make_unique<Explained>(std::move(*query), std::max(task.shortest, explained::kShortest));
}

std::unique_ptr<Method> make_quick_method(const RondoPlan& plan, const Task& task) {
  // Of fewer notes windows say little.
  constexpr std::size_t kTellingNotes = 5;
  auto query = task.query.size() < kTellingNotes ? std::nullopt : explained_query(plan, task.query);
  if (!query) return nullptr;
  return std::make_unique<ExplainedPromising>(std::move(*query), task.query,
                                              std::max(task.shortest, explained::kShortest));
}

}  // namespace rondo::fast
