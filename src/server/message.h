#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Requests and responses as plain structs: everything but the transport uses these and does not depend on sockets.
namespace rondo::server {

struct Session;

using Headers = std::vector<std::pair<std::string, std::string>>;

/// The first value of that name (case-insensitive), or empty.
[[nodiscard]] std::string_view header(const Headers& headers, std::string_view name);

struct Request {
  std::string method = "GET";
  std::string target = "/";  ///< as received: path and query, still encoded
  Headers headers;
  std::string body;
  std::string peer{};                               ///< address of the client, for the log
  std::chrono::steady_clock::time_point arrived{};  ///< when its headers were read; time limits start here
  std::stop_token cancel{};                         ///< the client has disconnected
};

/// Returns the next part of a streamed response; nullopt: the end.
using Stream = std::function<std::optional<std::string>(Session& session)>;

struct Response {
  unsigned status = 200;
  Headers headers;
  std::string body;
  Stream stream{};  ///< follows `body`; may be empty
  /// Content-Length if the body itself is not sent (HEAD).
  std::optional<std::size_t> length{};

  Response& set(std::string name, std::string value);
};

[[nodiscard]] Response text_response(unsigned status, std::string_view type, std::string body);
[[nodiscard]] std::string_view reason(unsigned status);

/// Case-insensitive comparison of header names and types.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The offered type that an Accept header (RFC 9110) prefers, of equals the first; empty: none. Without the header,
/// everything is accepted.
[[nodiscard]] std::string_view negotiate(std::string_view accept, const std::vector<std::string_view>& offered);
/// Whether an Accept-Encoding header allows gzip.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);
/// Whether an If-None-Match header names this tag, strong or weak.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace rondo::server
