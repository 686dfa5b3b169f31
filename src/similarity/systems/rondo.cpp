#include "similarity/systems/rondo.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "similarity/systems.h"

namespace rondo::explained {
namespace {

constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::min() / 2;

double in_ones(std::int32_t parts) { return static_cast<double>(parts) / kOne; }

/// What each step of an alignment adds, in one transposition.
class ExplainedModel {
 public:
  ExplainedModel(const Costs& costs, const Features& query, const Features& document, std::int32_t transposition)
      : costs_(costs),
        query_(query),
        document_(document),
        transposition_(transposition),
        place_(costs.place_factor(query.size(), document.size())) {}

  [[nodiscard]] std::size_t rows() const { return query_.size(); }
  [[nodiscard]] std::size_t columns() const { return document_.size(); }
  [[nodiscard]] std::int32_t unexplained(std::size_t notes) const { return costs_.unexplained(notes); }
  [[nodiscard]] std::int32_t open() const { return costs_.settings().open; }
  [[nodiscard]] std::int32_t gap_query(std::size_t i) const { return costs_.gap(query_.length[i]); }
  [[nodiscard]] std::int32_t gap_document(std::size_t j) const { return costs_.gap(document_.length[j]); }
  /// To begin with query note i and document note j as the first pair.
  [[nodiscard]] std::int32_t begin(std::size_t i, std::size_t j) const {
    return 0 - costs_.unexplained(i) - costs_.overhang(j);
  }
  /// To end before query note i and document note j.
  [[nodiscard]] std::int32_t end(std::size_t i, std::size_t j) const {
    return 0 - costs_.unexplained(rows() - i) - costs_.overhang(columns() - j);
  }
  [[nodiscard]] bool same(std::size_t i, std::size_t j) const { return apart(i, j) == 0; }
  [[nodiscard]] std::int32_t pair(std::size_t i, std::size_t j) const {
    std::int32_t out = costs_.pitch(apart(i, j));
    out -= costs_.length(std::abs(query_.length[i] - document_.length[j]));
    out -= costs_.change(std::abs(query_.change[i] - document_.change[j]));
    out -= Costs::place(place_, std::abs(query_.place[i] - document_.place[j]));
    const bool both_go_on = i + 1 < rows() && j + 1 < columns();
    if (both_go_on && query_.next[i] != document_.next[j]) out -= costs_.settings().interval;
    return out;
  }

 private:
  [[nodiscard]] std::int32_t apart(std::size_t i, std::size_t j) const {
    return document_.pitch[j] - query_.pitch[i] - transposition_;
  }

  const Costs& costs_;
  const Features& query_;
  const Features& document_;
  std::int32_t transposition_;
  std::int32_t place_;
};

/// All cells of the alignment, and the way through them.
class ExplainedTable {
 public:
  explicit ExplainedTable(const ExplainedModel& model)
      : model_(model),
        width_(model.columns()),
        paired_(model.rows() * width_),
        best_(paired_.size()),
        right_(paired_.size()),
        down_(paired_.size()) {
    for (std::size_t i = 0; i < model.rows(); ++i) {
      for (std::size_t j = 0; j < width_; ++j) fill(i, j);
    }
  }

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> out;
    auto [i, j, total] = last();
    if (total == kNever) {  // nothing is better explained than left alone
      leave_all(0, 0, model_.rows(), model_.columns(), model_.end(0, 0), out);
      return out;
    }
    leave_all(i + 1, j + 1, model_.rows(), model_.columns(), model_.end(i + 1, j + 1), out);
    for (;;) {
      const std::size_t at = i * width_ + j;
      if (best_[at] == paired_[at]) {
        out.push_back({model_.same(i, j) ? Step::Kind::match : Step::Kind::mismatch, span(i, i + 1), span(j, j + 1),
                       in_ones(model_.pair(i, j))});
        if (paired_[at] == model_.begin(i, j) + model_.pair(i, j)) break;
        --i;
        --j;
        continue;
      }
      const bool of_query = best_[at] == down_[at];
      for (bool first = false; !first;) {
        const std::size_t now = i * width_ + j;
        const std::int32_t note = of_query ? model_.gap_query(i) : model_.gap_document(j);
        const std::size_t before = of_query ? now - width_ : now - 1;
        first = (of_query ? down_ : right_)[now] == best_[before] - model_.open() - note;
        const std::size_t which = of_query ? i-- : j--;
        leave_one(which, of_query, note + (first ? model_.open() : 0), out);
      }
    }
    leave_all(0, 0, i, j, model_.begin(i, j), out);
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  struct Last {
    std::size_t i, j;
    std::int32_t total;
  };

