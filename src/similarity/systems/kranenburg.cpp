#include "similarity/systems/kranenburg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/interrupt.h"
#include "similarity/systems/kranenburg_features.h"

namespace rondo::kranenburg {
namespace {

constexpr std::int64_t kBand = 23;  // base-40 steps: a fifth
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 2;

double in_ones(std::int64_t rating) { return static_cast<double>(rating) / static_cast<double>(kOne); }

/// One query against one document in a transposition.
class KranenburgModel {
 public:
  KranenburgModel(const Settings& settings, const Features& query, const Features& document, std::int32_t transposition)
      : settings_(settings), query_(query), document_(document), transposition_(transposition) {}

  [[nodiscard]] std::size_t rows() const { return query_.pitch.size(); }
  [[nodiscard]] std::size_t columns() const { return document_.pitch.size(); }
  [[nodiscard]] std::int64_t gap() const { return settings_.gap; }
  [[nodiscard]] std::int64_t extend() const { return settings_.extend; }
  [[nodiscard]] bool same(std::size_t i, std::size_t j) const { return apart(i, j) == 0; }

  /// From -kOne to kOne. Several features are mapped to 0..1, multiplied, and mapped back, as in the author's program;
  /// it also applies the band modulo the octave.
  [[nodiscard]] std::int64_t rate(std::size_t i, std::size_t j) const {
    if (!settings_.raters.band) return same(i, j) ? kOne : -kOne;
    const std::int64_t distance = std::abs(apart(i, j)) % 40;
    if (distance > kBand) return -kOne;
    const std::int64_t near = (2 * kBand - distance) * (kOne / kBand);  // 0..2 for -1..1
    double closeness = 1;
    if (settings_.raters.phrase) closeness *= 1 - std::abs(query_.position[i] - document_.position[j]);
    if (settings_.raters.metre) closeness *= 1 - std::abs(query_.beat[i] - document_.beat[j]);
    return static_cast<std::int64_t>(static_cast<double>(near) * closeness + 0.5) - kOne;
  }

 private:
  [[nodiscard]] std::int32_t apart(std::size_t i, std::size_t j) const {
    return document_.pitch[j] - query_.pitch[i] - transposition_;
  }

  const Settings& settings_;
  const Features& query_;
  const Features& document_;
  std::int32_t transposition_;
};

/// Best score of an alignment of whole melodies whose overhang at either end is free: affine gaps after O. Gotoh, 1982.
std::int64_t align(const KranenburgModel& model) {
  thread_local std::vector<std::int64_t> best;      // up to and including this row
  thread_local std::vector<std::int64_t> downward;  // those that end with an unmatched query note
  const std::size_t columns = model.columns();
  best.assign(columns + 1, 0);
  downward.assign(columns + 1, kNever);
  std::int64_t highest = 0;
  const bool is_long = model.rows() * columns > kStepsWithoutInterrupt;
  for (std::size_t i = 0; i < model.rows(); ++i) {
    if (is_long && interrupted()) break;
    std::int64_t corner = 0;
    std::int64_t rightward = kNever;  // those that end with an unmatched document note
    for (std::size_t j = 1; j <= columns; ++j) {
      rightward = std::max(best[j - 1] - model.gap(), rightward - model.extend());
      downward[j] = std::max(best[j] - model.gap(), downward[j] - model.extend());
      const std::int64_t cell = std::max({corner + model.rate(i, j - 1), rightward, downward[j]});
      corner = best[j];
      best[j] = cell;
    }
    highest = std::max(highest, best[columns]);
  }
  return std::max(highest, *std::max_element(best.begin(), best.end()));
}

/// The same with all cells and the traceback.
class Tracer {
 public:
  explicit Tracer(const KranenburgModel& model)
      : model_(model),
        width_(model.columns() + 1),
        best_((model.rows() + 1) * width_, 0),
        rightward_(best_.size(), kNever),
        downward_(best_.size(), kNever) {
    for (std::size_t i = 1; i <= model.rows(); ++i) {
      for (std::size_t j = 1; j < width_; ++j) fill(i, j);
    }
  }

