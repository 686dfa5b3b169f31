// What real records get wrong: each keeps its melody and costs one warning with a stable code and the column.

#include <gmock/gmock.h>

#include "unit/formats/pae_support.h"

namespace pae_warnings_test {

using pae_test::Header;
using pae_test::read;
using pae_test::show;

struct Sloppy {
  std::string data;
  std::string melody;
  std::string warning;  ///< code and column of the first
  Header header = {};
};

void PrintTo(const Sloppy& sloppy, std::ostream* out) { *out << sloppy.data; }

class PaeSloppiness : public testing::TestWithParam<Sloppy> {};

TEST_P(PaeSloppiness, IsReadWithAWarning) {
  const Sloppy& sloppy = GetParam();
  const auto reading = read(sloppy.data, sloppy.header);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(show(reading.voice), sloppy.melody);
  ASSERT_FALSE(reading.warnings.empty());
  const auto& first = reading.warnings.front();
  EXPECT_EQ(first.code + " " + std::to_string(first.place.column), sloppy.warning);
  EXPECT_EQ(first.place.field, "data");
  EXPECT_FALSE(first.message.empty());
}

const Header kThree{.timesig = "3/4"};
const Header kV1{.version = "1"};
const Header kV2{.version = "2"};

INSTANTIATE_TEST_SUITE_P(
    All, PaeSloppiness,
    testing::Values(
        Sloppy{"4C/=/D", "C4 1/4 - 3/4 D4 1/4", "pae-measure-rest-count 4", kThree},
        Sloppy{"4C/=0/D", "C4 1/4 - 3/4 D4 1/4", "pae-measure-rest-count 4", kThree},
        Sloppy{"=2/4D", "- 2 D4 1/4", "pae-measure-rest-no-time 1"},
        Sloppy{"4CqDE", "C4 1/4 *D4 1/4 E4 1/4", "pae-grace-duration 4"},
        Sloppy{"(6ABCDE;5)", "A4 1/20 B4 1/20 C4 1/20 D4 1/20 E4 1/20", "pae-tuplet-total-missing 1"},
        Sloppy{"(6ABC)", "A4 1/24 B4 1/24 C4 1/24", "pae-tuplet-total-missing 1", kV2},
        Sloppy{"8(ABC)", "A4 1/12 B4 1/12 C4 1/12", "pae-tuplet-value-missing 2"},
        Sloppy{"4(8ABC;)", "A4 1/12 B4 1/12 C4 1/12", "pae-tuplet-number 7"},
        Sloppy{"4(8ABC;3D", "A4 1/12 B4 1/12 C4 1/12 D4 1/8", "pae-group-unclosed 9"},
        Sloppy{"4(8ABC", "A4 1/8 B4 1/8 C4 1/8", "pae-group-unclosed 2"},
        Sloppy{"4A)B", "A4 1/4 B4 1/4", "pae-group-unopened 3"},
        Sloppy{"4A.8B", "A4 3/8 B4 1/8", "pae-dot-after-name 3"},
        Sloppy{"4A..B", "A4 7/16 B4 1/4", "pae-dot-after-name 3"},
        Sloppy{"4-.B", "- 3/8 B4 1/4", "pae-dot-after-name 3"}, Sloppy{"4A// //B", "A4 1/4 B4 1/4", "pae-empty-bar 6"},
        Sloppy{"4A///B", "A4 1/4 B4 1/4", "pae-empty-bar 5"}, Sloppy{"{8AB", "A4 1/8 B4 1/8", "pae-beam-unbalanced 5"},
        Sloppy{"8AB}C", "A4 1/8 B4 1/8 C4 1/8", "pae-beam-unbalanced 4"},
        Sloppy{"{8A{BC}", "A4 1/8 B4 1/8 C4 1/8", "pae-beam-unbalanced 4"},
        Sloppy{"$bB 4B", "Bb4 1/4", "pae-header-in-data 1"}, Sloppy{"%F-4 4B", "B4 1/4", "pae-header-in-data 1"},
        Sloppy{"@3/4 4B", "B4 1/4", "pae-header-in-data 1"},
        Sloppy{"''4C&apos;D", "C5 1/4 D4 1/4", "pae-html-entity 5"},
        Sloppy{"&#39;&#x27;4C2^CE&gt;", "C5 1/4 E5+C5 1/2", "pae-html-entity 1"},
        Sloppy{"\xE2\x80\x99\xE2\x80\x99"
               "4C\xE2\x80\x93",
               "C5 1/4 - 1/4", "pae-typographic-sign 1"},
        Sloppy{"4CD D/E", "C4 1/4 D4 1/2 E4 1/4", "pae-tie-lost 5"},
        Sloppy{"4CxF /FG", "C4 1/4 F#4 1/2 G4 1/4", "pae-tie-lost 7"},
        Sloppy{"4CC D", "C4 1/4 C4 1/4 D4 1/4", "pae-space 4"},
        Sloppy{"4C C D E", "C4 1/4 C4 1/4 D4 1/4 E4 1/4", "pae-space 3"},
        Sloppy{"4C+D", "C4 1/4 D4 1/4", "pae-tie-mismatch 3"},
        Sloppy{"4C+-D", "C4 1/4 - 1/4 D4 1/4", "pae-tie-dangling 3"}, Sloppy{"+4C", "C4 1/4", "pae-tie-dangling 1"},
        Sloppy{"4gC+D", "*C4 0 D4 1/4", "pae-tie-dangling 4"}, Sloppy{"4_C", "- 1/4 C4 1/4", "pae-tie-dangling 2"},
        Sloppy{"^4C", "C4 1/4", "pae-chord-dangling 1"},
        Sloppy{"2^CE>^FG>4A_+", "E4+C4 1/2 G4+F4 1/2 A4 1/2", "pae-version-mixed 13"},
        Sloppy{"4C_", "C4 1/2", "pae-version-mixed 3", kV1}, Sloppy{"4C+C", "C4 1/2", "pae-version-mixed 3", kV2},
        Sloppy{"2Aqq8BCD/4E", "A4 1/2 *B4 1/8 *C4 1/8 *D4 1/8 E4 1/4", "pae-grace-unclosed 4"},
        Sloppy{"4Cx/F", "C4 1/4 F4 1/4", "pae-accidental-dangling 3"},
        Sloppy{"4xxxF", "F###4 1/4", "pae-accidental-odd 2"}, Sloppy{"4.....A", "A4 31/64", "pae-too-many-dots 1"},
        Sloppy{"8!AB!C", "A4 1/8 B4 1/8 C4 1/8", "pae-figure-count 5"},
        Sloppy{"8!AB", "A4 1/8 B4 1/8", "pae-figure-unclosed 2"}, Sloppy{"4AiB", "A4 1/4 B4 1/4", "pae-repeat-bar 3"},
        Sloppy{"/i/4A", "A4 1/4", "pae-repeat-bar 2"}, Sloppy{"4A%X-9 B", "A4 1/4 B4 1/4", "pae-clef-unknown 3"},

        Sloppy{"4A$xF'F", "A4 1/4 F#4 1/4", "pae-change-unspaced 6"},
        Sloppy{"4A@/ B", "A4 1/4 B4 1/4", "pae-time-unknown 3"},
        Sloppy{"4A?B*C", "A4 1/4 B4 1/4 C4 1/4", "pae-unknown-sign 3"}));

TEST(PaeWarnings, AreLimitedInNumber) {
  std::string data(1000, '?');
  data.append(2000, 'C');
  const auto reading = read(data);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.warnings.size(), 51U);
  EXPECT_EQ(reading.warnings.back().code, "pae-more-warnings");
}

TEST(PaeWarnings, ColumnsAreThoseOfTheOriginalBehindAnEntity) {
  const auto reading = read("&apos;4A?B");
  ASSERT_EQ(reading.warnings.size(), 2U);
  EXPECT_EQ(reading.warnings[1].code, "pae-unknown-sign");
  EXPECT_EQ(reading.warnings[1].place.column, 9U);
}

TEST(PaeErrors, SayThatThereIsNoNotation) {
  for (const char* data : {"", "   ", "{}", "'''", "4", "%G-2 "})
    EXPECT_EQ(read(data).error, "pae-no-notation") << data;
}

TEST(PaeErrors, SayThatTheTextIsNoNotation) {
  EXPECT_EQ(read("without incipit").error, "pae-not-notation");
  EXPECT_EQ(read("Dolce, 12 bars").error, "pae-not-notation");
}

TEST(PaeErrors, SayThatAPitchCannotBePlayed) {
  EXPECT_EQ(read("'''''''''C").error, "pae-octave-range");
  EXPECT_EQ(read(",,,,,,C").error, "pae-octave-range");
  EXPECT_EQ(read("''''''G").error, "") << "G9 is the highest of MIDI";
}

}  // namespace pae_warnings_test
