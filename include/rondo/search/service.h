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
class Background;
enum class BackgroundTask : unsigned char;

/// A longer query is truncated, and the answer says so: this bounds the time of a search.
inline constexpr std::size_t kMostQueryNotes = 1000;

/// The options of a search: they have the same names on the command line, over HTTP and in Python.
struct SearchRequest {
  Voice query{};                        ///< as notated,
  std::vector<UnknownNotes> unknown{};  ///< and its unknown notes, by index of its notes; or
  std::optional<std::string> like{};    ///< the id of a melody of the collection, which is then excluded from the hits,
  std::uint32_t like_voice = 0;         ///< and which of its voices, from 0
  std::string system{kDefaultSystem};   ///< see resolve_system
  std::vector<std::string> settings{};  ///< NAME=VALUE
  /// Instead of both: a user-defined system, already trained if necessary (CollectionSnapshot::teach).
  std::shared_ptr<const ChosenSystem> own{};
  std::size_t k = 10;
  std::size_t offset = 0;  ///< number of best hits to skip
  LineOptions heard{};     ///< `opening` is ignored here; it is set by:
  bool anchored = false;   ///< compare only the beginning of each melody, see opening_for
  bool fold_duplicates = false;
  /// Reranks the first hits by their similarity to each other; scores do not change. Only for the system rondo.
  bool expand = false;
  std::string where{};       ///< SQL over the view `melodies`, see docs/filter.md
  bool trusted = false;      ///< the condition comes from the owner, not from a visitor over the network
  std::string text{};        ///< words of title, composer, shelfmark, ...
  unsigned least_notes = 0;  ///< only melodies with at least this many
  PieceChoice among{};       ///< further restriction to these
  std::optional<PieceKey> except{};
  std::optional<double> least_score{};  ///< only hits with at least this score; the higher, the faster the search
  unsigned threads = 1;
  /// Measured from the call on; includes all preparation.
  std::optional<std::chrono::milliseconds> time_limit{};
  /// With a time limit: whether to wait for what must be prepared first; else the error `search-preparing` comes at
  /// once.
  bool wait = true;
  std::stop_token stop{};
};

/// How many notes of each melody an anchored search compares: as many as the query has, and a quarter more to allow for
/// insertions.
[[nodiscard]] constexpr std::uint32_t opening_for(std::size_t query_notes) {
  return static_cast<std::uint32_t>(query_notes + query_notes / 4);
}

struct Found {
  PieceKey piece{};
  std::uint32_t voice = 0;  ///< the voice that scored best, from 0
  Score score;
  std::vector<PieceKey> same{};  ///< folded into this one
  /// Probability that it is the same tune; set by the search of a collection, for calibrated systems (SystemRow).
  std::optional<double> probability{};
};

struct SearchResult {
  std::vector<Found> hits;  ///< best first, at most k
  // What happened to the pieces; the query's own piece is not counted.
  std::size_t compared = 0;      ///< scored or excluded by a bound (as most are), by at least one part of a mixture
  std::size_t too_short = 0;     ///< too few notes for the system
  std::size_t not_reached = 0;   ///< still to be compared when the search was stopped
  std::size_t filtered_out = 0;  ///< excluded by a filter
  std::size_t scored = 0;        ///< voices that were scored exactly; bounds excluded all others
  std::size_t bounded = 0;       ///< voices that were first aligned in rounded arithmetic
  std::string_view method;       ///< the search method used
  bool complete = true;          ///< false: stopped by the time limit or on demand; the hits so far are sorted
};

/// A query as notated and as it is compared.
struct HeardQuery {
  Voice voice;              ///< the voice that is searched for
  bool cut = false;         ///< it had more than kMostQueryNotes notes
  LineOptions query_heard;  ///< how `line` was made from `voice`
  LineOptions heard;        ///< options for documents: make_line(voice, heard) is compared
  Line line;
  std::optional<PieceKey> self{};  ///< the query's own piece, excluded from the hits
};
/// Errors: `query-empty`, `piece-missing`, `voice-missing`.
[[nodiscard]] Result<HeardQuery> hear_query(Collection& collection, const SearchRequest& request);
/// The error `query-short` if a query is too short for a system.
[[nodiscard]] Result<void> check_length(const HeardQuery& query, const ChosenSystem& system);
/// The same, and the error `query-wildcards` if the query has unknown notes that the system does not support.
[[nodiscard]] Result<void> check_query(const HeardQuery& query, const ChosenSystem& system);

