// What each alteration does to a melody, note by note.

#include <gmock/gmock.h>

#include "requirements/requirement.h"
#include "rondo/formats/format.h"
#include "support/data.h"
#include "support/lines.h"
#include "support/melody_text.h"

namespace {

using rondo::Fraction;
using rondo::Piece;
using testing::ElementsAre;

/// A piece of one voice, with a key signature of so many sharps.
Piece piece_of(const std::string& text, int fifths = 0) {
  Piece piece;
  piece.id = "tune";
  piece.voices.push_back(voice_of(text));
  rondo::Voice& voice = piece.voices.front();
  voice.key_signatures = {{0, rondo::KeySignature::from_fifths(fifths)}};
  voice.times = {{0, {.beats = 2, .unit = 4, .symbol = {}}}};
  for (Fraction bar; bar < voice.length; bar += Fraction(1, 2)) voice.bars.push_back(bar);
  return piece;
}

Piece altered(std::string_view requirement, std::string_view alteration, const Piece& piece,
              std::vector<Piece> companions = {}) {
  for (const rondo::Alteration& one : rondo::find_requirement(requirement)->alterations) {
    if (one.name == alteration) return one.make(piece, companions);
  }
  ADD_FAILURE() << requirement << " has no alteration " << alteration;
  return piece;
}

/// The query of an alteration that changes it.
Piece asked(std::string_view requirement, std::string_view alteration, const Piece& piece) {
  for (const rondo::Alteration& one : rondo::find_requirement(requirement)->alterations) {
    if (one.name == alteration && one.query != nullptr) return one.query(piece);
  }
  ADD_FAILURE() << requirement << " has no query for " << alteration;
  return piece;
}

std::string text(const Piece& piece) { return melody_text(piece.voices.front()); }

/// Written as MIDI and read again.
Piece through_midi(const Piece& piece) {
  const rondo::Format& midi = *rondo::find_format("midi");
  rondo::CollectingSink sink;
  const auto bytes = midi.write(piece);
  EXPECT_TRUE(bytes.has_value());
  read_text("midi", bytes.value_or(""), sink);
  EXPECT_EQ(sink.pieces.size(), 1U);
  return sink.pieces.empty() ? Piece{} : sink.pieces.front();
}

std::vector<std::string> bars(const Piece& piece) {
  std::vector<std::string> out;
  for (const Fraction bar : piece.voices.front().bars) out.push_back(bar.to_string());
  return out;
}

std::string key(const Piece& piece, Fraction at) {
  return in_force(piece.voices.front().key_signatures, at)->to_string();
}

// Eight notes in F major, which has one flat.
const std::string kTune = "F4 1/4 A4 1/8 Bb4 1/8 C5 1/4 D5 1/4 C5 1/8 Bb4 1/8 G4 1/4 F4 1/2";

TEST(Alterations, TheOctaveMovesEveryNote) {
  EXPECT_EQ(text(altered("octave-equivalence", "up", piece_of("F4 1/4 Bb4 1/8 r 1/8 C5 1/2", -1))),
            "F5 1/4 Bb5 1/8 r 1/8 C6 1/2");
  EXPECT_EQ(text(altered("octave-equivalence", "down", piece_of("C0 1/4 B#4 1/8", 0))), "C-1 1/4 B#3 1/8");
}

TEST(Alterations, AnotherKeyKeepsTheDegrees) {
  // F major a fifth lower is B flat major: do mi fa so become Bb D Eb F.
  const Piece lower = altered("degree-equality", "transposed", piece_of("F4 1/4 A4 1/4 Bb4 1/4 C5 1/4", -1));
  EXPECT_EQ(text(lower), "Bb3 1/4 D4 1/4 Eb4 1/4 F4 1/4");
  EXPECT_EQ(key(lower, 0), "bBE");
  // The third of four notes is where the second half begins; a tone above F major is G major.
  const Piece half = altered("degree-equality", "modulating", piece_of("F4 1/4 A4 1/4 Bb4 1/4 C5 1/4", -1));
  EXPECT_EQ(text(half), "F4 1/4 A4 1/4 C5 1/4 D5 1/4");
  EXPECT_EQ(key(half, Fraction(1, 4)), "bB");
  EXPECT_EQ(key(half, Fraction(1, 2)), "xF");
}

TEST(Alterations, AnotherKeyKeepsTheNotes) {
  const Piece near = altered("note-equality", "next key", piece_of(kTune, -1));
  EXPECT_EQ(text(near), kTune);
  EXPECT_EQ(key(near, 0), "");
  // Six fifths above F major is B major with five sharps, where B flat is written A sharp.
  const Piece far = altered("note-equality", "far key", piece_of("F4 1/4 A4 1/4 Bb4 1/4", -1));
  EXPECT_EQ(key(far, 0), "xFCGDA");
  const std::vector<rondo::Note>& notes = far.voices.front().notes;
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes[2].pitch.to_string(), "A#4");
  EXPECT_THAT((std::vector<int>{notes[0].pitch.midi(), notes[1].pitch.midi(), notes[2].pitch.midi()}),
              ElementsAre(65, 69, 70));
}

