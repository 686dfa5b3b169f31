#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>

#include "similarity/common_time.h"
#include "similarity/query_system.h"
#include "similarity/systems.h"

namespace rondo::gar {
namespace {

// In hundredths, so that every score is a whole number of ticks over 100.
constexpr std::int64_t kPitchFree = 24;   // k2: gain of two notes, by their length
constexpr std::int64_t kLength = 36;      // k1: cost of a difference in length
constexpr std::int64_t kIndel = 24 - 36;  // k2 - k3: an unmatched note, by its length

/// The lengths of all notes of both melodies, in common ticks.
struct Lengths {
  std::int64_t grid = 1;
  std::vector<std::int64_t> query;
  std::vector<std::int64_t> document;
};

/// Sums of ticks stay below this, so that products with the weights fit 64 bits.
constexpr double kMostTicks = 0x1p45;

std::int64_t shared_grid(const Line& query, const Line& document) {
  const std::int64_t grid = std::lcm(query.ticks_per_whole, document.ticks_per_whole);
  for (const Line* line : {&query, &document}) {
    double wholes = 0;
    for (const std::int64_t ticks : line->duration) wholes += static_cast<double>(ticks);
    wholes /= static_cast<double>(line->ticks_per_whole);
    if (wholes * static_cast<double>(grid) > kMostTicks) return common_ticks(query, document);
  }
  return grid;
}

void measure(const Line& query, const Line& document, Lengths& out) {
  out.grid = shared_grid(query, document);
  const auto scale = [&](const Line& line, std::vector<std::int64_t>& lengths) {
    lengths.clear();
    for (const std::int64_t ticks : line.duration) lengths.push_back(in_ticks(line, ticks, out.grid));
  };
  scale(query, out.query);
  scale(document, out.document);
}

/// The score of each step of an alignment, by the definition.
struct GarModel {
  const Line& query;
  const Line& document;
  const Lengths& lengths;
  int transposition = 0;

