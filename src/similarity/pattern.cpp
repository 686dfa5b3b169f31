#include "similarity/pattern.h"

#include <fmt/format.h>

#include <algorithm>

namespace rondo {
namespace {

__extension__ using WideProduct = __int128;

int direction(std::int64_t from, std::int64_t to) { return (to > from ? 1 : 0) - (to < from ? 1 : 0); }

/// Whether the step between two notes of a document is that between two of the query.
template <PatternPlan::Compared kCompared>
bool same_step(std::int64_t query_from, std::int64_t query_to, std::int64_t from, std::int64_t to) {
  if constexpr (kCompared == PatternPlan::Compared::intervals) return to - from == query_to - query_from;
  if constexpr (kCompared == PatternPlan::Compared::contour) {
    return direction(from, to) == direction(query_from, query_to);
  }
  return WideProduct{to} * query_from == WideProduct{from} * query_to;
}

void add_distinct(std::vector<std::int64_t>& values, std::int64_t value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

}  // namespace

void Pattern::values_of(const Line& line, Compared compared, std::vector<std::int64_t>& out) {
  if (compared == Compared::rhythm) {
    out.assign(line.duration.begin(), line.duration.end());
  } else {
    out.assign(line.pitch.begin(), line.pitch.end());
  }
}

Pattern::Pattern(const Line& query, Compared compared) : compared_(compared) {
  std::vector<std::int64_t> values;
  values_of(query, compared, values);
  auto open = query.unknown.begin();
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    UnknownNotes before{.before = i};
    if (open != query.unknown.end() && open->before == i) before = *open++;
    if (blocks_.empty() || before.more) {
      // Any number of notes may precede the first note anyway.
      blocks_.push_back({.elements = {}, .length = 0, .distance = before.notes, .joined = before.joined});
    } else {
      blocks_.back().length += before.notes;
    }
    Block& block = blocks_.back();
    block.elements.push_back({static_cast<std::uint32_t>(block.length), values[i], before.joined});
    ++block.length;
  }
  if (open != query.unknown.end()) behind_ = open->notes;
  least_notes_ = behind_;
  for (const Block& block : blocks_) least_notes_ += block.distance + block.length;
}

template <Pattern::Compared kCompared>
bool Pattern::block_at(const Block& block, std::span<const std::int64_t> document, std::size_t at) const {
  for (std::size_t i = 1; i < block.elements.size(); ++i) {
    const Element& from = block.elements[i - 1];
    const Element& to = block.elements[i];
    if (to.joined &&
        !same_step<kCompared>(from.value, to.value, document[at + from.offset], document[at + to.offset])) {
      return false;
    }
  }
  return true;
}

template <Pattern::Compared kCompared>
bool Pattern::follows(std::size_t block, std::int64_t last_value, std::int64_t value) const {
  return !blocks_[block].joined || same_step<kCompared>(blocks_[block - 1].elements.back().value,
                                                        blocks_[block].elements.front().value, last_value, value);
}

/// Computes for each block and note whether an occurrence of the block and all following ones begins there. Processes
/// the blocks from the last to the first; the possible beginnings of the next block are looked up by their values.
template <Pattern::Compared kCompared>
void Pattern::starts(std::span<const std::int64_t> document, std::vector<char>& good) const {
  const std::size_t notes = document.size();
  good.assign(blocks_.size() * notes, 0);
  std::vector<std::int64_t> reachable;
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    const Block& block = blocks_[b];
    const bool last = b + 1 == blocks_.size();
    const char* const next = last ? nullptr : good.data() + (b + 1) * notes;
    const std::size_t behind = block.length + (last ? behind_ : blocks_[b + 1].distance);
    reachable.clear();
    std::size_t looked_at = notes;
    for (std::size_t at = notes; at-- > 0;) {
      if (at + behind > notes) continue;
      if (!last) {
        while (looked_at > at + behind) {
          --looked_at;
          if (next[looked_at] != 0) add_distinct(reachable, document[looked_at]);
        }
        if (reachable.empty()) continue;
      }
      if (!block_at<kCompared>(block, document, at)) continue;
      const std::int64_t end = document[at + block.elements.back().offset];
      good[b * notes + at] = last || std::any_of(reachable.begin(), reachable.end(), [&](std::int64_t value) {
                               return follows<kCompared>(b + 1, end, value);
                             });
    }
  }
}

