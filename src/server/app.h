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

#include "base/background.h"
#include "rondo/base/result.h"
#include "rondo/search/service.h"
#include "server/message.h"

namespace rondo::server {

struct AppOptions {
  std::filesystem::path collection;  ///< a file, or the address of a PostgreSQL server
  std::string version = "0";         ///< of the program
  /// The other origin whose pages may read our responses (CORS); empty: none.
  std::string cors;
  /// Allowed values of Host; empty: any. Prevents DNS rebinding of a server that only this machine may use.
  std::vector<std::string> hosts;
  /// Only the researcher may use the collection; all others may only take part in studies.
  bool studies_only = false;
  /// Trust the headers X-Forwarded-Proto and X-Forwarded-For of a proxy.
  bool behind_proxy = false;
  std::chrono::milliseconds search_time{5000};  ///< a search that takes longer returns the results so far
  /// The largest result of a request to the collection, unless it is sent part by part.
  std::size_t result_bytes = std::size_t{16} << 20U;
  /// Receives a line for the operator: that the mirror of a collection on a PostgreSQL server cannot be updated, and
  /// that it can again. Called from any thread.
  std::function<void(std::string_view line)> notice{};
  Device device = Device::cpu;
  MakeBackground background{};  ///< where work beside requests is done; empty: on threads
};

/// Authentication and rate limits, shared by threads.
struct AccessControl;
/// Long melodies by short keys.
class MelodyLinks;
/// The run of concordances.
class ConcordanceJob;
/// Whether searches work.
class SelfCheck;
/// Counters since the start, for /metrics. Thread-safe.
struct Metrics;
/// The state of following a PostgreSQL server.
struct FollowState;

/// The web application without its sockets: a Request goes in, a Response comes out. Threads share one App and have a
/// session each.
class App {
 public:
  [[nodiscard]] static Result<std::unique_ptr<App>> open(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// One per thread; the App must outlive it.
  [[nodiscard]] Result<std::shared_ptr<Session>> session();

  /// Never fails: errors are responses too.
  [[nodiscard]] Response handle(const Request& request, Session& session);

  /// Maximal size of the body of such a request; used before reading it.
  [[nodiscard]] std::size_t body_limit(std::string_view method, std::string_view target) const;
  /// How a request is to be scheduled.
  struct Plan {
    bool expensive = false;  ///< may take long: waits in the queue of expensive requests
    std::string kind;        ///< requests of one kind take about the same time
    std::string address;     ///< the client, as counted by rate limits
    bool long_query = false;
    bool patient = false;  ///< a page or a part of one: not refused because other requests are slow
  };
  [[nodiscard]] Plan plan(const Request& request) const;
  /// Responses of the transport itself: too large, too slow, malformed, too busy. `retry_after`: seconds; 0: none.
  [[nodiscard]] Response refusal(const Error& error, int retry_after = 0) const;

  /// Lets searches end early.
  void stop() { stop_.request_stop(); }
  /// Makes every session reopen its files before its next request.
  void reload() { ++reloads_; }
  [[nodiscard]] Metrics& metrics() { return *metrics_; }
  [[nodiscard]] AccessControl& access_control() { return *access_control_; }
  [[nodiscard]] SelfCheck& self_check() { return *self_check_; }
  [[nodiscard]] MelodyLinks& links() { return *links_; }
  [[nodiscard]] ConcordanceJob& concordance_job() { return *concordance_job_; }
  [[nodiscard]] const AppOptions& options() const { return options_; }
  /// The current file: `options().collection`, unless the PostgreSQL server was reset to an earlier state, so that the
  /// mirror is another file now. Names of files beside the collection are always derived from the options.
  [[nodiscard]] std::filesystem::path file() const;
  /// nullopt: the collection is a file, not on a server.
  [[nodiscard]] std::optional<FollowState> follow_state() const;

 private:
  friend struct Session;
  explicit App(AppOptions options);
  void use_file(const std::filesystem::path& file);

  AppOptions options_;
  std::unique_ptr<Metrics> metrics_;
  std::unique_ptr<AccessControl> access_control_;
  std::unique_ptr<SelfCheck> self_check_;
  std::unique_ptr<MelodyLinks> links_;
  std::unique_ptr<class SnapshotHolder> holder_;
  std::unique_ptr<ConcordanceJob> concordance_job_;
  std::stop_source stop_;
  std::atomic<std::uint64_t> reloads_{0};
  mutable std::mutex file_mutex_;
  std::filesystem::path file_;
  std::unique_ptr<class MirrorFollower> follower_;  ///< for a collection on a server; last member, because its thread
                                                    ///< uses the others
};

}  // namespace rondo::server
