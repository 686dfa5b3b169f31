#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "concordances/counts.h"
#include "rondo/search/service.h"
#include "rondo/similarity/system.h"
#include "rondo/store/collection.h"

/// Which melodies of a collection are the same tune: all pairs above a threshold, exactly, in one run.
namespace rondo::concordances {

/// What is asked for.
struct Options {
  std::string system{kDefaultSystem};   ///< see resolve_system
  std::vector<std::string> settings{};  ///< NAME=VALUE
  /// The score of a pair is the lower of its two: each melody as the query, the other as the document.
  double least_score = 0.7;
  /// Also required, where it is given: the probability that the two are the same tune (Pair::probability). Every
  /// melody, as the query, has a lowest score of that probability (Calibration::score_for), so no pair is missed.
  std::optional<double> least_probability{};
  /// Also pairs of which only one score reaches the threshold: a melody that is part of a longer one.
  bool either = false;
  std::uint32_t least_notes = 8;  ///< shorter melodies are not compared: they are part of too many
  std::size_t most = 0;           ///< only the best partners of each melody, so many; 0: all
  /// Only pairs with a new melody: of a piece that was imported since this time ("2026-11-01"), or whose voice has a
  /// higher key than this number.
  std::optional<std::string> since{};
  std::uint32_t part = 1;  ///< of `parts`, from 1
  std::uint32_t parts = 1;
  unsigned threads = 1;
  Device device = Device::cpu;
};

struct Progress {
  std::uint64_t pairs = 0;   ///< decided in this run
  std::uint64_t total = 0;   ///< to be decided, with what an earlier run decided
  std::uint64_t done = 0;    ///< decided, with what an earlier run decided
  std::uint64_t before = 0;  ///< decided by an earlier run
  std::uint64_t found = 0;   ///< pairs above the threshold in this run, of distinct melodies
  double seconds = 0;        ///< of this run
};
/// Called now and then, by one thread at a time.
using Watcher = std::function<void(const Progress&)>;

/// A melody of a pair.
struct MelodyRef {
  PieceKey piece{};
  std::uint32_t voice = 0;  ///< of its piece, from 0
  bool second = false;      ///< of the second collection
  std::string id;           ///< of the piece
};

enum class Relation : std::uint8_t {
  identical,   ///< the same notes
  transposed,  ///< the same notes in another key
  variant,     ///< each explains the other
  part,        ///< the first is part of the second
  whole,       ///< the second is part of the first
  phrase,      ///< each explains the other, but by one phrase; they go different ways otherwise (phrase.h)
};
[[nodiscard]] std::string_view to_string(Relation relation);
/// The same with the two melodies in the other order.
[[nodiscard]] Relation turned(Relation relation);

struct Pair {
  std::uint32_t a = 0;  ///< into Concordances::melodies; a < b
  std::uint32_t b = 0;
  double ab = 0;  ///< score of b where a is the query
  double ba = 0;
  Relation relation = Relation::variant;
  /// What the scores say about whether these are the same tune; nothing where the system is not calibrated or the
  /// melodies are too few.
  std::optional<double> ab_probability{};
  std::optional<double> ba_probability{};
  /// The lower of the two.
  [[nodiscard]] double score() const { return ab < ba ? ab : ba; }
  [[nodiscard]] std::optional<double> probability() const {
    return ab_probability < ba_probability ? ab_probability : ba_probability;
  }
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// The result: the melodies that have a partner, those of the first collection before those of the second, in the order
/// of ids and voices, and the pairs in theirs.
struct Concordances {
  std::vector<MelodyRef> melodies;
  std::vector<Pair> pairs;
  std::size_t compared = 0;     ///< melodies
  std::size_t distinct = 0;     ///< of these, melodies that are not the same notes in another key
  std::size_t too_short = 0;    ///< melodies that were left out
  std::int64_t last_voice = 0;  ///< the highest key of a voice: for the next run with `since`
};

/// One run over one collection, or of one against another. The melodies are read once, into memory.
class Job {
 public:
  /// Errors: those of reading and of resolve_system, `concordances-system` (no mixtures, none for whole pieces),
  /// `since-malformed`, `part-out-of-range`, `probability-unknown` (asked for, but the system is not calibrated or the
  /// melodies are too few), those of device_for and card_for. The collections must outlive the job.
  [[nodiscard]] static Result<Job> prepare(Collection& collection, Collection* against, Options options);
  ~Job();
  Job(Job&&) noexcept;
  Job& operator=(Job&&) noexcept;

  /// Decides all pairs of the part and writes what is found to `journal`, piece by piece. A journal that is there
  /// already is continued: what it has is not done again, whatever moment the process was killed at. Stopped on
  /// demand, the journal can be continued; the result is false then. Errors: `journal-other` (it belongs to another
  /// run), `journal-unreadable`, `journal-busy` (another process writes it),
  /// `write-failed`, `disk-full`; with Device::cuda `device-memory` and `device-failed`, after which the journal can be
  /// continued, also on another device.
  [[nodiscard]] Result<bool> run(const std::filesystem::path& journal, const std::stop_token& stop = {},
                                 const Watcher& watch = {});
  /// How many pairs reached each stage in this process.
  [[nodiscard]] const Counts& counts() const;
  /// Where pairs are compared: the name of the card, or "cpu".
  [[nodiscard]] std::string device() const;
  /// Why the CPU went on alone, with Device::automatic. Nothing: the card did its part.
  [[nodiscard]] const std::optional<Diagnostic>& card_warning() const;

  /// So many pairs are too much for the memory of a usual machine: melodies that many records have alike make a pair of
  /// any two of them.
  static constexpr std::uint64_t kMostPairs = 20'000'000;
  /// The result of all parts. Their number and order make no difference to it. Errors: `journal-other`,
  /// `journal-unreadable`, `parts-missing`, `concordances-too-many` (more than `most_pairs`, before Options::most
  /// leaves out any).
  [[nodiscard]] Result<Concordances> collect(std::span<const std::filesystem::path> journals,
                                             std::uint64_t most_pairs = kMostPairs) const;

  [[nodiscard]] const Options& options() const;

 private:
  struct State;
  explicit Job(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace rondo::concordances
