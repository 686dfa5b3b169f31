// Every expected value here was worked out by hand from the notes; see the comments.

#include "features/features.h"

#include <gmock/gmock.h>

#include "features/letters.h"
#include "generate/generate.h"
#include "support/any_voice.h"
#include "support/lines.h"
#include "support/rounds.h"

namespace rondo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Sizes = std::array<std::uint32_t, Features::kSizes>;

Features features(const std::string& text) { return features_of(voice_of(text)); }

TEST(Features, NoNotesHaveNone) {  // 1
  const Features f = features_of(Voice{});
  EXPECT_EQ(f, Features{});
  EXPECT_EQ(f.duration_ratio, 0) << "outside (0, 1]: no ratio";
}

TEST(Features, OneNoteHasARatioAndNoIntervals) {  // 2
  const Features f = features("A4 1/4");
  EXPECT_EQ(f.notes, 1U);
  EXPECT_EQ(f.lowest, 69);
  EXPECT_EQ(f.highest, 69);
  EXPECT_EQ(f.range, 0);
  EXPECT_EQ(f.max_interval, 0);
  EXPECT_EQ(f.duration_ratio, 1);
  EXPECT_EQ(f.contour, "");
  EXPECT_EQ(f.rhythm, "");
  EXPECT_THAT(f.diatonic, IsEmpty());
  EXPECT_EQ(f.sizes, Sizes{});
}

TEST(Features, OfAMajorScale) {  // 3: C4 (60) to C5 (72); whole and half steps 2 2 1 2 2 2 1
  const Features f = features("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C5 1/4");
  EXPECT_EQ(f.notes, 8U);
  EXPECT_EQ(f.range, 12);
  EXPECT_EQ(f.range_steps, 7);
  EXPECT_EQ(f.max_interval, 2);
  EXPECT_EQ(f.max_interval_steps, 1);
  EXPECT_EQ(f.duration_ratio, 1);
  EXPECT_EQ(f.contour, "UUUUUUU");
  EXPECT_EQ(f.rhythm, "EEEEEEE");
  EXPECT_THAT(f.chromatic, ElementsAre(2, 2, 1, 2, 2, 2, 1));
  EXPECT_THAT(f.diatonic, ElementsAre(1, 1, 1, 1, 1, 1, 1));
  EXPECT_EQ(f.sizes, (Sizes{0, 7, 0, 0, 0, 0, 0, 0, 0}));
  // Seven seconds: "1 1 1" fits in twice, and "1 1" three times.
  EXPECT_THAT(f.motives, ElementsAre(Motive{0, 2, 3}, Motive{0, 3, 2}));
}

TEST(Features, OfAFanfareWithLeapsAndLongNotes) {  // 4: C4 G4 E5 C4: +7 +9 -16; 1/8, 1/4, 1/2, 1/2
  const Features f = features("C4 1/8 G4 1/4 E5 1/2 C4 1/2");
  EXPECT_EQ(f.range, 16);
  EXPECT_EQ(f.range_steps, 9) << "a tenth";
  EXPECT_EQ(f.max_interval, 16);
  EXPECT_EQ(f.max_interval_steps, 9);
  EXPECT_EQ(f.duration_ratio, 0.25);
  EXPECT_EQ(f.contour, "UUD");
  EXPECT_EQ(f.rhythm, "LLE");
  EXPECT_THAT(f.chromatic, ElementsAre(7, 9, -16));
  EXPECT_THAT(f.diatonic, ElementsAre(4, 5, -9));
  EXPECT_EQ(f.sizes, (Sizes{0, 0, 0, 0, 1, 1, 0, 0, 1}));
  EXPECT_THAT(f.motives, IsEmpty());
}

TEST(Features, RestsAreIgnored) {  // 5: the fifth G4 - D5 spans the rest; the rest is longer than any note
  const Features f = features("G4 1/4 r 2 D5 1/8");
  EXPECT_EQ(f.notes, 2U);
  EXPECT_EQ(f.max_interval, 7);
  EXPECT_EQ(f.duration_ratio, 0.5);
  EXPECT_EQ(f.rhythm, "S");
}

