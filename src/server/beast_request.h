#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

#include "server/server.h"

/// Shared by the transport and `parse_request`: Beast's parser with our limits. Only these two sources include Boost,
/// because it is slow to compile.
namespace rondo::server {

using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

void set_up(Parser& parser, const Limits& limits);
/// Call when the headers are complete: checks whether to read the body.
[[nodiscard]] Result<void> check_headers(Parser& parser, const App& app);
/// Method, target and headers; call when the headers are complete, because the parser adds trailers of the body to
/// them, which would let a client forge what a proxy has set.
[[nodiscard]] Request take_head(const Parser& parser);
/// The complete body. Empties the parser.
[[nodiscard]] std::string take_body(Parser& parser);

/// What frames a chunked body: sizes of chunks, their extensions, trailers. They are limited, because they are sent
/// without a limit of their own and cost time and memory.
class Framing {
 public:
  /// A line of it, and all of it beyond the allowance of `kPerByte`.
  static constexpr std::size_t kMost = std::size_t{4} << 10U;
  /// Even chunks of one byte each are within.
  static constexpr std::size_t kPerByte = 8;

  /// Call after the parser has used up more bytes of the body. Error `framing-too-long`.
  [[nodiscard]] Result<void> parsed(std::size_t bytes, const Parser& parser);

 private:
  std::size_t parsed_ = 0;
};

/// Bytes of a connection that are not yet parsed: more than any part that is parsed at once.
[[nodiscard]] inline std::size_t most_buffered(const Limits& limits) { return limits.header_bytes + Framing::kMost; }

/// A parser error as an Error.
[[nodiscard]] Error parse_error(const boost::system::error_code& code);

}  // namespace rondo::server
