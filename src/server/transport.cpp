// Beast 1.74 uses std::exchange without including it.
#include <utility>

// (kept apart so that the order stays)
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <cerrno>
#include <mutex>
#include <set>

#include "server/access/rate_limit.h"
#include "server/beast_request.h"
#include "server/body_budget.h"
#include "server/metrics.h"
#include "server/seats.h"
#include "server/server.h"
#include "server/session.h"
#include "server/workers.h"

namespace rondo::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Code = boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;

/// Replaces characters that could break a line or a terminal.
std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 500)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F || c == '"' || c == '\\') {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

Seats::Limits seat_limits(const Limits& limits, bool behind_proxy) {
  constexpr std::size_t kAtLeast = 16;
  constexpr std::size_t kLingering = 64;
  constexpr std::size_t kLingeringOfOne = 32;
  std::size_t of_one = limits.connections_per_address;
  if (of_one == 0) of_one = std::max(kAtLeast, limits.connections / 4);
  // Behind a proxy all clients have the same address.
  if (behind_proxy) return {limits.connections, limits.connections, kLingering, kLingering};
  return {limits.connections, of_one, kLingering, kLingeringOfOne};
}

/// The address of the other end; empty if it is unknown or not an address of the internet.
std::string peer_of(const tcp::socket& socket) {
  Code code;
  const auto endpoint = socket.remote_endpoint(code);
  const int family = endpoint.data()->sa_family;
  return code || (family != AF_INET && family != AF_INET6) ? std::string() : endpoint.address().to_string(code);
}

class Connection;

}  // namespace

struct Server::State {
  State(App& its_app, ServerOptions its_options)
      : app(its_app),
        options(std::move(its_options)),
        seats(seat_limits(options.limits, app.options().behind_proxy)),
        bodies(options.limits.body_bytes,
               app.options().behind_proxy ? options.limits.body_bytes : options.limits.body_bytes / 2) {}

  App& app;
  ServerOptions options;
  std::mutex mutex;
  std::set<Connection*> live;  ///< guarded by `mutex`
  Seats seats;
  BodyBudget bodies;
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  asio::signal_set signals{io};
  asio::steady_timer pause{io};
  asio::steady_timer patience{io};
  std::atomic<bool> ending{false};   ///< connections may be destroyed by threads of workers, which ask it
  std::unique_ptr<Workers> workers;  ///< destroyed before `io`, to which their jobs post

  void accept();
  void accepted(const Code& code, tcp::socket socket);
  void serve(tcp::socket socket);
  void end();
  void abandon_requests();
  void gone(Connection* connection);
  void log(const Request& request, unsigned status, std::size_t bytes, double milliseconds) const;
};

