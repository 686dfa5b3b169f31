#include "similarity/align.h"
#include "similarity/query_system.h"
#include "similarity/symbols.h"
#include "similarity/systems.h"

namespace rondo::rows {
namespace {

using Symbols = std::vector<std::int8_t>;

struct PitchModel {
  const Symbols& query;
  const Symbols& document;
  [[nodiscard]] bool same(std::size_t i, std::size_t j) const { return query[i] == document[j]; }
  [[nodiscard]] int pair(std::size_t i, std::size_t j) const { return same(i, j) ? 1 : -1; }
  [[nodiscard]] static int gap_query(std::size_t /*i*/) { return -2; }
  [[nodiscard]] static int gap_document(std::size_t /*j*/) { return -2; }
};

struct RhythmModel : PitchModel {
  [[nodiscard]] int pair(std::size_t i, std::size_t j) const {
    return kLetterScores[static_cast<std::size_t>(query[i])][static_cast<std::size_t>(document[j])];
  }
};

class PioiQuery final : public PreparedQuery {
 public:
  explicit PioiQuery(const Line& line) : intervals_(interval_symbols(line)), letters_(ioi_letters(line)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    const Symbols intervals = interval_symbols(document);
    const Symbols letters = ioi_letters(document);
    if (letters_.empty() || letters.empty()) return {0, false};
    thread_local std::vector<int> row;
    const int pitch =
        align<int>(PitchModel{intervals_, intervals}, intervals_.size(), intervals.size(), Aligner::local, row);
    const int rhythm =
        align<int>(RhythmModel{{letters_, letters}}, letters_.size(), letters.size(), Aligner::local, row);
    return {fused(pitch, rhythm), true};
  }

  /// The steps are those of the pitch alignment, each between two notes; the summary states the share of the rhythm.
  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    const Symbols intervals = interval_symbols(document);
    const Symbols letters = ioi_letters(document);
    if (letters_.empty() || letters.empty()) {
      out.score = {0, false};
      out.summary = "a melody needs at least 3 notes";
      return out;
    }
    std::vector<Step> rhythm_steps;
    const int rhythm = align_explained<int>(RhythmModel{{letters_, letters}}, letters_.size(), letters.size(),
                                            Aligner::local, rhythm_steps, 1);
    const int pitch = align_explained<int>(PitchModel{intervals_, intervals}, intervals_.size(), intervals.size(),
                                           Aligner::local, out.steps, 1);
    for (Step& step : out.steps) {
      if (!step.query.empty()) ++step.query.end;
      if (!step.document.empty()) ++step.document.end;
    }
    out.total = pitch;
    out.score = {fused(pitch, rhythm), true};
    out.summary = "pitch alignment " + std::to_string(pitch) + ", rhythm alignment " + std::to_string(rhythm) +
                  "; score (38 x pitch)^2 + rhythm^2";
    return out;
  }

 private:
  static double fused(int pitch, int rhythm) {
    const double weighted = 38.0 * pitch;
    return weighted * weighted + static_cast<double>(rhythm) * rhythm;
  }

  Symbols intervals_;
  Symbols letters_;
};

}  // namespace

constinit const SystemRow kPioi = {
    .name = "pioi",
    .title = "US: local alignments of intervals and of rhythm",
    .explanation =
        "Finds the best matching section of intervals (modulo the octave) and, separately, of time ratios between "
        "onsets in five classes, and adds the squares of the two scores with a heavy weight "
        "on pitch.",
    .reference = "I. Suyoto, A. Uitdenbogerd: MIREX symbolic melodic similarity, 2010",
    .evidence = Evidence::exact,
    .invariant = {.transposition = true, .tempo = true},
    .shortest = 3,
    .make = make_query_system<PioiQuery, PioiPlan>,
};

}  // namespace rondo::rows
