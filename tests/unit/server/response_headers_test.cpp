#include "server/response_headers.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "server/problem.h"

namespace rondo::server {
namespace finish_test {

using testing::HasSubstr;
using testing::Not;

Response nothing(const Call& /*call*/) { return {}; }

const Route kStable{"GET", "/x", nothing, Caching::collection};
const Route kTimed{"GET", "/x", nothing, Caching::measured, 0, "application/json text/csv"};

Request request_for(std::string target, Headers headers = {}) {
  Request request;
  request.target = std::move(target);
  request.headers = std::move(headers);
  return request;
}

TEST(ResponseHeaders, TagsDependOnEverythingThatAnAnswerDependsOn) {
  const std::string tag = tag_of(kStable, request_for("/x?a=1"), "1", "snapshot");
  EXPECT_EQ(tag, tag_of(kStable, request_for("/x?a=1"), "1", "snapshot"));
  EXPECT_NE(tag, tag_of(kStable, request_for("/x?a=2"), "1", "snapshot"));
  EXPECT_NE(tag, tag_of(kStable, request_for("/x?a=1"), "2", "snapshot"));
  EXPECT_NE(tag, tag_of(kStable, request_for("/x?a=1"), "1", "other"));
  EXPECT_NE(tag_of(kTimed, request_for("/x", {{"Accept", "text/csv"}}), "1", "e"),
            tag_of(kTimed, request_for("/x"), "1", "e"));
  EXPECT_TRUE(tag_of(kTimed, request_for("/x"), "1", "e").starts_with("W/\""));
  EXPECT_EQ(tag_of({"GET", "/x", nothing}, request_for("/x"), "1", "e"), "");
}

TEST(ResponseHeaders, CompressesLongTextsForThoseWhoAsk) {
  const AppOptions options;
  const Request wants = request_for("/x", {{"Accept-Encoding", "gzip"}});
  Response response = text_response(200, "application/json", std::string(5000, 'a'));
  response.set("ETag", "\"1\"");
  finish_response(response, wants, options);
  EXPECT_EQ(header(response.headers, "Content-Encoding"), "gzip");
  EXPECT_EQ(header(response.headers, "ETag"), "\"1-gz\"");
  EXPECT_LT(response.body.size(), 500U);
  Response image = text_response(200, "image/png", std::string(5000, 'a'));
  finish_response(image, wants, options);
  EXPECT_EQ(image.body.size(), 5000U);
  Response tiny = text_response(200, "text/plain", "short");
  finish_response(tiny, wants, options);
  EXPECT_EQ(tiny.body, "short");
}

TEST(ResponseHeaders, KnownAnswersAreNotSentAgain) {
  Response response = text_response(200, "text/plain", "text");
  response.set("ETag", "\"1\"");
  finish_response(response, request_for("/x", {{"If-None-Match", "\"1\""}}), {});
  EXPECT_EQ(response.status, 304U);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(header(response.headers, "Content-Type"), "");
  EXPECT_EQ(header(response.headers, "Content-Security-Policy"), "") << "it would replace the one that was kept";
  EXPECT_TRUE(is_known(request_for("/x", {{"If-None-Match", "\"1-gz\""}}), "\"1\"")) << "the same, compressed";
}

TEST(ResponseHeaders, HeadHasALengthButNoBody) {
  Request head = request_for("/x");
  head.method = "HEAD";
  Response response = text_response(200, "text/plain", "text");
  finish_response(response, head, {});
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.length, 4U);
}

TEST(ResponseHeaders, OnlyTheOriginThatWasNamedMayRead) {
  AppOptions options;
  options.cors = "https://a.example";
  Response allowed = text_response(200, "text/plain", "text");
  finish_response(allowed, request_for("/x", {{"Origin", "https://a.example"}}), options);
  EXPECT_EQ(header(allowed.headers, "Access-Control-Allow-Origin"), "https://a.example");
  Response other = text_response(200, "text/plain", "text");
  finish_response(other, request_for("/x", {{"Origin", "https://b.example"}}), options);
  EXPECT_EQ(header(other.headers, "Access-Control-Allow-Origin"), "");
  EXPECT_EQ(header(other.headers, "Vary"), "Accept-Encoding, Origin");
}

TEST(ResponseHeaders, PagesMayRunOurScriptsAndDataNone) {
  Response page = text_response(200, "text/html; charset=utf-8", "<p>");
  finish_response(page, request_for("/"), {});
  EXPECT_THAT(header(page.headers, "Content-Security-Policy"), HasSubstr("script-src 'self' 'wasm-unsafe-eval'"));
  Response data = text_response(200, "application/json", "{}");
  finish_response(data, request_for("/"), {});
  EXPECT_THAT(header(data.headers, "Content-Security-Policy"), Not(HasSubstr("script-src")));
}

TEST(Problems, TellStatusCodePlaceAndHint) {
  const Response response = problem(Error{"pae-x", "odd", {"f", "r", "d", 2, 7}, "do this"});
  EXPECT_EQ(response.status, 422U);
  EXPECT_EQ(header(response.headers, "Content-Type"), "application/problem+json");
  EXPECT_EQ(header(response.headers, "Cache-Control"), "no-store");
  EXPECT_EQ(nlohmann::json::parse(response.body), nlohmann::json::parse(R"({"type": "about:blank",
      "title": "Unprocessable Content", "status": 422, "detail": "odd", "code": "pae-x", "line": 2, "column": 7,
      "hint": "do this"})"));
}

TEST(Problems, HaveAStatusAfterTheirCode) {
  const auto status = [](const char* code) { return status_of(Error{code, "", {}, ""}); };
  EXPECT_EQ(status("piece-missing"), 404U);
  EXPECT_EQ(status("argument-number"), 400U);
  EXPECT_EQ(status("store-busy"), 503U);
  EXPECT_EQ(status("store-corrupt"), 500U);
  EXPECT_EQ(status("server-full"), 503U);
  EXPECT_EQ(status("whatever-else"), 422U);
  EXPECT_EQ(header(problem(Error{"server-full", "", {}, ""}).headers, "Retry-After"), "2");
}

TEST(Problems, SurviveBytesThatAreNoText) {
  EXPECT_THAT(problem(Error{"x", "bad \xff byte", {}, ""}).body, HasSubstr("bad \xEF\xBF\xBD byte"));
}

}  // namespace finish_test
}  // namespace rondo::server
