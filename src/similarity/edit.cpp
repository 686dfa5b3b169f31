#include "similarity/edit.h"

#include "features/letters.h"
#include "similarity/align.h"

namespace rondo {
namespace {

/// An edit distance is a global alignment whose scores are negative costs.
struct EditModel {
  std::string_view query;
  std::string_view document;
  char neutral;
  const EditCosts& costs;
  [[nodiscard]] bool same(std::size_t i, std::size_t j) const { return query[i] == document[j]; }
  [[nodiscard]] double pair(std::size_t i, std::size_t j) const {
    if (same(i, j)) return 0;
    return query[i] == neutral || document[j] == neutral ? -costs.to_neutral : -costs.opposite;
  }
  [[nodiscard]] double gap_query(std::size_t /*i*/) const { return -costs.deletion; }
  [[nodiscard]] double gap_document(std::size_t /*j*/) const { return -costs.insertion; }
};

class EditQuery final : public PreparedQuery {
 public:
  EditQuery(std::string (*letters)(const Line&), char neutral, EditCosts costs, const Line& line)
      : letters_(letters), neutral_(neutral), costs_(costs), own_(letters(line)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    const std::string other = letters_(document);
    if (own_.empty() || other.empty()) return {0, false};
    return {0 - edit_distance(own_, other, neutral_, costs_), true};  // not -0 for no distance
  }

  [[nodiscard]] bool breaks_ties() const override { return false; }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    const std::string other = letters_(document);
    if (own_.empty() || other.empty()) {
      out.score = {0, false};
      out.summary = "a melody needs at least 2 notes";
      return out;
    }
    const double distance = edit_distance_explained(own_, other, neutral_, costs_, out.steps);
    for (Step& step : out.steps) {
      // A letter represents two adjacent notes.
      if (!step.query.empty()) ++step.query.end;
      if (!step.document.empty()) ++step.document.end;
    }
    out.total = 0 - distance;
    out.score = {out.total, true};
    out.summary = own_ + " against " + other;
    return out;
  }

 private:
  std::string (*letters_)(const Line&);
  char neutral_;
  EditCosts costs_;
  std::string own_;
};

class EditSystem final : public System {
 public:
  explicit EditSystem(const EditPlan& plan) : plan_(plan) {}
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    const bool rhythm = plan_.letters == EditPlan::Letters::rhythm;
    std::string (*letters)(const Line&) = contour_string;
    if (rhythm) letters = rhythm_string;
    return std::make_unique<EditQuery>(letters, rhythm ? kRhythmNeutral : kContourNeutral, plan_.costs, query);
  }
  [[nodiscard]] SearchPlan plan() const override { return plan_; }

 private:
  EditPlan plan_;
};

}  // namespace

double edit_distance_explained(std::string_view query, std::string_view document, char neutral, const EditCosts& costs,
                               std::vector<Step>& steps) {
  return -align_explained<double>(EditModel{query, document, neutral, costs}, query.size(), document.size(),
                                  Aligner::global, steps, 1);
}

std::unique_ptr<System> make_edit_system(EditPlan::Letters letters, const Parameters& parameters) {
  return std::make_unique<EditSystem>(EditPlan{
      letters,
      {parameters.get("insert"), parameters.get("delete"), parameters.get("neutral"), parameters.get("opposite")}});
}

}  // namespace rondo
