#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "rondo/melody/piece.h"

namespace rondo::study {

/// A ranking as participants send it: tiers of candidates' codes, the most similar first.
using Ranking = std::vector<std::vector<std::string>>;

enum class State : std::uint8_t { draft, open, closed };
[[nodiscard]] std::string_view to_string(State state);
[[nodiscard]] std::optional<State> state_of(std::string_view word);

/// A candidate that is not shown, because another one represents it.
struct Folded {
  std::string id;
  std::string relation;  ///< "identical", "transposition", "part"
  friend bool operator==(const Folded&, const Folded&) = default;
};

/// A copy of a melody, so that changes of the collection do not affect a study: one line as in docs/formats/jsonl.md,
/// with the one voice that is compared.
struct MelodyCopy {
  std::string id;
  std::string json;
  friend bool operator==(const MelodyCopy&, const MelodyCopy&) = default;
};
[[nodiscard]] Result<MelodyCopy> copy_of(const Piece& piece, std::uint32_t voice);
/// Parses the copy: a piece with exactly one voice. Error `study-melody`.
[[nodiscard]] Result<Piece> piece_of(const MelodyCopy& copy);

struct Candidate {
  std::string code;  ///< the only identification that participants see
  MelodyCopy melody;
  bool planted = false;  ///< the query itself, to check how carefully participants work
  std::vector<Folded> folded;
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

struct Query {
  std::string label;
  std::string candidate_set;
  MelodyCopy melody;
  std::vector<Candidate> candidates;
  friend bool operator==(const Query&, const Query&) = default;
};

/// Answers of a participant about his or her background.
struct Background {
  std::optional<double> years;
  std::vector<std::string> instruments;
  std::string remarks;
  friend bool operator==(const Background&, const Background&) = default;
};

struct Answer {
  std::size_t query = 0;     ///< index among the study's queries
  std::int64_t version = 0;  ///< counts the saves; 0: none yet
  Ranking ranking;
  bool done = false;
  std::string saved;  ///< UTC
  /// Something was ranked, or nothing on purpose.
  [[nodiscard]] bool given() const { return done || !ranking.empty(); }
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// One save; together they are the history of an answer.
struct Move {
  std::size_t query = 0;
  std::string save;  ///< the client's name for it
  std::int64_t version = 0;
  Ranking ranking;
  bool done = false;
  std::string at;
  friend bool operator==(const Move&, const Move&) = default;
};

struct Participant {
  std::int64_t number = 0;  ///< from 1; together with the study's seed it determines the random orders
  std::string label;
  std::string origin;  ///< "invited", "open link", "import"
  std::string joined, last_seen, consented;
  std::string excluded;  ///< why the answers do not count; empty if they do
  std::optional<Background> background;
  std::vector<Answer> answers;  ///< by query; unanswered ones are missing
  std::vector<Move> moves;
  friend bool operator==(const Participant&, const Participant&) = default;
};

struct Settings {
  std::string name;  ///< a word for addresses: a-z, 0-9 and hyphens
  std::string title;
  std::string instructions;
  std::string consent;
  bool ties = false;
  bool plant_query = false;
  bool simulated = false;  ///< the votes are simulated; all outputs say so
  State state = State::draft;
  std::uint64_t seed = 0;  ///< below 2^53, so that every JSON reader keeps it
  std::string created;
  friend bool operator==(const Settings&, const Settings&) = default;
};
inline constexpr std::uint64_t kMostSeed = (std::uint64_t{1} << 53U) - 1;

/// A whole study.
struct Study {
  Settings settings;
  std::vector<Query> queries;
  std::vector<Participant> participants;
  std::size_t withdrawn = 0;  ///< participants who withdrew; their data are deleted
  friend bool operator==(const Study&, const Study&) = default;
};

/// Limits of a study.
inline constexpr std::size_t kMostQueries = 200;
inline constexpr std::size_t kMostStudyCandidates = 500;  ///< of a query
inline constexpr std::size_t kMostParticipants = 10'000;
inline constexpr std::size_t kLongestText = 100'000;  ///< instructions, consent
inline constexpr std::size_t kLongestLine = 300;      ///< titles, labels, names of instruments
inline constexpr std::size_t kMostInstruments = 30;

/// Error `study-name`, `study-text`, `study-seed`.
[[nodiscard]] Result<void> check(const Settings& settings);
/// Error `study-text`: a line that is too long or has control characters.
[[nodiscard]] Result<void> check_line(std::string_view what, std::string_view text);
/// Errors `background-years`, `study-text`.
[[nodiscard]] Result<void> check(const Background& background);
/// Every code known and at most once, no empty tier, ties only where they are allowed. Errors `ranking-unknown`,
/// `ranking-twice`, `ranking-tier`, `ranking-ties`.
[[nodiscard]] Result<void> check(const Ranking& ranking, const Query& query, bool ties);

[[nodiscard]] std::size_t ranked_count(const Ranking& ranking);

}  // namespace rondo::study
