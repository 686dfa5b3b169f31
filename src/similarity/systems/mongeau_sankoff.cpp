#include "similarity/systems/mongeau_sankoff.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "base/interrupt.h"
#include "similarity/common_time.h"
#include "similarity/query_system.h"
#include "similarity/systems.h"

namespace rondo::mongeau_sankoff {
namespace {

// Weights in thousandths, by the size of the interval modulo the octave.
constexpr std::array<std::int64_t, 7> kDegrees = {0, 900, 200, 500, 100, 350, 800};
constexpr std::array<std::int64_t, 12> kSemitones = {600,  2600, 2300, 1000, 1000, 1600,
                                                     1800, 800,  1300, 1300, 2200, 2500};
constexpr std::int64_t kRest = 100;

constexpr std::array<int, 12> kMajorScale = {0, -1, 1, -1, 2, 3, -1, 4, -1, 5, -1, 6};
constexpr std::array<int, 12> kMinorScale = {0, -1, 1, 2, -1, 3, -1, 4, 5, 5, 6, 6};

}  // namespace

int degree_of(int semitone, bool minor) {
  return (minor ? kMinorScale : kMajorScale)[static_cast<std::size_t>(semitone)];
}

Sequence make_sequence(const Line& line, const KeyGuess& key) {
  Sequence out;
  if (line.size() == 0) return out;
  hear(std::span(line.pitch), std::span(line.onset), std::span(line.duration), key, out);
  return out;
}

std::int64_t interval(const Element& query, const Element& document, std::int32_t octaves) {
  if (query.rest || document.rest) return query.rest && document.rest ? 0 : kRest;
  if (query.on_scale && document.on_scale) {
    return kDegrees[static_cast<std::size_t>(std::abs(query.degree - document.degree - 7 * octaves) % 7)];
  }
  return kSemitones[static_cast<std::size_t>(std::abs(query.semitones - document.semitones - 12 * octaves) % 12)];
}

}  // namespace rondo::mongeau_sankoff

namespace rondo::rows {
namespace {

using mongeau_sankoff::Element;
using mongeau_sankoff::kLength;
using mongeau_sankoff::make_sequence;
using mongeau_sankoff::Sequence;

/// One pair of melodies: costs in thousandths of a tick of their common grid.
class Table {
 public:
  Table(const Line& query_line, const Sequence& query, const Line& document_line, const Sequence& document)
      : grid_(common_ticks(query_line, document_line)),
        octaves_(mongeau_sankoff::octaves_between(query.mean, document.mean)),
        query_(query.elements),
        document_(document.elements),
        width_(document.elements.size() + 1) {
    scratch_query_ticks.clear();
    scratch_document_ticks.clear();
    for (const Element& e : query_) scratch_query_ticks.push_back(in_ticks(query_line, e.duration, grid_));
    for (const Element& e : document_) scratch_document_ticks.push_back(in_ticks(document_line, e.duration, grid_));
    weigh();
    fill();
  }

