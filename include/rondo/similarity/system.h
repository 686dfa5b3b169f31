#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/melody/line.h"
#include "rondo/similarity/plan.h"

namespace rondo {

struct Points;

/// Distribution of the scores of a query over a collection, almost all of which is unrelated to it; estimated from a
/// sample.
struct ScoreSpread {
  double middle = 0;  ///< the median
  double high = 0;    ///< the 95th percentile
};

/// Probability that two melodies are the same tune: a logistic function of the score, of how far it exceeds the query's
/// other scores, and of the number of melodies that could reach it by chance. docs/quality.md says how reliable it is.
struct Calibration {
  static constexpr double kHighScore = 0.7;
  double constant = 0;
  double score = 0;
  double high_score = 0;   ///< of the amount by which the score exceeds kHighScore, which chance rarely does
  double distinction = 0;  ///< of the distance from `middle`, in units of `high` - `middle`
  double size = 0;         ///< of the natural logarithm of (number of melodies / 1000)

  [[nodiscard]] double probability(double score_of_hit, const ScoreSpread& spread, std::size_t melodies) const;
  /// The lowest score with at least this probability.
  [[nodiscard]] double score_for(double probability, const ScoreSpread& spread, std::size_t melodies) const;
};

/// A probability in words.
enum class Likelihood : unsigned char { certain, probable, possible, unlikely };
[[nodiscard]] Likelihood likelihood_of(double probability);
[[nodiscard]] std::string_view in_words(Likelihood likelihood);
[[nodiscard]] std::string_view to_string(Likelihood likelihood);  ///< "certain", "probable", ...

/// Hits below this probability do not count as resembling the query.
inline constexpr double kLeastLikely = 0.05;

/// Similarity of two melodies under one system. Higher is more similar; the scale depends on the system.
struct Score {
  double value = 0;
  bool comparable = true;  ///< false: one of the two is too short for this system
  friend bool operator==(const Score&, const Score&) = default;
};

/// A range of notes, first to one past the last; empty: a gap on this side.
struct NoteSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  [[nodiscard]] bool empty() const { return begin == end; }
  friend bool operator==(const NoteSpan&, const NoteSpan&) = default;
};

/// One step of an explained score: the aligned notes, and what they add.
struct Step {
  enum class Kind : std::uint8_t { match, mismatch, gap_in_document, gap_in_query, flow };
  Kind kind = Kind::match;
  NoteSpan query;
  NoteSpan document;
  double score = 0;
  friend bool operator==(const Step&, const Step&) = default;
};

/// Why a pair got its score. `steps` add up to `total`; the score is `total` after the system's normalisation. A system
/// that compares in several ways shows the steps of one; a system that aligns no notes has none.
struct Explanation {
  Score score;
  std::vector<Step> steps;
  double total = 0;
  std::string summary;  ///< one line in words
};

/// A query prepared for one system. Immutable, so any number of threads may share it.
class PreparedQuery {
 public:
  virtual ~PreparedQuery() = default;
  PreparedQuery() = default;
  PreparedQuery(const PreparedQuery&) = delete;
  PreparedQuery& operator=(const PreparedQuery&) = delete;

  [[nodiscard]] virtual Score score(const Line& document) const = 0;
  /// The system's tie break between documents of equal score, higher first. Separate from `score` because it may cost
  /// as much, and only equal scores need it.
  [[nodiscard]] virtual double tie_break(const Line& /*document*/) const { return 0; }
  /// False: it is 0 for all documents, and nobody needs to read them to ask.
  [[nodiscard]] virtual bool breaks_ties() const { return true; }
  [[nodiscard]] virtual Explanation explain(const Line& document) const = 0;
  /// Against a whole polyphonic piece, for the systems whose row says `polyphonic`; others compare voice by voice.
  [[nodiscard]] virtual Score score(const Points& /*document*/) const { return {0, false}; }
  [[nodiscard]] virtual double tie_break(const Points& /*document*/) const { return 0; }
};

class Mixture;
struct Part;

/// A retrieval system with fixed parameters.
class System {
 public:
  virtual ~System() = default;
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  /// Called once for each document of the collection, before any query: to count n-grams, for instance.
  virtual void learn(const Line& /*document*/) {}
  /// Whether `learn` does anything; if not, it is not called.
  [[nodiscard]] virtual bool learns() const { return false; }
  /// How scores are computed, for a search through an index (rondo/similarity/plan.h). By default every document is
  /// scored.
  [[nodiscard]] virtual SearchPlan plan() const { return ExhaustivePlan{}; }
  /// The system must outlive the query, and `learn` must not be called while the query exists.
  [[nodiscard]] virtual std::unique_ptr<PreparedQuery> prepare(const Line& query) const = 0;
  /// `this`, if scores depend on those of the whole collection (similarity/mixture.h).
  [[nodiscard]] virtual const Mixture* mixture() const { return nullptr; }
};

