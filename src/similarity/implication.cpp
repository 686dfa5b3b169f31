#include "similarity/implication.h"

#include <array>
#include <cstdlib>

namespace rondo {
namespace {

int sign(int value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

Archetype archetype_of(int first, int second) {
  const int size1 = std::abs(first);
  const int size2 = std::abs(second);
  const bool onward = sign(first) == sign(second);
  const bool similar = std::abs(size2 - size1) < (onward ? 4 : 3);
  if (similar) {
    if (first == 0 && second == 0) return Archetype::duplication;
    if (onward) return Archetype::process;
    return size1 == size2 ? Archetype::intervallic_duplicate : Archetype::intervallic_process;
  }
  if (onward) return size2 < size1 ? Archetype::intervallic_reversal : Archetype::registral_process;
  return size2 < size1 ? Archetype::reversal : Archetype::registral_reversal;
}

/// Structures that a large first interval implies; the others follow from a small one. A tritone may imply either.
bool wants_large(Archetype archetype) {
  return archetype == Archetype::reversal || archetype == Archetype::intervallic_reversal ||
         archetype == Archetype::registral_reversal;
}

bool chains_merge(const Structure& a, const Structure& b) {
  const bool mergeable = a.archetype == Archetype::process || a.archetype == Archetype::duplication ||
                         a.archetype == Archetype::intervallic_duplicate;
  return mergeable && a.archetype == b.archetype && a.retrospective == b.retrospective;
}

/// The notes between two strong closures.
class Segment {
 public:
  Segment(const Line& line, std::size_t begin, std::size_t end, std::vector<Structure>& out)
      : line_(line), begin_(begin), end_(end), out_(out) {}

  void parse() {
    std::size_t at = begin_;
    while (end_ - at >= 3) {
      if (closure_at(line_, at + 1) == Closure::weak) {
        // Closed before an implication was realised.
        append({.archetype = Archetype::dyad}, at, at + 2, 1);
        ++at;
        continue;
      }
      const Structure structure = three_from(at);
      std::size_t last = at + 2;
      while (last + 1 < end_ && closure(structure, last) == Closure::none &&
             chains_merge(structure, three_from(last - 1))) {
        ++last;
      }
      const bool done = last + 1 == end_;
      const std::int8_t shared = done                                        ? std::int8_t{0}
                                 : closure(structure, last) == Closure::weak ? std::int8_t{1}
                                                                             : std::int8_t{2};
      append(structure, at, last + 1, shared);
      if (done) return;
      at = last + 1 - static_cast<std::size_t>(shared);
    }
    append({.archetype = end_ - at == 2 ? Archetype::dyad : Archetype::monad}, at, end_, 0);
  }

 private:
  [[nodiscard]] Structure three_from(std::size_t at) const {
    return classify(line_.pitch[at + 1] - line_.pitch[at], line_.pitch[at + 2] - line_.pitch[at + 1]);
  }

  [[nodiscard]] Closure closure(const Structure& structure, std::size_t note) const {
    return structure.archetype == Archetype::reversal ? Closure::weak : closure_at(line_, note);
  }

  void append(Structure structure, std::size_t begin, std::size_t end, std::int8_t shared) {
    structure.begin = static_cast<std::uint32_t>(begin);
    structure.end = static_cast<std::uint32_t>(end);
    structure.direction = static_cast<std::int8_t>(sign(line_.pitch[end - 1] - line_.pitch[begin]));
    structure.overlap = shared;
    out_.push_back(structure);
  }

  const Line& line_;
  std::size_t begin_;
  std::size_t end_;
  std::vector<Structure>& out_;
};

}  // namespace

std::string_view to_string(Archetype archetype) {
  constexpr std::array<std::string_view, 10> kNames = {"P", "D", "ID", "IP", "R", "IR", "VR", "VP", "dyad", "monad"};
  return kNames[static_cast<std::size_t>(archetype)];
}

Structure classify(int first, int second) {
  Structure out;
  out.archetype = archetype_of(first, second);
  const int size = std::abs(first);
  out.retrospective = wants_large(out.archetype) ? size <= 5 : size >= 7;
  return out;
}

Closure closure_at(const Line& line, std::size_t note) {
  if (note + 1 >= line.size()) return Closure::strong;
  // A rest closes; a silence shorter than a 64th note is articulation, not a rest.
  const std::int64_t silence = line.onset[note + 1] - line.onset[note] - line.duration[note];
  if (silence > 0 && silence >= line.ticks_per_whole / 64) return Closure::strong;
  if (note == 0) return Closure::none;
  const std::int64_t before = line.duration[note - 1];
  const std::int64_t now = line.duration[note];
  if (now - before >= (before + 1) / 2) return Closure::strong;
  return now > before ? Closure::weak : Closure::none;
}

void parse_structures(const Line& line, std::vector<Structure>& out) {
  out.clear();
  std::size_t begin = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (closure_at(line, i) != Closure::strong) continue;
    Segment(line, begin, i + 1, out).parse();
    begin = i + 1;
  }
}

}  // namespace rondo
