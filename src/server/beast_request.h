#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>

#include "server/server.h"

/// What the transport and `parse_request` share: Beast's parser, set up by our limits. Boost is known to these two
/// sources only, as it is slow to compile.
namespace rondo::server {

using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

void set_up(Parser& parser, const Limits& limits);
/// To be asked when the headers are there: may the body come?
[[nodiscard]] Result<void> check_headers(Parser& parser, const App& app);
/// The request, when all of it is there. Empties the parser.
[[nodiscard]] Request take_request(Parser& parser);
/// What went wrong with the bytes, in our words.
[[nodiscard]] Error parse_error(const boost::system::error_code& code);

}  // namespace rondo::server
