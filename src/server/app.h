#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "server/message.h"

namespace rondo::gpu {
class Card;
}

namespace rondo::server {

struct AppOptions {
  std::filesystem::path collection;  ///< a file, or the address of a PostgreSQL server
  std::string version = "0";         ///< of the program
  /// The one foreign origin whose pages may read our answers; empty: none.
  std::string cors;
  /// Names that a request's Host may have; empty: any. Where only this machine may ask, this keeps foreign pages from
  /// asking under a name that they let point here.
  std::vector<std::string> hosts;
  /// The collection is for the researcher only; everybody else may take part in studies and nothing more.
  bool studies_only = false;
  /// A proxy that we trust tells how (X-Forwarded-Proto) and from where (X-Forwarded-For) a request came.
  bool behind_proxy = false;
  std::chrono::milliseconds search_time{5000};  ///< a search that takes longer answers with what it has
  /// Gets a line about what whoever runs the server should know: that the mirror of a collection on a PostgreSQL server
  /// cannot be brought up to date, and that it can again. Called by any thread.
  std::function<void(std::string_view line)> notice{};
  /// Searches by the system rondo are done on it; where it fails the CPU goes on. Null: none.
  std::shared_ptr<gpu::Card> card{};
};

/// What threads share of the studies.
struct AccessControl;
/// Long melodies by short keys.
class MelodyLinks;
/// The run of concordances.
class ConcordanceJob;
/// Counted since the start, for /metrics. Any thread may count.
struct Metrics;
/// How the mirror of a collection on a server is kept up to date.
struct FollowState;

/// The web application without its sockets: a Request goes in, a Response comes out. Threads share one App and have a
/// session each.
class App {
 public:
  [[nodiscard]] static Result<std::unique_ptr<App>> open(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// A thread's own; the App must outlive it.
  [[nodiscard]] Result<std::shared_ptr<Session>> session();

  /// Never fails, whatever is asked: what goes wrong is a response too.
  [[nodiscard]] Response handle(const Request& request, Session& session);

  /// Bytes that the body of such a request may have; known before it is read.
  [[nodiscard]] std::size_t body_limit(std::string_view method, std::string_view target) const;
  /// How a request is to be scheduled.
  struct Plan {
    bool expensive = false;  ///< may take long: waits with its like
    std::string kind;        ///< requests of one kind take about the same time
    std::string address;     ///< who asks, as limits count it
    bool patient = false;    ///< a page or a part of one: is not refused because others are slow
  };
  [[nodiscard]] Plan plan(const Request& request) const;
  /// What the transport says by itself: too large, too slow, malformed, too busy. `retry_after`: seconds; 0: not told.
  [[nodiscard]] Response refusal(const Error& error, int retry_after = 0) const;

  /// Lets searches end early.
  void stop() { stop_.request_stop(); }
  /// Makes every session open its files anew before its next request.
  void reload() { ++reloads_; }
  [[nodiscard]] Metrics& metrics() { return *metrics_; }
  [[nodiscard]] AccessControl& access_control() { return *access_control_; }
  [[nodiscard]] MelodyLinks& links() { return *links_; }
  [[nodiscard]] ConcordanceJob& concordance_job() { return *concordance_job_; }
  [[nodiscard]] const AppOptions& options() const { return options_; }
  /// The file that is read: `options().collection`, unless the PostgreSQL server was set back to an earlier state, so
  /// that the mirror is another file now. What lies beside the collection is named by the options all the same.
  [[nodiscard]] std::filesystem::path file() const;
  /// Nothing: the collection is a file, not on a server.
  [[nodiscard]] std::optional<FollowState> follow_state() const;

 private:
  friend struct Session;
  explicit App(AppOptions options);
  void use_file(const std::filesystem::path& file);

  AppOptions options_;
  std::unique_ptr<Metrics> metrics_;
  std::unique_ptr<AccessControl> access_control_;
  std::unique_ptr<MelodyLinks> links_;
  std::unique_ptr<class SnapshotHolder> holder_;
  std::unique_ptr<ConcordanceJob> concordance_job_;
  std::stop_source stop_;
  std::atomic<std::uint64_t> reloads_{0};
  mutable std::mutex file_mutex_;
  std::filesystem::path file_;
  std::unique_ptr<class MirrorFollower> follower_;  ///< of a collection on a server; last, as its thread uses the rest
};

}  // namespace rondo::server