TEST(Features, SpellingDecidesTheDiatonicInterval) {  // 6: F4 (65) F#4 (66) Gb4 (66) G4 (67)
  const Features f = features("F4 1/4 F#4 1/4 Gb4 1/4 G4 1/4");
  EXPECT_THAT(f.chromatic, ElementsAre(1, 0, 1));
  EXPECT_THAT(f.diatonic, ElementsAre(0, 1, 0)) << "an augmented unison, a diminished second, another unison";
  EXPECT_EQ(f.contour, "URU") << "what sounds counts";
  EXPECT_EQ(f.sizes, (Sizes{2, 1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Features, ThreeRepeatedNotesInTwoPlaces) {  // 7: G G G E | F F F D: 0 0 -2 +1 0 0 -2
  const Features f = features("G4 1/8 G4 1/8 G4 1/8 Eb4 1/2 F4 1/8 F4 1/8 F4 1/8 D4 1/2");
  EXPECT_THAT(f.diatonic, ElementsAre(0, 0, -2, 1, 0, 0, -2));
  EXPECT_THAT(f.chromatic, ElementsAre(0, 0, -4, 2, 0, 0, -3));
  // "0 0 -2" twice; "0 0" and "0 -2" occur as parts of it only.
  EXPECT_THAT(f.motives, ElementsAre(Motive{0, 3, 2}));
  EXPECT_EQ(f.range, 5) << "D4 to G4";
  EXPECT_EQ(f.duration_ratio, 0.25);
  EXPECT_EQ(f.rhythm, "EELSEEL");
}

TEST(Features, ARoundAndItsMotives) {  // 8: C D E C | C D E C | E F G | E F G: +1 +1 -2 0 +1 +1 -2 +2 +1 +1 -2 +1 +1
  const Features f =
      features("C4 1/4 D4 1/4 E4 1/4 C4 1/4 C4 1/4 D4 1/4 E4 1/4 C4 1/4 E4 1/4 F4 1/4 G4 1/2 E4 1/4 F4 1/4 G4 1/2");
  EXPECT_THAT(f.diatonic, ElementsAre(1, 1, -2, 0, 1, 1, -2, 2, 1, 1, -2, 1, 1));
  EXPECT_THAT(f.chromatic, ElementsAre(2, 2, -4, 0, 2, 2, -4, 4, 1, 2, -3, 1, 2));
  // "1 1" at 0, 4, 8, 11: four times; "1 1 -2" at 0, 4, 8: three times.
  EXPECT_THAT(f.motives, ElementsAre(Motive{0, 2, 4}, Motive{0, 3, 3}));
  EXPECT_EQ(f.sizes, (Sizes{1, 8, 4, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(f.range, 7);
  EXPECT_EQ(f.range_steps, 4);
}

TEST(Features, AChordCountsAsItsHighestNoteAndGraceNotesAreLeftOut) {  // 9: heard: C5 (72), E5 (76)
  VoiceBuilder builder;
  builder.note(0, {1, 4}, Pitch{0, 0, 4});
  builder.note(0, {1, 4}, Pitch{0, 0, 5});
  builder.grace({1, 4}, {1, 16}, Pitch{6, 0, 6});
  builder.note({1, 4}, {1, 8}, Pitch{2, 0, 5});
  const Features f = features_of(*builder.finish());
  EXPECT_EQ(f.notes, 2U);
  EXPECT_THAT(f.chromatic, ElementsAre(4));
  EXPECT_EQ(f.range, 4);
  EXPECT_EQ(f.duration_ratio, 0.5);
}

TEST(Features, SignaturesAreTheFirstOnes) {  // 10
  VoiceBuilder builder;
  builder.clef(0, Clef{'C', 1, Clef::Kind::modern});
  builder.key_signature(0, KeySignature::from_fifths(2));
  builder.key(0, *Key::parse("D major"));
  builder.time(0, TimeSignature{6, 8, ""});
  builder.time({3, 4}, TimeSignature{2, 4, ""});
  builder.note(0, {1, 3}, Pitch{1, 0, 4});
  builder.note({1, 3}, {1, 2}, Pitch{1, 0, 4});
  const Features f = features_of(*builder.finish());
  EXPECT_EQ(f.clef, "C-1");
  EXPECT_EQ(f.key_signature, "xFC");
  EXPECT_EQ(f.key, "D major");
  EXPECT_EQ(f.time, "6/8");
  EXPECT_DOUBLE_EQ(f.duration_ratio, 2.0 / 3.0) << "a triplet half against a half";
}

TEST(Features, TheWhiteCockadeBegins) {  // 11: G A B B B A G A B G G, then D up a fifth and G up a fourth
  const Features f =
      features("G4 1/8 A4 1/8 B4 1/4 B4 1/4 B4 1/8 A4 1/8 G4 1/8 A4 1/8 B4 1/4 G4 1/4 G4 1/4 D5 1/4 G5 1/4");
  EXPECT_THAT(f.diatonic, ElementsAre(1, 1, 0, 0, -1, -1, 1, 1, -2, 0, 4, 3));
  EXPECT_EQ(f.range, 12);
  EXPECT_EQ(f.max_interval, 7);
  EXPECT_EQ(f.duration_ratio, 0.5);
  EXPECT_EQ(f.contour, "UURRDDUUDRUU");
  EXPECT_EQ(f.rhythm, "ELESEEELEEEE");
  EXPECT_THAT(f.motives, ElementsAre(Motive{0, 2, 2}));
}

TEST(Features, HistogramSharesAddUpToOne) {  // 12: 2 -2 2 0: three different ones
  const std::vector<std::int16_t> intervals = {2, -2, 2, 0};
  EXPECT_THAT(interval_histogram(intervals),
              ElementsAre(IntervalShare{-2, 1, 0.25}, IntervalShare{0, 1, 0.25}, IntervalShare{2, 2, 0.5}));
  EXPECT_THAT(interval_histogram({}), IsEmpty());
}

TEST(Features, IntervalTextHasABlankAroundEveryNumber) {
  EXPECT_EQ(interval_text(std::vector<std::int16_t>{4, -2, 0, 10}), " 4 -2 0 10 ");
  EXPECT_EQ(interval_text({}), "");
}

/// The same melody a number of octaves and fifths away, spelled accordingly: every interval keeps its name.
Voice transposed_by_fifths(Voice voice, int fifths, int octaves) {
  for (Note& note : voice.notes) {
    for (int i = 0; i < fifths; ++i) {
      // Up a perfect fifth: four steps, of which B needs a sharp.
      const bool b = note.pitch.step == 6;
      const int step = note.pitch.step + 4;
      note.pitch = Pitch{static_cast<std::int8_t>(step % 7), static_cast<std::int8_t>(note.pitch.alter + (b ? 1 : 0)),
                         static_cast<std::int8_t>(note.pitch.octave + step / 7)};
    }
    note.pitch.octave = static_cast<std::int8_t>(note.pitch.octave + octaves);
  }
  return voice;
}

TEST(Features, OfATransposedMelodyDifferInHeightOnly) {
  std::mt19937 random(11);
  int melodies = 0;
  for (int round = 0; round < test::rounds(400); ++round) {
    const Voice voice = test::any_voice(random);
    const Features plain = features_of(voice);
    Features moved = features_of(transposed_by_fifths(voice, round % 3, round % 2));
    if (plain.notes != 0) {
      EXPECT_EQ(moved.lowest - plain.lowest, 7 * (round % 3) + 12 * (round % 2));
      ++melodies;
    }
    moved.lowest = plain.lowest;
    moved.highest = plain.highest;
    EXPECT_EQ(moved, plain) << round;
  }
  EXPECT_GT(melodies, test::rounds(300));
}

TEST(Features, OfASlowerMelodyAreTheSame) {
  std::mt19937 random(12);
  for (int round = 0; round < test::rounds(200); ++round) {
    Voice voice = test::any_voice(random);
    const Features plain = features_of(voice);
    for (Note& note : voice.notes) {
      note.onset *= 2;
      note.duration *= 2;
    }
    EXPECT_EQ(features_of(voice), plain) << round;
  }
}

TEST(Features, OfAMelodyUpsideDownHaveTheOppositeContour) {
  std::mt19937 random(13);
  for (int round = 0; round < test::rounds(200); ++round) {
    const Line line = random_line(random, 2 + random() % 30);
    Line inverted = line;
    for (auto& pitch : inverted.pitch) pitch = static_cast<std::int16_t>(120 - pitch);
    std::string expected = contour_string(line);
    for (char& letter : expected) letter = letter == 'U' ? 'D' : letter == 'D' ? 'U' : 'R';
    EXPECT_EQ(contour_string(inverted), expected);
  }
}

TEST(Features, HearWhatTheSystemsHear) {
  const Generator generator(3);
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Piece piece = generator.piece(i);
    const Voice& voice = piece.voices.front();
    const Features f = features_of(voice);
    const Line line = make_line(voice);
    EXPECT_EQ(f.notes, line.size());
    EXPECT_EQ(f.contour, contour_string(line));
    EXPECT_EQ(f.rhythm, rhythm_string(line));
  }
}

}  // namespace
}  // namespace rondo