TEST(Alterations, AFewPitchesChange) {
  EXPECT_EQ(text(altered("pitch-variation", "last note", piece_of("F4 1/4 A4 1/8 D5 1/8", -1))),
            "F4 1/4 A4 1/8 A4 1/8");
  // The sixth note goes up a step of the key (A to B flat), the twelfth down (C to B flat).
  EXPECT_EQ(text(altered("pitch-variation", "some notes",
                         piece_of("F4 1/4 G4 1/4 A4 1/4 F4 1/4 G4 1/4 A4 1/4 "
                                  "C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 F4 1/2",
                                  -1))),
            "F4 1/4 G4 1/4 A4 1/4 F4 1/4 G4 1/4 Bb4 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 Bb4 1/4 F4 1/2");
}

TEST(Alterations, ChordsAreAddedToEveryOtherNote) {
  const Piece tune = piece_of("C5 1/4 A4 1/8 Bb4 1/8", -1);
  // Within F major: the third and the fifth below C are A and F, those below B flat are G and E.
  EXPECT_EQ(text(altered("harmonic-similarity", "below", tune)), "C5+A4+F4 1/4 A4 1/8 Bb4+G4+E4 1/8");
  EXPECT_EQ(text(altered("harmonic-similarity", "above", tune)), "G5+E5+C5 1/4 A4 1/8 F5+D5+Bb4 1/8");
}

// The paper's triad of which one hears root and fifth, root and third, the root alone, or four notes.
TEST(Alterations, AQueryOfTriadsIsLookedForInOtherChords) {
  const Piece tune = piece_of("C5 1/4 A4 1/8", -1);
  EXPECT_EQ(text(asked("harmonic-similarity", "root only", tune)), "G5+E5+C5 1/4 A4 1/8");
  EXPECT_EQ(text(altered("harmonic-similarity", "root only", tune)), text(tune));
  EXPECT_EQ(text(altered("harmonic-similarity", "root and third", tune)), "E5+C5 1/4 A4 1/8");
  EXPECT_EQ(text(altered("harmonic-similarity", "root and fifth", tune)), "G5+C5 1/4 A4 1/8");
  EXPECT_EQ(text(altered("harmonic-similarity", "four notes", tune)), "Bb5+G5+E5+C5 1/4 A4 1/8");
}

TEST(Alterations, TheMelodyBecomesOneOfThreeVoices) {
  const Piece tune = piece_of("C5 1/4 D5 1/4");
  const std::vector<Piece> companions = {piece_of("D4 1/2 E4 1/2"), piece_of("C5 1/8 G5 1/2")};
  // D4 needs two octaves to be above D5, G5 one to be below C5; both end with the melody, after a half note.
  const Piece middle = altered("voice-separation", "middle", tune, companions);
  EXPECT_THAT(melody_texts(middle.voices), ElementsAre("D6 1/2", "C5 1/4 D5 1/4", "C4 1/8 G4 3/8"));
  // D4 (E4 is cut off) lies below C5; G5 needs two octaves to be below D4.
  const Piece top = altered("voice-separation", "top", tune, companions);
  EXPECT_THAT(melody_texts(top.voices), ElementsAre("C5 1/4 D5 1/4", "D4 1/2", "C3 1/8 G3 3/8"));
  // C5 needs two octaves to be above D6.
  const Piece bottom = altered("voice-separation", "bottom", tune, companions);
  EXPECT_THAT(melody_texts(bottom.voices), ElementsAre("C7 1/8 G7 3/8", "D6 1/2", "C5 1/4 D5 1/4"));
  const Piece staff = altered("voice-separation", "one staff", tune, companions);
  ASSERT_EQ(staff.voices.size(), 1U);
  std::vector<std::string> sounding;
  for (const rondo::Note& note : staff.voices.front().notes) sounding.push_back(note.pitch.to_string());
  EXPECT_THAT(sounding, ElementsAre("D6", "C5", "C4", "G4", "D5"));
}

TEST(Alterations, BarLinesMoveAndNotesDoNot) {
  const Piece tune = piece_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C5 1/4");
  ASSERT_THAT(bars(tune), ElementsAre("0", "1/2", "1", "3/2"));
  const Piece longer = altered("time-signature-equivalence", "longer bars", tune);
  EXPECT_THAT(bars(longer), ElementsAre("0", "1"));
  EXPECT_EQ(longer.voices.front().times.front().value.to_string(), "4/4");
  const Piece three = altered("time-signature-equivalence", "other bars", tune);
  EXPECT_THAT(bars(three), ElementsAre("0", "3/4", "3/2"));
  EXPECT_EQ(text(longer), text(tune));
  EXPECT_EQ(text(three), text(tune));
  // An upbeat of a quarter stays one.
  Piece upbeat = tune;
  upbeat.voices.front().bars = {0, Fraction(1, 4), Fraction(3, 4), Fraction(5, 4), Fraction(7, 4)};
  EXPECT_THAT(bars(altered("time-signature-equivalence", "longer bars", upbeat)), ElementsAre("0", "1/4", "5/4"));
}

