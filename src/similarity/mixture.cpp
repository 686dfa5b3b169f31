#include "similarity/mixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace rondo {
namespace {

/// Compares two melodies under every part.
class MixtureQuery final : public PreparedQuery {
 public:
  MixtureQuery(std::span<const Part> parts, std::size_t speaker, const Line& query) : parts_(parts), speaker_(speaker) {
    for (const Part& part : parts) queries_.push_back(part.system->prepare(query));
  }

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    const Score own = queries_[speaker_]->score(document);
    return own.comparable ? own : queries_[speaker_for(document)]->score(document);
  }

  using PreparedQuery::tie_break;
  [[nodiscard]] double tie_break(const Line& document) const override {
    return queries_[speaker_for(document)]->tie_break(document);
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    const std::size_t speaker = speaker_for(document);
    Explanation out = queries_[speaker]->explain(document);
    std::string scores;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      const Score score = queries_[i]->score(document);
      scores += fmt::format("{}{} {}", i == 0 ? "" : ", ", parts_[i].name,
                            score.comparable ? fmt::format("{:.4f}", score.value) : "-");
    }
    out.summary = fmt::format("{}; {}: {}", scores, parts_[speaker].name, out.summary);
    return out;
  }

 private:
  [[nodiscard]] std::size_t speaker_for(const Line& document) const {
    if (queries_[speaker_]->score(document).comparable) return speaker_;
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      if (queries_[i]->score(document).comparable) return i;
    }
    return speaker_;
  }

  std::span<const Part> parts_;
  std::size_t speaker_;
  std::vector<std::unique_ptr<PreparedQuery>> queries_;
};

}  // namespace

std::size_t Mixture::shortest() const {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const Part& part : parts_) {
    const Mixture* inner = part.system->mixture();
    least = std::min(least, inner != nullptr ? inner->shortest() : part.row->shortest);
  }
  return least;
}

void Mixture::learn(const Line& document) {
  for (const Part& part : parts_) part.system->learn(document);
}

bool Mixture::learns() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.system->learns(); });
}

std::unique_ptr<PreparedQuery> Mixture::prepare(const Line& query) const {
  return std::make_unique<MixtureQuery>(parts_, pairwise(), query);
}

Part standard_part(std::string_view name) {
  const SystemRow* row = find_system(name);
  assert(row != nullptr && "a mixture asked for a part that is not in the table");
  return {row, std::string(name), row->make(Parameters(row->parameters))};
}

}  // namespace rondo