  [[nodiscard]] std::int64_t apart(std::size_t i, std::size_t j) const {
    return std::abs(document.pitch[j] - query.pitch[i] - transposition);
  }
  [[nodiscard]] std::int64_t gap_query(std::size_t i) const { return kIndel * lengths.query[i]; }
  [[nodiscard]] std::int64_t gap_document(std::size_t j) const { return kIndel * lengths.document[j]; }
  [[nodiscard]] std::int64_t pair(std::size_t i, std::size_t j) const {
    const std::int64_t a = lengths.query[i];
    const std::int64_t b = lengths.document[j];
    return kPitchFree * (a + b) - 100 * std::min(a, b) * apart(i, j) - kLength * std::abs(a - b);
  }
  /// One note of the query against two of the document, j - 1 and j.
  [[nodiscard]] std::int64_t split(std::size_t i, std::size_t j) const {
    const std::int64_t a = lengths.query[i];
    const std::int64_t b = lengths.document[j - 1];
    const std::int64_t c = lengths.document[j];
    return kPitchFree * (a + b + c) - 100 * (std::min(a, b) * apart(i, j - 1) + std::min(a, c) * apart(i, j)) -
           kLength * std::abs(a - b - c);
  }
  /// Two notes of the query, i - 1 and i, against one of the document.
  [[nodiscard]] std::int64_t join(std::size_t i, std::size_t j) const {
    const std::int64_t a = lengths.query[i - 1];
    const std::int64_t b = lengths.query[i];
    const std::int64_t c = lengths.document[j];
    return kPitchFree * (a + b + c) - 100 * (std::min(a, c) * apart(i - 1, j) + std::min(b, c) * apart(i, j)) -
           kLength * std::abs(a + b - c);
  }
};

/// The whole table of the local alignment; its maximum is the score.
std::int64_t fill(const GarModel& model, std::vector<std::int64_t>& table) {
  const std::size_t rows = model.query.size();
  const std::size_t columns = model.document.size();
  const std::size_t width = columns + 1;
  table.assign((rows + 1) * width, 0);
  std::int64_t best = 0;
  for (std::size_t i = 1; i <= rows; ++i) {
    const std::int64_t* above = &table[(i - 1) * width];
    std::int64_t* row = &table[i * width];
    for (std::size_t j = 1; j <= columns; ++j) {
      std::int64_t cell = std::max({std::int64_t{0}, above[j - 1] + model.pair(i - 1, j - 1),
                                    above[j] + model.gap_query(i - 1), row[j - 1] + model.gap_document(j - 1)});
      if (j >= 2) cell = std::max(cell, above[j - 2] + model.split(i - 1, j - 1));
      if (i >= 2) cell = std::max(cell, table[(i - 2) * width + j - 1] + model.join(i - 1, j - 1));
      row[j] = cell;
      best = std::max(best, cell);
    }
  }
  return best;
}

std::vector<Step> trace(const GarModel& model, const std::vector<std::int64_t>& table, double unit) {
  const std::size_t columns = model.document.size();
  const std::size_t width = columns + 1;
  const auto top = static_cast<std::size_t>(std::max_element(table.begin(), table.end()) - table.begin());
  std::size_t i = top / width;
  std::size_t j = top % width;
  std::vector<Step> steps;
  const auto step = [&](std::size_t from_query, std::size_t from_document, std::int64_t gain) {
    Step made;
    made.query = {static_cast<std::uint32_t>(i - from_query), static_cast<std::uint32_t>(i)};
    made.document = {static_cast<std::uint32_t>(j - from_document), static_cast<std::uint32_t>(j)};
    made.kind = from_document == 0 ? Step::Kind::gap_in_document
                : from_query == 0  ? Step::Kind::gap_in_query
                : gain > 0         ? Step::Kind::match
                                   : Step::Kind::mismatch;
    made.score = static_cast<double>(gain) * unit;
    steps.push_back(made);
    i -= from_query;
    j -= from_document;
  };
  const auto cell = [&](std::size_t a, std::size_t b) { return table[a * width + b]; };
  while (i > 0 && j > 0 && cell(i, j) > 0) {
    const std::int64_t here = cell(i, j);
    if (here == cell(i - 1, j - 1) + model.pair(i - 1, j - 1)) {
      step(1, 1, model.pair(i - 1, j - 1));
    } else if (j >= 2 && here == cell(i - 1, j - 2) + model.split(i - 1, j - 1)) {
      step(1, 2, model.split(i - 1, j - 1));
    } else if (i >= 2 && here == cell(i - 2, j - 1) + model.join(i - 1, j - 1)) {
      step(2, 1, model.join(i - 1, j - 1));
    } else if (here == cell(i - 1, j) + model.gap_query(i - 1)) {
      step(1, 0, model.gap_query(i - 1));
    } else {
      step(0, 1, model.gap_document(j - 1));
    }
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

struct PitchTime {
  int pitch;
  std::int64_t time;
};

void time_by_pitch(const Line& line, const std::vector<std::int64_t>& lengths, std::vector<PitchTime>& out) {
  out.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const int pitch = line.pitch[i];
    const auto found =
        std::find_if(out.begin(), out.end(), [&](const PitchTime& known) { return known.pitch == pitch; });
    if (found == out.end()) {
      out.push_back({pitch, lengths[i]});
    } else {
      found->time += lengths[i];
    }
  }
}

struct Candidate {
  std::int64_t bound;
  int transposition;
};

/// Every transposition that makes two notes equal, with an upper bound of its score, the highest first.
///
/// Only time on equal pitches scores: a at pitch distance d > 0 from b gives k2(a+b) - min(a,b)d - k1|a-b| < 0, and at
/// d = 0 at most 2 k2 min(a,b). One note a against b and c: if only b has its pitch, at most 2 k2 min(a,b), if both
/// have, 2 k2 min(a,b+c), if neither, less than zero (each by the cases b+c <= a, b+c > a >= b, b > a). So a
/// transposition scores at most 2 k2 times the sum over pitches of the shorter of the times the two spend there.
void promising_transpositions(const Line& query, const Line& document, const Lengths& lengths,
                              std::vector<Candidate>& out) {
  thread_local std::vector<PitchTime> own;
  thread_local std::vector<PitchTime> other;
  time_by_pitch(query, lengths.query, own);
  time_by_pitch(document, lengths.document, other);
  std::array<std::int64_t, 512> common{};  // playable pitches are less than 128 apart
  for (const PitchTime& q : own) {
    for (const PitchTime& d : other) {
      const int apart = d.pitch - q.pitch + 256;
      common[static_cast<std::size_t>(apart)] += std::min(q.time, d.time);
    }
  }
  out.clear();
  for (std::size_t t = 0; t < common.size(); ++t) {
    if (common[t] > 0) out.push_back({2 * kPitchFree * common[t], static_cast<int>(t) - 256});
  }
  std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound > b.bound : a.transposition < b.transposition;
  });
}

struct Best {
  std::int64_t score = 0;
  int transposition = 0;
};

Best best_transposition(const Line& query, const Line& document, const Lengths& lengths) {
  thread_local std::vector<Candidate> candidates;
  thread_local std::vector<std::int64_t> table;
  promising_transpositions(query, document, lengths, candidates);
  Best best;
  for (const Candidate& candidate : candidates) {
    if (candidate.bound <= best.score) break;
    const std::int64_t score = fill({query, document, lengths, candidate.transposition}, table);
    if (score > best.score) best = {score, candidate.transposition};
  }
  return best;
}

class GarQuery final : public PreparedQuery {
 public:
  explicit GarQuery(Line line) : line_(std::move(line)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (line_.size() == 0 || document.size() == 0) return {0, false};
    thread_local Lengths lengths;
    measure(line_, document, lengths);
    const Best best = best_transposition(line_, document, lengths);
    return {static_cast<double>(best.score) / (100.0 * static_cast<double>(lengths.grid)), true};
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (line_.size() == 0 || document.size() == 0) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    Lengths lengths;
    measure(line_, document, lengths);
    const Best best = best_transposition(line_, document, lengths);
    const GarModel model{line_, document, lengths, best.transposition};
    std::vector<std::int64_t> table;
    const std::int64_t score = fill(model, table);
    const double unit = 100.0 * static_cast<double>(lengths.grid);
    out.steps = trace(model, table, 1.0 / unit);
    out.total = static_cast<double>(score) / unit;
    out.score = {out.total, true};
    out.summary = "query transposed by " + std::to_string(best.transposition) + " semitones";
    return out;
  }

 private:
  Line line_;
};

}  // namespace
}  // namespace rondo::gar

namespace rondo::rows {

constinit const SystemRow kGar = {
    .name = "GAR",
    .title = "Local alignment of notes by pitch and length, with splitting and joining",
    .explanation =
        "Aligns the notes of the two melodies in the transposition that suits best; long notes weigh more "
        "than short ones, a difference in length costs less than one in pitch, and one note may stand "
        "against two (a split or an ornament). The best matching stretch counts.",
    .reference =
        "C. Gomez, S. Abad-Mota, E. Ruckhaus: An analysis of the Mongeau-Sankoff algorithm for music "
        "information retrieval, and MIREX symbolic melodic similarity, 2007",
    .evidence = Evidence::partial,
    .evidence_note =
        "The weights of one note against one are published. For one note against two ours take the same "
        "form, with the pitch cost of each part by itself and the length of both together.",
    .invariant = {.transposition = true},
    .make = make_query_system<gar::GarQuery, GarPlan>,
};

}  // namespace rondo::rows
