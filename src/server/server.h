#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/app.h"

namespace rondo::server {

/// Limits for clients.
struct Limits {
  std::size_t connections = 1024;
  std::size_t connections_per_address = 0;  ///< 0: a quarter of all, at least 16; behind a proxy there is no limit
  std::size_t waiting = 256;                ///< maximal number of waiting expensive requests; more are refused
  double queue_seconds = 0.5;               ///< maximal expected wait; longer ones are refused
  std::uint32_t header_bytes = 16 * 1024;   ///< request line and headers
  std::size_t body_bytes = std::size_t{256} << 20U;  ///< of all connections; half of them from one address
  std::chrono::seconds header_time{15};              ///< to send them; also the idle timeout of a connection
  std::chrono::seconds body_time{30};                ///< to send a body
  std::chrono::seconds write_time{30};               ///< to receive a response, or a part of a long one
  std::chrono::seconds shutdown_time{2};             ///< for current requests at shutdown
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any free port
  unsigned threads = 0;       ///< worker threads; 0: as many as cores
  Limits limits;
  /// Receives one line for each response; called by one thread at a time. Empty: no log.
  std::function<void(std::string_view line)> log{};
};

/// The transport: turns bytes on sockets into requests to an App and its responses into bytes. One thread does all
/// network input and output and never blocks, so slow clients and slow searches do not delay each other.
class Server {
 public:
  /// Binds the socket; from then on clients may connect. The App must outlive the server. Errors: `host-malformed`,
  /// `port-taken`, `port-forbidden`, `listen-failed`.
  [[nodiscard]] static Result<Server> open(App& app, ServerOptions options);
  ~Server();
  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;

  [[nodiscard]] std::uint16_t port() const;
  /// Serves until SIGINT, SIGTERM or `stop`: then accepts no more requests, finishes the current ones, and returns.
  /// After a second signal it does not wait for them. SIGHUP reopens the files of the collection.
  [[nodiscard]] Result<void> run();
  /// Serves a connected stream socket, as if it had been accepted; takes ownership. For tests and fuzzing over a socket
  /// pair. Thread-safe.
  void adopt(int socket);
  /// Thread-safe.
  void stop();

  struct State;  ///< internal

 private:
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Parses one request with the same rules as from a socket: for tests and fuzzing.
[[nodiscard]] Result<Request> parse_request(std::string_view bytes, const App& app, const Limits& limits = {});

}  // namespace rondo::server
