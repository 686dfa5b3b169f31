#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rondo/similarity/system.h"
#include "similarity/align.h"
#include "similarity/spline/comparers.h"
#include "similarity/spline/grams.h"

/// Shared by the spline systems: windows of notes, a comparer, an aligner. A system is a combination of these.
///
/// A Comparer has: `Value` (an integer where that makes scores exact), `Gram` (its representation of a window),
/// `kNotes`, learn(Line), gram(Line, i), pair(Gram, Gram), gap(Gram), same(Gram, Gram), and unit(), what one Value is
/// worth.
namespace rondo::spline {

/// The rule for equal scores: Equal comparer with the Hybrid aligner; +1 for windows of equal absolute pitch, else -1.
template <std::size_t N>
struct EqualModel {
  const Line& query;
  const Line& document;
  [[nodiscard]] int pair(std::size_t i, std::size_t j) const {
    return std::equal(query.pitch.begin() + static_cast<std::ptrdiff_t>(i),
                      query.pitch.begin() + static_cast<std::ptrdiff_t>(i + N),
                      document.pitch.begin() + static_cast<std::ptrdiff_t>(j))
               ? 1
               : -1;
  }
  [[nodiscard]] static int gap_query(std::size_t /*i*/) { return -1; }
  [[nodiscard]] static int gap_document(std::size_t /*j*/) { return -1; }
};

template <typename Comparer>
struct GramModel {
  using Value = typename Comparer::Value;
  using Gram = typename Comparer::Gram;

  const Comparer& comparer;
  std::span<const Gram> query;
  std::span<const Gram> document;
  [[nodiscard]] Value pair(std::size_t i, std::size_t j) const { return comparer.pair(query[i], document[j]); }
  [[nodiscard]] Value gap_query(std::size_t i) const { return comparer.gap(query[i]); }
  [[nodiscard]] Value gap_document(std::size_t j) const { return comparer.gap(document[j]); }
  [[nodiscard]] bool same(std::size_t i, std::size_t j) const { return comparer.same(query[i], document[j]); }
};

template <typename Comparer>
[[nodiscard]] std::vector<typename Comparer::Gram> grams_of(const Comparer& comparer, const Line& line) {
  std::vector<typename Comparer::Gram> grams;
  const std::size_t count = gram_count(line.size(), Comparer::kNotes);
  grams.reserve(count);
  for (std::size_t i = 0; i < count; ++i) grams.push_back(comparer.gram(line, i));
  return grams;
}

template <typename Comparer>
class NgramQuery final : public PreparedQuery {
 public:
  using Value = typename Comparer::Value;

  NgramQuery(const Comparer& comparer, Aligner aligner, const Line& line)
      : comparer_(comparer), aligner_(aligner), line_(line), grams_(grams_of(comparer, line)), pitches_(line.pitch) {
    std::sort(pitches_.begin(), pitches_.end());
    pitches_.erase(std::unique(pitches_.begin(), pitches_.end()), pitches_.end());
  }

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    const auto grams = grams_of(comparer_, document);
    if (grams_.empty() || grams.empty()) return not_comparable();
    thread_local std::vector<Value> row;
    const Value best = align<Value>(model(grams), grams_.size(), grams.size(), aligner_, row);
    return {normalised(best, grams.size()), true};
  }

  using PreparedQuery::tie_break;
  [[nodiscard]] double tie_break(const Line& document) const override {
    const std::size_t rows = grams_.size();
    const std::size_t columns = gram_count(document.size(), Comparer::kNotes);
    if (rows == 0 || columns == 0) return 0;
    // Where no pitch is shared no window is, and no alignment beats one pair that differs. Many melodies can be alike
    // only in having nothing to do with the query, and each would be aligned.
    if (!shares_pitch(document)) return -1 / static_cast<double>(std::min(rows, columns));
    thread_local std::vector<int> row;
    const int best = align<int>(EqualModel<Comparer::kNotes>{line_, document}, rows, columns, Aligner::hybrid, row);
    return static_cast<double>(best) / static_cast<double>(std::min(rows, columns));
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    const auto grams = grams_of(comparer_, document);
    if (grams_.empty() || grams.empty()) {
      out.score = not_comparable();
      out.summary = "a melody needs at least " + std::to_string(Comparer::kNotes) + " notes";
      return out;
    }
    const Value best = align_explained<Value>(model(grams), grams_.size(), grams.size(), aligner_, out.steps, unit());
    for (Step& step : out.steps) {
      // From windows to the notes they cover.
      if (!step.query.empty()) step.query.end += static_cast<std::uint32_t>(Comparer::kNotes - 1);
      if (!step.document.empty()) step.document.end += static_cast<std::uint32_t>(Comparer::kNotes - 1);
    }
    out.total = static_cast<double>(best) * unit();
    out.score = {normalised(best, grams.size()), true};
    out.summary = "windows of " + std::to_string(Comparer::kNotes) + " notes aligned";
    return out;
  }

 private:
  [[nodiscard]] static Score not_comparable() { return {0, false}; }
  [[nodiscard]] bool shares_pitch(const Line& document) const {
    return std::any_of(document.pitch.begin(), document.pitch.end(),
                       [&](std::int16_t pitch) { return std::binary_search(pitches_.begin(), pitches_.end(), pitch); });
  }
  [[nodiscard]] double unit() const { return comparer_.unit(); }
  [[nodiscard]] GramModel<Comparer> model(std::span<const typename Comparer::Gram> grams) const {
    return {comparer_, grams_, grams};
  }
  [[nodiscard]] double normalised(Value best, std::size_t document_grams) const {
    const double total = static_cast<double>(best) * unit();
    if (aligner_ == Aligner::global) return total;
    return total / static_cast<double>(std::min(grams_.size(), document_grams));
  }

  const Comparer& comparer_;
  Aligner aligner_;
  Line line_;
  std::vector<typename Comparer::Gram> grams_;
  std::vector<std::int16_t> pitches_;  ///< that the query has, ascending
};

template <typename Comparer>
class NgramSystem final : public System {
 public:
  NgramSystem(Comparer comparer, Aligner aligner) : comparer_(std::move(comparer)), aligner_(aligner) {}
  void learn(const Line& document) override { comparer_.learn(document); }
  [[nodiscard]] bool learns() const override { return Comparer::kLearns; }
  [[nodiscard]] SearchPlan plan() const override {
    WindowPlan made = comparer_.plan();
    made.aligner = aligner_;
    return made;
  }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<NgramQuery<Comparer>>(comparer_, aligner_, query);
  }

 private:
  Comparer comparer_;
  Aligner aligner_;
};

}  // namespace rondo::spline
