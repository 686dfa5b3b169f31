// The transport over a socket pair: what a client may send, and how much of it.

#include <gmock/gmock.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "server/body_budget.h"
#include "server/server.h"
#include "unit/store/store_support.h"

namespace rondo::server {
namespace {

using test::must;
using testing::HasSubstr;

/// The client's end of a connection.
class Client {
 public:
  explicit Client(Server& server) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    socket_ = ends[0];
    const timeval patience{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    server.adopt(ends[1]);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// False: the server has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t size = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  /// Sends it again and again; how many bytes went until there was an answer or `most` were sent.
  std::size_t flood(std::string_view bytes, std::size_t most) {
    std::size_t sent = 0;
    while (sent < most && !has_answer() && send(bytes)) sent += bytes.size();
    return sent;
  }
  bool has_answer() {
    pollfd wanted{socket_, POLLIN, 0};
    return ::poll(&wanted, 1, 0) > 0;
  }
  /// All until the server closes, or what comes first.
  std::string receive(bool all = true) {
    std::string text;
    char buffer[4096];
    for (;;) {
      const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
      if (size <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(size));
      if (!all) return text;
    }
  }

 private:
  int socket_ = -1;
};

class TransportTest : public testing::Test {
 protected:
  TransportTest() {
    {
      Collection collection = test::open_collection(scratch_ / "c.db");
      for (int i = 0; i < 3; ++i) must(collection.put(test::sample(i)));
    }
    AppOptions options;
    options.collection = scratch_ / "c.db";
    app_ = must(App::open(options));
  }
  ~TransportTest() override {
    if (!server_) return;
    server_->stop();
    thread_.join();
  }
  Server& serve(const Limits& limits) {
    ServerOptions options;
    options.port = 0;
    options.threads = 1;
    options.limits = limits;
    server_.emplace(must(Server::open(*app_, options)));
    thread_ = std::thread([this] { must(server_->run()); });
    return *server_;
  }

  Scratch scratch_;
  std::unique_ptr<App> app_;
  std::optional<Server> server_;
  std::thread thread_;
};

constexpr std::string_view kChunked = "POST /api/v1/query HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST_F(TransportTest, WhatFramesABodyIsLimited) {
  Server& server = serve({});
  const std::string long_line(1000, '0');
  struct Case {
    std::string first;
    std::string again;
  };
  const Case cases[] = {
      {"1;", long_line},                                 // an extension
      {"", long_line},                                   // zeros of a size
      {"0\r\n", "X-Trailer: " + long_line + "\r\n"},     // trailers
      {"0\r\nX-Trailer: ", long_line},                   // one of them
      {"", "1;" + std::string(100, 'x') + "\r\n.\r\n"},  // extensions of many chunks
  };
  for (const Case& one : cases) {
    Client client(server);
    ASSERT_TRUE(client.send(kChunked));
    ASSERT_TRUE(client.send(one.first));
    constexpr std::size_t kMost = std::size_t{8} << 20U;
    EXPECT_LT(client.flood(one.again, kMost), kMost / 4) << one.first;
    const std::string answer = client.receive(false);
    EXPECT_THAT(answer, HasSubstr("HTTP/1.1 400")) << one.first;
    EXPECT_THAT(answer, HasSubstr("framing-too-long")) << one.first;
  }
}

TEST_F(TransportTest, ChunksOfOneByteWithAShortExtensionAreAccepted) {
  Client client(serve({}));
  ASSERT_TRUE(client.send(kChunked));
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(client.send("1;a\r\nC\r\n"));
  ASSERT_TRUE(client.send("0\r\nExpires: 0\r\n\r\n"));
  EXPECT_THAT(client.receive(false), testing::Not(HasSubstr("HTTP/1.1 400")));
}

TEST_F(TransportTest, TrailersAreNoHeaders) {
  Client client(serve({}));
  ASSERT_TRUE(client.send(kChunked));
  ASSERT_TRUE(client.send("8\r\nCDECCDEC\r\n0\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"));
  const std::string answer = client.receive(false);
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 200"));
  EXPECT_THAT(answer, testing::Not(HasSubstr("gzip")));
}

TEST_F(TransportTest, BodiesOfAllConnectionsShareABudget) {
  Limits limits;
  limits.body_bytes = std::size_t{2} << 20U;  // one address may use half of it
  Server& server = serve(limits);
  const std::string part(700'000, 'C');
  const std::string head = "POST /api/v1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 700001\r\n\r\n";
  Client first(server);
  ASSERT_TRUE(first.send(head + part));  // and one byte is missing
  // What was sent is counted when it was read.
  Client second(server);
  std::string answer;
  for (int i = 0; i < 100 && answer.empty(); ++i) {
    Client other(server);
    if (other.send(head + part) && other.send("C")) answer = other.receive(false);
    if (answer.find("HTTP/1.1 503") == std::string::npos) answer.clear();
  }
  EXPECT_THAT(answer, HasSubstr("server-uploads"));
  EXPECT_THAT(answer, HasSubstr("Retry-After"));
  ASSERT_TRUE(second.send("POST /api/v1/query HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nCDECCDEC"));
  EXPECT_THAT(second.receive(false), HasSubstr("HTTP/1.1 200")) << "small bodies are always accepted";
  ASSERT_TRUE(first.send("C"));
  EXPECT_THAT(first.receive(false), HasSubstr("HTTP/1.1 ")) << "the first is answered";
  answer.clear();
  for (int i = 0; i < 100 && answer.empty(); ++i) {
    Client again(server);
    if (again.send(head + part) && again.send("C")) answer = again.receive(false);
    if (answer.find("HTTP/1.1 503") != std::string::npos) answer.clear();
  }
  EXPECT_THAT(answer, testing::Not(testing::IsEmpty())) << "there is room again";
}

TEST(BodyBudget, GivesBackWhatWasUsed) {
  constexpr std::size_t kSome = 2 * BodyBudget::kUncounted;
  BodyBudget budget(4 * kSome, 2 * kSome);
  {
    BodyBudget::Lease one(budget, "a");
    BodyBudget::Lease two(budget, "a");
    EXPECT_TRUE(one.grow(BodyBudget::kUncounted));
    EXPECT_EQ(budget.used(), 0U);
    EXPECT_TRUE(one.grow(kSome));
    EXPECT_TRUE(one.grow(2 * kSome));
    EXPECT_EQ(budget.used(), 2 * kSome);
    EXPECT_FALSE(two.grow(kSome)) << "the share of one address";
    BodyBudget::Lease other(budget, "b");
    EXPECT_TRUE(other.grow(2 * kSome));
    BodyBudget::Lease third(budget, "c");
    EXPECT_FALSE(third.grow(kSome)) << "the share of all";
    one = BodyBudget::Lease(budget, "a");
    EXPECT_TRUE(two.grow(kSome));
  }
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace rondo::server