namespace {

/// One client connection: reads a request, has a worker answer it, writes the response, and repeats. Everything except
/// the answering runs on the network thread.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Server::State& server, tcp::socket socket, Seats::Kind seat)
      : server_(server),
        stream_(std::move(socket)),
        buffer_(most_buffered(server.options.limits)),
        peer_(peer_of(stream_.socket())),
        seat_(seat),
        patience_(server.io) {
    Code ignored;
    stream_.socket().set_option(tcp::no_delay(true), ignored);
    const std::lock_guard lock(server_.mutex);
    server_.live.insert(this);
    ++server_.app.metrics().connections;
  }
  ~Connection() {
    --server_.app.metrics().connections;
    server_.seats.leave(limited_address(peer_), seat_);
    server_.gone(this);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    if (server_.ending) return close();
    parser_.emplace();
    set_up(*parser_, server_.options.limits);
    stream_.expires_after(server_.options.limits.header_time);
    waiting_ = true;
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](const Code& code, std::size_t) { self->on_headers(code); });
  }

  /// Sends the error and closes.
  void refuse(const Error& error) {
    start_ = SteadyClock::now();
    keep_ = false;
    drain_ = true;
    release_body();
    response_ = server_.app.refusal(error);
    write();
  }

  /// At shutdown: closes a connection without a current request.
  void end() {
    if (waiting_) close();
  }
  /// Cancels the work on the current request.
  void abandon() { cancel_.request_stop(); }

 private:
  void on_headers(const Code& code) {
    waiting_ = false;
    if (code) return on_read_error(code);
    start_ = SteadyClock::now();
    if (auto fine = check_headers(*parser_, server_.app); !fine) return refuse(fine.error());
    request_ = take_head(*parser_);
    keep_ = parser_->keep_alive();
    version_ = parser_->get().version();
    lease_ = BodyBudget::Lease(server_.bodies, limited_address(peer_));
    framing_ = {};
    stream_.expires_after(server_.options.limits.body_time);
    if (beast::iequals(parser_->get()[http::field::expect], "100-continue")) return allow_body();
    read_body();
  }

  void allow_body() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(stream_, asio::buffer(kContinue), [self = shared_from_this()](const Code& code, std::size_t) {
      if (code) return;
      self->read_body();
    });
  }

  /// Step by step (the parser is not eager), so that each chunk is counted when it has come.
  void read_body() {
    if (parser_->is_done()) return answer();
    http::async_read_some(stream_, buffer_, *parser_, [self = shared_from_this()](const Code& code, std::size_t bytes) {
      if (code) return self->on_read_error(code);
      self->on_body(bytes);
    });
  }

  void on_body(std::size_t bytes) {
    if (auto fine = framing_.parsed(bytes, *parser_); !fine) return refuse(fine.error());
    if (!lease_.grow(parser_->get().body().size())) {
      ++server_.app.metrics().busy;
      return refuse(Error{"server-uploads", "too many large bodies are being received", {}, "try again in a moment"});
    }
    read_body();
  }

  void on_read_error(const Code& code) {
    const bool malformed = code.category() == http::make_error_code(http::error::end_of_stream).category();
    if (malformed && code != http::error::end_of_stream && code != http::error::partial_message) {
      return refuse(parse_error(code));
    }
    close();
  }

  void answer() {
    stream_.expires_never();  // searches have their own limit
    request_.body = take_body(*parser_);
    request_.peer = peer_;
    request_.arrived = start_;
    cancel_ = std::stop_source();
    request_.cancel = cancel_.get_token();
    App::Plan plan = server_.app.plan(request_);
    expensive_ = plan.expensive;
    Job job;
    wait_ = std::make_shared<std::atomic<bool>>(true);
    job.run = [self = shared_from_this(), wait = wait_](Session& session) {
      if (!wait->exchange(false)) return;  // it waited too long and was refused
      self->handle(session);
    };
    job.drop = [self = shared_from_this(), wait = wait_](bool late) {
      if (!wait->exchange(false)) return;
      asio::post(self->stream_.get_executor(), [self, late] {
        self->stop_watching();
        if (late) return self->refuse_busy(1);
        self->close();
      });
    };
    job.address = address_ = std::move(plan.address);
    job.kind = std::move(plan.kind);
    job.presumed_slow = plan.long_query;
    job.cancel = request_.cancel;
    job.patient = plan.patient;
    if (expensive_) {
      // Work that begins in the last tenth of its time limit would mostly only time out. (Does not apply to very short
      // limits.)
      constexpr std::chrono::milliseconds kLeastWait(1000);
      job.deadline = start_ + std::max(server_.app.options().search_time * 9 / 10, kLeastWait);
    }
    const int seconds = server_.workers->submit(expensive_, std::move(job));
    if (seconds != 0) return refuse_busy(seconds);
    if (!expensive_) return;
    watch();
    limit_wait();
  }

  /// On a thread of the workers.
  void handle(Session& session) {
    Response response = server_.app.handle(request_, session);
    if (session.elsewhere != Session::Elsewhere::no && move_to(session.elsewhere)) return;
    asio::post(stream_.get_executor(), [self = shared_from_this(), response = std::move(response)]() mutable {
      self->stop_watching();
      self->response_ = std::move(response);
      self->release_body();
      self->write();
    });
  }

  /// A client that reads slowly must not hold what it has sent.
  void release_body() {
    request_.body = {};
    parser_.reset();
    lease_.release();
  }

  /// Leaves the thread to other requests. False: too many wait there already.
  [[nodiscard]] bool move_to(Session::Elsewhere where) {
    Job job;
    job.address = address_;
    job.cancel = request_.cancel;
    job.run = [self = shared_from_this()](Session& session) { self->handle(session); };
    job.drop = [self = shared_from_this()](bool /*late*/) {
      asio::post(self->stream_.get_executor(), [self] {
        self->stop_watching();
        self->close();
      });
    };
    return server_.workers->move_to(where, std::move(job));
  }

  /// Jobs may take far longer than expected. A request that waits behind such a job is refused after twice the maximal
  /// wait, not when its turn comes.
  void limit_wait() {
    patience_.expires_after(std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>(2 * server_.options.limits.queue_seconds)));
    patience_.async_wait([self = shared_from_this(), wait = wait_](const Code& code) {
      if (code || !wait->exchange(false)) return;
      self->stop_watching();
      if (self->cancel_.stop_requested()) return self->close();
      self->cancel_.request_stop();
      self->refuse_busy(1);
    });
  }

  /// The request was read completely, so the connection stays open.
  void refuse_busy(int seconds) {
    ++server_.app.metrics().busy;
    response_ = server_.app.refusal(
        Error{"server-busy", "too many requests are waiting", {}, "repeat the request after the time of Retry-After"},
        seconds);
    write();
  }

  /// Detects that the client disconnects while its request waits or is processed. (A client that only closes its
  /// sending side looks the same; browsers and HTTP libraries do not do that.)
  void watch() {
    watching_ = true;
    stream_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](const Code& code) {
      if (code || !self->watching_) return;
      char byte = 0;
      const ssize_t size = ::recv(self->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
      // More bytes are a pipelined request.
      if (size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR))) return;
      ++self->server_.app.metrics().abandoned;
      self->cancel_.request_stop();
    });
  }

  void stop_watching() {
    patience_.cancel();
    if (!std::exchange(watching_, false)) return;
    Code ignored;
    stream_.socket().cancel(ignored);
  }

  template <typename Body>
  void fill(http::response<Body>& message) const {
    message.version(version_);
    message.result(response_.status);
    message.reason(beast::string_view(reason(response_.status).data(), reason(response_.status).size()));
    for (const auto& [name, value] : response_.headers) message.insert(name, value);
    message.set(http::field::server, "Rondo");
    message.keep_alive(keep_ && !server_.ending);
  }

  void write() {
    // Many clients that do not read must not hold as many large results.
    if (expensive_ && !lease_.grow(response_.body.size())) {
      ++server_.app.metrics().busy;
      response_ = server_.app.refusal(
          Error{"server-busy", "too many clients do not read their answers", {}, "try again in a moment"}, 1);
    }
    keep_ = keep_ && !server_.ending;
    stream_.expires_after(server_.options.limits.write_time);
    sent_ = response_.body.size();
    if (response_.stream) return write_stream_head();
    if (response_.length) return write_head_only();
    auto message = std::make_shared<http::response<http::string_body>>();
    fill(*message);
    const bool has_body = response_.status != 304 && response_.status != 204;
    message->body() = std::move(response_.body);
    if (has_body) message->content_length(message->body().size());
    http::async_write(stream_, *message,
                      [self = shared_from_this(), message](const Code& code, std::size_t) { self->on_written(code); });
  }

  void write_head_only() {
    auto message = std::make_shared<http::response<http::empty_body>>();
    fill(*message);
    if (response_.status != 304 && response_.status != 204) message->content_length(*response_.length);
    http::async_write(stream_, *message,
                      [self = shared_from_this(), message](const Code& code, std::size_t) { self->on_written(code); });
  }

  void write_stream_head() {
    struct Head {
      http::response<http::empty_body> message;
      http::response_serializer<http::empty_body> serializer{message};
    };
    auto head = std::make_shared<Head>();
    // HTTP/1.0 has no chunked encoding: the end of the connection ends the response.
    chunked_ = version_ >= 11;
    keep_ = keep_ && chunked_;
    fill(head->message);
    if (chunked_) head->message.chunked(true);
    http::async_write_header(stream_, head->serializer,
                             [self = shared_from_this(), head](const Code& code, std::size_t) {
                               if (code) return self->on_written(code);
                               self->write_part(std::exchange(self->response_.body, {}));
                             });
  }

  void write_part(std::string text) {
    if (text.empty()) return next_part();  // an empty chunk would end the response
    sent_ += text.size();
    auto part = std::make_shared<std::string>(std::move(text));
    stream_.expires_after(server_.options.limits.write_time);
    const auto done = [self = shared_from_this(), part](const Code& code, std::size_t) {
      if (code) return self->on_written(code);
      self->next_part();
    };
    if (chunked_) {
      asio::async_write(stream_, http::make_chunk(asio::buffer(*part)), done);
    } else {
      asio::async_write(stream_, asio::buffer(*part), done);
    }
  }

  /// Generated only when the client has received the previous part, so that a slow client uses no memory.
  void next_part() {
    stream_.expires_never();
    Job job;
    job.address = limited_address(peer_);
    job.kind = "part of a long response";
    job.run = [self = shared_from_this()](Session& session) {
      std::optional<std::string> part;
      try {
        part = self->response_.stream(session);
      } catch (const std::exception&) {
        // Out of memory: the client must see that the response is incomplete.
        asio::post(self->stream_.get_executor(), [self] { self->close(); });
        return;
      }
      asio::post(self->stream_.get_executor(), [self, part = std::move(part)]() mutable {
        if (part) return self->write_part(std::move(*part));
        self->write_end();
      });
    };
    server_.workers->go_on(expensive_, std::move(job));
  }

  void write_end() {
    if (!chunked_) return on_written({});
    stream_.expires_after(server_.options.limits.write_time);
    asio::async_write(stream_, http::make_chunk_last(),
                      [self = shared_from_this()](const Code& code, std::size_t) { self->on_written(code); });
  }

  void on_written(const Code& code) {
    const double seconds = std::chrono::duration<double>(SteadyClock::now() - start_).count();
    server_.app.metrics().answered(response_.status, seconds);
    server_.log(request_, response_.status, sent_, seconds * 1000);
    response_ = {};
    release_body();
    request_ = {};
    if (code) return close();
    if (keep_) return read();
    if (drain_) return drain();
    close();
  }

  /// Closing with unread bytes would make the system discard the response just sent. Reads for a moment, then closes.
  void drain() {
    if (seat_ == Seats::Kind::served) {
      if (!server_.seats.linger(limited_address(peer_))) return close();
      seat_ = Seats::Kind::lingering;
    }
    Code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(2));
    discard();
  }

  void discard() {
    constexpr std::size_t kMost = std::size_t{1} << 20U;
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(16 * 1024),
                            [self = shared_from_this()](const Code& code, std::size_t size) {
                              self->discarded_ += size;
                              if (code || self->discarded_ > kMost) return self->close();
                              self->discard();
                            });
  }

  void close() {
    Code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.close();
  }

  Server::State& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;  ///< limited, so that no part of a request can be longer
  std::optional<Parser> parser_;
  Framing framing_;
  BodyBudget::Lease lease_;  ///< of the body of the current request
  Request request_;
  Response response_;
  std::string peer_;
  Seats::Kind seat_;
  std::string address_;  ///< the client of the current request
  SteadyClock::time_point start_;
  unsigned version_ = 11;
  std::stop_source cancel_;  ///< of the current request
  asio::steady_timer patience_;
  /// True until the current request is started or refused, whichever comes first; shared with its job.
  std::shared_ptr<std::atomic<bool>> wait_;
  bool expensive_ = false;
  bool watching_ = false;  ///< whether the client hangs up
  bool waiting_ = false;   ///< for the headers of a request
  bool keep_ = false;
  bool drain_ = false;
  bool chunked_ = false;
  std::size_t sent_ = 0;
  std::size_t discarded_ = 0;
};

