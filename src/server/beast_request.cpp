// Beast 1.74 uses std::exchange without including it.
#include <utility>

// (kept apart so that the order stays)
#include <fmt/format.h>

#include <algorithm>
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

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The letters of a header name in lower case: some proxies normalise "Transfer_Encoding" or "Content.Length" that way.
std::string letters_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    if (small >= 'a' && small <= 'z') out += small;
  }
  return out;
}

Failure bad_framing(std::string message) {
  return fail("request-malformed", std::move(message), {}, "send one Content-Length, or 'Transfer-Encoding: chunked'");
}

/// Prevents request smuggling: if a proxy in front of us computed another end of the body, the rest of the body would
/// be run as somebody else's next request (RFC 9112, 6.3 and 11.2). So only one unambiguous form of each kind is
/// accepted.
Result<void> check_framing(const Parser& parser) {
  const auto& message = parser.get();
  for (const auto& field : message) {
    const std::string name = text_of(field.name_string());
    const std::string letters = letters_of(name);
    const bool about_length = letters == "transferencoding" || letters == "contentlength";
    if (about_length && !same_word(name, "Transfer-Encoding") && !same_word(name, "Content-Length")) {
      return bad_framing("a header looks like Transfer-Encoding or Content-Length, and is neither");
    }
  }
  const std::size_t codings = count(parser, http::field::transfer_encoding);
  const std::size_t lengths = count(parser, http::field::content_length);
  if (codings > 1 || lengths > 1) return bad_framing("Transfer-Encoding or Content-Length is repeated");
  if (codings == 1 && lengths == 1) return bad_framing("Transfer-Encoding and Content-Length exclude each other");
  if (codings == 1 && message.version() < 11) return bad_framing("HTTP/1.0 has no Transfer-Encoding");
  if (codings == 1 && !same_word(text_of(message[http::field::transfer_encoding]), "chunked")) {
    return bad_framing("the only Transfer-Encoding is 'chunked'");
  }
  if (lengths == 1 && !is_digits(text_of(message[http::field::content_length]))) {
    return bad_framing("Content-Length is not a number");
  }
  return {};
}

Error framing_error() {
  return {"framing-too-long",
          fmt::format("sizes of chunks, their extensions or trailers have more than {} bytes", Framing::kMost),
          {},
          "send the body with Content-Length, or in larger chunks without extensions"};
}

}  // namespace

void set_up(Parser& parser, const Limits& limits) {
  parser.header_limit(limits.header_bytes);
  // The limit of the body depends on the URL; see check_headers. (Beast 1.74 treats "none" as zero.)
  parser.body_limit(std::numeric_limits<std::uint64_t>::max());
}

Result<void> check_headers(Parser& parser, const App& app) {
  const auto& message = parser.get();
  if (message.version() >= 11 && count(parser, http::field::host) != 1) {
    return fail("request-malformed", "a request needs exactly one Host");
  }
  if (auto fine = check_framing(parser); !fine) return fine;
  const std::size_t limit = app.body_limit(text_of(message.method_string()), text_of(message.target()));
  const auto length = parser.content_length();
  if (length && *length > limit) {
    return fail("body-too-large", limit == 0 ? std::string("this resource accepts no body")
                                             : fmt::format("the body has more than {} bytes", limit));
  }
  parser.body_limit(limit);
  return {};
}

Request take_head(const Parser& parser) {
  const auto& message = parser.get();
  Request request;
  request.method = text_of(message.method_string());
  request.target = text_of(message.target());
  for (const auto& field : message) request.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
  return request;
}

std::string take_body(Parser& parser) { return std::move(parser.get().body()); }

Result<void> Framing::parsed(std::size_t bytes, const Parser& parser) {
  parsed_ += bytes;
  const std::size_t body = parser.get().body().size();
  if (parsed_ <= body || parsed_ - body <= kMost + kPerByte * body) return {};
  return fail(framing_error());
}

Error parse_error(const boost::system::error_code& code) {
  if (code == http::error::header_limit) return {"headers-too-large", "the headers are too long", {}, {}};
  if (code == http::error::buffer_overflow) return framing_error();
  if (code == http::error::body_limit) return {"body-too-large", "the body is too large", {}, {}};
  if (code == http::error::bad_version) return {"http-version", "only HTTP/1.0 and HTTP/1.1 are supported", {}, {}};
  return {"request-malformed", fmt::format("malformed HTTP: {}", code.message()), {}, {}};
}

Result<Request> parse_request(std::string_view bytes, const App& app, const Limits& limits) {
  Parser parser;
  set_up(parser, limits);
  std::optional<Request> request;
  Framing framing;
  while (!parser.is_done()) {
    boost::system::error_code code;
    const std::size_t used = parser.put(boost::asio::buffer(bytes.data(), bytes.size()), code);
    bytes.remove_prefix(used);
    if (code == http::error::need_more) {
      if (request && bytes.size() > most_buffered(limits)) return fail(framing_error());
      return fail("request-malformed", "the request ends before it is complete");
    }
    if (code) return fail(parse_error(code));
    if (request) {
      if (auto fine = framing.parsed(used, parser); !fine) return fail(std::move(fine.error()));
    } else if (parser.is_header_done()) {
      if (auto fine = check_headers(parser, app); !fine) return fail(std::move(fine.error()));
      request = take_head(parser);
    }
    if (used == 0 && !parser.is_done() && bytes.empty()) {
      return fail("request-malformed", "the request ends before it is complete");
    }
  }
  if (!request) return fail("request-malformed", "the request ends before it is complete");
  request->body = take_body(parser);
  return std::move(*request);
}

}  // namespace rondo::server
