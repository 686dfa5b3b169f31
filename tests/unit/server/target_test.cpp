#include "server/target.h"

#include <gmock/gmock.h>

#include "server/router.h"

namespace rondo::server {
namespace target_test {

using testing::ElementsAre;
using testing::Pair;

std::string code_of(std::string_view text) {
  auto target = Target::parse(text);
  return target ? "" : target.error().code;
}

TEST(Targets, AreTakenApartAndDecoded) {
  const auto target = Target::parse("/a%2Fb/c+d?q=C%26D+E&empty=&alone&&x=%C3%A4#rest");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->segments, ElementsAre("a/b", "c+d")) << "a slash that is encoded parts nothing";
  EXPECT_THAT(target->arguments.pairs(),
              ElementsAre(Pair("q", "C&D E"), Pair("empty", ""), Pair("alone", ""), Pair("x", "ä")));
  EXPECT_THAT(Target::parse("/")->segments, ElementsAre(""));
  EXPECT_THAT(Target::parse("http://host:80/x?y=1")->segments, ElementsAre("x")) << "as proxies ask";
  EXPECT_THAT(Target::parse("http://host")->segments, ElementsAre(""));
}

TEST(Targets, ThatAreMalformedAreErrors) {
  for (const char* text :
       {"", "x", "*", "/%", "/%4", "/%zz", "/%ff", "/%00", "/?a=%00", "/?%c0%af=1", "/%ed%a0%80", "?q=1", "http:/x"}) {
    EXPECT_EQ(code_of(text), "target-malformed") << text;
  }
  EXPECT_EQ(code_of("/" + std::string(kLongestTarget, 'x')), "target-too-long");
  std::string many = "/?";
  for (std::size_t i = 0; i <= kMostArguments; ++i) many += "a=1&";
  EXPECT_EQ(code_of(many), "target-too-long");
}

TEST(ArgumentsOfAnAddress, AreReadByName) {
  const Arguments arguments = Target::parse("/?k=5&on=1&off=false&k=6&big=99999999999999999999999")->arguments;
  EXPECT_EQ(arguments.text("k"), "5") << "the first counts";
  EXPECT_THAT(arguments.all("k"), ElementsAre("5", "6"));
  EXPECT_EQ(arguments.text("none", "standard"), "standard");
  EXPECT_EQ(arguments.number("k", 1, 1, 10).value(), 5U);
  EXPECT_EQ(arguments.number("none", 7, 1, 10).value(), 7U);
  EXPECT_EQ(arguments.number("k", 1, 6, 10).error().code, "argument-number");
  EXPECT_EQ(arguments.number("on", 1, 1, 0).error().code, "argument-number");
  EXPECT_EQ(arguments.number("off", 1, 0, 10).error().code, "argument-number");
  EXPECT_EQ(arguments.number("big", 1, 0, 10).error().code, "argument-number");
  EXPECT_TRUE(arguments.flag("on", false).value());
  EXPECT_FALSE(arguments.flag("off", true).value());
  EXPECT_EQ(arguments.flag("k", false).error().code, "argument-switch");
  EXPECT_TRUE(arguments.only({"k", "on", "off", "big"}, {"k"}));
  EXPECT_EQ(arguments.only({"k", "on", "off", "big"}).error().code, "argument-repeated");
  EXPECT_EQ(arguments.only({"k", "on"}).error().code, "argument-unknown");
}

Response nothing(const Call& /*call*/) { return {}; }

const Route kTable[] = {{"GET", "/", nothing},
                        {"GET", "/a/{}", nothing},
                        {"POST", "/a/{}", nothing},
                        {"POST", "/b", nothing},
                        {"GET", "/*", nothing}};

Match find(std::string_view method, std::string_view path) {
  return find_route(kTable, method, Target::parse(path).value());
}

TEST(Routes, AreFoundByMethodAndPattern) {
  EXPECT_EQ(find("GET", "/").route, &kTable[0]);
  EXPECT_EQ(find("GET", "/a/x%2Fy").route, &kTable[1]);
  EXPECT_THAT(find("GET", "/a/x%2Fy").path_parameters, ElementsAre("x/y"));
  EXPECT_EQ(find("HEAD", "/a/x").route, &kTable[1]) << "HEAD is routed like GET";
  EXPECT_EQ(find("POST", "/a/x").route, &kTable[2]);
  EXPECT_EQ(find("GET", "/a/x/y").route, &kTable[4]) << "the rest of the world";
  EXPECT_EQ(find("GET", "/a/").route, &kTable[4]) << "nothing is no id";
}

TEST(Routes, TellWhichMethodsAPathKnows) {
  EXPECT_EQ(find("DELETE", "/a/x").route, nullptr);
  EXPECT_EQ(find("DELETE", "/a/x").allowed, "GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(find("GET", "/b").route, nullptr) << "a path of its own hides the pattern for all others";
  EXPECT_EQ(find("GET", "/b").allowed, "POST, OPTIONS");
}

}  // namespace target_test
}  // namespace rondo::server