  void fill(std::size_t i, std::size_t j) {
    const std::size_t at = i * width_ + j;
    const std::int32_t corner = i > 0 && j > 0 ? best_[at - width_ - 1] : kNever;
    paired_[at] = std::max(corner, model_.begin(i, j)) + model_.pair(i, j);
    right_[at] = j > 0 ? std::max(best_[at - 1] - model_.open(), right_[at - 1]) - model_.gap_document(j) : kNever;
    down_[at] = i > 0 ? std::max(best_[at - width_] - model_.open(), down_[at - width_]) - model_.gap_query(i) : kNever;
    best_[at] = std::max({paired_[at], right_[at], down_[at]});
  }

  [[nodiscard]] Last last() const {
    Last found = {0, 0, kNever};
    std::int32_t most = model_.end(0, 0);
    for (std::size_t i = 0; i < model_.rows(); ++i) {
      for (std::size_t j = 0; j < width_; ++j) {
        const std::int32_t total = paired_[i * width_ + j] + model_.end(i + 1, j + 1);
        if (total <= most) continue;
        most = total;
        found = {i, j, total};
      }
    }
    return found;
  }

  static NoteSpan span(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  static void leave_one(std::size_t note, bool of_query, std::int32_t cost, std::vector<Step>& out) {
    const NoteSpan one = span(note, note + 1);
    out.push_back({of_query ? Step::Kind::gap_in_document : Step::Kind::gap_in_query, of_query ? one : NoteSpan{},
                   of_query ? NoteSpan{} : one, 0.0 - in_ones(cost)});
  }

  /// What lies before or behind all that is aligned.
  void leave_all(std::size_t from_i, std::size_t from_j, std::size_t to_i, std::size_t to_j, std::int32_t score,
                 std::vector<Step>& out) const {
    const std::int32_t query = 0 - model_.unexplained(to_i - from_i);
    if (from_j < to_j) out.push_back({Step::Kind::gap_in_query, {}, span(from_j, to_j), in_ones(score - query)});
    if (from_i < to_i) out.push_back({Step::Kind::gap_in_document, span(from_i, to_i), {}, in_ones(query)});
  }

  const ExplainedModel& model_;
  std::size_t width_;
  std::vector<std::int32_t> paired_;  ///< alignments that end with this pair
  std::vector<std::int32_t> best_;    ///< that end here in any way
  std::vector<std::int32_t> right_;   ///< with document notes in a gap
  std::vector<std::int32_t> down_;    ///< with query notes in a gap
};

class ExplainedQuery final : public PreparedQuery {
 public:
  ExplainedQuery(const Line& line, const Settings& settings) : settings_(settings) {
    if (line.size() == 0) return;
    make_features(line.pitch, line.onset, line.duration, features_);
    costs_.emplace(settings, features_.rhythm);
    common_.emplace(features_.pitch);
  }

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (features_.size() == 0 || document.size() == 0) return {0, false};
    thread_local Features other;
    make_features(document.pitch, document.onset, document.duration, other);
    return normalised(best(other).total);
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (features_.size() == 0 || document.size() == 0) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    Features other;
    make_features(document.pitch, document.onset, document.duration, other);
    const Best found = best(other);
    const ExplainedModel model(*costs_, features_, other, found.transposition);
    out.steps = ExplainedTable(model).steps();
    out.total = in_ones(found.total);
    out.score = normalised(found.total);
    const auto equal = std::count_if(out.steps.begin(), out.steps.end(),
                                     [](const Step& step) { return step.kind == Step::Kind::match; });
    out.summary = fmt::format("{} of {} notes found at equal pitch, query transposed by {} semitones, {}; sum divided by {}",
                              equal, features_.size(), found.transposition,
                              features_.rhythm ? "rhythm compared" : "rhythm not compared, the query has none",
                              features_.size());
    return out;
  }

 private:
  struct Best {
    std::int32_t total = kNever;
    std::int32_t transposition = 0;
  };

  [[nodiscard]] Best best(const Features& document) const {
    thread_local std::vector<CommonNotes::Found> transpositions;
    common_->find(document.pitch, transpositions);
    Best found;
    for (const auto& [transposition, notes] : transpositions) {
      if (costs_->at_most(notes, features_.size()) <= found.total) break;
      const std::int32_t total = align(*costs_, features_, document, transposition);
      if (total > found.total) found = {total, transposition};
    }
    return found;
  }

  [[nodiscard]] Score normalised(std::int32_t total) const {
    return {in_ones(total) / static_cast<double>(features_.size()), true};
  }

  Settings settings_;
  Features features_;
  std::optional<Costs> costs_;
  std::optional<CommonNotes> common_;
};

class ExplainedSystem final : public System {
 public:
  explicit ExplainedSystem(const Settings& settings) : settings_(settings) {}
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<ExplainedQuery>(query, settings_);
  }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Settings settings_;
};

}  // namespace

