#include <cstdlib>
#include <limits>

#include "base/interrupt.h"
#include "similarity/query_system.h"
#include "similarity/systems.h"
#include "similarity/transpositions.h"

namespace rondo::rows {
namespace {

/// D[i][j]: the least cost of the first i query notes against the first j of the document (similarity.md, section 4).
/// The whole query must be used; the rest of the document is free.
int distance(const Line& query, const Line& document, int transposition, int known_best, std::vector<int>& row) {
  const std::size_t columns = document.size();
  row.resize(columns + 1);
  for (std::size_t j = 0; j <= columns; ++j) row[j] = static_cast<int>(j);
  const bool is_long = query.size() * columns > kStepsWithoutInterrupt;
  for (std::size_t i = 1; i <= query.size(); ++i) {
    if (is_long && interrupted()) return known_best;
    int corner = row[0];
    row[0] = static_cast<int>(i);
    int least = row[0];
    const int wanted = query.pitch[i - 1] + transposition;
    for (std::size_t j = 1; j <= columns; ++j) {
      const int change = corner + std::abs(document.pitch[j - 1] - wanted);
      corner = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
      least = std::min(least, row[j]);
    }
    // Costs never decrease from row to row, so this transposition can no longer be the best.
    if (least >= known_best) return known_best;
  }
  return *std::min_element(row.begin(), row.end());
}

struct Best {
  int distance = std::numeric_limits<int>::max();
  int transposition = 0;
};

Best best_transposition(const Line& query, const Line& document) {
  thread_local std::vector<int> row;
  thread_local std::vector<int> candidates;
  candidate_transpositions(query, document, candidates);
  Best best;
  for (const int t : candidates) {
    if (interrupted()) break;
    const int d = distance(query, document, t, best.distance, row);
    if (d < best.distance) best = {d, t};
  }
  return best;
}

/// The steps of one alignment, from the whole table.
std::vector<Step> steps_of(const Line& query, const Line& document, int transposition) {
  const std::size_t width = document.size() + 1;
  std::vector<int> table((query.size() + 1) * width);
  const auto cell = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  const auto change = [&](std::size_t i, std::size_t j) {
    return std::abs(document.pitch[j] - query.pitch[i] - transposition);
  };
  for (std::size_t i = 0; i <= query.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      if (i == 0 || j == 0) {
        cell(i, j) = static_cast<int>(i + j);
      } else {
        cell(i, j) = std::min({cell(i - 1, j - 1) + change(i - 1, j - 1), cell(i - 1, j) + 1, cell(i, j - 1) + 1});
      }
    }
  }
  std::size_t i = query.size();
  std::size_t j = 0;
  for (std::size_t k = 1; k < width; ++k) {
    if (cell(i, k) < cell(i, j)) j = k;
  }
  std::vector<Step> steps;
  const auto span = [](std::size_t at) {
    return NoteSpan{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 1)};
  };
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && cell(i, j) == cell(i - 1, j - 1) + change(i - 1, j - 1)) {
      --i;
      --j;
      const int cost = change(i, j);
      steps.push_back(
          {cost == 0 ? Step::Kind::match : Step::Kind::mismatch, span(i), span(j), static_cast<double>(-cost)});
    } else if (i > 0 && cell(i, j) == cell(i - 1, j) + 1) {
      --i;
      steps.push_back({Step::Kind::gap_in_document, span(i), {}, -1});
    } else {
      --j;
      steps.push_back({Step::Kind::gap_in_query, {}, span(j), -1});
    }
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

class LdpQuery final : public PreparedQuery {
 public:
  explicit LdpQuery(Line line) : line_(std::move(line)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (line_.size() == 0 || document.size() == 0) return {0, false};
    return {static_cast<double>(-best_transposition(line_, document).distance), true};
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (line_.size() == 0 || document.size() == 0) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    const Best best = best_transposition(line_, document);
    out.steps = steps_of(line_, document, best.transposition);
    out.total = static_cast<double>(-best.distance);
    out.score = {out.total, true};
    out.summary = "query transposed by " + std::to_string(best.transposition) + " semitones";
    return out;
  }

 private:
  Line line_;
};

}  // namespace

constinit const SystemRow kLdp = {
    .name = "LDP",
    .title = "L(DP): transposition-invariant edit distance of pitches",
    .explanation =
        "Edit distance between the query, in its best transposition, and the beginning of the document: a deleted or "
        "inserted note costs 1, a substituted one its distance in semitones. Rhythm is ignored.",
    .reference = "K. Lemstrom, N. Mikkila, V. Makinen, E. Ukkonen: MIREX symbolic melodic similarity, 2005",
    .evidence = Evidence::partial,
    .evidence_note =
        "The entry's weights are not published; ours are 1 for a deletion or insertion, and the difference in "
        "semitones for a substitution.",
    .published_adr = 0.543,
    .invariant = {.transposition = true, .tempo = true},
    .make = make_query_system<LdpQuery, PitchEditPlan>,
};

}  // namespace rondo::rows
