#include "similarity/systems/orio.h"

#include <fmt/format.h>

#include "similarity/fusion.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

constexpr std::array<std::string_view, orio::kParts> kNames = {"intervals/fine", "intervals/medium", "intervals/coarse",
                                                               "times/fine",     "times/medium",     "times/coarse",
                                                               "both/fine",      "both/medium",      "both/coarse"};

/// Rows of the parts, which are not in the table of systems.
constexpr std::array<SystemRow, kNames.size()> part_rows() {
  std::array<SystemRow, kNames.size()> rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name = kNames[i];
    rows[i].shortest = NgramCosine::kShortest;
  }
  return rows;
}
constexpr std::array<SystemRow, kNames.size()> kPartRows = part_rows();

std::vector<Part> make_parts() {
  std::vector<Part> parts;
  for (const Feature feature : kFeatures) {
    for (const Level level : kLevels) {
      const SystemRow& row = kPartRows[parts.size()];
      parts.push_back({&row, std::string(row.name), std::make_unique<NgramCosine>(feature, level)});
    }
  }
  return parts;
}

/// Two melodies without a collection: each cosine is between 0 and 1, so the sum of the nine is used as the score.
class PairQuery final : public PreparedQuery {
 public:
  PairQuery(std::span<const Part> parts, const Line& line) {
    for (const Part& part : parts) queries_.push_back(part.system->prepare(line));
  }

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    Score sum;
    for (const auto& query : queries_) {
      const Score one = query->score(document);
      if (!one.comparable) return {0, false};
      sum.value += one.value;
    }
    return sum;
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out = queries_.front()->explain(document);
    out.score = score(document);
    if (!out.score.comparable) return out;
    std::string cosines;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      if (i % kLevels.size() == 0) {
        const std::string_view feature = kNames[i].substr(0, kNames[i].find('/'));
        cosines += fmt::format("{}{}", i == 0 ? "" : ", ", feature);
      }
      cosines += fmt::format(" {:.2f}", queries_[i]->score(document).value);
    }
    out.summary = fmt::format("{} (each fine, medium, coarse); shown: {}, {}", cosines, kNames.front(), out.summary);
    return out;
  }

 private:
  std::vector<std::unique_ptr<PreparedQuery>> queries_;
};

class Orio final : public Mixture {
 public:
  Orio() : Mixture(make_parts()) {
    orio::Parts& own = learnt_->parts;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<const NgramCosine*>(parts()[i].system.get());
  }
  void learn(const Line& document) override {
    learnt_->digest = nullptr;
    Mixture::learn(document);
  }
  // The cosines are normalized over the whole collection, as in the published outline.
  [[nodiscard]] std::size_t depth(std::size_t /*k*/) const override { return kAll; }
  void mix(std::span<const std::vector<Score>> part_scores, std::size_t /*k*/, std::vector<Mixed>& out) const override {
    fusion::comb_sum(part_scores, out);
  }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<PairQuery>(parts(), query);
  }

  [[nodiscard]] SearchPlan plan() const override { return OrioPlan{learnt_}; }

 private:
  std::shared_ptr<orio::Learnt> learnt_ = std::make_shared<orio::Learnt>();
};

}  // namespace

constinit const SystemRow kOrio = {
    .name = "Orio",
    .title = "O: short sequences of several features at several levels",
    .explanation =
        "Compares the sequences of three to five intervals, of changes of length, and of both together, each at three "
        "levels: exact, in classes, and as up, same or down. In the nine comparisons rare sequences have more weight "
        "than common ones; each is normalized over the collection to lie between 0 and 1, and they are added up. For "
        "two melodies without a collection, the score is the sum of the nine without normalization; the sequences "
        "shown are those of the first.",
    .reference =
        "N. Orio: Combining multilevel and multi-feature representation to compute melodic similarity, MIREX 2005",
    .evidence = Evidence::ours,
    .evidence_note =
        "Features, levels, n-grams and the sum follow the published outline. Ours: the classes of intervals and "
        "ratios, "
        "the weight tf x (1 + ln((1 + N) / (1 + df))), the last note's time, which is its duration.",
    .published_adr = 0.650,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = NgramCosine::kShortest,
    .make = [](const Parameters& /*parameters*/) -> std::unique_ptr<System> { return std::make_unique<Orio>(); },
};

}  // namespace rondo::rows

namespace rondo::orio {
namespace {

/// Symbols of times are centred at 8; at the two coarser levels they are 7 to 9, so two bits suffice.
constexpr int kLeastRough = 7;
constexpr unsigned kRoughBits = 2;
constexpr unsigned kRoughMask = 3;
/// Symbols of intervals are shifted by the bits for times.
constexpr unsigned kTimeBits = 4;

/// The code of a step's time from its symbols, fine, medium and coarse.
std::uint8_t time_code_of(std::uint16_t fine, std::uint16_t medium, std::uint16_t coarse) {
  const unsigned rough = static_cast<unsigned>(medium - kLeastRough) << kRoughBits;
  return static_cast<std::uint8_t>(unsigned{fine} << (2 * kRoughBits) | rough |
                                   static_cast<unsigned>(coarse - kLeastRough));
}

}  // namespace

void append_steps(const Line& line, std::vector<StepCode>& out) {
  thread_local std::vector<std::uint16_t> intervals;
  thread_local std::array<std::vector<std::uint16_t>, kLevels.size()> times;
  level_symbols(line, Feature::intervals, Level::fine, intervals);
  for (std::size_t l = 0; l < kLevels.size(); ++l) level_symbols(line, Feature::times, kLevels[l], times[l]);
  if (line.size() > 0) out.push_back({});
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    out.push_back({static_cast<std::uint8_t>(unsigned{intervals[i]} >> kTimeBits),
                   time_code_of(times[0][i], times[1][i], times[2][i])});
  }
}

std::uint16_t interval_symbol_of(std::uint8_t code, Level level) {
  // Intervals beyond the range of a code have the same symbol at every level.
  return static_cast<std::uint16_t>((interval_symbol(code - 128, level) + 128) << kTimeBits);
}

std::uint16_t time_symbol_of(std::uint8_t code, Level level) {
  if (level == Level::fine) return static_cast<std::uint16_t>(code >> (2 * kRoughBits));
  const unsigned shift = level == Level::medium ? kRoughBits : 0;
  return static_cast<std::uint16_t>((code >> shift & kRoughMask) + kLeastRough);
}

const Digest::Group* Digest::find(const void* key) const {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.key == key; });
  return found == groups.end() ? nullptr : &*found;
}

std::shared_ptr<Learnt> learnt_by(const System& system) {
  const SearchPlan plan = system.plan();
  const auto* own = std::get_if<OrioPlan>(&plan);
  return own == nullptr ? nullptr : own->learnt;
}

}  // namespace rondo::orio
