// Beast 1.74 uses std::exchange without including it.
#include <utility>

// (kept apart so that the order stays)
#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <limits>

#include "server/beast_request.h"

namespace rondo::server {
namespace {

namespace http = boost::beast::http;

std::string text_of(boost::beast::string_view view) { return {view.data(), view.size()}; }

std::size_t count(const Parser& parser, http::field name) {
  const auto range = parser.get().equal_range(name);
  return static_cast<std::size_t>(std::distance(range.first, range.second));
}

}  // namespace

void set_up(Parser& parser, const Limits& limits) {
  parser.header_limit(limits.header_bytes);
  // The limit of a body is known when its address is; see check_headers. (Beast 1.74 takes "none" for zero.)
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
}

Result<void> check_headers(Parser& parser, const App& app) {
  const auto& message = parser.get();
  if (message.version() >= 11 && count(parser, http::field::host) != 1) {
    return fail("request-malformed", "a request needs exactly one Host");
  }
  const std::size_t limit = app.body_limit(text_of(message.method_string()), text_of(message.target()));
  const auto length = parser.content_length();
  if (length && *length > limit) {
    return fail("body-too-large", limit == 0 ? std::string("a body is not taken here")
                                             : fmt::format("more than {} bytes are not taken here", limit));
  }
  parser.body_limit(limit);
  return {};
}

Request take_request(Parser& parser) {
  auto message = parser.release();
  Request request;
  request.method = text_of(message.method_string());
  request.target = text_of(message.target());
  for (const auto& field : message) request.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  request.body = std::move(message.body());
  return request;
}

Error parse_error(const boost::system::error_code& code) {
  if (code == http::error::header_limit) return {"headers-too-large", "the headers are too long", {}, {}};
  if (code == http::error::body_limit) return {"body-too-large", "the body is larger than is taken here", {}, {}};
  if (code == http::error::bad_version) return {"http-version", "HTTP/1.1 and HTTP/1.0 are spoken here", {}, {}};
  return {"request-malformed", fmt::format("this is no well-formed HTTP: {}", code.message()), {}, {}};
}

Result<Request> parse_request(std::string_view bytes, const App& app, const Limits& limits) {
  Parser parser;
  set_up(parser, limits);
  bool checked = false;
  while (!parser.is_done()) {
    boost::system::error_code code;
    const std::size_t used = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), code);
    bytes.remove_prefix(used);
    if (code == http::error::need_more) return fail("request-malformed", "the request ends before it is complete");
    if (code) return fail(parse_error(code));
    if (parser.is_header_done() && !checked) {
      checked = true;
      if (auto fine = check_headers(parser, app); !fine) return fail(std::move(fine.error()));
    }
    if (used == 0 && !parser.is_done() && bytes.empty()) {
      return fail("request-malformed", "the request ends before it is complete");
    }
  }
  return take_request(parser);
}

}  // namespace rondo::server
