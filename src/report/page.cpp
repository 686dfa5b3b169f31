#include "report/page.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "report/page_text.h"

namespace rondo::report {
namespace {

// The Content-Security-Policy allows only the page's own script: no requests, no script in an attribute, even if a name
// from the data ever became markup. Inline styles are allowed because the plots set them on their elements.
constexpr std::string_view kPage = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-{nonce}'{may}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Rondo">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript><p>This page draws its tables and figures with a script of its own, which this browser does not run. The data is in the file, in the element with id "{id}", as JSON.</p></noscript>
<script type="application/json" id="{id}">{data}</script>
<script nonce="{nonce}">{script}</script>
</body>
</html>
)";

}  // namespace

std::string markup_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

Result<void> available(const Bundle& bundle) {
  if (!bundle.script.empty() && !bundle.style.empty()) return {};
  return fail("report-unavailable", "this program was built without the page", {},
              "'./dev build' builds both; by hand: 'npm install --no-save && npm run build' in web/, then build the "
              "program again");
}

Result<void> page_available() { return available(report_bundle()); }

std::string script_json(const nlohmann::ordered_json& data) {
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";  // occurs in JSON only inside strings
    } else {
      out += c;
    }
  }
  return out;
}

std::string page_text(const Bundle& bundle, std::string_view title, const nlohmann::ordered_json& data) {
  const std::string json = script_json(data);
  const std::string nonce = fmt::format("{:016x}", std::hash<std::string>{}(json));
  return fmt::format(fmt::runtime(kPage), fmt::arg("title", markup_text(title)), fmt::arg("nonce", nonce),
                     fmt::arg("style", bundle.style), fmt::arg("id", bundle.data_id), fmt::arg("may", bundle.may),
                     fmt::arg("data", json), fmt::arg("script", bundle.script));
}

Result<std::string> make_page(std::string_view title, const nlohmann::ordered_json& data) {
  if (auto there = page_available(); !there) return fail(std::move(there.error()));
  return page_text(report_bundle(), title, data);
}

}  // namespace rondo::report