  [[nodiscard]] double distance() const {
    return in_sixteenths(scratch_cells[query_.size() * width_ + document_.size()]);
  }

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> out;
    std::size_t i = query_.size();
    std::size_t j = document_.size();
    while (i > 0 || j > 0) {
      const Move move = best_move(i, j);
      out.push_back(made(move, i, j));
      i -= move.query;
      j -= move.document;
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  /// The last group of aligned elements, and the total cost up to it.
  struct Move {
    std::size_t query = 0;
    std::size_t document = 0;
    std::int64_t cost = 0;
  };

  [[nodiscard]] double in_sixteenths(std::int64_t cost) const {
    return static_cast<double>(cost) / (1000.0 * static_cast<double>(grid_));
  }

  void weigh() {
    scratch_intervals.resize(query_.size() * document_.size());
    std::int64_t* out = scratch_intervals.data();
    for (const Element& a : query_) {
      for (const Element& b : document_) *out++ = mongeau_sankoff::interval(a, b, octaves_) * grid_;
    }
  }

  [[nodiscard]] std::int64_t weight(std::size_t i, std::size_t j) const {
    return scratch_intervals[i * document_.size() + j];
  }
  [[nodiscard]] std::int64_t cell(std::size_t i, std::size_t j) const { return scratch_cells[i * width_ + j]; }

  /// One element against one. Equal notes cost nothing, on the scale or off it.
  [[nodiscard]] std::int64_t pair(std::size_t i, std::size_t j) const {
    const std::int64_t longer = std::abs(scratch_query_ticks[i] - scratch_document_ticks[j]);
    if (longer == 0 && query_[i].rest == document_[j].rest &&
        query_[i].semitones == document_[j].semitones + 12 * octaves_) {
      return 0;
    }
    return weight(i, j) + kLength * longer;
  }

  /// The cheapest last step for the first i elements against the first j, not both zero.
  ///
  /// One element against several (fragmentation) or several against one (consolidation): the intervals of each, and
  /// the difference in length of the whole. Once the several are long enough, a further one costs at least as much as
  /// leaving it out, so longer runs need not be tried.
  [[nodiscard]] Move best_move(std::size_t i, std::size_t j) const {
    if (i == 0) return {0, 1, cell(0, j - 1) + kLength * scratch_document_ticks[j - 1]};
    if (j == 0) return {1, 0, cell(i - 1, 0) + kLength * scratch_query_ticks[i - 1]};
    Move best{1, 1, cell(i - 1, j - 1) + pair(i - 1, j - 1)};
    const auto consider = [&](std::size_t query, std::size_t document, std::int64_t cost) {
      if (cost < best.cost) best = {query, document, cost};
    };
    const std::int64_t own = scratch_query_ticks[i - 1];
    const std::int64_t other = scratch_document_ticks[j - 1];
    std::int64_t together = other;
    std::int64_t costs = weight(i - 1, j - 1);
    for (std::size_t k = 2; k <= j && together < own; ++k) {
      together += scratch_document_ticks[j - k];
      costs += weight(i - 1, j - k);
      consider(1, k, cell(i - 1, j - k) + costs + kLength * std::abs(own - together));
    }
    together = own;
    costs = weight(i - 1, j - 1);
    for (std::size_t k = 2; k <= i && together < other; ++k) {
      together += scratch_query_ticks[i - k];
      costs += weight(i - k, j - 1);
      consider(k, 1, cell(i - k, j - 1) + costs + kLength * std::abs(other - together));
    }
    consider(1, 0, cell(i - 1, j) + kLength * own);
    consider(0, 1, cell(i, j - 1) + kLength * other);
    return best;
  }

  void fill() {
    scratch_cells.resize((query_.size() + 1) * width_);
    scratch_cells[0] = 0;
    const bool is_long = scratch_cells.size() > kStepsWithoutInterrupt;
    for (std::size_t i = 0; i <= query_.size(); ++i) {
      if (is_long && interrupted()) break;
      for (std::size_t j = i == 0 ? 1 : 0; j < width_; ++j) scratch_cells[i * width_ + j] = best_move(i, j).cost;
    }
  }

  /// From the first to the last note of some elements, without rests at the ends.
  static NoteSpan span(const std::vector<Element>& elements, std::size_t begin, std::size_t end) {
    return begin == end ? NoteSpan{} : NoteSpan{elements[begin].notes.begin, elements[end - 1].notes.end};
  }

  [[nodiscard]] Step made(const Move& move, std::size_t i, std::size_t j) const {
    Step step;
    const std::int64_t cost = cell(i, j) - cell(i - move.query, j - move.document);
    step.kind = move.document == 0 ? Step::Kind::gap_in_document
                : move.query == 0  ? Step::Kind::gap_in_query
                : cost == 0        ? Step::Kind::match
                                   : Step::Kind::mismatch;
    step.query = span(query_, i - move.query, i);
    step.document = span(document_, j - move.document, j);
    step.score = 0.0 - in_sixteenths(cost);
    return step;
  }

  std::int64_t grid_;
  std::int32_t octaves_;
  const std::vector<Element>& query_;
  const std::vector<Element>& document_;
  std::size_t width_;
  // Scratch space: a thread compares one pair at a time.
  static thread_local std::vector<std::int64_t> scratch_query_ticks;
  static thread_local std::vector<std::int64_t> scratch_document_ticks;
  static thread_local std::vector<std::int64_t> scratch_intervals;
  static thread_local std::vector<std::int64_t> scratch_cells;
};

thread_local std::vector<std::int64_t> Table::scratch_query_ticks;
thread_local std::vector<std::int64_t> Table::scratch_document_ticks;
thread_local std::vector<std::int64_t> Table::scratch_intervals;
thread_local std::vector<std::int64_t> Table::scratch_cells;

class MongeauSankoffQuery final : public PreparedQuery {
 public:
  explicit MongeauSankoffQuery(const Line& line)
      : line_(line),
        key_(guess_key(line)),
        sequence_(make_sequence(line, key_)),
        times_(class_times(line, key_.tonic)) {}

