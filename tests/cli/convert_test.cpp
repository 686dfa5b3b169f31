// rondo convert: any format in, any out, without a collection.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.h"

namespace convert_test {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kTune = "X:7\nT:Tune\nM:3/4\nL:1/4\nK:G\nG|ABc|(3def g2|]\n";
constexpr const char* kDuet =
    "X:1\nT:Duet\nM:2/4\nL:1/4\nV:1 name=\"Bass\"\nV:2 name=\"Melody\"\nK:C\nV:1\nC,2|G,2|\nV:2\nce|dB|\n";

struct Convert : Program {
  /// The notes of the first melody of a file, as JSON lines have them.
  json notes(const std::string& arguments) {
    const Outcome done = rondo("convert " + arguments + " --as json");
    EXPECT_EQ(done.code, 0) << done.err;
    const json line = json::parse(done.out.substr(0, done.out.find('\n')), nullptr, false);
    EXPECT_TRUE(line.is_object()) << done.out;
    return line.is_object() ? line["notes"] : json();
  }
};

TEST_F(Convert, EveryFormatThatIsWrittenGivesTheMelodyBack) {
  write("tune.abc", kTune);
  const json expected = notes("tune.abc");
  EXPECT_EQ(expected.size(), 8U);
  for (const char* format : {"abc", "esac", "kern", "mei", "midi", "musicxml", "pae", "json"}) {
    const std::string file = std::string("tune.") + format;
    ASSERT_EQ(rondo("convert tune.abc --as " + std::string(format) + " > " + file + ".out").code, 0) << format;
    EXPECT_EQ(notes(file + ".out"), expected) << format;
  }
}

TEST_F(Convert, ReadsStandardInputAndWritesStandardOutput) {
  write("tune.abc", kTune);
  const Outcome done = shell("'" RONDO_PROGRAM "' convert - --as kern < tune.abc | '" RONDO_PROGRAM
                             "' convert - --as midi | '" RONDO_PROGRAM "' convert - --as pae");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("@data:"));
  EXPECT_THAT(done.out, HasSubstr("@title:Tune"));
}

TEST_F(Convert, SeveralMelodiesBecomeSeveralRecords) {
  write("two.abc", std::string(kTune) + "\nX:8\nT:Other\nK:C\nCDEF|\n");
  for (const char* format : {"abc", "esac", "kern", "pae", "json"}) {
    ASSERT_EQ(rondo("convert two.abc --as " + std::string(format) + " > two.out").code, 0) << format;
    const Outcome again = rondo("convert two.out --as json");
    EXPECT_EQ(std::count(again.out.begin(), again.out.end(), '\n'), 2) << format << again.err;
    EXPECT_THAT(again.out, HasSubstr("Other")) << format;
  }
}

TEST_F(Convert, AMidiFileHoldsOnePieceAndTheOthersAreReported) {
  write("two.abc", std::string(kTune) + "\nX:8\nK:C\nCDEF|\n");
  const Outcome done = rondo("convert two.abc --as midi");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.out, StartsWith("MThd"));
  EXPECT_THAT(done.err, HasSubstr("convert-one-piece"));
}

TEST_F(Convert, BadInputFailsWithItsPlace) {
  write("noise.bin", std::string("\1\2\3\4\0\5", 6));
  const Outcome noise = rondo("convert noise.bin --as abc");
  EXPECT_EQ(noise.code, 1);
  EXPECT_THAT(noise.out, IsEmpty());
  EXPECT_THAT(noise.err, HasSubstr("format-unknown"));
  EXPECT_THAT(rondo("convert gone.abc --as pae").err, HasSubstr("gone.abc: No such file"));
  EXPECT_EQ(rondo("convert gone.abc --as pae").code, 1);
  EXPECT_EQ(rondo("convert x.abc --as cuneiform").code, 2);
  EXPECT_EQ(rondo("convert x.abc --as musescore").code, 2);  // only read
  EXPECT_EQ(rondo("convert x.abc").code, 2);
}

TEST_F(Convert, WhatAFormatCannotHoldCostsThatMelodyOnly) {
  write("two.abc", "X:1\nT:Chord\nK:C\n[CE]2|\n\nX:2\nT:Line\nK:C\nCDEF|\n");
  const Outcome done = rondo("convert two.abc --as esac");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.out, HasSubstr("CUT[Line]"));
  EXPECT_THAT(done.out, Not(HasSubstr("CUT[Chord]")));
  EXPECT_THAT(done.err, HasSubstr("cannot-write"));
  EXPECT_THAT(rondo("convert two.abc --as esac --strict").out, IsEmpty());
}

TEST_F(Convert, TheMelodyOfSeveralVoicesIsFoundAndReported) {
  write("duet.abc", kDuet);
  EXPECT_EQ(notes("duet.abc --voices melody").size(), 4U);
  const Outcome done = rondo("convert duet.abc --as esac --voices melody");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("MEL[+1+3  +27"));
  EXPECT_THAT(done.err, HasSubstr("the melody is voice 2 of 2, \"Melody\", by its name"));
  EXPECT_EQ(rondo("convert duet.abc --as esac").code, 1);
}

TEST_F(Convert, ImportKeepsAllVoicesUnlessToldOtherwise) {
  write("duet.abc", kDuet);
  ASSERT_EQ(rondo("import duet.abc --db all.db").code, 0);
  const json all = json::parse(rondo("show duet.abc#1 --db all.db --as json").out, nullptr, false);
  ASSERT_TRUE(all.is_object());
  EXPECT_EQ(all["voices"].size(), 2U);
  const Outcome done = rondo("import duet.abc --db melody.db --voices melody --report report.csv --format json");
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(json::parse(done.out)["by_code"]["melody-chosen"], 1);
  EXPECT_THAT(read("report.csv"), HasSubstr("the melody is voice 2 of 2"));
  EXPECT_THAT(rondo("show duet.abc#1 --db melody.db --as esac").out, HasSubstr("MEL[+1+3  +27"));
  // Another choice is another reading of the file: it is not known and unchanged.
  const Outcome again = rondo("import duet.abc --db melody.db --format json");
  EXPECT_EQ(json::parse(again.out)["updated"], 1) << again.out;
}

}  // namespace convert_test
