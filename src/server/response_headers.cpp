#include "server/response_headers.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "server/compress.h"

namespace rondo::server {
namespace {

constexpr std::size_t kWorthIt = 1024;  // below this, compression does not pay

// Allows our own scripts, the engraver's WebAssembly and its workers. Inline styles are allowed because the engraver
// writes them into its drawings.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; media-src 'self' blob:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
constexpr std::string_view kDataPolicy = "default-src 'none'; frame-ancestors 'none'";

std::vector<std::string_view> types_of(std::string_view words) {
  std::vector<std::string_view> types;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    types.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return types;
}

/// The ETag of the same response compressed: other bytes, so another tag.
std::string compressed(std::string_view tag) {
  std::string out(tag);
  if (out.ends_with('"')) out.insert(out.size() - 1, "-gz");
  return out;
}

void add_vary(Response& response, std::string_view name) {
  const std::string_view before = header(response.headers, "Vary");
  if (before.find(name) != std::string_view::npos) return;
  response.set("Vary", before.empty() ? std::string(name) : fmt::format("{}, {}", before, name));
}

void compress(Response& response, const Request& request) {
  if (!worth_compressing(header(response.headers, "Content-Type"))) return;
  add_vary(response, "Accept-Encoding");
  if (response.stream || response.body.size() < kWorthIt) return;
  if (!header(response.headers, "Content-Encoding").empty()) return;
  if (!accepts_gzip(header(request.headers, "Accept-Encoding"))) return;
  constexpr int kQuick = 1;
  auto smaller = gzip(response.body, kQuick);
  if (!smaller) return;
  response.body = std::move(*smaller);
  response.set("Content-Encoding", "gzip");
  const std::string tag(header(response.headers, "ETag"));
  if (!tag.empty()) response.set("ETag", compressed(tag));
}

void guard(Response& response) {
  const std::string_view type = header(response.headers, "Content-Type");
  // A worker obeys the policy that came with its own script, so scripts get the page's.
  const bool page = type.starts_with("text/html") || type.starts_with("text/javascript");
  // Headers of a 304 replace those of the cached response: a reloaded page would get the policy of data.
  if (response.status != 304) {
    response.set("Content-Security-Policy", std::string(page ? kPagePolicy : kDataPolicy));
  }
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Permissions-Policy", "midi=(self), camera=(), microphone=(self), geolocation=()");
  response.set("Cross-Origin-Opener-Policy", "same-origin");
}

bool allowed_origin(const AppOptions& options, const Request& request) {
  return !options.cors.empty() && header(request.headers, "Origin") == options.cors;
}

void share(Response& response, const Request& request, const AppOptions& options) {
  if (options.cors.empty()) {
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    return;
  }
  add_vary(response, "Origin");
  if (!allowed_origin(options, request)) return;
  response.set("Access-Control-Allow-Origin", options.cors);
  response.set("Access-Control-Expose-Headers", "ETag, Rondo-Counts");
}

}  // namespace

std::string tag_of(const Route& route, const Request& request, std::string_view program, std::string_view snapshot) {
  if (route.caching != Caching::collection && route.caching != Caching::measured) return {};
  const std::string_view type = negotiate(header(request.headers, "Accept"), types_of(route.types));
  const std::string text = fmt::format("{}\n{}\n{}\n{}", program, snapshot, type, request.target);
  return fmt::format("{}\"{:016x}\"", route.caching == Caching::measured ? "W/" : "",
                     XXH3_64bits(text.data(), text.size()));
}

bool is_known(const Request& request, std::string_view tag) {
  const std::string_view known = header(request.headers, "If-None-Match");
  return names_tag(known, tag) || names_tag(known, compressed(tag));
}

Response not_modified(std::string_view tag) {
  Response response;
  response.status = 304;
  response.set("ETag", std::string(tag));
  response.set("Cache-Control", "no-cache");
  return response;
}

void mark(Response& response, const Route& route, std::string_view tag) {
  if (response.status != 200) return;
  if (!header(response.headers, "Cache-Control").empty()) return;
  if (route.types.find(' ') != std::string_view::npos) add_vary(response, "Accept");
  if (!tag.empty()) response.set("ETag", std::string(tag));
  // Cached, but revalidated each time: the collection may have changed.
  response.set("Cache-Control", tag.empty() ? "no-store" : "no-cache");
}

Response preflight(const AppOptions& options, const Request& request, std::string_view allowed) {
  Response response;
  response.status = 204;
  response.set("Allow", std::string(allowed));
  if (allowed_origin(options, request)) {
    response.set("Access-Control-Allow-Methods", std::string(allowed));
    response.set("Access-Control-Allow-Headers", "Content-Type, If-None-Match");
    response.set("Access-Control-Max-Age", "600");
  }
  return response;
}

void finish_response(Response& response, const Request& request, const AppOptions& options) {
  const std::string tag(header(response.headers, "ETag"));
  if (response.status == 200 && !tag.empty() && names_tag(header(request.headers, "If-None-Match"), tag)) {
    response.status = 304;
  }
  if (response.status == 304 || response.status == 204) {
    response.body.clear();
    response.stream = {};
    std::erase_if(response.headers, [](const auto& field) {
      return same_word(field.first, "Content-Type") || same_word(field.first, "Content-Encoding");
    });
  } else {
    compress(response, request);
  }
  guard(response);
  share(response, request, options);
  if (request.method == "HEAD") {
    // The length of a stream is not known in advance.
    if (!response.stream) response.length = response.body.size();
    response.body.clear();
    response.stream = {};
  }
}

}  // namespace rondo::server