TEST(Alterations, AllValuesAreStretchedAlike) {
  const Piece tune = piece_of("C4 1/4 D4 1/8 r 1/8 E4 1/2");
  EXPECT_EQ(text(altered("tempo-equivalence", "doubled values", tune)), "C4 1/2 D4 1/4 r 1/4 E4 1");
  EXPECT_EQ(text(altered("tempo-equivalence", "halved values", tune)), "C4 1/8 D4 1/16 r 1/16 E4 1/4");
  EXPECT_THAT(bars(altered("tempo-equivalence", "doubled values", tune)), ElementsAre("0", "1"));
  EXPECT_EQ(text(altered("duration-equality", "played slower", tune)), "C4 1/3 D4 1/6 r 1/6 E4 2/3");
  EXPECT_EQ(text(altered("duration-equality", "played quicker", tune)), "C4 3/16 D4 3/32 r 3/32 E4 3/8");
}

TEST(Alterations, ATempoMarkChangesAndNoNoteDoes) {
  Piece tune = piece_of(kTune, -1);
  const Piece unmarked = altered("duration-equality", "slower mark", tune);
  EXPECT_EQ(unmarked.metadata.field("tempo"), "90") << "of the usual 120";
  EXPECT_EQ(unmarked.voices, tune.voices);
  tune.metadata.fields = {{"rhythm", "reel"}, {"tempo", "1/4=112"}};
  EXPECT_EQ(altered("duration-equality", "slower mark", tune).metadata.field("tempo"), "1/4=84");
  // The paper's figure 7: 112 crotchets a minute become 224, and the values twice as long.
  const Piece doubled = altered("tempo-equivalence", "doubled values", tune);
  EXPECT_EQ(doubled.metadata.field("tempo"), "1/4=224");
  EXPECT_EQ(altered("tempo-equivalence", "halved values", tune).metadata.field("tempo"), "1/4=56");
  tune.metadata.fields = {{"tempo", "Andante"}};
  EXPECT_EQ(altered("duration-equality", "quicker mark", tune).metadata.field("tempo"), "160");
  EXPECT_EQ(altered("duration-equality", "quicker mark", tune).voices, tune.voices);
}

// What the alteration stands for: a file with another tempo in it is read as the same notes.
TEST(Alterations, AMidiFileInAnotherTempoHasTheSameNotes) {
  const Piece tune = piece_of(kTune, -1);
  const Piece slower = altered("duration-equality", "slower mark", tune);
  const Piece read = through_midi(tune);
  const Piece read_slower = through_midi(slower);
  EXPECT_NE(read.metadata.field("tempo"), read_slower.metadata.field("tempo"));
  EXPECT_EQ(text(read_slower), text(read));
}

TEST(Alterations, AFewValuesChange) {
  // The second and third note are equal and become dotted, the sixth and seventh change their lengths.
  EXPECT_EQ(text(altered("duration-variation", "some notes",
                         piece_of("C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/2 B4 1/4 C5 1/4"))),
            "C4 1/4 D4 3/8 E4 1/8 F4 1/4 G4 1/4 A4 1/4 B4 1/2 C5 1/4");
  EXPECT_EQ(text(altered("duration-variation", "slower half", piece_of("C4 1/4 D4 1/8 E4 1/8 F4 1/4"))),
            "C4 1/4 D4 1/8 E4 1/4 F4 1/2");
}

TEST(Alterations, EveryOneChangesWhatIsLookedForOrTheQueryAndKeepsTheId) {
  const Piece tune = piece_of(kTune, -1);
  const std::vector<Piece> companions = {piece_of("D4 1/2 E4 1/2"), piece_of("C5 1/8 G5 1/2")};
  EXPECT_EQ(rondo::requirements().size(), 10U);
  for (const rondo::Requirement* requirement : rondo::requirements()) {
    EXPECT_LE(requirement->heading.size(), 5U) << requirement->name;
    EXPECT_FALSE(requirement->alterations.empty()) << requirement->name;
    for (const rondo::Alteration& one : requirement->alterations) {
      const Piece other = one.make(tune, companions);
      EXPECT_EQ(other.id, tune.id);
      const Piece query = one.query == nullptr ? tune : one.query(tune);
      EXPECT_FALSE(other.voices == query.voices && other.metadata == tune.metadata)
          << requirement->name << ": " << one.name;
    }
  }
}

}  // namespace
