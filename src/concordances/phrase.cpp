#include "concordances/phrase.h"

#include <algorithm>

#include "base/in_parallel.h"

namespace rondo::concordances {
namespace {

std::uint32_t length_of(const NoteSpan& span) { return span.end - span.begin; }

std::uint32_t query_notes(const Explanation& why) {
  std::uint32_t out = 0;
  for (const Step& step : why.steps) out += length_of(step.query);
  return out;
}

/// `query` and `document` are how many notes they have.
bool says_phrase(const Explanation& why, std::uint32_t query, std::uint32_t document) {
  std::uint32_t equal = 0;
  for (const Step& step : why.steps) equal += step.kind == Step::Kind::match ? length_of(step.query) : 0;
  const Stretch stretch = densest_stretch(why.steps);
  return stretch.equal >= kPhraseNotes && 5 * stretch.equal >= 3 * equal && 2 * stretch.query < query &&
         2 * stretch.document < document;
}

}  // namespace

Stretch densest_stretch(std::span<const Step> steps) {
  Stretch best, now;
  std::int64_t most = 0, sum = 0;
  for (const Step& step : steps) {
    if (sum < 0) {
      now = {};
      sum = 0;
    }
    const std::uint32_t notes = std::max(length_of(step.query), length_of(step.document));
    const bool equal = step.kind == Step::Kind::match;
    sum += equal ? std::int64_t{notes} : -std::int64_t{notes};
    now.equal += equal ? notes : 0;
    now.query += length_of(step.query);
    now.document += length_of(step.document);
    if (sum < most || (sum == most && now.equal <= best.equal)) continue;
    most = sum;
    best = now;
  }
  return best;
}

bool phrase_in_common(const Explanation& there, const Explanation& back) {
  const std::uint32_t first = query_notes(there);
  const std::uint32_t second = query_notes(back);
  return says_phrase(there, first, second) && says_phrase(back, second, first);
}

std::vector<char> phrases_in_common(const MelodySet& set, const System& system, std::span<const UnitPair> pairs,
                                    std::span<const char> asked, unsigned threads) {
  constexpr std::size_t kAtOnce = 64;
  std::vector<char> out(pairs.size(), 0);
  in_parallel(pairs.size(), kAtOnce, threads, [&](std::size_t begin, std::size_t end) {
    Line line, other;
    for (std::size_t i = begin; i < end; ++i) {
      if (asked[i] == 0) continue;
      set.line(pairs[i].a, line);
      set.line(pairs[i].b, other);
      const Explanation there = system.prepare(line)->explain(other);
      const Explanation back = system.prepare(other)->explain(line);
      out[i] = phrase_in_common(there, back) ? 1 : 0;
    }
  });
  return out;
}

}  // namespace rondo::concordances
