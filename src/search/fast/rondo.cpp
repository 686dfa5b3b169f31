#include "similarity/systems/rondo.h"

#include <cmath>

#include "search/fast/sieve.h"
#include "search/kernels/common_notes.h"
#include "search/kernels/explained_align.h"

namespace rondo::fast {
namespace {

/// For the system rondo. The coarse net counts the notes of the query that a document has in their order, in all
/// transpositions at once; the fine one aligns what can reach the threshold, in the transpositions in which it can,
/// many at a time, and its totals are exact.
class Explained final : public Sieve {
 public:
  Explained(const explained::Costs& costs, const explained::Features& query, std::size_t shortest)
      : Sieve(shortest),
        costs_(costs),
        common_(query.pitch),
        notes_(query.size()),
        perfect_(costs.perfect(query)),
        bounds_(costs.bounds(query)) {
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
    constexpr std::size_t kAtOnce = 64;
    std::vector<std::int16_t> pitches(notes * kAtOnce);
    std::size_t which[kAtOnce];
    std::uint8_t most[kAtOnce];
    std::uint8_t next[kAtOnce];
    std::size_t waiting = 0;
    const auto count = [&] {
      kernels::common_notes(common_, pitches.data(), notes, waiting, most, next);
      for (std::size_t k = 0; k < waiting; ++k) bound[which[k]] = raised(score_of(most_total(most[k], next[k])));
      waiting = 0;
    };
    const std::uint64_t first = segment.notes_of(begin).first;
    for (DocumentId d = begin; d < end; ++d) {
      const Segment::Notes own{first + std::uint64_t{d - begin} * notes, notes};
      if (!read_pitches(segment, own, pitches.data() + waiting * notes)) continue;
      which[waiting] = d - begin;
      if (++waiting == kAtOnce) count();
    }
    count();
  }

  void fine(const Segment& segment, std::span<Candidate> candidates, double bar) const override {
    thread_local std::vector<Job> jobs;
    thread_local std::vector<Document> documents;
    jobs.clear();
    documents.resize(std::max(documents.size(), candidates.size()));
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Segment::Notes own = segment.notes_of(candidates[c].document);
      if (own.count > kLongestInLanes || !documents[c].read(segment, own)) continue;
      candidates[c].bound = -std::numeric_limits<double>::infinity();
      candidates[c].exact = true;
      list_transpositions(c, documents[c], bar, jobs);
    }
    // Lanes of like length waste least.
    std::sort(jobs.begin(), jobs.end(), [&](const Job& a, const Job& b) {
      const std::size_t m = documents[a.candidate].features.size();
      const std::size_t n = documents[b.candidate].features.size();
      return m != n ? m < n : a.candidate < b.candidate;
    });
    for (std::size_t begin = 0; begin < jobs.size(); begin += kernels::kBatch) {
      align(std::span(jobs).subspan(begin, std::min(kernels::kBatch, jobs.size() - begin)), documents, candidates);
    }
  }

 private:
  struct Job {
    std::size_t candidate = 0;
    std::int32_t transposition = 0;
    std::int32_t other = 0;  ///< the second, or the first once more
  };

  struct Document {
    std::vector<std::int16_t> pitch;
    std::vector<std::int32_t> onset_ticks, duration_ticks;
    std::vector<std::int64_t> onset, duration;
    explained::Features features;

    /// False: pitches or times out of all bounds.
    [[nodiscard]] bool read(const Segment& segment, const Segment::Notes& own) {
      pitch.resize(own.count);
      onset_ticks.resize(own.count);
      duration_ticks.resize(own.count);
      if (!read_pitches(segment, own, pitch.data())) return false;
      if (!segment.ticks(own, onset_ticks.data(), duration_ticks.data())) return false;
      onset.assign(onset_ticks.begin(), onset_ticks.end());
      duration.assign(duration_ticks.begin(), duration_ticks.end());
      explained::make_features(pitch, onset, duration, features);
      return true;
    }
  };

