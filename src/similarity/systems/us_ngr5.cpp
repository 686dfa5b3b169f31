#include <algorithm>
#include <array>

#include "similarity/query_system.h"
#include "similarity/symbols.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

constexpr std::uint32_t kGram = 5;
using Gram = std::array<std::int8_t, kGram>;

/// The distinct 5-grams of the melody's interval symbols, sorted, and where each first begins.
std::vector<std::pair<Gram, std::uint32_t>> distinct_grams(const Line& line) {
  const std::vector<std::int8_t> symbols = interval_symbols(line);
  std::vector<std::pair<Gram, std::uint32_t>> grams;
  for (std::size_t i = 0; i + kGram <= symbols.size(); ++i) {
    Gram gram{};
    std::copy_n(symbols.begin() + static_cast<std::ptrdiff_t>(i), kGram, gram.begin());
    grams.emplace_back(gram, static_cast<std::uint32_t>(i));
  }
  std::sort(grams.begin(), grams.end());
  grams.erase(std::unique(grams.begin(), grams.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              grams.end());
  return grams;
}

class Ngr5Query final : public PreparedQuery {
 public:
  explicit Ngr5Query(const Line& line) : grams_(distinct_grams(line)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override { return compare(document, nullptr); }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    out.score = compare(document, &out.steps);
    std::sort(out.steps.begin(), out.steps.end(),
              [](const Step& a, const Step& b) { return a.query.begin < b.query.begin; });
    out.total = out.score.value;
    out.summary = std::to_string(out.steps.size()) + " of the query's " + std::to_string(grams_.size()) +
                  " different five-interval sequences occur";
    return out;
  }

 private:
  [[nodiscard]] Score compare(const Line& document, std::vector<Step>* steps) const {
    const auto others = distinct_grams(document);
    if (grams_.empty() || others.empty()) return {0, false};
    double shared = 0;
    auto other = others.begin();
    for (const auto& [gram, at] : grams_) {
      while (other != others.end() && other->first < gram) ++other;
      if (other == others.end()) break;
      if (other->first != gram) continue;
      ++shared;
      // n intervals span n + 1 notes.
      if (steps != nullptr) {
        steps->push_back({Step::Kind::match, {at, at + kGram + 1}, {other->second, other->second + kGram + 1}, 1});
      }
    }
    return {shared, true};
  }

  std::vector<std::pair<Gram, std::uint32_t>> grams_;
};

}  // namespace

constinit const SystemRow kNgr5 = {
    .name = "ngr5",
    .title = "US: shared five-interval sequences",
    .explanation =
        "Counts how many different sequences of five intervals of the query occur anywhere in the document. "
        "Intervals count modulo the octave, with their direction. Rhythm is ignored; a melody that shares no sequence "
        "is not found.",
    .reference = "A. Uitdenbogerd, I. Suyoto: MIREX symbolic melodic similarity, 2005",
    .evidence = Evidence::exact,
    .published_adr = 0.642,
    .invariant = {.transposition = true, .octave = false, .tempo = true},
    .shortest = 6,
    .zero_is_none = true,
    .make = make_query_system<Ngr5Query, SharedIntervalsPlan>,
};

}  // namespace rondo::rows
