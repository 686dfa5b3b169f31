// Feeds requests in pieces to the transport, over a socket pair, and checks what must hold: every complete valid
// request is answered once and in order, what follows them is answered by an error or not at all, and nothing that a
// client sends to frame a body is read without end. Memory is limited by the fuzzer.
//
// The input is a little program: each byte adds a valid request (of known status), or arbitrary bytes at the end, or
// says in pieces of which size all of it is sent.

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "broken.h"
#include "server_stage.h"

namespace {

using namespace rondo::server;
using rondo::fuzzing::must;

/// A server on threads of its own.
struct Serving {
  Serving() {
    ServerOptions options;
    options.port = 0;
    options.threads = 1;
    options.limits.header_time = std::chrono::seconds(2);
    options.limits.body_time = std::chrono::seconds(2);
    server.emplace(must(Server::open(*stage.app, options)));
    thread = std::thread([this] { (void)server->run(); });
  }
  ~Serving() {
    server->stop();
    thread.join();
  }
  rondo::fuzzing::Stage stage;
  std::optional<Server> server;
  std::thread thread;
};

/// A request that is valid, however it is cut, and the status of its answer.
struct Valid {
  std::string_view bytes;
  unsigned status;
  [[nodiscard]] bool has_body() const { return !bytes.starts_with("HEAD"); }
};

constexpr Valid kValid[] = {
    {"GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404},
    {"GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n", 304},
    {"DELETE /health HTTP/1.1\r\nHost: a\r\n\r\n", 405},
    {"OPTIONS /api/v1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", 204},
    {"HEAD /api/v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404},
    {"POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}", 404},
    {"POST /api/v1/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
     "chunked\r\n\r\n1\r\n{\r\n1;x=\"y\"\r\n}\r\n0\r\n\r\n",
     404},
    {"POST /api/v1/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0002\r\n{}\r\n0\r\nX-T: 1\r\n\r\n",
     404},
    {"POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n[[]", 400},
};

/// What frames a body, again and again: none of these may be read to its end.
const std::string kEndless[] = {
    "1;", "000", "0\r\nX: y\r\n", "1;a=b\r\nx\r\n", "0;", "1;" + std::string(3000, 'a') + "\r\nx\r\n"};

constexpr int kTick = 10;        // milliseconds
constexpr int kPatience = 1000;  // ticks

struct Program {
  std::string bytes;
  std::vector<const Valid*> valid;
  std::size_t valid_bytes = 0;
  std::size_t piece = 4096;
  bool endless = false;  ///< must be refused before it ends
};

Program program_of(const std::uint8_t* data, std::size_t size) {
  Program out;
  std::size_t i = 0;
  constexpr std::size_t kMostRequests = 20;
  while (i < size && out.valid.size() < kMostRequests && data[i] < 16) {
    const Valid& one = kValid[data[i++] % std::size(kValid)];
    out.bytes += one.bytes;
    out.valid.push_back(&one);
  }
  out.valid_bytes = out.bytes.size();
  if (i < size) out.piece = 1 + data[i++] % 97U;
  if (i < size && data[i] >= 0xF0) {
    out.endless = true;
    const std::string_view part = kEndless[data[i++] % std::size(kEndless)];
    out.bytes += "POST /api/v1/query HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string filler(data + i, data + std::min(size, i + 8));
    constexpr std::size_t kLong = std::size_t{256} << 10U;
    // A last chunk or a line that does not end, filled with what the fuzzer likes, as long as it ends no line.
    std::string tail(part);
    for (std::size_t n = 0; tail.size() < kLong; ++n) {
      const char c = filler.empty() ? 'x' : filler[n % filler.size()];
      if (part.ends_with('\n')) {
        tail += part.starts_with('0') ? part.substr(3) : part;
      } else {
        tail += part == "000" ? '0' : c == '\r' || c == '\n' ? 'x' : c;
      }
    }
    out.bytes += tail;
    out.piece = 4096;
  } else {
    out.bytes.append(data + i, data + size);
  }
  return out;
}

/// The statuses of the complete answers in `text`: of those to valid requests all, of others as far as they are of
/// a simple form.
std::vector<unsigned> statuses(std::string_view text, const std::vector<const Valid*>& valid) {
  std::vector<unsigned> out;
  for (;;) {
    const std::size_t head = text.find("\r\n\r\n");
    if (head == std::string_view::npos) return out;
    const bool known = out.size() < valid.size();
    if (!text.starts_with("HTTP/1.1 ")) {
      if (known) broken("no answer", std::string(text));
      return out;
    }
    const std::string_view headers = text.substr(0, head + 2);
    const std::size_t named = headers.find("Content-Length: ");
    const bool has_body = named != std::string_view::npos && (!known || valid[out.size()]->has_body());
    const std::size_t body = has_body ? std::strtoul(headers.data() + named + 16, nullptr, 10) : 0;
    if (text.size() < head + 4 + body) return out;
    out.push_back(static_cast<unsigned>(std::strtoul(text.data() + 9, nullptr, 10)));
    text.remove_prefix(head + 4 + body);
  }
}

/// Reads what is there; false: the server has closed.
bool receive(int socket, std::string& text, int patience) {
  pollfd wanted{socket, POLLIN, 0};
  if (::poll(&wanted, 1, patience) <= 0) return true;
  char buffer[65536];
  const ssize_t size = ::recv(socket, buffer, sizeof buffer, 0);
  if (size <= 0) return false;
  text.append(buffer, static_cast<std::size_t>(size));
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static Serving serving;
  const Program program = program_of(data, size);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) broken("no socket pair", std::strerror(errno));
  const int small = 8192;  // so that the server's reading is seen soon
  ::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  serving.server->adopt(ends[1]);
  std::string answers;
  std::size_t sent = 0;
  bool open = true;
  while (open && sent < program.bytes.size()) {
    const std::size_t piece = std::min(program.piece, program.bytes.size() - sent);
    const ssize_t done = ::send(ends[0], program.bytes.data() + sent, piece, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (done > 0) sent += static_cast<std::size_t>(done);
    if (done < 0 && errno != EAGAIN) break;
    open = receive(ends[0], answers, done > 0 ? 0 : kTick);
  }
  // A client that closes its sending side counts as gone, so the answers to what is valid come first.
  const auto enough = [&] { return statuses(answers, program.valid).size() >= program.valid.size(); };
  for (int wait = 0; open && !enough() && wait < kPatience; ++wait) open = receive(ends[0], answers, kTick);
  ::shutdown(ends[0], SHUT_WR);
  for (int wait = 0; open && wait < kPatience; ++wait) open = receive(ends[0], answers, kTick);
  ::close(ends[0]);
  if (open) broken("the connection stays open", answers);
  const std::vector<unsigned> told = statuses(answers, program.valid);
  if (told.size() < program.valid.size()) broken("a valid request has no answer", answers);
  for (std::size_t i = 0; i < told.size(); ++i) {
    const bool known = i < program.valid.size();
    if (known ? told[i] != program.valid[i]->status : told[i] == 500) broken("not this answer", answers);
  }
  if (program.bytes.size() == program.valid_bytes && told.size() > program.valid.size()) broken("too many", answers);
  if (program.endless && (told.size() != program.valid.size() + 1 || told.back() < 400)) {
    broken("what frames a body was read to its end", answers);
  }
  return 0;
}
