#include "similarity/ngram_cosine.h"

#include <fmt/format.h>

#include <algorithm>

namespace rondo {
namespace {

struct Weighted {
  NgramCosine::Gram gram = 0;
  double weight = 0;
};

/// Where each n-gram of a melody first occurs.
class FirstNotes {
 public:
  FirstNotes(const NgramCosine& system, const Line& line) : notes_(line.size()) {
    std::vector<NgramCosine::Gram> grams;
    system.grams_of(line, grams);
    first_.reset(grams.size());
    for (std::size_t i = grams.size(); i > 0; --i) first_[grams[i - 1]] = i - 1;
  }

  /// The notes it spans.
  [[nodiscard]] NoteSpan of(NgramCosine::Gram gram) const {
    std::size_t at = first_.get(gram);
    std::size_t n = NgramCosine::kLeast;
    // The n-grams of one length come before those of the next.
    for (; n < NgramCosine::kMost && at >= notes_ - n; ++n) at -= notes_ - n;
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + n + 1)};
  }

 private:
  std::size_t notes_;
  GramTable<std::size_t> first_;
};

class CosineQuery final : public PreparedQuery {
 public:
  CosineQuery(const NgramCosine& system, const Line& line) : system_(system), weights_(system), line_(line) {
    GramTable<std::uint32_t> counts;
    system.count(line, counts);
    own_.reset(counts.size());
    for (const auto& [gram, count] : counts.slots()) {
      if (gram == 0) continue;
      const double weight = static_cast<double>(count) * weights_.of(gram);
      own_[gram] = weight;
      norm_ += weight * weight;
    }
  }

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override { return compare(document, nullptr); }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    std::vector<Weighted> shared;
    out.score = compare(document, &shared);
    if (!out.score.comparable) {
      out.summary = fmt::format("a melody needs at least {} notes", NgramCosine::kShortest);
      return out;
    }
    const FirstNotes in_query(system_, line_);
    const FirstNotes in_document(system_, document);
    for (const Weighted& one : shared) {
      out.steps.push_back({Step::Kind::match, in_query.of(one.gram), in_document.of(one.gram), one.weight});
    }
    std::sort(out.steps.begin(), out.steps.end(), [](const Step& a, const Step& b) {
      return a.query.begin != b.query.begin ? a.query.begin < b.query.begin : a.query.end < b.query.end;
    });
    out.total = out.score.value;
    out.summary =
        fmt::format("{} of the query's {} different sequences occur, each by its weight", shared.size(), own_.size());
    return out;
  }

 private:
  /// `shared`, if not null, receives the contribution of each common n-gram.
  [[nodiscard]] Score compare(const Line& document, std::vector<Weighted>* shared) const {
    thread_local std::vector<NgramCosine::Gram> grams;
    system_.grams_of(document, grams);
    if (own_.size() == 0 || grams.empty()) return {0, false};
    // The weights of a large collection are not in the cache.
    if (std::none_of(grams.begin(), grams.end(), [&](NgramCosine::Gram gram) { return own_.get(gram) > 0; })) {
      return {0, true};
    }
    thread_local GramTable<std::uint32_t> counts;
    system_.count(document, counts);
    double norm = 0;
    double product = 0;
    for (const auto& [gram, count] : counts.slots()) {
      if (gram == 0) continue;
      const double weight = static_cast<double>(count) * weights_.of(gram);
      norm += weight * weight;
      const double own = own_.get(gram);
      product += own * weight;
      if (shared != nullptr && own != 0) shared->push_back({gram, own * weight});
    }
    if (shared != nullptr) {
      for (Weighted& one : *shared) one.weight /= std::sqrt(norm_ * norm);
    }
    return {NgramCosine::cosine(product, norm_, norm), true};
  }

  const NgramCosine& system_;
  GramWeights weights_;
  Line line_;
  GramTable<double> own_;  ///< weights
  double norm_ = 0;
};

}  // namespace

void NgramCosine::grams_of(const Line& line, std::vector<Gram>& out) const { grams_of(symbols_of(line), out); }

void NgramCosine::grams_of(std::span<const std::uint16_t> symbols, std::vector<Gram>& out) const {
  out.clear();
  for (std::size_t n = kLeast; n <= kMost; ++n) {
    for (std::size_t i = 0; i + n <= symbols.size(); ++i) {
      // The leading 1 distinguishes n-grams of different lengths.
      Gram gram = 1;
      for (std::size_t k = i; k < i + n; ++k) gram = (gram << kSymbolBits) | symbols[k];
      out.push_back(gram);
    }
  }
}

void NgramCosine::count(const Line& line, GramTable<std::uint32_t>& out) const { count(symbols_of(line), out); }

void NgramCosine::count(std::span<const std::uint16_t> symbols, GramTable<std::uint32_t>& out) const {
  thread_local std::vector<Gram> grams;
  grams_of(symbols, grams);
  out.reset(grams.size());
  for (const Gram gram : grams) {
    // The weight is looked up next, and the table of a large collection is not in the cache.
    fetch(gram);
    ++out[gram];
  }
}

std::span<const std::uint16_t> NgramCosine::symbols_of(const Line& line) const {
  thread_local std::vector<std::uint16_t> symbols;
  level_symbols(line, feature_, level_, symbols);
  return symbols;
}

void NgramCosine::learn(const Line& document) {
  GramTable<std::uint32_t> counts;
  count(document, counts);
  for (const auto& [gram, occurrences] : counts.slots()) {
    if (gram != 0) ++documents_[gram];
  }
  ++learnt_;
}

double NgramCosine::idf(std::uint32_t documents) const {
  const double ratio = (1 + static_cast<double>(learnt_)) / (1 + static_cast<double>(documents));
  constexpr double kSteps = 1024;
  return std::round((1 + std::log(ratio)) * kSteps);
}

GramWeights::GramWeights(const NgramCosine& system) : system_(system) {
  idf_.reserve(kReady);
  for (std::uint32_t df = 0; df < kReady; ++df) idf_.push_back(system.idf(df));
}

double GramWeights::square_of(const Line& line) const {
  thread_local GramTable<std::uint32_t> counts;
  system_.count(line, counts);
  return square_of(counts);
}

double GramWeights::square_of(std::span<const std::uint16_t> symbols) const {
  thread_local GramTable<std::uint32_t> counts;
  system_.count(symbols, counts);
  return square_of(counts);
}

double GramWeights::square_of(const GramTable<std::uint32_t>& counts) const {
  double sum = 0;
  for (const auto& [gram, count] : counts.slots()) {
    if (gram == 0) continue;
    const double weight = static_cast<double>(count) * of(gram);
    sum += weight * weight;
  }
  return sum;
}

std::unique_ptr<PreparedQuery> NgramCosine::prepare(const Line& query) const {
  return std::make_unique<CosineQuery>(*this, query);
}

}  // namespace rondo
