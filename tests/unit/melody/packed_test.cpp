#include "melody/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "melody/limits.h"
#include "rondo/melody/builder.h"
#include "support/any_voice.h"
#include "support/rounds.h"

namespace rondo {
namespace {

std::string packed(const Voice& voice) {
  std::string bytes;
  auto done = pack(voice, bytes);
  EXPECT_TRUE(done.has_value()) << done.error().to_string();
  return bytes;
}

Voice unpacked(std::string_view bytes) {
  Voice voice;
  auto done = unpack(bytes, voice);
  EXPECT_TRUE(done.has_value()) << done.error().to_string();
  return voice;
}

std::string pack_error(const Voice& voice) {
  std::string bytes = "kept";
  auto done = pack(voice, bytes);
  EXPECT_EQ(bytes, "kept") << "a failed pack must leave what was there";
  return done ? "" : done.error().code;
}

/// Twenty notes in 3/4 with an upbeat, G major, a rest and one accidental: an ordinary incipit.
Voice ordinary_incipit() {
  VoiceBuilder builder;
  builder.clef(0, Clef{'G', 2, Clef::Kind::modern});
  builder.key_signature(0, KeySignature::from_fifths(1));
  builder.key(0, Key{4, 0, Mode::major});
  builder.time(0, TimeSignature{3, 4, ""});
  const char* const names[] = {"D4", "G4", "A4", "B4", "C5", "D5",  "D5", "E5", "F#5", "G5",
                               "D5", "C5", "B4", "A4", "G4", "C#5", "D5", "B4", "A4",  "G4"};
  const Fraction durations[] = {{1, 4}, {1, 4}, {1, 8}, {1, 8}, {1, 4}, {3, 8}, {1, 8}, {1, 4}, {1, 4}, {1, 2}};
  Fraction at;
  for (int i = 0; i < 20; ++i) {
    if (i == 10) at += Fraction(1, 4);
    builder.note(at, durations[i % 10], *Pitch::parse(names[i]));
    at += durations[i % 10];
  }
  builder.bar(0);
  for (Fraction bar(1, 4); bar < at; bar += Fraction(3, 4)) builder.bar(bar);
  return *builder.finish();
}

TEST(Packed, AnEmptyVoiceTakesFiveBytesAndComesBack) {
  const std::string bytes = packed(Voice{});
  EXPECT_EQ(bytes.size(), 5U);
  EXPECT_EQ(unpacked(bytes), Voice{});
}

TEST(Packed, ThreeQuarterNotesAreTheBytesTheLayoutSays) {
  VoiceBuilder builder;
  builder.time(0, TimeSignature{3, 4, ""});
  builder.note(0, {1, 4}, *Pitch::parse("B4"));
  builder.note({1, 4}, {1, 4}, *Pitch::parse("C5"));
  builder.note({1, 2}, {1, 4}, *Pitch::parse("C#5"));
  const std::string bytes = packed(*builder.finish());
  const std::string expected{
      1,               // version
      0,               // flags
      1 << 6,          // a single time signature at the beginning
      4,               // ticks of a whole note
      3 | 2 << 4,      // three beats of 2^2
      3,               // notes
      7 << 4 | 15,     // no step, new shape:
      0,               //   no gap
      1 << 2 | 2,      //   one tick, spelled
      char(8U << 4),   // a step up, shape 0
      char(15U << 4),  // a pitch of its own, shape 0
      4 | 15 << 3,     //   one sharp, no step
  };
  EXPECT_EQ(bytes, expected);
}

TEST(Packed, AnOrdinaryIncipitOfTwentyNotesStaysUnderFiftyBytes) {
  const Voice voice = ordinary_incipit();
  ASSERT_EQ(voice.notes.size(), 20U);
  const std::string bytes = packed(voice);
  RecordProperty("bytes", static_cast<int>(bytes.size()));
  EXPECT_LE(bytes.size(), 50U);
  EXPECT_EQ(unpacked(bytes), voice);
}

TEST(Packed, AppendsToWhatIsThere) {
  std::string bytes = "before";
  ASSERT_TRUE(pack(ordinary_incipit(), bytes));
  EXPECT_EQ(bytes.substr(0, 6), "before");
  EXPECT_EQ(unpacked(std::string_view(bytes).substr(6)), ordinary_incipit());
}

TEST(Packed, KeepsEverythingAVoiceCanSay) {
  Voice voice = ordinary_incipit();
  voice.name = std::string("Violin\xC3\xA8\0\xFF", 10);
  voice.notes[3].spelled = false;
  voice.notes.insert(voice.notes.begin() + 5, Note{voice.notes[5].onset, {1, 16}, {0, 1, 5}, true, true});
  voice.notes.insert(voice.notes.begin() + 6, Note{voice.notes[5].onset, 0, {0, -3, 5}, true, false});
  voice.length += Fraction(7, 12);
  voice.clefs = {
      {0, {'g', 2, Clef::Kind::modern}}, {1, {'C', 3, Clef::Kind::neume}}, {2, {'?', -5, Clef::Kind::mensural}}};
  KeySignature odd;
  odd.alter = {1, 0, 0, 0, 0, 0, -1};
  KeySignature wild;
  wild.alter = {-128, 127, 2, 3, 4, 5, 6};
  voice.key_signatures = {{Fraction(1, 3), odd}, {2, KeySignature::from_fifths(-7)}, {3, wild}};
  voice.keys = {{0, {6, -1, Mode::locrian}}, {1, {3, 2, Mode::minor}}};
  voice.times = {{0, {0, 4, "c/"}}, {1, {12, 8, ""}}, {2, {5, 3, "5/3"}}, {3, {65535, 65535, ""}}};
  voice.bars = {Fraction(1, 3), 1, Fraction(5, 3), Fraction(7, 3), Fraction(5, 2)};
  EXPECT_EQ(unpacked(packed(voice)), voice);
}

TEST(Packed, KeepsChordsOverlapsAndFarLeaps) {
  Voice voice;
  voice.notes = {{0, 1, *Pitch::parse("G9")},       {0, {1, 2}, *Pitch::parse("C-1")},
                 {{1, 4}, 2, *Pitch::parse("B#8")}, {{1, 4}, {1, 3}, *Pitch::parse("Bbbb4")},
                 {{7, 12}, {1, 12}, {0, 60, 2}},    {1, 0, *Pitch::parse("D4")}};
  voice.length = Fraction(9, 4);
  EXPECT_EQ(unpacked(packed(voice)), voice);
}

TEST(Packed, TimesWithoutACommonTickAreKeptAsFractions) {
  Voice voice;
  voice.notes = {{{1, 999'983}, {1, 999'979}, *Pitch::parse("C4")}, {{1, 2}, {1, 3}, *Pitch::parse("E4"), true, false}};
  voice.notes[0].duration = Fraction(1, 999'983);
  voice.notes[1].onset = Fraction(500'000, 999'979);
  voice.length = 3;
  voice.bars = {Fraction(1, 999'961), 1, 2};
  voice.clefs = {{Fraction(1, 7), {}}, {Fraction(999, 1000), {'F', 4, Clef::Kind::modern}}};
  EXPECT_EQ(unpacked(packed(voice)), voice);
}

TEST(Packed, MoreShapesThanTheRingHoldsAreKept) {
  VoiceBuilder builder;
  Fraction at;
  for (int i = 0; i < 400; ++i) {
    const Fraction duration(1 + (i * 7) % 23, 48);
    builder.note(at, duration, Pitch::from_midi(60 + i % 12));
    at += duration;
  }
  const Voice voice = *builder.finish();
  EXPECT_EQ(unpacked(packed(voice)), voice);
}

TEST(Packed, TheLimitsThemselvesArePacked) {
  Voice voice;
  const Fraction last(limits::kWholes);
  voice.notes = {{last - Fraction(1, limits::kDenominator), {1, limits::kDenominator}, *Pitch::parse("C4")},
                 {last, last, *Pitch::parse("C4"), true}};
  voice.length = last;
  EXPECT_EQ(unpacked(packed(voice)), voice);
}

TEST(Packed, WhatBreaksTheModelsPromisesIsRefused) {
  const Note c4{0, {1, 4}, *Pitch::parse("C4")};
  Voice voice;
  voice.notes = {c4, c4};
  voice.notes[0].onset = 1;
  EXPECT_EQ(pack_error(voice), "voice-not-in-order");
  voice.notes = {c4};
  voice.notes[0].onset = Fraction::invalid();
  EXPECT_EQ(pack_error(voice), "time-out-of-range");
  voice.notes[0].onset = Fraction(-1, 4);
  EXPECT_EQ(pack_error(voice), "time-out-of-range");
  voice.notes[0].onset = limits::kWholes;
  EXPECT_EQ(pack_error(voice), "time-out-of-range");
  voice.notes = {c4};
  voice.notes[0].pitch = {7, 0, 4};
  EXPECT_EQ(pack_error(voice), "pitch-out-of-range");
  voice.notes[0].pitch = {0, 0, 100};
  EXPECT_EQ(pack_error(voice), "pitch-out-of-range");
  voice.notes.assign(limits::kNotesPerVoice + 1, c4);
  EXPECT_EQ(pack_error(voice), "too-many-notes");
  voice.notes.clear();
  voice.bars = {1, 1};
  EXPECT_EQ(pack_error(voice), "voice-not-in-order");
  voice.bars.clear();
  voice.keys = {{0, {7, 0, Mode::major}}};
  EXPECT_EQ(pack_error(voice), "signature-unknown");
}

TEST(Packed, RandomVoicesComeBackTheSame) {
  std::mt19937 random(20261115);
  Voice again;  // reused on purpose: nothing of the voice before may shine through
  std::size_t notes = 0;
  for (int i = 0; i < test::rounds(5000); ++i) {
    const Voice voice = test::any_voice(random);
    notes += voice.notes.size();
    const std::string bytes = packed(voice);
    auto done = unpack(bytes, again);
    ASSERT_TRUE(done.has_value()) << "voice " << i << ": " << done.error().to_string();
    ASSERT_EQ(again, voice) << "voice " << i;
  }
  EXPECT_GT(notes, test::rounds(100'000U)) << "the voices are too empty to prove anything";
}

TEST(Packed, EveryTruncationAndEveryTrailingByteIsDamage) {
  const std::string bytes = packed(ordinary_incipit());
  Voice voice;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    auto done = unpack(std::string_view(bytes).substr(0, size), voice);
    ASSERT_FALSE(done.has_value()) << size;
    EXPECT_EQ(done.error().code, "packed-damaged");
  }
  EXPECT_FALSE(unpack(bytes + '\0', voice).has_value());
}

TEST(Packed, AnUnknownVersionIsSaidToBeOne) {
  std::string bytes = packed(ordinary_incipit());
  bytes[0] = 2;
  Voice voice;
  auto done = unpack(bytes, voice);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, "packed-version");
  EXPECT_THAT(done.error().message, testing::HasSubstr("2"));
}

TEST(Packed, DamagedBytesAreRefusedOrGiveAVoiceWithinTheLimits) {
  std::mt19937 random(7);
  Voice voice;
  Voice again;
  for (int i = 0; i < test::rounds(20000); ++i) {
    std::string bytes = packed(test::any_voice(random));
    for (auto hits = 1 + random() % 4; hits > 0; --hits) {
      bytes[1 + random() % (bytes.size() - 1)] = static_cast<char>(random());
    }
    if (!unpack(bytes, voice)) continue;
    ASSERT_TRUE(normalise(again = voice).has_value());
    ASSERT_EQ(unpacked(packed(voice)), voice);
  }
}

TEST(Packed, AnAnnouncedMillionOfNotesInFewBytesIsRefusedWithoutTheMemory) {
  Voice voice;
  EXPECT_FALSE(unpack("\x01\x00\x00\x04\xC0\x84\x3D", voice).has_value() && voice.notes.capacity() > 100);
  EXPECT_LT(voice.notes.capacity(), 100U);
}

}  // namespace
}  // namespace rondo
