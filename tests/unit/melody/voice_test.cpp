#include "rondo/melody/voice.h"

#include <gtest/gtest.h>

#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo {
namespace {

Pitch p(const char* name) { return Pitch::parse(name).value(); }

TEST(VoiceBuilder, MergesTiedNotesEvenWithinAChord) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 2), p("E5"));
  builder.note(0, Fraction(1, 2), p("C5"));
  EXPECT_TRUE(builder.note(Fraction(1, 2), Fraction(1, 4), p("E5"), true));
  EXPECT_TRUE(builder.note(Fraction(1, 2), Fraction(1, 4), p("C5"), true));
  const Voice voice = builder.finish().value();
  ASSERT_EQ(voice.notes.size(), 2U);
  EXPECT_EQ(voice.notes[0].duration, Fraction(3, 4));
  EXPECT_EQ(voice.notes[1].duration, Fraction(3, 4));
  EXPECT_EQ(voice.length, Fraction(3, 4));
}

TEST(VoiceBuilder, ATieWithoutAPartnerBeginsANote) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), p("C4"));
  EXPECT_FALSE(builder.note(Fraction(1, 2), Fraction(1, 4), p("C4"), true));
  EXPECT_EQ(builder.finish()->notes.size(), 2U);
}

TEST(VoiceBuilder, PutsNotesInTheModelsOrder) {
  VoiceBuilder builder;
  builder.note(Fraction(1, 4), Fraction(1, 4), p("C4"));
  builder.note(0, Fraction(1, 4), p("C4"));
  builder.note(0, Fraction(1, 4), p("G4"));
  builder.grace(0, Fraction(1, 16), p("A4"));
  builder.grace(0, Fraction(1, 16), p("B4"));
  const Voice voice = builder.finish().value();
  std::string order;
  for (const Note& note : voice.notes) order += note.pitch.to_string() + " ";
  EXPECT_EQ(order, "A4 B4 G4 C4 C4 ");
}

TEST(VoiceBuilder, RefusesTimesAndPitchesBeyondTheLimits) {
  const auto code = [](auto&& fill) {
    VoiceBuilder builder;
    fill(builder);
    auto done = builder.finish();
    return done ? std::string("fine") : done.error().code;
  };
  EXPECT_EQ(code([](VoiceBuilder& b) { b.note(Fraction(-1), 1, p("C4")); }), "time-out-of-range");
  EXPECT_EQ(code([](VoiceBuilder& b) { b.note(0, Fraction(1, limits::kDenominator + 1), p("C4")); }),
            "time-out-of-range");
  EXPECT_EQ(code([](VoiceBuilder& b) { b.lasts_until(Fraction::invalid()); }), "time-out-of-range");
  EXPECT_EQ(code([](VoiceBuilder& b) { b.note(0, 1, p("C11")); }), "pitch-out-of-range");
  EXPECT_EQ(code([](VoiceBuilder& b) {
              for (std::size_t i = 0; i <= limits::kNotesPerVoice; ++i) b.grace(0, 0, p("C4"));
            }),
            "too-many-notes");
}

TEST(VoiceBuilder, IsEmptyAfterFinish) {
  VoiceBuilder builder("first");
  builder.note(Fraction(-1), 1, p("C4"));
  EXPECT_FALSE(builder.finish());
  EXPECT_EQ(builder.finish().value(), Voice{});
}

TEST(VoiceBuilder, AChangeThatChangesNothingIsDropped) {
  VoiceBuilder builder;
  builder.key_signature(0, KeySignature::from_fifths(1));
  builder.key_signature(0, KeySignature::from_fifths(2));
  builder.key_signature(1, KeySignature::from_fifths(2));
  builder.key_signature(2, KeySignature::from_fifths(0));
  const Voice voice = builder.finish().value();
  ASSERT_EQ(voice.key_signatures.size(), 2U);
  EXPECT_EQ(in_force(voice.key_signatures, Fraction(3, 2))->fifths(), 2);
  EXPECT_EQ(in_force(voice.key_signatures, 2)->fifths(), 0);
  EXPECT_EQ(in_force(voice.clefs, 2), nullptr);
}

TEST(TopLine, TakesTheHighestNoteOfEachOnsetAndLeavesOutGraces) {
  VoiceBuilder builder;
  builder.grace(0, 0, p("D5"));
  builder.note(0, Fraction(1, 4), p("C5"));
  builder.note(0, Fraction(1, 2), p("E4"));
  builder.note(Fraction(1, 4), Fraction(1, 4), p("B4"));
  const Voice voice = builder.finish().value();
  EXPECT_FALSE(is_monophonic(voice));
  const auto line = top_line(voice);
  ASSERT_EQ(line.size(), 2U);
  EXPECT_EQ(line[0].pitch, p("C5"));
  EXPECT_EQ(line[1].pitch, p("B4"));
  EXPECT_EQ(top_line(voice, true).size(), 3U);
}

}  // namespace
}  // namespace rondo
