#include <algorithm>
#include <cstdlib>

#include "similarity/query_system.h"
#include "similarity/systems.h"
#include "similarity/systems/gar_search.h"

namespace rondo::rows {
namespace {

using namespace gar;

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

/// The whole table of the local alignment; its maximum is the score. For explaining; gar_search.cpp
/// has the fast version.
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
    .make = make_query_system<GarQuery, GarPlan>,
};

}  // namespace rondo::rows
