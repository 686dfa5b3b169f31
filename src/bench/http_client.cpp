#include "bench/http_client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace rondo::bench {
namespace {

sockaddr_in address_of(const std::string& host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  return address;
}

/// The number behind a header's name; 0: there is none.
int number_of(std::string_view head, std::string_view name) {
  const std::size_t at = head.find(name);
  if (at == std::string_view::npos) return 0;
  int value = 0;
  std::from_chars(head.data() + at + name.size(), head.data() + head.size(), value);
  return value;
}

}  // namespace

void HttpClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool HttpClient::connect() {
  if (socket_ >= 0) return true;
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return false;
  const timeval patience{60, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const sockaddr_in own = address_of(address_, 0);
  const sockaddr_in server = address_of("127.0.0.1", port_);
  const auto* from = reinterpret_cast<const sockaddr*>(&own);   // NOLINT: as the system wants it
  const auto* to = reinterpret_cast<const sockaddr*>(&server);  // NOLINT
  if (::bind(socket_, from, sizeof own) != 0 || ::connect(socket_, to, sizeof server) != 0) {
    close();
    return false;
  }
  return true;
}

HttpClient::Answer HttpClient::get(const std::string& target) {
  const std::string request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  // A connection that the server has closed meanwhile is opened again, once.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!connect()) return {};
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
      if (const Answer answer = receive(); answer.status != 0) return answer;
    }
    close();
  }
  return {};
}

HttpClient::Answer HttpClient::receive() {
  std::string received;
  std::size_t wanted = 0;  // bytes in all; 0: not known yet
  Answer answer;
  bool last = false;
  char part[16384];
  while (wanted == 0 || received.size() < wanted) {
    const ssize_t size = ::recv(socket_, part, sizeof part, 0);
    if (size <= 0) return {};
    received.append(part, static_cast<std::size_t>(size));
    const std::size_t end = received.find("\r\n\r\n");
    if (wanted != 0 || end == std::string::npos) continue;
    const std::string_view head(received.data(), end + 2);
    answer.status = number_of(head, "HTTP/1.1 ");
    answer.retry_after = number_of(head, "Retry-After: ");
    last = head.find("Connection: close") != std::string_view::npos;
    wanted = end + 4 + static_cast<std::size_t>(std::max(0, number_of(head, "Content-Length: ")));
  }
  answer.bytes = received.size();
  if (last) close();
  return answer;
}

}  // namespace rondo::bench
