#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rondo/similarity/system.h"
#include "similarity/mixture.h"
#include "support/lines.h"

namespace rondo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::string_view name, const std::vector<std::string>& settings = {}) {
  const auto chosen = resolve_system(name, settings);
  return chosen ? "none" : chosen.error().code;
}

std::vector<std::string> part_names(const System& system) {
  std::vector<std::string> out;
  for (const Part& part : system.mixture()->parts()) out.push_back(part.name);
  return out;
}

TEST(ResolveSystem, FindsEverySystemOfTheTable) {
  for (const SystemRow* row : systems()) {
    const auto chosen = resolve_system(row->name);
    ASSERT_TRUE(chosen) << row->name;
    EXPECT_EQ(chosen->row, row);
    EXPECT_EQ(chosen->name, row->name);
    EXPECT_EQ(chosen->shortest, row->shortest) << row->name;
  }
}

TEST(ResolveSystem, AMixtureCarriesItsParts) {
  const auto chosen = resolve_system("rrf:shapeh+P3+GAR");
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->row->name, "rrf");
  EXPECT_EQ(chosen->name, "rrf:shapeh+P3+GAR");
  EXPECT_THAT(part_names(*chosen->system), ElementsAre("shapeh", "P3", "GAR"));
  EXPECT_THAT(part_names(*resolve_system("combmnz")->system), ElementsAre("time", "GAR", "vk-pitch"));
}

TEST(ResolveSystem, NeedsAsManyNotesAsTheLeastDemandingPart) {
  EXPECT_EQ(resolve_system("rrf:ngr5+time")->shortest, 4U);
  EXPECT_EQ(resolve_system("rrf:(combsum:ngr5+shapeh)+time")->shortest, 3U);
}

TEST(ResolveSystem, AMixtureMayHoldMixtures) {
  const auto chosen = resolve_system("rrf:(combsum:shapeh+time)+shapetime+Orio");
  ASSERT_TRUE(chosen) << chosen.error().to_string();
  EXPECT_THAT(part_names(*chosen->system), ElementsAre("combsum:shapeh+time", "shapetime", "Orio"));
  EXPECT_NE(chosen->system->mixture()->parts()[0].system->mixture(), nullptr);
  EXPECT_EQ(error_of("rrf:combsum+P3"), "none");
}

TEST(ResolveSystem, MixturesLieInEachOtherOnceOnly) {
  EXPECT_EQ(error_of("rrf:(combsum:shapetime+P3)+GAR"), "parts-too-deep");
  EXPECT_EQ(error_of("rrf:(combsum:(combmnz:P1+P2)+P3)+GAR"), "parts-too-deep");
  std::string deep = "P1";
  for (int i = 0; i < 20; ++i) deep = "rrf:(" + deep + ")";
  EXPECT_EQ(error_of(deep), "parts-too-deep");
}

TEST(ResolveSystem, SaysWhatIsWrongWithAName) {
  EXPECT_EQ(error_of("no-such"), "system-unknown");
  EXPECT_EQ(error_of(""), "system-unknown");
  EXPECT_EQ(error_of("rrf:shapeh+no-such"), "system-unknown");
  EXPECT_THAT(resolve_system("rrf:shapeh+no-such").error().message, HasSubstr("'no-such'"));
  EXPECT_EQ(error_of("rrf:"), "part-empty");
  EXPECT_EQ(error_of("rrf:shapeh+"), "part-empty");
  EXPECT_EQ(error_of("rrf:shapeh++P3"), "part-empty");
  EXPECT_EQ(error_of("rrf:shapeh+P3+shapeh"), "part-twice");
  EXPECT_EQ(error_of("rrf:shapeh+(shapeh)"), "part-twice");
  EXPECT_EQ(error_of("shapeh:P1+P2"), "parts-unwanted");
  EXPECT_EQ(error_of("shapetime:P1+P2"), "parts-unwanted");
  EXPECT_THAT(resolve_system("shapeh:P1").error().hint, HasSubstr("combsum"));
  EXPECT_EQ(error_of("rrf:(combsum:P1"), "parts-malformed");
  EXPECT_EQ(error_of("rrf:P1)+P2"), "parts-malformed");
  EXPECT_EQ(error_of("rrf:combsum:P1+P2"), "parts-malformed");
  EXPECT_EQ(error_of("rrf:()"), "system-unknown");
  std::string many = "rrf:P1";
  for (int i = 0; i < 16; ++i) many += "+P2";
  EXPECT_EQ(error_of(many), "parts-too-many");
}

TEST(ResolveSystem, SetsParametersOfTheSystemAndOfItsParts) {
  const Line query = quarters("C4 D4 E4");
  const Line document = quarters("C4 D4 C4");
  EXPECT_EQ(resolve_system("contour", std::vector<std::string>{"opposite=1.5"})
                ->system->prepare(query)
                ->score(document)
                .value,
            -1.5);
  const std::vector<std::string> settings = {"constant=10", "contour.opposite=1.25"};
  const auto chosen = resolve_system("rrf:contour+P3", settings);
  ASSERT_TRUE(chosen) << chosen.error().to_string();
  EXPECT_EQ(chosen->system->prepare(query)->score(document).value, -1.25);
  std::vector<Mixed> out;
  const std::vector<std::vector<Score>> one = {{{1, true}}, {{0, false}}};
  chosen->system->mixture()->mix(one, 10, out);
  EXPECT_DOUBLE_EQ(out[0].score.value, 1.0 / 11);
}

TEST(ResolveSystem, SaysWhatIsWrongWithASetting) {
  EXPECT_EQ(error_of("contour", {"opposite"}), "parameter-malformed");
  EXPECT_EQ(error_of("contour", {"opposite="}), "parameter-malformed");
  EXPECT_EQ(error_of("contour", {"=1"}), "parameter-malformed");
  EXPECT_EQ(error_of("contour", {"opposite=1x"}), "parameter-malformed");
  EXPECT_EQ(error_of("contour", {"opposite=1e999"}), "parameter-malformed");
  EXPECT_EQ(error_of("contour", {"opposite=nan"}), "parameter-out-of-range");
  EXPECT_EQ(error_of("contour", {"size=1"}), "parameter-unknown");
  EXPECT_EQ(error_of("rrf:contour+P3", {"rhythm.opposite=1"}), "parameter-unknown");
  EXPECT_EQ(error_of("rrf:contour+P3", {"contour.size=1"}), "parameter-unknown");
}

}  // namespace
}  // namespace rondo
