#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/app.h"

namespace rondo::server {

/// What a client may cost us at most.
struct Limits {
  std::size_t connections = 1024;
  std::size_t connections_per_address = 0;  ///< 0: a quarter of all, at least 16; behind a proxy there is no limit
  std::size_t waiting = 256;                ///< expensive requests that wait for a thread; more are refused
  double queue_seconds = 0.5;               ///< that a request is expected to wait; more are refused
  std::uint32_t header_bytes = 16 * 1024;   ///< request line and headers
  std::chrono::seconds header_time{15};     ///< to send them; also how long a connection may be silent
  std::chrono::seconds body_time{30};       ///< to send a body
  std::chrono::seconds write_time{30};      ///< to take an answer, or a part of a long one
  std::chrono::seconds shutdown_time{2};    ///< for requests under way when the server is told to end
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any that is free
  unsigned threads = 0;       ///< that answer; 0: as many as there are cores
  Limits limits;
  /// Gets one line for each answer; called by one thread at a time. Nothing: no log.
  std::function<void(std::string_view line)> log{};
};

/// The transport: turns bytes on sockets into requests to an App and its responses into bytes. One thread moves bytes
/// and never waits for anything else, so slow clients and slow searches do not hold up one another.
class Server {
 public:
  /// Binds the socket; from then on clients may connect. The App must outlive the server. Errors: `host-malformed`,
  /// `port-taken`, `port-forbidden`, `listen-failed`.
  [[nodiscard]] static Result<Server> open(App& app, ServerOptions options);
  ~Server();
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;

  [[nodiscard]] std::uint16_t port() const;
  /// Serves until SIGINT or SIGTERM comes or `stop` is called: then takes no more requests, finishes those under way,
  /// and returns. A second signal does not wait for them. SIGHUP opens the files of the collection anew.
  [[nodiscard]] Result<void> run();
  /// From any thread.
  void stop();

  struct State;  ///< the transport's own

 private:
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// One request from its bytes, by the same rules as from a socket: for tests and fuzzing.
[[nodiscard]] Result<Request> parse_request(std::string_view bytes, const App& app, const Limits& limits = {});

}  // namespace rondo::server
