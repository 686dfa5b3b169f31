#include <gmock/gmock.h>

#include "unit/formats/pae_support.h"

namespace pae_query_test {

using pae_test::show;
using testing::ElementsAre;
using testing::IsEmpty;

std::string ask(std::string_view text, std::vector<std::string>* codes = nullptr) {
  rondo::Diagnostics warnings;
  auto voice = rondo::parse_pae_query(text, warnings);
  if (codes != nullptr) {
    for (const auto& warning : warnings) codes->push_back(warning.code);
  }
  return voice ? show(*voice) : voice.error().code;
}

TEST(PaeQuery, ReadsBareNames) {
  std::vector<std::string> codes;
  EXPECT_EQ(ask("EDCDEEE", &codes), "E4 1/4 D4 1/4 C4 1/4 D4 1/4 E4 1/4 E4 1/4 E4 1/4");
  EXPECT_THAT(codes, IsEmpty()) << "no clef is nothing to remark in a query";
}

TEST(PaeQuery, ReadsLowerCase) {
  EXPECT_EQ(ask("edcdeee"), ask("EDCDEEE"));
  EXPECT_EQ(ask("gab"), "G4 1/4 A4 1/4 B4 1/4") << "g and b are notes here, not signs";
  EXPECT_EQ(ask("''4c8d'xf"), "C5 1/4 D5 1/8 F#4 1/8");
}

TEST(PaeQuery, KeepsTheSignsOfTheCodeBesideCapitals) { EXPECT_EQ(ask("bBxFgAC"), "Bb4 1/4 F#4 1/4 *A4 0 C4 1/4"); }

TEST(PaeQuery, ReadsGermanNames) {
  std::vector<std::string> codes;
  EXPECT_EQ(ask("BACH", &codes), "Bb4 1/4 A4 1/4 C4 1/4 B4 1/4");
  EXPECT_THAT(codes, ElementsAre("pae-german-names"));
  EXPECT_EQ(ask("bach"), "Bb4 1/4 A4 1/4 C4 1/4 B4 1/4");
  EXPECT_EQ(ask("%G-2$bB HA"), "B4 1/4 A4 1/4") << "H is natural whatever the key signature";
}

TEST(PaeQuery, ReadsSharpsAsPeopleTypeThem) {
  EXPECT_EQ(ask("C#D#"), "C#4 1/4 D#4 1/4");
  EXPECT_EQ(ask("#C D"), "C#4 1/4 D4 1/4");
}

TEST(PaeQuery, TakesSpacesAndLinesAsNothing) {
  std::vector<std::string> codes;
  EXPECT_EQ(ask(" E D C D\n E E E ", &codes), ask("EDCDEEE"));
  EXPECT_THAT(codes, IsEmpty());
}

TEST(PaeQuery, ReadsEveryContainer) {
  const std::string melody = "A5 1/2 - 1/2 Bb5 3/4 G5 1/4";
  EXPECT_EQ(ask("%G-2@3/2$bB ''2A-/2.B4G"), melody);
  EXPECT_EQ(ask(";pe2%G-2@3/2$bB ''2A-/2.B4G"), melody);
  EXPECT_EQ(ask("@clef:G-2\n@keysig:bB\n@timesig:3/2\n@data:''2A-/2.B4G\n"), melody);
  EXPECT_EQ(ask(R"({"clef": "G-2", "keysig": "bB", "timesig": "3/2", "data": "''2A-/2.B4G"})"), melody);
  EXPECT_EQ(ask(R"([{"clef": "G-2", "keysig": "bB", "data": "''2A-/2.B4G"}, {"clef": "G-2", "data": "C"}])"), melody);
}

TEST(PaeQuery, ReadsABeamAtTheBeginningAsABeam) { EXPECT_EQ(ask("{''8CD}"), "C5 1/8 D5 1/8"); }

TEST(PaeQuery, PointsAtWhatItCouldNotRead) {
  rondo::Diagnostics warnings;
  ASSERT_TRUE(rondo::parse_pae_query("CDE*FG", warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "pae-unknown-sign");
  EXPECT_EQ(warnings[0].place.column, 4U);
}

TEST(PaeQuery, GivesAnErrorForNothingAndForNonsense) {
  EXPECT_EQ(ask(""), "pae-no-notation");
  EXPECT_EQ(ask("  \n"), "pae-no-notation");
  EXPECT_EQ(ask("what is this?"), "pae-not-notation");
  EXPECT_EQ(ask(R"({"clef": )"), "pae-json");
}

}  // namespace pae_query_test
