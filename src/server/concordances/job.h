#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/background.h"
#include "concordances/decisions.h"
#include "concordances/groups.h"
#include "server/json.h"

namespace rondo::server {

/// What a finished run has found, with what a list of groups is filtered by.
struct ConcordanceResult {
  concordances::Options options;
  concordances::Concordances found;
  concordances::Grouping grouping;
  /// By group.
  struct Facts {
    bool libraries = false;  ///< from more than one
    bool centuries = false;
    bool composers = false;
    std::string words;  ///< ids and sources, in lower case
  };
  std::vector<Facts> facts;
};

/// The one run of concordances that a server has: it works in the background, with low priority, and survives a
/// restart. Two files lie beside the collection: "music.db.concordances" says what was asked for and what became of it,
/// "music.db.concordances.journal" has what was found. From these the result is made again when it is first asked for.
/// Any thread may ask.
class ConcordanceJob {
 public:
  /// A result with more is refused: raise the threshold.
  static constexpr std::size_t kMostPairs = 200'000;

  enum class State : std::uint8_t {
    none,
    running,
    cancelled,  ///< the same run goes on where it was
    loading,    ///< it is done; the result is being read
    done,
    failed,
  };

  struct Status {
    State state = State::none;
    concordances::Options options;
    concordances::Progress progress;
    std::string started;  ///< UTC
    std::string ended;
    std::optional<Error> error;
    std::shared_ptr<const ConcordanceResult> result;  ///< where it is done
  };

  /// Goes on with a run that was under way when the server ended.
  explicit ConcordanceJob(std::filesystem::path collection, const MakeBackground& background = {});
  ~ConcordanceJob();
  ConcordanceJob(const ConcordanceJob&) = delete;
  ConcordanceJob& operator=(const ConcordanceJob&) = delete;

  /// Errors: `concordances-running`, those of Job::prepare that can be told at once, `write-failed`.
  [[nodiscard]] Result<void> start(const concordances::Options& options);
  /// Error `concordances-not-running`.
  [[nodiscard]] Result<void> cancel();
  [[nodiscard]] Status status();
  /// Another file has the collection from now on: the mirror of a server that was set back to an earlier state. What
  /// lies beside the collection stays where it is, and a result is read again, which tells whether it is out of date.
  void use_file(std::filesystem::path file);

  [[nodiscard]] Result<concordances::Decisions> decisions();
  [[nodiscard]] Result<void> decide(concordances::Decision decision);

 private:
  void work(const std::stop_token& stop, bool again);
  [[nodiscard]] Result<std::shared_ptr<const ConcordanceResult>> find(const concordances::Options& options,
                                                                      std::stop_source& stop, bool again);
  void begin(bool again);
  [[nodiscard]] Result<void> save() const;
  void load();

  std::filesystem::path collection_;  ///< what files beside it are named after
  std::mutex mutex_;
  std::filesystem::path file_;  ///< what is read
  Status status_;
  bool cancelled_ = false;  ///< by a person; otherwise a run that is stopped goes on after the next start
  std::mutex deciding_;
  std::stop_source stop_;
  std::unique_ptr<Background> queue_;  ///< last: its work uses the rest
};

[[nodiscard]] std::string_view to_string(ConcordanceJob::State state);
/// Options as a request and the file have them.
[[nodiscard]] Json options_json(const concordances::Options& options);
/// Errors `body-not-json`, `concordances-options`.
[[nodiscard]] Result<concordances::Options> concordance_options(const Json& json);

}  // namespace rondo::server