  [[nodiscard]] std::vector<Step> steps() const {
    auto [i, j] = end();
    std::vector<Step> out;
    overhang(i, j, model_.rows(), model_.columns(), out);
    while (i > 0 && j > 0) {
      const std::size_t at = i * width_ + j;
      if (best_[at] == best_[at - width_ - 1] + model_.rate(i - 1, j - 1)) {
        --i;
        --j;
        out.push_back({model_.same(i, j) ? Step::Kind::match : Step::Kind::mismatch, span(i, i + 1), span(j, j + 1),
                       in_ones(model_.rate(i, j))});
      } else if (best_[at] == downward_[at]) {
        while (downward_[i * width_ + j] != best_[(i - 1) * width_ + j] - model_.gap())
          leave_out(--i, true, model_.extend(), out);
        leave_out(--i, true, model_.gap(), out);
      } else {
        while (rightward_[i * width_ + j] != best_[i * width_ + j - 1] - model_.gap())
          leave_out(--j, false, model_.extend(), out);
        leave_out(--j, false, model_.gap(), out);
      }
    }
    overhang(0, 0, i, j, out);
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  void fill(std::size_t i, std::size_t j) {
    const std::size_t at = i * width_ + j;
    rightward_[at] = std::max(best_[at - 1] - model_.gap(), rightward_[at - 1] - model_.extend());
    downward_[at] = std::max(best_[at - width_] - model_.gap(), downward_[at - width_] - model_.extend());
    best_[at] = std::max({best_[at - width_ - 1] + model_.rate(i - 1, j - 1), rightward_[at], downward_[at]});
  }

  /// Where the best alignment reaches the end of either melody.
  [[nodiscard]] std::pair<std::size_t, std::size_t> end() const {
    std::pair<std::size_t, std::size_t> found = {model_.rows(), model_.columns()};
    const auto consider = [&](std::size_t i, std::size_t j) {
      if (best_[i * width_ + j] > best_[found.first * width_ + found.second]) found = {i, j};
    };
    for (std::size_t j = width_; j-- > 0;) consider(model_.rows(), j);
    for (std::size_t i = model_.rows() + 1; i-- > 0;) consider(i, model_.columns());
    return found;
  }

  static NoteSpan span(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  static void leave_out(std::size_t note, bool of_query, std::int64_t cost, std::vector<Step>& out) {
    const NoteSpan one = span(note, note + 1);
    out.push_back({of_query ? Step::Kind::gap_in_document : Step::Kind::gap_in_query, of_query ? one : NoteSpan{},
                   of_query ? NoteSpan{} : one, 0.0 - in_ones(cost)});
  }

  /// The free overhang at one end.
  static void overhang(std::size_t from_i, std::size_t from_j, std::size_t to_i, std::size_t to_j,
                       std::vector<Step>& out) {
    if (from_i < to_i) out.push_back({Step::Kind::gap_in_document, span(from_i, to_i), {}, 0});
    if (from_j < to_j) out.push_back({Step::Kind::gap_in_query, {}, span(from_j, to_j), 0});
  }

  const KranenburgModel& model_;
  std::size_t width_;
  std::vector<std::int64_t> best_;
  std::vector<std::int64_t> rightward_;
  std::vector<std::int64_t> downward_;
};

class KranenburgQuery final : public PreparedQuery {
 public:
  KranenburgQuery(const Line& line, const Settings& settings)
      : settings_(settings), features_(make_features(line, settings.raters)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (features_.pitch.empty() || document.size() == 0) return {0, false};
    const Features other = make_features(document, settings_.raters);
    return {in_ones(best(other).score) / shorter(other), true};
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (features_.pitch.empty() || document.size() == 0) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    const Features other = make_features(document, settings_.raters);
    const Best found = best(other);
    const KranenburgModel model(settings_, features_, other, found.transposition);
    out.steps = Tracer(model).steps();
    out.total = in_ones(found.score);
    out.score = {out.total / shorter(other), true};
    out.summary = fmt::format("query transposed by {} base-40 steps; sum divided by {}",
                              found.transposition + other.lowest - features_.lowest, shorter(other));
    return out;
  }

 private:
  struct Best {
    std::int64_t score = kNever;
    std::int32_t transposition = 0;
  };

  [[nodiscard]] Best best(const Features& document) const {
    thread_local std::vector<std::int32_t> transpositions;
    best_transpositions(features_, document, transpositions);
    Best found;
    for (const std::int32_t t : transpositions) {
      const std::int64_t score = align(KranenburgModel(settings_, features_, document, t));
      if (score > found.score) found = {score, t};
    }
    return found;
  }

  [[nodiscard]] double shorter(const Features& document) const {
    return static_cast<double>(std::min(features_.pitch.size(), document.pitch.size()));
  }

  Settings settings_;
  Features features_;
};

class KranenburgSystem final : public System {
 public:
  explicit KranenburgSystem(const KranenburgPlan& plan) : plan_(plan), settings_(settings_of(plan)) {}
  [[nodiscard]] SearchPlan plan() const override { return plan_; }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<KranenburgQuery>(query, settings_);
  }

 private:
  KranenburgPlan plan_;
  Settings settings_;
};

}  // namespace

Settings settings_of(const KranenburgPlan& plan) {
  const auto rounded = [](double cost) { return std::llround(cost * static_cast<double>(kOne)); };
  return {{plan.band, plan.phrase, plan.metre}, rounded(plan.gap), rounded(plan.extend)};
}

std::unique_ptr<System> make_system(Raters raters, const Parameters& parameters) {
  return std::make_unique<KranenburgSystem>(
      KranenburgPlan{raters.band, raters.phrase, raters.metre, parameters.get("gap"), parameters.get("extend")});
}

}  // namespace rondo::kranenburg
