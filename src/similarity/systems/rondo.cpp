#include "similarity/systems/rondo.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "similarity/systems.h"

namespace rondo::explained {
namespace {

constexpr std::int32_t kNever = std::numeric_limits<std::int32_t>::min() / 2;

constexpr const char* kTooShort = "one of the melodies has fewer than two notes";

double in_ones(std::int32_t parts) { return static_cast<double>(parts) / kOne; }

/// The traceback of align().
class ExplainedTable {
 public:
  ExplainedTable(const Costs& costs, const Features& query, const Features& document, std::int32_t transposition)
      : costs_(costs),
        query_(query),
        document_(document),
        transposition_(transposition),
        place_(costs.place_factor(query.size(), document.size())),
        width_(document.size() + 1) {
    (void)align(costs, query, document, transposition, &best_);
  }

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> out;
    std::size_t i = query_.size();
    std::size_t j = end();
    if (j < document_.size()) {
      out.push_back({Step::Kind::gap_in_query, {}, span(j, document_.size()), in_ones(0 - costs_.settings().overhang)});
    }
    while (i > 0 || j > 0) {
      const std::int32_t here = best_[i * width_ + j];
      if (i == 0 && here == -costs_.settings().overhang) {
        out.push_back({Step::Kind::gap_in_query, {}, span(0, j), in_ones(here)});
        break;
      }
      if (i > 0 && j > 0 && here == best_[(i - 1) * width_ + j - 1] + pair(i - 1, j - 1)) {
        --i;
        --j;
        const bool equal = document_.pitch[j] - query_.pitch[i] == transposition_;
        out.push_back(
            {equal ? Step::Kind::match : Step::Kind::mismatch, span(i, i + 1), span(j, j + 1), in_ones(pair(i, j))});
      } else if (i > 0 && here == best_[(i - 1) * width_ + j] - left_out(i - 1, j)) {
        --i;
        out.push_back({Step::Kind::gap_in_document, span(i, i + 1), {}, in_ones(0 - left_out(i, j))});
      } else {
        --j;
        out.push_back({Step::Kind::gap_in_query, {}, span(j, j + 1), in_ones(0 - costs_.gap(document_.length[j]))});
      }
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  /// The cost of leaving out the query's note i if `j` notes of the document precede it.
  [[nodiscard]] std::int32_t left_out(std::size_t i, std::size_t j) const {
    const bool inside = j > 0 && j < document_.size();
    return inside ? costs_.gap(query_.length[i]) : costs_.beyond(query_.length[i]);
  }

  [[nodiscard]] std::int32_t pair(std::size_t i, std::size_t j) const {
    const Settings& settings = costs_.settings();
    std::int32_t fine = costs_.pitch(document_.pitch[j] - query_.pitch[i] - transposition_);
    fine -= settings.length * std::abs(document_.length[j] - query_.length[i]);
    fine -= settings.change * std::abs(document_.change[j] - query_.change[i]);
    fine -= (place_ * std::abs(document_.place[j] - query_.place[i])) >> 16;
    const bool go_on = i + 1 < query_.size() && j + 1 < document_.size();
    if (go_on && document_.next[j] != query_.next[i]) fine -= settings.interval;
    return Costs::weighted(fine, costs_.weight(query_.length[i]));
  }

  /// One past the last document note of the alignment.
  [[nodiscard]] std::size_t end() const {
    const std::int32_t* const last = &best_[query_.size() * width_];
    std::size_t found = document_.size();
    std::int32_t most = last[found];
    for (std::size_t j = found; j-- > 0;) {
      if (last[j] - costs_.settings().overhang <= most) continue;
      most = last[j] - costs_.settings().overhang;
      found = j;
    }
    return found;
  }

  static NoteSpan span(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  const Costs& costs_;
  const Features& query_;
  const Features& document_;
  std::int32_t transposition_;
  std::int32_t place_;
  std::size_t width_;
  std::vector<std::int32_t> best_;
};

class ExplainedQuery final : public PreparedQuery {
 public:
  /// Precondition: the line has enough notes.
  ExplainedQuery(const Line& line, const Settings& settings)
      : features_(features_of(line)),
        costs_(settings, features_.rhythm),
        common_(features_.pitch),
        perfect_(costs_.perfect(features_)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (document.size() < kShortest) return {0, false};
    thread_local Features other;
    make_features(document.pitch, document.onset, document.duration, other);
    return normalised(best(other).total);
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (document.size() < kShortest) {
      out.score = {0, false};
      out.summary = kTooShort;
      return out;
    }
    const Features other = features_of(document);
    const Best found = best(other);
    out.steps = ExplainedTable(costs_, features_, other, found.transposition).steps();
    out.total = in_ones(found.total);
    out.score = normalised(found.total);
    const auto equal = std::count_if(out.steps.begin(), out.steps.end(),
                                     [](const Step& step) { return step.kind == Step::Kind::match; });
    out.summary = fmt::format(
        "{} of {} query notes at equal pitch, query transposed by {} semitones, rhythm {}; sum "
        "divided by {:.2f}, that of the query with itself",
        equal, features_.size(), found.transposition, costs_.rhythm() ? "compared" : "unknown", in_ones(perfect_));
    return out;
  }

 private:
  struct Best {
    std::int32_t total = kNever;
    std::int32_t transposition = 0;
  };

  static Features features_of(const Line& line) {
    Features out;
    make_features(line.pitch, line.onset, line.duration, out);
    return out;
  }

  [[nodiscard]] Best best(const Features& document) const {
    thread_local std::vector<CommonNotes::Found> transpositions;
    common_.find(document.pitch, transpositions);
    Best found;
    for (std::size_t k = 0; k < std::min(kTranspositions, transpositions.size()); ++k) {
      const std::int32_t total = align(costs_, features_, document, transpositions[k].transposition);
      if (total > found.total) found = {total, transpositions[k].transposition};
    }
    return found;
  }

  [[nodiscard]] Score normalised(std::int32_t total) const {
    return {static_cast<double>(total) / static_cast<double>(perfect_), true};
  }

  Features features_;
  Costs costs_;
  CommonNotes common_;
  std::int32_t perfect_;
};

/// A query of too few notes.
class NothingToExplain final : public PreparedQuery {
 public:
  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& /*document*/) const override { return {0, false}; }
  [[nodiscard]] Explanation explain(const Line& /*document*/) const override {
    Explanation out;
    out.score = {0, false};
    out.summary = kTooShort;
    return out;
  }
};

class ExplainedSystem final : public System {
 public:
  explicit ExplainedSystem(const RondoPlan& plan) : plan_(plan), settings_(settings_of(plan)) {}
  [[nodiscard]] SearchPlan plan() const override { return plan_; }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    if (query.size() < kShortest) return std::make_unique<NothingToExplain>();
    return std::make_unique<ExplainedQuery>(query, settings_);
  }