  using PreparedQuery::score;
  [[nodiscard]] Score score(const Line& document) const override {
    if (line_.size() == 0 || document.size() == 0) return {0, false};
    const Sequence other = make_sequence(document, key_for(document));
    return {0.0 - Table(line_, sequence_, document, other).distance(), true};
  }

  [[nodiscard]] Explanation explain(const Line& document) const override {
    Explanation out;
    if (line_.size() == 0 || document.size() == 0) {
      out.score = {0, false};
      out.summary = "one of the melodies has no notes";
      return out;
    }
    const KeyGuess other_key = key_for(document);
    const Sequence other = make_sequence(document, other_key);
    const Table table(line_, sequence_, document, other);
    out.steps = table.steps();
    out.total = 0.0 - table.distance();
    out.score = {out.total, true};
    out.summary = fmt::format("query heard in {}, document in {}", name(key_), name(other_key));
    return out;
  }

 private:
  __extension__ using Wide = __int128;

  static int pitch_class(int pitch, int tonic) { return ((pitch - tonic) % 12 + 12) % 12; }
  /// Of the notes that are compared.
  static mongeau_sankoff::ClassTimes<Wide> class_times(const Line& line, int tonic) {
    mongeau_sankoff::ClassTimes<Wide> out{};
    for (std::size_t i = 0; i < std::min(line.size(), mongeau_sankoff::kLongest); ++i) {
      out[static_cast<std::size_t>(pitch_class(line.pitch[i], tonic))] += line.duration[i];
    }
    return out;
  }
  [[nodiscard]] KeyGuess key_for(const Line& document) const {
    return {mongeau_sankoff::common_tonic(times_, class_times(document, 0), pitch_class(document.pitch[0], 0)),
            key_.minor};
  }
  static std::string name(const KeyGuess& key) {
    constexpr std::array<std::string_view, 12> kNames = {"C",  "C#", "D",  "Eb", "E",  "F",
                                                         "F#", "G",  "Ab", "A",  "Bb", "B"};
    return fmt::format("{} {}", kNames[static_cast<std::size_t>(key.tonic)], key.minor ? "minor" : "major");
  }

  Line line_;
  KeyGuess key_;
  Sequence sequence_;
  mongeau_sankoff::ClassTimes<Wide> times_;  ///< from the tonic on
};

}  // namespace

constinit const SystemRow kMongeauSankoff = {
    .name = "mongeau-sankoff",
    .title = "Mongeau-Sankoff: edit distance of notes in their key",
    .explanation =
        "Edit distance between two melodies in the same key: the cost of a substitution depends on the consonance of "
        "the interval between the two notes in the key and on their difference in length; one note may become several "
        "(fragmentation) or several notes one (consolidation); the cost of inserting or deleting a note or rest is "
        "proportional to its length. The document is transposed so that the two melodies spend as much time as "
        "possible on the same pitch classes. The score is minus the total cost.",
    .reference = "M. Mongeau, D. Sankoff: Comparison of musical sequences, 1990",
    .evidence = Evidence::partial,
    .evidence_note =
        "The weights are published. The query's key is estimated from the time spent on each pitch class (Krumhansl); "
        "in minor, both forms of the sixth and seventh belong to the scale. The authors compare melodies whose keys "
        "are known. Keys estimated for both melodies are wrong too often: on the tune families of MTC-ANN, with first "
        "20 notes, the mean average precision is .47 with them, .59 with the transposition described above, and .57 "
        "with the cheapest of all twelve transpositions. Other authors multiply the weight of an interval by the "
        "shorter of the two lengths, which made no difference. The document is placed in the octave with the nearest "
        "mean pitch. Equal notes of equal length cost nothing, even outside the scale. Only the first 2,000 notes of a "
        "melody are compared.",
    .invariant = {.transposition = true},
    .make = make_query_system<MongeauSankoffQuery, MongeauSankoffPlan>,
};

}  // namespace rondo::rows
