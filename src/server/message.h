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

/// What goes in and out, as plain text: everything but the transport works on these and knows no sockets.
namespace rondo::server {

struct Session;

using Headers = std::vector<std::pair<std::string, std::string>>;

/// The first value of that name in any case, or empty.
[[nodiscard]] std::string_view header(const Headers& headers, std::string_view name);

struct Request {
  std::string method = "GET";
  std::string target = "/";  ///< as it was sent: path and query, still encoded
  Headers headers;
  std::string body;
  std::string peer{};                               ///< address of the client, for the log
  std::chrono::steady_clock::time_point arrived{};  ///< when its headers were read; time limits count from here
  std::stop_token cancel{};                         ///< the client has hung up
};

/// Gives the next part of an answer too long to be held in memory; nothing: that was all.
using Stream = std::function<std::optional<std::string>(Session& session)>;

struct Response {
  unsigned status = 200;
  Headers headers;
  std::string body;
  Stream stream{};  ///< follows `body`, where there is one
  /// Length to be told where the body itself is not sent (HEAD).
  std::optional<std::size_t> length{};

  Response& set(std::string name, std::string value);
};

[[nodiscard]] Response text_response(unsigned status, std::string_view type, std::string body);
[[nodiscard]] std::string_view reason(unsigned status);

/// Case matters not, for header names and types.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Of the types offered the one that an Accept header (RFC 9110) likes best, of equals the first; empty: none of them.
/// No header accepts everything.
[[nodiscard]] std::string_view negotiate(std::string_view accept, const std::vector<std::string_view>& offered);
/// Whether an Accept-Encoding header allows gzip.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);
/// Whether an If-None-Match header names this tag, strong or weak.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace rondo::server