std::int32_t align(const Costs& costs, const Features& query, const Features& document, std::int32_t transposition) {
  const ExplainedModel model(costs, query, document, transposition);
  // What a column needs again and again, beside its cells of the row above.
  struct Column {
    std::int32_t best, down, begin, end, gap;
  };
  thread_local std::vector<Column> columns;
  columns.resize(model.columns());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    columns[j] = {kNever, kNever, model.begin(0, j), model.end(model.rows(), j + 1), model.gap_document(j)};
  }
  const std::int32_t open = model.open();
  std::int32_t most = model.end(0, 0);
  for (std::size_t i = 0; i < model.rows(); ++i) {
    const std::int32_t before = costs.unexplained(i);
    const std::int32_t behind = costs.unexplained(model.rows() - i - 1);
    const std::int32_t gap = model.gap_query(i);
    std::int32_t corner = kNever;
    std::int32_t left = kNever;
    std::int32_t right = kNever;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      Column& column = columns[j];
      const std::int32_t paired = std::max(corner, column.begin - before) + model.pair(i, j);
      right = std::max(left - open, right) - column.gap;
      column.down = std::max(column.best - open, column.down) - gap;
      most = std::max(most, paired + column.end - behind);
      corner = column.best;
      left = column.best = std::max({paired, right, column.down});
    }
  }
  return most;
}

std::optional<Settings> settings_of(const System& system) {
  const auto* own = dynamic_cast<const ExplainedSystem*>(&system);
  return own == nullptr ? std::nullopt : std::optional(own->settings());
}

}  // namespace rondo::explained

namespace rondo::rows {
namespace {

// Tuned on the tune families of MTC-ANN, folds over families, by tools/tune.
constexpr std::array kRondoParameters = {
    Parameter{"near", "worth of a pair of notes a whole tone, a third or an octave apart; equal notes are worth 1", 0.05,
              -1, 1},
    Parameter{"far", "worth of any other pair of notes of different pitch", -0.36, -2, 1},
    Parameter{"length", "cost of a factor of two between two notes' lengths, tempo removed", 0.5, 0, 2},
    Parameter{"change", "cost of a factor of two between the ways their lengths differ from the notes before", 0.26, 0, 2},
    Parameter{"place", "cost of places at opposite ends of melodies of equal length", 1, 0, 4},
    Parameter{"interval", "cost where the next intervals differ", 0.28, 0, 1},
    Parameter{"open", "cost of a gap", 0.25, 0, 4},
    Parameter{"extend", "cost of each note in a gap", 0.54, 0, 4},
    Parameter{"long", "by how much a note in a gap costs more that is twice as long", 0.6, 0, 1},
    Parameter{"unexplained", "cost of a query note before the first or behind the last pair", 0.45, 0, 4},
    Parameter{"overhang", "cost of a document note before the first or behind the last pair", 0.25, 0, 4},
    Parameter{"most-overhang", "what such notes at one end cost at most", 1, 0, 100},
};

}  // namespace

constinit const SystemRow kRondo = {
    .name = "rondo",
    .title = "Rondo's own: the best explanation of the query",
    .explanation =
        "Aligns the query note by note with the part of the document that explains it best, in the best transposition. A "
        "pair of notes counts by its pitches, by its lengths once the tempo is removed, by the change of length and the "
        "next interval, and by its place in melodies of like length. Notes left out cost, long ones more; what of the "
        "query is not explained costs; what of the document goes beyond it costs a little, and at most so much. The sum is "
        "divided by the notes of the query, so that a melody has 1 with itself.",
    .reference = "Rondo's documentation, docs/rondo-system.md; the alignment is in the tradition of M. Mongeau, D. Sankoff, "
                 "1990 and P. van Kranenburg, 2010",
    .evidence = Evidence::ours,
    .evidence_note = "Our own. Its parameters were tuned on the tune families of MTC-ANN with melodies of the Essen "
                     "collection as distractors. A query whose notes are all equally long is compared without rhythm. Of "
                     "longer melodies the first 2,000 notes count.",
    .invariant = {.transposition = true, .tempo = true},
    .parameters = kRondoParameters,
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      const auto parts = [&](std::string_view name) {
        return static_cast<std::int32_t>(std::lround(parameters.get(name) * explained::kOne));
      };
      return std::make_unique<explained::ExplainedSystem>(explained::Settings{
          .near = parts("near"),
          .far = parts("far"),
          .length = parameters.get("length"),
          .change = parameters.get("change"),
          .place = parameters.get("place"),
          .interval = parts("interval"),
          .open = parts("open"),
          .extend = parts("extend"),
          .long_notes = parameters.get("long"),
          .unexplained = parts("unexplained"),
          .overhang = parts("overhang"),
          .most_overhang = parts("most-overhang"),
      });
    },
};

}  // namespace rondo::rows
