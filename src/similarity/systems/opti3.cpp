#include <fmt/format.h>

#include "similarity/query_system.h"
#include "similarity/simile.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

constexpr std::size_t kShortestOpti3 = 4;

/// The representation of a melody in the three parts.
struct Profile {
  std::vector<simile::Gram> grams;
  std::vector<std::int8_t> rhythm;
  std::vector<std::int8_t> keys;

  void fill(const Line& line) {
    simile::interval_grams(line, grams);
    simile::rhythm_classes(line, rhythm);
    simile::bar_keys(line, keys);
  }
};

struct Components {
  double intervals = 0;
  double rhythm = 0;
  double harmony = 0;
  [[nodiscard]] double mixed() const { return 0.505 * intervals + 0.417 * rhythm + 0.24 * harmony - 0.146; }
};

Components compare(const Profile& a, const Profile& b) {
  return {simile::ngram_similarity(a.grams, b.grams), simile::rhythm_similarity(a.rhythm, b.rhythm),
          simile::harmony_similarity(a.keys, b.keys)};
}

class Opti3Query final : public PreparedQuery {
 public:
  explicit Opti3Query(const Line& line) : comparable_(line.size() >= kShortestOpti3) { own_.fill(line); }

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (!comparable_ || document.size() < kShortestOpti3) return {0, false};
    thread_local Profile other;
    other.fill(document);
    return {compare(own_, other).mixed(), true};
  }

  /// Three numbers, no alignment: there are no steps.
  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (!comparable_ || document.size() < kShortestOpti3) {
      out.score = {0, false};
      out.summary = "a melody needs at least 4 notes";
      return out;
    }
    Profile other;
    other.fill(document);
    const Components parts = compare(own_, other);
    out.score = {parts.mixed(), true};
    out.total = out.score.value;
    out.summary = fmt::format("intervals {:.4f} x 0.505 + rhythm {:.4f} x 0.417 + harmony {:.4f} x 0.24 - 0.146",
                              parts.intervals, parts.rhythm, parts.harmony);
    return out;
  }

 private:
  bool comparable_;
  Profile own_;
};

}  // namespace

constinit const SystemRow kOpti3 = {
    .name = "opti3",
    .title = "FM: interval sequences, rhythm and harmony, weighted by listeners' judgements",
    .explanation =
        "The weighted sum of three similarities, with weights fitted to the judgements of experts: how many sequences "
        "of three intervals the melodies share, how similar the strings of short and long notes are, and how similar "
        "the strings of keys are, one for each measure, in the best transposition.",
    .reference =
        "D. Muellensiefen, K. Frieler: Cognitive adequacy in the measurement of melodic similarity: algorithmic vs. "
        "human judgments, Computing in Musicology 13, 2004; MIREX symbolic melodic similarity, 2005",
    .evidence = Evidence::partial,
    .evidence_note =
        "The weights of the MIREX entry are not published; these are those of the authors' hybrid measure for variants "
        "of one melody. Ours: the last note's time is its duration; of equally frequent times the shortest is the "
        "usual one; "
        "a measure's key is the one that correlates best; where measures are unknown, one is four usual times long.",
    .published_adr = 0.518,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = kShortestOpti3,
    .make = make_query_system<Opti3Query, Opti3Plan>,
};

}  // namespace rondo::rows
