#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/melody/line.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"

namespace rondo {
namespace gpu {
class Card;
}

/// A longer query is cut, and its answer says so: nobody has more in mind, and a search must end.
inline constexpr std::size_t kMostQueryNotes = 1000;

/// What is asked of a search: the same words on the command line, over HTTP and in Python.
struct SearchRequest {
  Voice query{};                        ///< as notated,
  std::vector<UnknownNotes> unknown{};  ///< and what it leaves open, counted in its notes; or
  std::optional<std::string> like{};    ///< the id of a melody of the collection, which is then no hit itself,
  std::uint32_t like_voice = 0;         ///< and which of its voices, from 0
  std::string system{kDefaultSystem};   ///< see resolve_system
  std::vector<std::string> settings{};  ///< NAME=VALUE
  /// In place of both: a system of the caller's own, which has learnt what it needs (CollectionSnapshot::teach).
  std::shared_ptr<const ChosenSystem> own{};
  std::size_t k = 10;
  std::size_t offset = 0;  ///< hits to leave out, from the best on
  LineOptions heard{};     ///< `opening` is not asked for here, but by:
  bool anchored = false;   ///< only the beginning of each melody counts, see opening_for
  bool fold_duplicates = false;
  bool quick = false;  ///< may miss hits where that saves time; the result then says that it is not exact
  /// The first hits are ordered anew by how they resemble each other; their scores stay. For the system rondo.
  bool expand = false;
  std::string where{};       ///< SQL over the view `melodies`, see docs/filter.md
  bool trusted = false;      ///< the condition is the owner's, not a stranger's over the network
  std::string text{};        ///< words of title, composer, shelfmark, ...
  unsigned least_notes = 0;  ///< only melodies with at least so many
  PieceChoice among{};       ///< only these besides
  std::optional<PieceKey> except{};
  unsigned threads = 1;
  /// From the call on, everything counted.
  std::optional<std::chrono::milliseconds> time_limit{};
  std::stop_token stop{};
};

/// How many notes of each melody count in an anchored search: as many as the query has, and a quarter more for notes
/// that were added.
[[nodiscard]] constexpr std::uint32_t opening_for(std::size_t query_notes) {
  return static_cast<std::uint32_t>(query_notes + query_notes / 4);
}

struct Found {
  PieceKey piece{};
  std::uint32_t voice = 0;  ///< the voice that scored best, from 0
  Score score;
  std::vector<PieceKey> same{};  ///< folded into this one
  /// That it is the same tune; by the search of a collection, for systems that are calibrated (SystemRow).
  std::optional<double> probability{};
};

struct SearchResult {
  std::vector<Found> hits;  ///< best first, at most k
  // What became of the pieces; the one that was asked about is in no count.
  std::size_t compared = 0;      ///< compared, most of them by a bound that rules them out
  std::size_t too_short = 0;     ///< too few notes for the system
  std::size_t not_reached = 0;   ///< still to be compared when the search was stopped
  std::size_t filtered_out = 0;  ///< not among those that were selected
  std::size_t scored = 0;        ///< voices that had to be scored exactly; all others were ruled out
  std::size_t bounded = 0;       ///< voices that were aligned in rounded numbers first
  std::string_view method;       ///< how they were found
  bool exact = true;             ///< false: a quick search, which may have missed some
  bool complete = true;          ///< false: stopped by the time limit or on demand; what there is is in order
};

/// A query as notated and as it is compared.
struct HeardQuery {
  Voice voice;              ///< as it is looked for
  bool cut = false;         ///< it had more than kMostQueryNotes notes
  LineOptions query_heard;  ///< how `line` was made from `voice`
  LineOptions heard;        ///< how documents are heard: make_line(voice, heard) is what is compared
  Line line;
  std::optional<PieceKey> self{};  ///< no hit: the piece that was asked about
};
/// Errors: `query-empty`, `piece-missing`, `voice-missing`.
[[nodiscard]] Result<HeardQuery> hear_query(Collection& collection, const SearchRequest& request);
/// Whether a query is long enough for a system; the error `query-short`.
[[nodiscard]] Result<void> check_length(const HeardQuery& query, const ChosenSystem& system);
/// The same, and whether the system takes the notes that it leaves open; the error `query-wildcards`.
[[nodiscard]] Result<void> check_query(const HeardQuery& query, const ChosenSystem& system);

struct SearchAnswer {
  HeardQuery query;
  std::shared_ptr<const ChosenSystem> system;  ///< has learnt the collection
  SearchResult result;                         ///< from `offset` on
  /// Hits there are. Where the list is longer than was looked at: at most so many.
  std::size_t total = 0;
  std::size_t expanded = 0;  ///< hits, from the best on, that were ordered anew; 0 also where time was up
  PieceChoice selected;      ///< the pieces that the filters left
  /// How this query's scores are spread over the collection. Nothing: the system is not calibrated, its parameters were
  /// changed, or there are too few melodies.
  std::optional<ScoreSpread> spread{};
  double milliseconds = 0;
  std::optional<Diagnostic> card_failure{};  ///< why the graphics card was given up; the CPU has done its part
};

/// What a collection is searched with, and whether it is ready: for people who wait.
struct Preparation {
  std::string what;
  enum class State : std::uint8_t { waiting, running, ready, failed } state = State::waiting;
  double seconds = 0;  ///< it took, or has taken so far
};

/// Documents done and to do, for a progress bar.
using IndexProgress = std::function<void(std::size_t done, std::size_t all)>;

struct SnapshotOptions {
  /// Whether indexes that are missing or out of date are written beside the collection; if not, or if that cannot be,
  /// they are made in memory.
  bool write_index = true;
  IndexProgress progress{};
  std::shared_ptr<gpu::Card> card{};  ///< searches by systems that it knows are done on it; null: none
  bool cpu_goes_on = true;            ///< where the card fails; else that is an error of the search
};

/// One state of a collection, ready to be searched with any system and any options: the one place where a request
/// becomes a list. Whatever is derived from the collection (indexes, what systems have learnt) belongs to it.
///
/// Any number of threads may search at once, each with a connection of its own to the same collection.
class CollectionSnapshot {
 public:
  /// Errors: those of reading the collection.
  [[nodiscard]] static Result<std::shared_ptr<CollectionSnapshot>> open(Collection& collection,
                                                                        SnapshotOptions options = {});
  ~CollectionSnapshot();
  CollectionSnapshot(const CollectionSnapshot&) = delete;
  CollectionSnapshot& operator=(const CollectionSnapshot&) = delete;

