#include "server/access/identity.h"
#include "server/assets.h"
#include "server/problem.h"
#include "server/resources/resources.h"

namespace rondo::server {
namespace {

constexpr std::string_view kNoApp = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Rondo</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{font-size:.95em}</style>
<h1>Rondo is running</h1>
<p>This program was built without its web app. To have it, run <code>npm install --no-save &amp;&amp; npm run build</code> in the folder
<code>web</code> and build the program again, or run <code>./dev build</code>, which does both.</p>
<p>The API works as it is: <a href="/api/v1/openapi.json">its description</a>, <a href="/api/v1/collection">the
collection</a>, <a href="/api/v1/systems">the systems</a>.</p>
</html>
)";

Response asset_response(const Asset& asset, const Request& request) {
  Response response = text_response(200, asset.type, {});
  response.set("Cache-Control", asset.never_changes ? "public, max-age=31536000, immutable" : "no-cache");
  const bool small = accepts_gzip(header(request.headers, "Accept-Encoding")) && !asset.compressed().empty();
  response.body = small ? asset.compressed() : std::string(asset.bytes);
  response.set("ETag", small ? asset.tag("-gz") : asset.tag(""));
  if (small) response.set("Content-Encoding", "gzip");
  return response;
}

/// The page for a path: studies and concordances have separate pages, everything else is the app.
const Asset* page_for(std::string_view first) {
  const bool own = first == "study" || first == "studies" || first == "concordances";
  const Asset* page = own ? find_asset("/" + std::string(first) + ".html") : nullptr;
  return page != nullptr ? page : find_asset("/index.html");
}

Response start_page(const Request& request, std::string_view first = {}) {
  if (const Asset* page = page_for(first)) return asset_response(*page, request);
  Response response = text_response(200, "text/html; charset=utf-8", std::string(kNoApp));
  return std::move(response.set("Cache-Control", "no-cache"));
}

}  // namespace

Response get_page(const Call& call) {
  if (const Asset* asset = find_asset(call.target.path)) return asset_response(*asset, call.request);
  // The app has its own paths, which a browser requests when a page is reloaded. For unknown paths, a browser also gets
  // the app, which says that there is no such page; a program gets an error in JSON.
  const bool is_api = call.target.segments.front() == "api";
  const bool is_file = call.target.segments.back().find('.') != std::string::npos;
  const std::string_view type = negotiate(header(call.request.headers, "Accept"), {"application/json", "text/html"});
  if (type == "text/html") {
    Response page = start_page(call.request, call.target.segments.front());
    if (is_api || is_file) {
      page.status = 404;
      std::erase_if(page.headers, [](const auto& one) { return same_word(one.first, "ETag"); });
    }
    return std::move(page.set("Vary", "Accept"));
  }
  Response response = problem(
      Error{"path-unknown", "there is nothing at this address", {}, "/api/v1/openapi.json lists what there is"});
  return std::move(response.set("Vary", "Accept"));
}

Response get_root(const Call& call) {
  const std::string_view accept = header(call.request.headers, "Accept");
  const std::string_view type = negotiate(accept, {"text/html", "application/json", "text/csv"});
  if (type == "text/html" || type.empty()) {
    Response page = start_page(call.request);
    return std::move(page.set("Vary", "Accept"));
  }
  if (auto fine = admit_to_collection(call); !fine) return problem(fine.error());
  Response response = search_answer(call);
  response.set("Vary", "Accept");
  return response;
}

Response get_openapi(const Call& call) {
  const Asset* asset = find_asset("/api/v1/openapi.json");
  return asset_response(*asset, call.request);
}

}  // namespace rondo::server