Error listen_error(const Code& code, const ServerOptions& options) {
  const std::string where = fmt::format("{}:{}", options.host, options.port);
  if (code == asio::error::address_in_use) {
    return {"port-taken", fmt::format("{} is in use by another program", where), {}, "choose another with --port"};
  }
  if (code == asio::error::access_denied) {
    return {"port-forbidden",
            fmt::format("{} cannot be used: permission denied", where),
            {},
            "ports below 1024 need special permissions"};
  }
  return {"listen-failed", fmt::format("cannot listen at {}: {}", where, code.message()), {}, {}};
}

Result<void> listen(tcp::acceptor& acceptor, const ServerOptions& options) {
  Code code;
  const std::string host = options.host == "localhost" ? "127.0.0.1" : options.host;
  const auto address = asio::ip::make_address(host, code);
  if (code) {
    return fail("host-malformed", fmt::format("'{}' is not an address", options.host), {},
                "give an address such as 127.0.0.1, 0.0.0.0 or ::");
  }
  const tcp::endpoint endpoint(address, options.port);
  acceptor.open(endpoint.protocol(), code);
  if (!code) acceptor.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) acceptor.bind(endpoint, code);
  if (!code) acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code) return fail(listen_error(code, options));
  return {};
}

/// Raises the limit of open files: each connection is one, and often only 1024 are allowed.
void allow_files(std::size_t connections) {
  struct rlimit limit = {};
  const rlim_t wanted = connections + 256;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
  limit.rlim_cur = std::min<rlim_t>(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

void Server::State::accept() {
  acceptor.async_accept([this](const Code& code, tcp::socket socket) { accepted(code, std::move(socket)); });
}

void Server::State::accepted(const Code& code, tcp::socket socket) {
  if (ending || code == asio::error::operation_aborted) return;
  if (code) {
    // Probably out of file descriptors: wait until others close.
    pause.expires_after(std::chrono::milliseconds(100));
    pause.async_wait([this](const Code& stopped) {
      if (!stopped) accept();
    });
    return;
  }
  serve(std::move(socket));
  accept();
}

void Server::State::serve(tcp::socket socket) {
  const Seats::Kind seat = seats.take(limited_address(peer_of(socket)));
  if (seat != Seats::Kind::served) ++app.metrics().refused;
  if (seat == Seats::Kind::none) return;  // closed without a word: so many were told already
  const auto connection = std::make_shared<Connection>(*this, std::move(socket), seat);
  if (seat == Seats::Kind::served) return connection->read();
  connection->refuse(Error{"server-full", "too many clients are connected", {}, "try again in a moment"});
}

void Server::State::abandon_requests() {
  app.stop();
  std::vector<std::shared_ptr<Connection>> connections;
  {
    const std::lock_guard lock(mutex);
    for (Connection* connection : live) connections.push_back(connection->weak_from_this().lock());
  }
  for (const auto& connection : connections) {
    if (connection) connection->abandon();
  }
  io.stop();
}

void Server::State::end() {
  if (ending.exchange(true)) return abandon_requests();
  Code ignored;
  acceptor.close(ignored);
  pause.cancel();
  std::vector<std::shared_ptr<Connection>> connections;
  {
    const std::lock_guard lock(mutex);
    for (Connection* connection : live) connections.push_back(connection->weak_from_this().lock());
    if (live.empty()) signals.cancel(ignored);
  }
  for (const auto& connection : connections) {
    if (connection) connection->end();
  }
  patience.expires_after(options.limits.shutdown_time);
  patience.async_wait([this](const Code& stopped) {
    if (!stopped) abandon_requests();
  });
  if (connections.empty()) patience.cancel();
}

void Server::State::gone(Connection* connection) {
  const std::lock_guard lock(mutex);
  live.erase(connection);
  if (!ending || !live.empty()) return;
  // The last connection: the server can end.
  asio::post(io, [this] {
    Code ignored;
    signals.cancel(ignored);
    patience.cancel();
  });
}

void Server::State::log(const Request& request, unsigned status, std::size_t bytes, double milliseconds) const {
  if (!options.log) return;
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  options.log(fmt::format("{:%Y-%m-%dT%H:%M:%SZ} {} \"{} {}\" {} {} {:.1f}ms", fmt::gmtime(now),
                          request.peer.empty() ? "-" : request.peer, printable(request.method),
                          printable(request.target), status, bytes, milliseconds));
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;

Result<Server> Server::open(App& app, ServerOptions options) {
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  allow_files(options.limits.connections);
  auto state = std::make_unique<State>(app, std::move(options));
  if (auto done = listen(state->acceptor, state->options); !done) return fail(std::move(done.error()));
  auto workers = Workers::start(app, state->options.threads, state->options.limits);
  if (!workers) return fail(std::move(workers.error()));
  state->workers = std::move(*workers);
  return Server(std::move(state));
}

std::uint16_t Server::port() const {
  Code code;
  return state_->acceptor.local_endpoint(code).port();
}

Result<void> Server::run() {
  State& state = *state_;
  Code code;
  state.signals.add(SIGINT, code);
  if (!code) state.signals.add(SIGTERM, code);
  if (!code) state.signals.add(SIGHUP, code);
  if (code) return fail("listen-failed", fmt::format("signals cannot be caught: {}", code.message()));
  const std::function<void(const Code&, int)> on_signal = [&](const Code& stopped, int signal) {
    if (stopped) return;
    state.signals.async_wait(on_signal);
    if (signal == SIGHUP) return state.app.reload();
    state.end();
  };
  state.signals.async_wait(on_signal);
  state.accept();
  state.io.run();
  return {};
}

void Server::adopt(int socket) {
  asio::post(state_->io, [state = state_.get(), socket] {
    Code code;
    tcp::socket adopted(state->io);
    adopted.assign(tcp::v4(), socket, code);
    if (code) {
      ::close(socket);
      return;
    }
    if (state->ending) return;
    state->serve(std::move(adopted));
  });
}

void Server::stop() {
  asio::post(state_->io, [state = state_.get()] { state->end(); });
}

}  // namespace rondo::server
