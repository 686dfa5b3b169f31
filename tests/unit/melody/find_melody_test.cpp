#include "melody/find_melody.h"

#include <gmock/gmock.h>

#include "rondo/melody/builder.h"
#include "support/melody_text.h"

namespace rondo::find_melody_test {

using Reason = MelodyChoice::Reason;

/// Quarters from 0 on; 0 is a rest.
Voice line(const std::string& name, const std::vector<int>& keys, Fraction each = Fraction(1, 4)) {
  VoiceBuilder builder(name);
  Fraction at;
  for (const int key : keys) {
    if (key != 0) builder.note(at, each, Pitch::from_midi(key));
    at += each;
    builder.lasts_until(at);
  }
  return builder.finish().value();
}

const std::vector<int> kTune = {67, 69, 71, 72, 74, 72, 71, 69, 67, 66, 67, 69, 71, 69, 67, 67};

Voice chords(const std::string& name, int above = 0) {
  VoiceBuilder builder(name);
  for (int i = 0; i < 4; ++i) {
    for (const int key : {48, 52, 55}) builder.note(i, 1, Pitch::from_midi(key + above));
  }
  return builder.finish().value();
}

std::size_t chosen(const std::vector<Voice>& voices) { return find_melody(voices)->voice; }

TEST(FindMelody, TakesTheOnlyVoiceWithNotes) {
  const std::vector<Voice> voices = {line("MELODY", {}), line("", kTune)};
  EXPECT_EQ(find_melody(voices)->voice, 1U);
  EXPECT_EQ(find_melody(voices)->reason, Reason::only);
  EXPECT_FALSE(find_melody(std::vector<Voice>{line("MELODY", {})}));
}

TEST(FindMelody, ANameDecidesEvenAgainstTheNotes) {
  for (const char* name : {"MELODY", "Melodie", "lead vocal", "Track 3: melody", "Vocals", "Singstimme", "Soprano"}) {
    const std::vector<Voice> voices = {line("Flute", kTune), chords(name)};
    EXPECT_EQ(chosen(voices), 1U) << name;
    EXPECT_EQ(find_melody(voices)->reason, Reason::name) << name;
  }
}

TEST(FindMelody, AMelodyGoesBeforeASopranoAndBackingIsNone) {
  EXPECT_EQ(chosen({line("Soprano", kTune), line("Melody", kTune)}), 1U);
  EXPECT_EQ(chosen({line("Backing vocals", kTune), line("Vocals", kTune)}), 1U);
  EXPECT_EQ(chosen({line("Bass melody", kTune), line("Flute", kTune)}), 1U);
}

TEST(FindMelody, NumbersOfLayersAreNoNames) {
  const std::vector<Voice> voices = {line("Violin", kTune), chords("Piano, voice 1"), line("Piano, voice 2", {40, 43})};
  EXPECT_EQ(chosen(voices), 0U);
  EXPECT_EQ(find_melody(voices)->reason, Reason::skyline);
}

TEST(FindMelody, TheUpperLineIsTheMelody) {
  std::vector<int> low = kTune;
  for (int& key : low) key -= 12;
  EXPECT_EQ(chosen({line("", low), line("", kTune)}), 1U);
  EXPECT_EQ(chosen({chords(""), line("", kTune), line("", {43, 38, 43, 38}, 1)}), 1U);
}

TEST(FindMelody, ChordsAboveItAreNotTheMelody) { EXPECT_EQ(chosen({chords("", 36), line("", kTune)}), 1U); }

TEST(FindMelody, AFewHighNotesAreNotTheMelody) { EXPECT_EQ(chosen({line("", {96, 98}), line("", kTune)}), 1U); }

TEST(Skyline, TakesTheHighestOfEachOnset) {
  VoiceBuilder builder;
  for (const int key : {60, 64, 67}) builder.note(0, Fraction(1, 4), Pitch::from_midi(key));
  for (const int key : {59, 65}) builder.note(Fraction(1, 4), Fraction(1, 4), Pitch::from_midi(key));
  EXPECT_EQ(melody_text(skyline(builder.finish().value())), "G4 1/4 F4 1/4");
}

TEST(Skyline, LeavesOutWhatBeginsBelowAHeldNoteAndEndsWhatAHigherOneInterrupts) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 2), Pitch::from_midi(67));
  builder.note(Fraction(1, 4), Fraction(1, 4), Pitch::from_midi(64));
  builder.note(Fraction(1, 2), Fraction(1, 2), Pitch::from_midi(65));
  builder.note(Fraction(3, 4), Fraction(1, 4), Pitch::from_midi(69));
  EXPECT_EQ(melody_text(skyline(builder.finish().value())), "G4 1/2 F4 1/4 A4 1/4");
}

TEST(Skyline, DoesNotFallToTheAccompanimentInAShortRest) {
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), Pitch::from_midi(72));
  builder.note(Fraction(1, 4), Fraction(1, 4), Pitch::from_midi(48));
  builder.note(Fraction(1, 2), Fraction(1, 4), Pitch::from_midi(74));
  builder.note(2, Fraction(1, 4), Pitch::from_midi(48));
  EXPECT_EQ(melody_text(skyline(builder.finish().value())), "C5 1/4 r 1/4 D5 1/4 r 5/4 C3 1/4");
}

TEST(Skyline, KeepsGraceNotesOfTheNotesThatStay) {
  VoiceBuilder builder;
  builder.grace(0, Fraction(1, 8), Pitch::from_midi(74));
  builder.note(0, Fraction(1, 2), Pitch::from_midi(72));
  builder.grace(Fraction(1, 4), Fraction(1, 8), Pitch::from_midi(59));
  builder.note(Fraction(1, 4), Fraction(1, 4), Pitch::from_midi(60));
  EXPECT_EQ(melody_text(skyline(builder.finish().value())), "~D5 C5 1/2");
}

TEST(ReduceToMelody, SaysWhatWasDone) {
  Piece piece;
  piece.voices = {chords("Piano"), line("MELODY", kTune)};
  EXPECT_EQ(reduce_to_melody(piece), "the melody is voice 2 of 2, \"MELODY\", by its name");
  ASSERT_EQ(piece.voices.size(), 1U);
  EXPECT_EQ(piece.voices[0].name, "MELODY");
  EXPECT_EQ(reduce_to_melody(piece), "");
  piece.voices = {chords("Piano")};
  EXPECT_EQ(reduce_to_melody(piece), "its highest notes were kept: 8 of 12 notes are left out");
}

}  // namespace rondo::find_melody_test
