#include "server/message.h"

#include <gmock/gmock.h>

#include "server/compress.h"

namespace rondo::server {
namespace {

TEST(Negotiation, TakesTheBestLikedTypeAndOfEqualsTheFirst) {
  const std::vector<std::string_view> offered = {"text/html", "application/json", "text/csv"};
  EXPECT_EQ(negotiate("", offered), "text/html") << "no header accepts everything";
  EXPECT_EQ(negotiate("*/*", offered), "text/html");
  EXPECT_EQ(negotiate("application/json", offered), "application/json");
  EXPECT_EQ(negotiate("Application/JSON; charset=utf-8", offered), "application/json");
  EXPECT_EQ(negotiate("text/html;q=0.5, application/json;q=0.7", offered), "application/json");
  EXPECT_EQ(negotiate("text/*, application/json;q=0.9", offered), "text/html");
  EXPECT_EQ(negotiate("text/html,application/xhtml+xml,*/*;q=0.8", offered), "text/html") << "as browsers ask";
  EXPECT_EQ(negotiate("text/html;q=0, */*", offered), "application/json") << "the closest range decides";
  EXPECT_EQ(negotiate("image/png", offered), "");
  EXPECT_EQ(negotiate(";;,,;q=", offered), "");
  EXPECT_EQ(negotiate("text/csv;q=nonsense", offered), "");
}

TEST(Negotiation, OfGzip) {
  EXPECT_FALSE(accepts_gzip(""));
  EXPECT_TRUE(accepts_gzip("br, GZIP;q=0.5"));
  EXPECT_FALSE(accepts_gzip("gzip;q=0"));
  EXPECT_TRUE(accepts_gzip("*"));
  EXPECT_FALSE(accepts_gzip("*, gzip;q=0"));
}

TEST(Tags, AreFoundInLists) {
  EXPECT_TRUE(names_tag("\"a\"", "\"a\""));
  EXPECT_TRUE(names_tag("\"x\", W/\"a\"", "\"a\"")) << "If-None-Match compares weakly";
  EXPECT_TRUE(names_tag("*", "\"a\""));
  EXPECT_FALSE(names_tag("\"aa\"", "\"a\""));
  EXPECT_FALSE(names_tag("", "\"a\""));
}

TEST(Headers, AreFoundInAnyCaseAndSetOnce) {
  Response response;
  response.set("ETag", "1").set("etag", "2");
  EXPECT_EQ(response.headers.size(), 1U);
  EXPECT_EQ(header(response.headers, "ETAG"), "2");
  EXPECT_EQ(header(response.headers, "Vary"), "");
}

TEST(Compression, GivesGzipAndKnowsWhatIsWorthIt) {
  const auto small = gzip(std::string(10'000, 'a'), 6);
  ASSERT_TRUE(small);
  EXPECT_LT(small->size(), 200U);
  EXPECT_TRUE(small->starts_with("\x1f\x8b"));
  EXPECT_TRUE(gzip("", 1)) << "nothing is something too";
  EXPECT_TRUE(worth_compressing("text/csv; charset=utf-8"));
  EXPECT_TRUE(worth_compressing("application/wasm"));
  EXPECT_FALSE(worth_compressing("image/png"));
  EXPECT_FALSE(worth_compressing("audio/midi"));
}

}  // namespace
}  // namespace rondo::server
