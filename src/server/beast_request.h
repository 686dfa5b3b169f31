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
/// The complete request. Empties the parser.
[[nodiscard]] Request take_request(Parser& parser);
/// A parser error as an Error.
[[nodiscard]] Error parse_error(const boost::system::error_code& code);

}  // namespace rondo::server