  /// False: a range that the kernel has no room for.
  [[nodiscard]] static bool read_pitches(const Segment& segment, const Segment::Notes& own, std::int16_t* out) {
    if (segment.has_pitch_exceptions()) {
      for (std::uint32_t i = 0; i < own.count; ++i) out[i] = static_cast<std::int16_t>(segment.midi(own.first + i));
    } else {
      const std::span<const std::uint8_t> codes = segment.pitch_codes(own);
      const std::span<const std::int16_t> midi = segment.midi_by_code();
      for (std::uint32_t i = 0; i < own.count; ++i) out[i] = midi[codes[i]];
    }
    std::int16_t low = out[0];
    std::int16_t high = out[0];
    for (std::uint32_t i = 1; i < own.count; ++i) {
      low = std::min(low, out[i]);
      high = std::max(high, out[i]);
    }
    return high - low <= kernels::kMostRange;
  }

  [[nodiscard]] double score_of(std::int32_t total) const {
    return static_cast<double>(total) / static_cast<double>(perfect_);
  }
  [[nodiscard]] std::int32_t most_total(std::size_t equal, std::size_t next) const {
    return bounds_.equal[equal] + bounds_.next[next];
  }

  /// The transpositions of the definition, if the document can reach the threshold.
  void list_transpositions(std::size_t candidate, const Document& document, double bar, std::vector<Job>& jobs) const {
    static_assert(explained::kTranspositions == 2);
    std::uint8_t counts[kernels::kMostTranspositions];
    const std::size_t found =
        kernels::common_by_transposition(common_, document.pitch.data(), document.pitch.size(), counts);
    const std::uint8_t next = kernels::common_next(common_, document.pitch.data(), document.pitch.size());
    std::size_t best = 0;
    std::size_t second = found;
    for (std::size_t t = 1; t < found; ++t) {
      if (counts[t] > counts[best]) {
        second = best;
        best = t;
      } else if (second == found || counts[t] > counts[second]) {
        second = t;
      }
    }
    const std::int32_t lowest = *std::min_element(document.pitch.begin(), document.pitch.end()) - common_.high;
    if (score_of(most_total(counts[best], next)) < bar) return;
    if (second == found || counts[second] == 0) second = best;
    jobs.push_back({candidate, lowest + static_cast<std::int32_t>(best), lowest + static_cast<std::int32_t>(second)});
  }

  void align(std::span<const Job> jobs, const std::vector<Document>& documents, std::span<Candidate> candidates) const {
    thread_local kernels::ExplainedColumns columns;
    columns.resize(documents[jobs.back().candidate].features.size());
    const explained::Settings& settings = costs_.settings();
    std::fill(std::begin(columns.count), std::end(columns.count), std::int16_t{0});
    for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
      const explained::Features& own = documents[jobs[lane].candidate].features;
      columns.count[lane] = static_cast<std::int16_t>(own.size());
      columns.place_factor[lane] = static_cast<std::int16_t>(costs_.place_factor(notes_, own.size()));
      for (std::size_t j = 0, at = lane; j < own.size(); ++j, at += kernels::kBatch) {
        columns.pitch[at] = static_cast<std::int16_t>(own.pitch[j] - jobs[lane].transposition);
        columns.other[at] = static_cast<std::int16_t>(own.pitch[j] - jobs[lane].other);
        columns.next[at] = own.next[j];
        columns.interval[at] = static_cast<std::int16_t>(j + 1 < own.size() ? settings.interval : 0);
        columns.length[at] = static_cast<std::int16_t>(own.length[j] * settings.length);
        columns.change[at] = static_cast<std::int16_t>(own.change[j] * settings.change);
        columns.place[at] = own.place[j];
        columns.gap[at] = static_cast<std::int16_t>(costs_.gap(own.length[j]));
      }
    }
    std::int16_t total[kernels::kBatch];
    kernels::explained_align(rows_, columns, total);
    for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
      candidates[jobs[lane].candidate].bound = score_of(total[lane]);
    }
  }

  explained::Costs costs_;
  kernels::CommonQuery common_;
  std::size_t notes_;
  std::int32_t perfect_;
  explained::Costs::Bounds bounds_;
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