template <Pattern::Compared kCompared>
bool Pattern::occurs_as(std::span<const std::int64_t> document) const {
  // Finds the blocks in sequence, ignoring what lies between them: sufficient for one block, and rejects most
  // documents.
  std::size_t at = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    at += blocks_[b].distance;
    const std::size_t behind = blocks_[b].length + (b + 1 == blocks_.size() ? behind_ : 0);
    while (at + behind <= document.size() && !block_at<kCompared>(blocks_[b], document, at)) ++at;
    if (at + behind > document.size()) return false;
    at += blocks_[b].length;
  }
  return blocks_.size() == 1 || !find_as<kCompared>(document).empty();
}

template <Pattern::Compared kCompared>
std::vector<std::uint32_t> Pattern::find_as(std::span<const std::int64_t> document) const {
  thread_local std::vector<char> good;
  starts<kCompared>(document, good);
  std::vector<std::uint32_t> places;
  std::size_t at = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    at += blocks_[b].distance;
    while (at < document.size() && (good[b * document.size() + at] == 0 ||
                                    (b > 0 && !follows<kCompared>(b, document[places.back()], document[at])))) {
      ++at;
    }
    if (at >= document.size()) return {};
    for (const Element& element : blocks_[b].elements) {
      places.push_back(static_cast<std::uint32_t>(at + element.offset));
    }
    at += blocks_[b].length;
  }
  return places;
}

bool Pattern::occurs(std::span<const std::int64_t> document) const {
  if (blocks_.empty() || document.size() < least_notes_) return false;
  switch (compared_) {
    case Compared::intervals: return occurs_as<Compared::intervals>(document);
    case Compared::contour: return occurs_as<Compared::contour>(document);
    case Compared::rhythm: return occurs_as<Compared::rhythm>(document);
  }
  return false;
}

std::vector<std::uint32_t> Pattern::find(std::span<const std::int64_t> document) const {
  if (blocks_.empty() || document.size() < least_notes_) return {};
  switch (compared_) {
    case Compared::intervals: return find_as<Compared::intervals>(document);
    case Compared::contour: return find_as<Compared::contour>(document);
    case Compared::rhythm: return find_as<Compared::rhythm>(document);
  }
  return {};
}

namespace {

constexpr std::size_t kFewestNotes = 2;

class PatternQuery final : public PreparedQuery {
 public:
  PatternQuery(const Line& query, Pattern::Compared compared)
      : compared_(compared), notes_(query.size()), pattern_(query, compared) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (!comparable(document)) return {0, false};
    return {pattern_.occurs(values_of(document)) ? 1.0 : 0.0, true};
  }
  /// Earlier occurrences rank higher.
  using PreparedQuery::tie_break;
  [[nodiscard]] double tie_break(const Line& document) const override {
    if (!comparable(document)) return 0;
    const auto places = pattern_.find(values_of(document));
    return places.empty() ? 0 : -static_cast<double>(places.front());
  }
  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    out.score = score(document);
    if (!out.score.comparable) {
      out.summary = fmt::format("a melody needs at least {} notes", kFewestNotes);
      return out;
    }
    const auto places = pattern_.find(values_of(document));
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      if (i > 0 && places[i] > places[i - 1] + 1) {
        out.steps.push_back({Step::Kind::gap_in_query, {i, i}, {places[i - 1] + 1, places[i]}, 0});
      }
      out.steps.push_back({Step::Kind::match, {i, i + 1}, {places[i], places[i] + 1}, 1});
    }
    out.total = static_cast<double>(places.size());
    out.summary = places.empty()
                      ? "the query does not occur"
                      : fmt::format("the query occurs from note {} to note {}", places.front() + 1, places.back() + 1);
    return out;
  }

 private:
  [[nodiscard]] bool comparable(const Line& document) const {
    return notes_ >= kFewestNotes && document.size() >= kFewestNotes;
  }
  [[nodiscard]] std::span<const std::int64_t> values_of(const Line& document) const {
    thread_local std::vector<std::int64_t> values;
    Pattern::values_of(document, compared_, values);
    return values;
  }

  Pattern::Compared compared_;
  std::size_t notes_;
  Pattern pattern_;
};

class PatternSystem final : public System {
 public:
  explicit PatternSystem(Pattern::Compared compared) : compared_(compared) {}
  [[nodiscard]] SearchPlan plan() const override { return PatternPlan{compared_}; }
  [[nodiscard]] std::unique_ptr<PreparedQuery> prepare(const Line& query) const override {
    return std::make_unique<PatternQuery>(query, compared_);
  }

 private:
  Pattern::Compared compared_;
};

}  // namespace

std::unique_ptr<System> make_pattern_system(PatternPlan::Compared compared) {
  return std::make_unique<PatternSystem>(compared);
}

}  // namespace rondo