  /// The best hits, exactly those of scoring every piece, unless time is up (`complete` is then false).
  ///
  /// What the request needs and is not there yet (what a system learns of the collection, an index of melodies heard in
  /// another way) is made on a thread of the snapshot's own; if that takes longer than the time limit, the error is
  /// `search-preparing`, and it goes on.
  /// Other errors: those of resolve_system, `expand-system`, `query-empty`, `query-short`, `piece-missing`,
  /// `voice-missing`, those of the filters.
  [[nodiscard]] Result<SearchAnswer> search(Collection& collection, const SearchRequest& request);
  /// Makes what the request needs, on this thread: for programs that answer one request and have the time.
  [[nodiscard]] Result<void> prepare(Collection& collection, const SearchRequest& request,
                                     const IndexProgress& progress = {});
  /// Makes, on the snapshot's own thread, what the systems need and the indexes of each way to hear melodies. Returns
  /// at once.
  void prepare_all();
  [[nodiscard]] std::vector<Preparation> preparations() const;

  /// Shows a system of the caller's own every melody, if it wants to know them.
  [[nodiscard]] Result<void> teach(Collection& collection, System& system, const LineOptions& heard = {});
  /// A system that has learnt the collection heard in this way.
  [[nodiscard]] Result<std::shared_ptr<const ChosenSystem>> system(Collection& collection, std::string_view name,
                                                                   const std::vector<std::string>& settings,
                                                                   const LineOptions& heard,
                                                                   std::chrono::steady_clock::time_point until);
  /// Whether the collection is still as it was; for the connection that opened the snapshot.
  [[nodiscard]] Result<bool> current(Collection& collection) const;

 private:
  struct State;
  explicit CollectionSnapshot(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo
