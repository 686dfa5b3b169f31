#pragma once

#include <cstdint>
#include <string>

namespace rondo::bench {

/// The least of HTTP that a load generator needs: one connection to this machine, kept open between requests.
class HttpClient {
 public:
  /// `address`: where it comes from, 127.0.0.x, so that one machine can be several clients.
  HttpClient(std::uint16_t port, std::string address) : port_(port), address_(std::move(address)) {}
  ~HttpClient() { close(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  struct Answer {
    int status = 0;  ///< 0: no answer
    int retry_after = 0;
    std::size_t bytes = 0;
  };
  [[nodiscard]] Answer get(const std::string& target);
  void close();

 private:
  [[nodiscard]] bool connect();
  [[nodiscard]] Answer receive();

  std::uint16_t port_;
  std::string address_;
  int socket_ = -1;
};

}  // namespace rondo::bench
