#include "features/interval_pattern.h"

#include <gmock/gmock.h>

#include "features/features.h"
#include "support/lines.h"

namespace rondo {
namespace {

using testing::HasSubstr;

std::size_t count(const std::string& pattern, const std::string& notes) {
  auto parsed = IntervalPattern::parse(pattern);
  EXPECT_TRUE(parsed) << pattern << ": " << (parsed ? "" : parsed.error().message);
  if (!parsed) return 999;
  std::istringstream in(notes);
  std::string text;
  for (std::string name; in >> name;) text += name + " 1/4 ";
  const Features f = features_of(voice_of(text));
  const std::size_t times = parsed->count(interval_text(f.diatonic), interval_text(f.chromatic));
  EXPECT_EQ(parsed->occurs(interval_text(f.diatonic), interval_text(f.chromatic)), times != 0);
  return times;
}

Error problem(const std::string& pattern) {
  auto parsed = IntervalPattern::parse(pattern);
  EXPECT_FALSE(parsed) << pattern;
  return parsed ? Error{} : parsed.error();
}

TEST(IntervalPattern, IsWrittenAsMusiciansSayIt) {
  // G D B B G: a fifth up, a third down, a unison, a sixth up.
  const std::string notes = "G4 D5 B4 B4 G5";
  EXPECT_EQ(count("fifth up, third down, unison, sixth up", notes), 1U);
  EXPECT_EQ(count("Fifth UP third down unison sixth up", notes), 1U);
  EXPECT_EQ(count("5th up, 3rd down", notes), 1U);
  EXPECT_EQ(count("third up", notes), 0U);
  EXPECT_EQ(count("minor third down, perfect unison, minor sixth up", notes), 1U);
  EXPECT_EQ(count("major third down", notes), 0U);
  EXPECT_EQ(count("fifth up, minor third down", notes), 1U) << "one of any quality, one of this";
}

TEST(IntervalPattern, IsWrittenAsNumbers) {
  const std::string notes = "G4 D5 B4 B4 G5";  // semitones 7 -3 0 8, steps 4 -2 0 5
  EXPECT_EQ(count("+7 -3 0 +8", notes), 1U);
  EXPECT_EQ(count("7,-3", notes), 1U);
  EXPECT_EQ(count("semitones 0 8", notes), 1U);
  EXPECT_EQ(count("steps +4 -2 0 +5", notes), 1U);
  EXPECT_EQ(count("+4 -2", notes), 0U);
}

TEST(IntervalPattern, IsWrittenAsNotesOfAnyKey) {
  EXPECT_EQ(count("C4 G4 E4 E4 C5", "D4 A4 F#4 F#4 D5"), 1U);
  EXPECT_EQ(count("C4 G4 Eb4", "D4 A4 F#4"), 0U);
  EXPECT_EQ(count("c4 d#4", "C4 Eb4"), 1U) << "what sounds alike";
}

TEST(IntervalPattern, CountsOverlappingPlacesToo) {
  EXPECT_EQ(count("0 0", "C4 C4 C4 C4"), 2U);
  EXPECT_EQ(count("second up", "C4 D4 E4 F4"), 3U);
  EXPECT_EQ(count("minor second up, second up", "E4 F4 G4 B4 C5 D5"), 2U);
}

TEST(IntervalPattern, DoesNotTakeAPartOfANumberForIt) {
  EXPECT_EQ(count("+1", "C4 B4"), 0U) << "11 semitones";
  EXPECT_EQ(count("+2", "C5 Bb4"), 0U);
}

TEST(IntervalPattern, KnowsTheQualities) {
  EXPECT_EQ(count("augmented fourth up", "C4 F#4"), 1U);
  EXPECT_EQ(count("augmented fourth up", "C4 Gb4"), 0U);
  EXPECT_EQ(count("diminished fifth up", "C4 Gb4"), 1U);
  EXPECT_EQ(count("diminished seventh up", "C#4 Bb4"), 1U);
  EXPECT_EQ(count("minor tenth up", "C4 Eb5"), 1U);
  EXPECT_EQ(count("augmented unison up", "C4 C#4"), 1U);
}

TEST(IntervalPattern, SaysWhichWordIsWrong) {
  EXPECT_EQ(problem("").code, "interval-empty");
  EXPECT_EQ(problem(" , ").code, "interval-empty");
  EXPECT_EQ(problem("steps").code, "interval-empty");
  EXPECT_EQ(problem("C4").code, "interval-empty");
  EXPECT_THAT(problem("fifth up, thrid down").message, HasSubstr("'thrid'"));
  EXPECT_THAT(problem("fifth").message, HasSubstr("up"));
  EXPECT_THAT(problem("major").message, HasSubstr("'major'"));
  EXPECT_EQ(problem("perfect third up").code, "interval-quality");
  EXPECT_EQ(problem("minor fifth down").code, "interval-quality");
  EXPECT_EQ(problem("1 2 x").code, "interval-word");
  EXPECT_EQ(problem("99999").code, "interval-word");
  EXPECT_EQ(problem("+-3").code, "interval-word");
  EXPECT_EQ(problem("C4 H4").code, "interval-word");
}

TEST(IntervalPattern, OddTextsAreNoDanger) {
  const auto pattern = IntervalPattern::parse("minor second up, second up");
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->count("", ""), 0U);
  EXPECT_EQ(pattern->count(" 1 x ", " 1 2 "), 0U);
  EXPECT_EQ(pattern->count(" 99999999999 1 1 ", " 1 2 "), 0U);
}

}  // namespace
}  // namespace rondo