struct Parameter {
  std::string_view name{};
  std::string_view explanation;
  double standard = 0;
  double lowest = 0;
  double highest = 0;
};

/// Values for a system's parameters, in the order of its row.
class Parameters {
 public:
  Parameters(std::span<const Parameter> known) : known_(known) {  // NOLINT(google-explicit-constructor)
    for (const Parameter& p : known) values_.push_back(p.standard);
  }
  /// Errors: `parameter-unknown`, `parameter-out-of-range`.
  [[nodiscard]] Result<void> set(std::string_view name, double value);
  /// Precondition: the name is one of the row's.
  [[nodiscard]] double get(std::string_view name) const;

 private:
  std::span<const Parameter> known_;
  std::vector<double> values_;
};

/// How certain a system's definition is; shown wherever its results are.
enum class Evidence : std::uint8_t {
  exact,    ///< confirmed from the authors' program or paper
  partial,  ///< some constants are unknown
  ours      ///< our reconstruction
};
[[nodiscard]] std::string_view to_string(Evidence evidence);

/// Changes of a melody that do not change its score, according to the authors.
struct Invariances {
  bool transposition = false;
  bool octave = false;
  bool tempo = false;
};

/// One row of the table of systems. To add a system: one file that defines its row, one line in systems.cpp.
struct SystemRow {
  std::string_view name{};
  std::string_view title{};
  std::string_view explanation{};  ///< one paragraph in plain language
  std::string_view reference{};
  Evidence evidence = Evidence::ours;
  std::string_view evidence_note{};       ///< what is unknown and what we chose
  std::optional<double> published_adr{};  ///< Urbano and others, 2010, Table 2; never our own result
  Invariances invariant{};
  std::size_t shortest = 1;    ///< minimum number of notes of a melody
  bool polyphonic = false;     ///< compares whole pieces, all voices at once
  bool zero_is_none = false;   ///< a score of zero means "not found": such documents are not ranked
  bool unknown_notes = false;  ///< supports queries with unknown notes (Line::unknown); others ignore these
  /// Not calibrated, and a hundred hits take hardly longer than twenty: a server counts the hits that score better than
  /// random melodies would.
  bool relevance_by_chance = false;
  std::span<const Parameter> parameters{};
  std::optional<Calibration> calibration{};  ///< with the standard parameters
  std::unique_ptr<System> (*make)(const Parameters& parameters) = nullptr;
  /// Mixtures whose parts the user may choose: the default parts ("time+GAR"), and how to make it from others.
  std::string_view standard_parts{};
  std::unique_ptr<System> (*make_of)(const Parameters& parameters, std::vector<Part> parts) = nullptr;
};

[[nodiscard]] std::span<const SystemRow* const> systems();
[[nodiscard]] const SystemRow* find_system(std::string_view name);

/// A system as selected by a user.
struct ChosenSystem {
  const SystemRow* row = nullptr;
  std::string name;  ///< as given by the user: "shapeh", "rrf:shapeh+P3"
  std::size_t shortest = 1;
  std::unique_ptr<System> system;
};

/// The system that is used if none is named.
inline constexpr std::string_view kDefaultSystem = "rondo";

/// How many parts a mixture may have, and how deep mixtures may be nested: a mixture within a mixture.
inline constexpr std::size_t kMostParts = 16;
inline constexpr std::size_t kDeepestMixture = 2;

/// The system of that name, with parameters given as NAME=VALUE.
///
/// The name of a mixture may include its parts: rrf:shapeh+P3+GAR. A part that is a mixture with chosen parts is put in
/// parentheses: rrf:(combsum:shapeh+time)+P3. PART.NAME=VALUE sets a parameter of a part. Errors: `system-unknown`,
/// `parts-unwanted` (the system has no parts that can be chosen), `part-empty`, `part-twice`, `parts-too-many`,
/// `parts-too-deep`, `parts-malformed` (parentheses), `parameter-malformed`, `parameter-unknown`,
/// `parameter-out-of-range`.
[[nodiscard]] Result<ChosenSystem> resolve_system(std::string_view name, std::span<const std::string> settings = {});

/// The row of that name, or the error `system-unknown`, which lists the known names.
[[nodiscard]] Result<const SystemRow*> system_row(std::string_view name);

}  // namespace rondo