 private:
  RondoPlan plan_;
  Settings settings_;
};

}  // namespace
}  // namespace rondo::explained

namespace rondo::rows {
namespace {

// Tuned by tools/tune.
constexpr std::array kRondoParameters = {
    Parameter{"near", "value of a pair of notes two to four semitones apart; that of equal notes is 1", 0.15, -1, 0.9},
    Parameter{"far", "value of another pair of notes of different pitch", -0.15, -2, 0.9},
    Parameter{"length", "cost of a factor of two between the lengths of two notes, tempo removed", 0.5, 0, 2},
    Parameter{"change", "cost of a factor of two between their changes of length from the notes before", 0.2, 0, 2},
    Parameter{"place", "cost of positions at opposite ends, for melodies with equally many notes", 0.8, 0, 4},
    Parameter{"interval", "cost where the next intervals differ", 0.22, 0, 1},
    Parameter{"weight", "how much more a pair counts if the query's note is twice as long", 0.25, 0, 1},
    Parameter{"gap", "cost of a note that is left out", 0.75, 0, 4},
    Parameter{"long", "how much more a gap costs if the note is twice as long", 0.8, 0, 1},
    Parameter{"overhang", "maximum cost of the document's notes before the first or after the last pair, at each end",
              1, 0, 20},
    Parameter{"beyond", "cost of a query note before or after the whole document, as a share of the cost of a gap", 0.3,
              0, 1},
};

}  // namespace

constinit const SystemRow kRondo = {
    .name = "rondo",
    .title = "Rondo's own: the best explanation of the query",
    .explanation =
        "Aligns all notes of the query with the part of the document that explains them best, in the better of the "
        "two transpositions in which most notes are found in order. The value of a pair of notes depends on the "
        "pitches, the lengths with the tempo removed, the change of length, the next interval, and the position in "
        "the melody if both are about equally long; long notes of the query count more. A note left out has a cost, a "
        "long one a higher cost. Notes of the document before the first and after the last pair have a limited cost "
        "at each end, so a melody is found within a longer one, but a melody of the same length ranks higher. Notes "
        "of the query beyond the ends of the document cost less than elsewhere, so an incipit is also found by a "
        "longer query. The sum is divided by that of the query aligned with itself. A query whose notes are all "
        "equally long is compared without rhythm.",
    .reference =
        "docs/rondo-system.md; in the tradition of M. Mongeau, D. Sankoff: Comparison of musical sequences, "
        "1990, and P. van Kranenburg: A computational approach to content-based retrieval of folk song "
        "melodies, 2010",
    .evidence = Evidence::ours,
    .evidence_note =
        "Our own design. Its eleven parameters were tuned on the tune families of MTC-ANN, with melodies of the "
        "Essen collection and altered melodies; figures for families it was not tuned on are in "
        "docs/quality.md. Only the first 2,000 notes of a melody are compared.",
    .invariant = {.transposition = true, .tempo = true},
    .shortest = explained::kShortest,
    .parameters = kRondoParameters,
    // By tools/calibrate.py.
    .calibration = Calibration{.constant = -7.24, .score = 1.38, .high_score = 8.4, .distinction = 2.58, .size = -1.06},
    .make = [](const Parameters& parameters) -> std::unique_ptr<System> {
      return std::make_unique<explained::ExplainedSystem>(RondoPlan{
          .near = parameters.get("near"),
          .far = parameters.get("far"),
          .length = parameters.get("length"),
          .change = parameters.get("change"),
          .place = parameters.get("place"),
          .interval = parameters.get("interval"),
          .weight = parameters.get("weight"),
          .gap = parameters.get("gap"),
          .long_notes = parameters.get("long"),
          .overhang = parameters.get("overhang"),
          .beyond = parameters.get("beyond"),
      });
    },
};

}  // namespace rondo::rows