struct SearchAnswer {
  HeardQuery query;
  std::shared_ptr<const ChosenSystem> system;  ///< trained on the collection
  SearchResult result;                         ///< from `offset` on
  std::size_t total = 0;     ///< number of hits; an upper bound if the search did not examine the whole list
  std::size_t expanded = 0;  ///< number of best hits that were reranked; 0 also if the time was up
  PieceChoice selected;      ///< the pieces known to pass the filters: none if the time was up before that was clear
  /// Distribution of this query's scores over the collection. Empty: the system is not calibrated, its parameters were
  /// changed, or there are too few melodies.
  std::optional<ScoreSpread> spread{};
  double milliseconds = 0;
  std::optional<Diagnostic> card_failure{};  ///< why the GPU was not used to the end; the CPU did the rest
};

/// Progress of one item that searches need (an index, a trained system).
struct Preparation {
  std::string what;
  enum class State : std::uint8_t { waiting, running, ready, failed } state = State::waiting;
  double seconds = 0;  ///< time taken, or taken so far
};

/// Number of processed documents and of all documents, for a progress bar.
using IndexProgress = std::function<void(std::size_t done, std::size_t all)>;

/// Where searches with the system rondo run; all others run on the CPU, or are an error with `cuda` (docs/gpu.md).
enum class Device : std::uint8_t { cpu, cuda, automatic };

struct SnapshotOptions {
  bool write_index = true;  ///< write missing or outdated indexes beside the collection; else they are made in memory
  IndexProgress progress{};
  Device device = Device::cpu;
  std::function<std::unique_ptr<Background>(BackgroundTask task)> background{};  ///< empty: threads of the snapshot
};

/// One state of a collection, ready to be searched with any system and any options: the only place where a request
/// becomes a list. It owns all data derived from the collection (indexes, trained systems).
///
/// Any number of threads may search at once, each with its own Collection of the same file.
class CollectionSnapshot {
 public:
  /// Errors: those of reading the collection and of opening the GPU (docs/gpu.md).
  [[nodiscard]] static Result<std::shared_ptr<CollectionSnapshot>> open(Collection& collection,
                                                                        SnapshotOptions options = {});
  ~CollectionSnapshot();
  CollectionSnapshot(const CollectionSnapshot&) = delete;
  CollectionSnapshot& operator=(const CollectionSnapshot&) = delete;

  /// The best hits, identical to those of scoring every piece, unless the time is up (`complete` is then false). If the
  /// time is up before the filters are done, nothing is compared.
  ///
  /// If the request needs something that is not ready (a trained system, an index with other line options), a thread of
  /// the snapshot prepares it; if that exceeds the time limit, or the request does not wait, the error is
  /// `search-preparing`, and the preparation continues. Other errors: those of resolve_system, `expand-system`,
  /// `query-empty`, `query-short`, `piece-missing`, `voice-missing`, those of the filters and the GPU.
  [[nodiscard]] Result<SearchAnswer> search(Collection& collection, const SearchRequest& request);
  /// Prepares what the request needs, on this thread: for programs that answer a single request.
  [[nodiscard]] Result<void> prepare(Collection& collection, const SearchRequest& request,
                                     const IndexProgress& progress = {});
  /// Prepares, on the snapshot's own thread, all systems and the indexes for all line options. Returns at once.
  void prepare_all();
  [[nodiscard]] std::vector<Preparation> preparations() const;
  [[nodiscard]] bool on_card() const;  ///< there is a GPU that searches

  /// Trains a user-defined system on every melody, if it learns.
  [[nodiscard]] Result<void> teach(Collection& collection, System& system, const LineOptions& heard = {});
  /// A system trained on the collection with these line options.
  [[nodiscard]] Result<std::shared_ptr<const ChosenSystem>> system(Collection& collection, std::string_view name,
                                                                   const std::vector<std::string>& settings,
                                                                   const LineOptions& heard,
                                                                   std::chrono::steady_clock::time_point until);
  /// Whether the collection has not changed; for the Collection that opened the snapshot.
  [[nodiscard]] Result<bool> current(Collection& collection) const;

 private:
  struct State;
  explicit CollectionSnapshot(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo
