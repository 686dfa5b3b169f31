// The numbered test files of MusicXML: each shows one feature and says in its header which.
//
// The expected notes come from a program of its own (Python, ElementTree, no code of ours) that walks parts, measures,
// backups, chords, ties and transpositions, and were checked by eye against what each file says it shows.

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::musicxml_suite_test {

using testing::ElementsAre;

struct Expected {
  std::string file;
  std::vector<std::string> voices;
};

const std::vector<Expected>& expected_notes() {
  static const std::vector<Expected> rows = {
      {"01b-Pitches-Intervals.xml",
       {"C5 1/4 C5 1/4 C#5 1/4 Cb5 1/4 Db5 1/4 B#4 1/4 D5 1/4 B4 1/4 D#5 1/4 Bb4 1/4 Eb5 1/4 A#4 1/4 E5 1/4 A4 1/4 E#5 "
        "1/4 Ab4 1/4 Fb5 1/4 G#4 1/4 F5 1/4 G4 1/4 F#5 1/4 Gb4 1/4 Gb5 1/4 F#4 1/4 G5 1/4 F4 1/4 G#5 1/4 Fb4 1/4 Ab5 "
        "1/4 E#4 1/4 A5 1/4 E4 1/4 A#5 1/4 Eb4 1/4 Bb5 1/4 D#4 1/4 B5 1/4 D4 1/4 B#5 1/4 Db4 1/4 Cb6 1/4 C#4 1/4 C6 "
        "1/4 C4 1/4 C#6 1/4 Cb4 1/4 Db6 1/4 B#3 1/4 D6 1/4 B3 1/4 D#6 1/4 Bb3 1/4 Eb6 1/4 A#3 1/4 E6 1/4 A3 1/4 E#6 "
        "1/4 Ab3 1/4 Fb6 1/4 G#3 1/4 F6 1/4 G3 1/4 F#6 1/4 Gb3 1/4 Gb6 1/4 F#3 1/4 G6 1/4 F3 1/4 G#6 1/4 Fb3 1/4 Ab6 "
        "1/4 E#3 1/4 A6 1/4 E3 1/4 A#6 1/4 Eb3 1/4 Bb6 1/4 D#3 1/4 B6 1/4 D3 1/4 B#6 1/4 Db3 1/4"}},
      {"01c-Pitches-NoVoiceElement.xml", {"G4 1"}},
      {"01d-Pitches-Microtones.xml", {"Cb4 1/4 D4 1/4 E4 1/4 F#4 1/4 Cb5 1/4 D5 1/4 E5 1/4 F#5 1/4"}},
      {"02e-Rests-NoType.xml", {"C5 1/4 A4 1", "r 1/4 E3 1"}},
      {"03aa-Rhythm-Durations.xml",
       {"C5 2 C5 1 C5 1/2 C5 1/4 C5 1/8 C5 1/16 C5 1/32 C5 1/64 C5 1/64 C5 3 C5 3/2 C5 3/4 C5 3/8 C5 3/16 C5 3/32 C5 "
        "3/64 C5 3/128 C5 3/128 C5 7/4 C5 7/8 C5 7/16 C5 7/32 C5 7/64 C5 7/128 C5 7/128"}},
      {"03ab-Rhythm-Durations.xml",
       {"C5 4 C5 1/64 C5 1/128 C5 1/128 C5 6 C5 3/64 C5 3/128 C5 3/256 C5 3/256 C5 7 C5 7/64 C5 7/128 C5 7/256 C5 "
        "7/256"}},
      {"03b-Rhythm-Backup.xml", {"C4 1/4 C4 1/4 r 1/4", "r 1/4 A3 1/4 A3 1/4"}},
      {"03c-Rhythm-DivisionChange.xml", {"C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/2 C5 1/2"}},
      {"03d-Rhythm-DottedDurations-Factors.xml",
       {"C5 1/8 r 1/8 C5 1/4 r 1/4 C5 3/4 r 3/4 C5 1 r 1 C5 1/4 C5 1/16 r 5/16 C5 7/8 r 7/8 C5 1 C5 1/8 r 9/8 C5 31/8 "
        "r 31/8 C5 1"}},
      {"11a-TimeSignatures.xml", {"C5 1 C5 1 C5 1 C5 3/2 C5 1/2 C5 3/4 C5 1 C5 5/4 C5 3/8 C5 3/4 C5 3/2"}},
      {"11c-TimeSignatures-CompoundSimple.xml", {"B4 1/8 B4 1/8 B4 1/8 B4 1/8 B4 1/8 A4 1 A4 1/4 A4 3/4 A4 1/4"}},
      {"11d-TimeSignatures-CompoundMultiple.xml",
       {"B4 1/8 B4 1/8 B4 1/8 B4 1/8 B4 1/8 B4 1/4 B4 1/4 B4 1/4 A4 2 A4 1/2 A4 1/8"}},
      {"11h-TimeSignatures-SenzaMisura.xml", {"B4 1/8 B4 1/8 B4 1/8"}},
      {"12aa-Clefs_Pitch_Traditional.xml", {"C4 1 C4 1 C4 1 C4 1"}},
      {"12ad-Clefs-Extreme-Octave.xml", {"C2 1 C2 1 C6 1 C6 1 C7 1 C1 1"}},
      {"13c-KeySignatures-NonTraditional.xml", {"C4 1/2 C4 1/2"}},
      {"13e-KeySignatures-MidMeasure-Change.xml", {"G4 1/4 G4 1/4 G4 1/4 G4 1/4"}},
      {"21a-Chord-Basic.xml", {"A4+F4 1/4 r 1/4"}},
      {"21b-Chords-TwoNotes.xml", {"A4+F4 1/4 A4+F4 1/4 A4+F4 1/4 A4+F4 1/4 A4+F4 1/4 A4+F4 1/4 A4+F4 1/4 A4+F4 1/4"}},
      {"21c-Chords-ThreeNotesDuration.xml",
       {"C5+A4+F4 3/8 G5+A4 1/8 C5+A4+F4 1/4 C5+A4+F4 1/4 E5+A4+F4 1/4 F5+A4+F4 1/4 D5+A4+F4 1/2"}},
      {"21d-Chords-SchubertStabatMater.xml", {"F4 1 Ab4+F4 3/8 Ab4+F4 1/8 Bb4+G4 1/4 Bb4+G4 1/4"}},
      {"21e-Chords-PickupMeasures.xml", {"C5 1/4 C5+A4+F4 1/4 C5+A4 1/4"}},
      {"21f-Chord-ElementInBetween.xml", {"A4+F#4+D4 1/4 r 3/4"}},
      {"23a-Tuplets.xml",
       {"C4 1/6 D4 1/6 E4 1/6 F4 1/6 G4 1/6 A4 1/6 B4 1/6 C5 1/6 D5 1/6 E5 1/8 F5 1/8 G5 1/8 A5 1/8 B5 1/16 C6 1/16 C6 "
        "1/16 B5 1/16 A5 3/28 G5 3/28 F5 3/28 E5 3/28 D5 3/28 C5 3/28 B4 3/28 A4 1/12 G4 1/12 F4 1/12 E4 1/12 D4 1/12 "
        "C4 1/12 C4 1/2"}},
      {"23d-Tuplets-Nested.xml", {"B4 1/12 B4 1/12 B4 1/30 B4 1/30 B4 1/30 B4 1/30 B4 1/30 B4 1/12 B4 1/12"}},
      {"23e-Tuplets-Tremolo.xml",
       {"A4 1/12 A4 1/12 A4 1/12 A4 1/12 A4 1/12 A4 1/12 A4 1/12 A4 1/12 A4 1/12 G4 1/4 G4 1/4 G4 1/4 G4 1/2 G4 1/4 F4 "
        "1/12 A4 1/12 A4 1/12 A4 1/2 G4 1/2 G4 1/4"}},
      {"23f-Tuplets-DurationButNoBracket.xml",
       {"F4 1/4 G4 1/4 A4 1/6 B4 1/6 C5 1/6",
        "A2 1/8 B2 1/8 C3 1/12 D3 1/12 E3 1/12 A2 1/16 B2 1/16 C3 1/16 D3 1/16 E3 1/24 F3 1/24 G3 1/24 A3 1/24 B3 1/24 "
        "C4 1/24"}},
      {"24a-GraceNotes.xml",
       {"~D5 C5 1/4 ~E5 ~D5 C5 1/4 ~D5 C5 1/4 ~D5 C5 1/4 ~D5 C5 1/4 ~E5 ~D5 C5 1/2 ~D5 C5 1/8 ~D5 C5 1/8 ~E5 ~E5 C5+F4 "
        "1/4 ~D#5 C5 1/4 ~Db5 ~Ab4 C5 1/4 C5 1/4"}},
      {"24b-ChordAsGraceNote.xml", {"C5 1/4 ~D5 ~F5 C5 1/4 ~B4 ~D5 C5+A4 1/4"}},
      {"24c-GraceNote-MeasureEnd.xml", {"E5 1/2 E5 1/2 ~G5 ~A5"}},
      {"24d-AfterGrace.xml", {"E5 1/2 ~G5 ~A5 ~A5 E5 1/2 ~G5 ~A5"}},
      {"24e-GraceNote-StaffChange.xml", {"E5 1/2 ~G5 ~A5 E5 1/2"}},
      {"24f-GraceNote-Slur.xml", {"E5 1/2 ~G5 E5 1/2"}},
      {"32d-Arpeggio.xml",
       {"G5+E5+C4 1/4 G5+E5+C4 1/4 G5+E5+C4 1/4 G5+E5+C4 1/4 G5+E5+C4 1/4 G5+E5+C4 1/4 G5+E5+C4 1/4"}},
      {"33b-Spanners-Tie.xml", {"F4 2"}},
      {"33d-Spanners-OctaveShifts.xml", {"A4 1/8 C5 1/8 A6 1/8 C3 1/8 B2 1/8 A5 1/8 A5 1/8 B3 1/16 C4 1/16"}},
      {"33f-Trill-EndingOnGraceNote.xml", {"E5 1/4 F#5 1/16 G5 1/16 ~B5 A5 3/8 ~G5 ~A5"}},
      {"33i-Ties-NotEnded.xml", {"C5 1 C5 2 C5 2"}},
      {"41a-MultiParts-Partorder.xml", {"C4 1/4 r 3/4", "E4 1/4 r 3/4", "G4 1/4 r 3/4", "B4 1/4 r 3/4"}},
      {"42a-MultiVoice-TwoVoicesOnStaff-Lyrics.xml",
       {"E5 1/2 D5 1/4 B4 1/4 r 1/4 D5 1/4 B3 3/8 C5 1/8 r 1", "C5 1/2 B4 1/4 G4 1/4 r 1/4 B4 1/4 G3 3/8 A4 1/8 r 1"}},
      {"42b-MultiVoice-MidMeasureClefChange.xml",
       {"F4 1/8 D4 1/8 B3 1/8 G3 1/8 F3 1/4 E5 1/8 C5 1/8 G4 1/8 G4 1/8 F4 1/4",
        "r 1/8 G2 1/8 G2 1/8 G2 1/8 A2 1/16 G2 1/16 F#2 1/16 G2 1/16 C4+G3+E3+C3 1/4 r 3/8 G3 1/8"}},
      {"43a-PianoStaff.xml", {"F4 1", "B2 1"}},
      {"43c-MultiStaff-DifferentKeysAfterBackup.xml", {"F4 1", "B2 1"}},
      {"43d-MultiStaff-StaffChange.xml",
       {"A3 1/8 E4 1/8 A3 1/8 E4 1/8 C5 1/8 E4 1/8 A3 1/8 B4 1/8 C4+G3+E3+C3 1/8 G4+E4+C4 1/8 C4+G3+E3+C3 1/8 "
        "G4+E4+C4+G3 1/8 r 1/2"}},
      {"43e-Multistaff-ClefDynamics.xml",
       {"C5 1/4 B4 1/4 A4 1/4 G4 1/4 A4 1/4 B4 1/4 C#5 1/4 D5 1/4 D5 1/4 C#5 1/4 B4 1/4 A4 1/4 r 1",
        "A2 1/4 B2 1/4 C3 1/4 D3 1/4 F#4 1/4 G4 1/4 A4 1/4 B4 1/4 A4 1/4 B4 1/4 C#5 1/4 D5 1/4 r 1"}},
      {"46b-MidmeasureBarline.xml", {"C5 1/4 A4 1/4 F4 1/4 C5 1/4"}},
      {"46c-Midmeasure-Clef.xml", {"r 1 C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4 C5 1/4"}},
      {"46d-PickupMeasure-ImplicitMeasures.xml", {"E4 1/4 E4 1/8 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C5 1/4 D5 1/4 r 1/4"}},
      {"46e-PickupMeasure-SecondVoiceStartsLater.xml", {"C5 1/4 C5 1/4 A4 1/4 F4 1/4 C5 1/4", "r 1/2 C4 1/4 r 1/2"}},
      {"46f-IncompleteMeasures.xml",
       {"A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4 A4 1/4"}},
      {"46g-PickupMeasure-Chordnames-FiguredBass.xml", {"C5 1/8 C5 1/8 C4 1/4 C4 1/4 C4 1/4 C4 1/4"}},
      {"61d-Lyrics-Melisma.xml", {"C5 1/4 E5+A4 1/4 C5 1/4 E5+C5 1/4 C5 1/2 C5 1/4 E5 1/4"}},
      {"61i-Lyrics-Chords.xml", {"E5+C5+A4 1/4"}},
      {"72a-TransposingInstruments.xml",
       {"C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C5 1/4",
        "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C5 1/4",
        "C4 1/4 D4 1/4 E4 1/4 F4 1/4 G4 1/4 A4 1/4 B4 1/4 C5 1/4"}},
      {"72b-TransposingInstruments-Full.xml",
       {"C5 1", "C5 1", "C5 1", "C5 1", "C5 1", "C5 1", "C5 1", "C5 1", "C5 1", "B#4 1", "C5 1"}},
      {"72c-TransposingInstruments-Change.xml", {"Eb4 1 Bb3 1 Bb3 1"}},
      {"73a-Percussion.xml", {"E3 3/2 A2 1/2", "r 2", "r 2"}},
      {"74a-FiguredBass.xml", {"G4 1/8 G4 1/8 G4 3/16 G4 1/16 G4 1/4 G4 1/4"}},
      {"99a-Sibelius5-IgnoreBeaming.xml", {"E6 1/32 F#6 1/32 F#6 1/32 F#6 1/8 G#6 1/32 B6 1/32"}},
  };
  return rows;
}

Piece read_file(const std::string& name, Diagnostics* warnings = nullptr) {
  CollectingSink sink;
  read_text("musicxml", slurp(rondo_data("musicxml/" + name)), sink);
  EXPECT_TRUE(sink.skipped.empty()) << name << ": " << sink.skipped.front().to_string();
  EXPECT_EQ(sink.pieces.size(), 1U) << name;
  if (warnings != nullptr) *warnings = sink.warnings;
  return sink.pieces.empty() ? Piece{} : std::move(sink.pieces.front());
}

/// The score in a .mxl, without our own code for containers.
std::string unpacked(const std::filesystem::path& path, const std::string& wanted) {
  archive* reader = archive_read_new();
  archive_read_support_format_zip(reader);
  std::string text;
  if (archive_read_open_filename(reader, path.c_str(), 65536) == ARCHIVE_OK) {
    archive_entry* entry = nullptr;
    while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
      if (archive_entry_pathname(entry) != wanted) continue;
      char buffer[4096];
      for (la_ssize_t got = 0; (got = archive_read_data(reader, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(got));
      }
    }
  }
  archive_read_free(reader);
  return text;
}

TEST(MusicXmlSuite, AllFilesGiveAPieceWhoseVoicesLineUp) {
  RONDO_NEEDS_DATA("musicxml");
  std::size_t count = 0;
  for (const char* extension : {".xml", ".musicxml"}) {
    for (const auto& path : files_below(rondo_data("musicxml"), extension)) {
      const std::string text = slurp(path);
      const Format* format = recognise(text.substr(0, std::size_t{64} * 1024));
      ASSERT_NE(format, nullptr) << path;
      EXPECT_EQ(format->name, "musicxml") << path;
      const Piece piece = read_file(path.filename());
      ++count;
      ASSERT_FALSE(piece.voices.empty()) << path;
      for (const Voice& voice : piece.voices) {
        EXPECT_EQ(voice.length, piece.voices.front().length) << path;
        EXPECT_GT(voice.length, Fraction(0)) << path;
      }
    }
  }
  EXPECT_EQ(count, 149U);
}

TEST(MusicXmlSuite, TheCompressedFileHoldsAScore) {
  RONDO_NEEDS_DATA("musicxml");
  const std::string text = unpacked(rondo_data("musicxml/90a-Compressed-MusicXML.mxl"), "20a-Compressed-MusicXML.xml");
  CollectingSink sink;
  read_text("musicxml", text, sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_THAT(melody_texts(sink.pieces.front().voices), ElementsAre("C#4 1/4 C#4 1/4 C#4 1/4 C#4 1/4"));
}

TEST(MusicXmlSuite, NotesAreThoseOfTheFiles) {
  RONDO_NEEDS_DATA("musicxml");
  EXPECT_GE(expected_notes().size(), 40U);
  for (const Expected& row : expected_notes()) {
    EXPECT_EQ(melody_texts(read_file(row.file).voices), row.voices) << row.file;
  }
}

TEST(MusicXmlSuite, AllPitchesComeInAscendingOrder) {
  RONDO_NEEDS_DATA("musicxml");
  // Every step from G2 to C7: natural, then sharp, then flat.
  const Piece piece = read_file("01a-Pitches-Pitches.xml");
  ASSERT_EQ(piece.voices.size(), 1U);
  const std::vector<Note>& notes = piece.voices.front().notes;
  ASSERT_GE(notes.size(), 96U);
  for (int round = 0; round < 3; ++round) {
    const int alter = round == 0 ? 0 : round == 1 ? 1 : -1;
    for (int i = 0; i < 32; ++i) {
      const Pitch& pitch = notes[static_cast<std::size_t>(32 * round + i)].pitch;
      EXPECT_EQ(pitch.diatonic(), (Pitch{4, 0, 2}).diatonic() + i);
      EXPECT_EQ(pitch.alter, alter);
    }
  }
}

TEST(MusicXmlSuite, RepeatsArePlayed) {
  RONDO_NEEDS_DATA("musicxml");
  // In measures of 4/4, counted by hand from the bar lines.
  const std::vector<std::pair<std::string, int>> rows = {
      {"45a-SimpleRepeat.xml", 6},                  // 1 five times, 2
      {"45b-RepeatWithAlternatives.xml", 5},        // 1 2 1 3 4
      {"45c-RepeatMultipleTimes.xml", 24},          // 1, 2-3 five times, 4-7 three times, 8
      {"45d-Repeats-Nested-Alternatives.xml", 16},  // 1 2, 1 3-5, 1 6-9, 1 10, 1 11, 12
      {"45e-Repeats-Nested-Alternatives.xml", 15},  // 1 2 1 3 4, 5 5, 6 7 6, 8 9 8 9 10
      {"45f-Repeats-InvalidEndings.xml", 7},        // makes no sense; every measure is played at least once
      {"45g-Repeats-NotEnded.xml", 2}};
  for (const auto& [file, measures] : rows) {
    const Piece piece = read_file(file);
    EXPECT_EQ(piece.voices.front().length, Fraction(measures)) << file;
    EXPECT_EQ(piece.voices.front().bars.size(), static_cast<std::size_t>(measures)) << file;
  }
}

TEST(MusicXmlSuite, BarsBeginWhereMeasuresDo) {
  RONDO_NEEDS_DATA("musicxml");
  // A pickup of 3/8, a 4/4 measure written as two halves (the second is implicit), and one of three quarters.
  EXPECT_THAT(read_file("46d-PickupMeasure-ImplicitMeasures.xml").voices.front().bars,
              ElementsAre(Fraction(0), Fraction(3, 8), Fraction(11, 8)));
  // Incomplete measures stay incomplete.
  EXPECT_THAT(read_file("46f-IncompleteMeasures.xml").voices.front().bars,
              ElementsAre(Fraction(0), Fraction(1, 2), Fraction(3, 2), Fraction(2)));
}

TEST(MusicXmlSuite, KeysHaveTheirModes) {
  RONDO_NEEDS_DATA("musicxml");
  // Nine modes, all with two sharps: the tonic follows from the mode.
  std::vector<std::string> keys;
  const Piece piece_1 = read_file("13b-KeySignatures-ChurchModes.xml");  // kept alive for the loop
  for (const auto& change : piece_1.voices.front().keys) {
    keys.push_back(change.value.to_string());
  }
  EXPECT_THAT(keys, ElementsAre("D major", "B minor", "D ionian", "E dorian", "F# phrygian", "G lydian", "A mixolydian",
                                "B aeolian", "C# locrian"));
  const auto signatures = read_file("13c-KeySignatures-NonTraditional.xml").voices.front().key_signatures;
  ASSERT_EQ(signatures.size(), 2U);
  EXPECT_EQ(signatures[0].value.alter, (std::array<std::int8_t, 7>{0, 0, 0, 1, 0, -1, -1}));
  EXPECT_EQ(signatures[1].value.alter, (std::array<std::int8_t, 7>{-2, -1, 0, 0, 2, 0, 1}));
}

TEST(MusicXmlSuite, TransposingInstrumentsSoundTogetherInOneKey) {
  RONDO_NEEDS_DATA("musicxml");
  // Trumpet in B flat with two sharps, horn in E flat with three, piano: all sound C major.
  const Piece piece_2 = read_file("72a-TransposingInstruments.xml");  // kept alive for the loop
  for (const Voice& voice : piece_2.voices) {
    EXPECT_EQ(voice.key_signatures.front().value, KeySignature{}) << voice.name;
    EXPECT_EQ(voice.keys.front().value.to_string(), "C major") << voice.name;
  }
  // Clarinet in E flat, then in B flat: B flat major throughout, so no change.
  const Piece change = read_file("72c-TransposingInstruments-Change.xml");
  EXPECT_EQ(change.voices.front().key_signatures.size(), 1U);
  EXPECT_EQ(change.voices.front().key_signatures.front().value.to_string(), "bBE");
}

TEST(MusicXmlSuite, ClefsAndTimesAreKept) {
  RONDO_NEEDS_DATA("musicxml");
  std::vector<std::string> clefs;
  const Piece piece_3 = read_file("12ab-Clefs-Percussion-NonTrad.xml");  // kept alive for the loop
  for (const auto& change : piece_3.voices.front().clefs) {
    clefs.push_back(change.value.to_string());
  }
  // Percussion, treble 8vb, bass 8vb, F3, G1, C5, C2, C1, treble 8va, bass 8va
  EXPECT_THAT(clefs, ElementsAre("P-3", "g-2", "F-4", "F-3", "G-1", "C-5", "C-2", "C-1", "G-2", "F-4"));
  std::vector<std::string> times;
  const Piece piece_4 = read_file("11a-TimeSignatures.xml");  // kept alive for the loop
  for (const auto& change : piece_4.voices.front().times) {
    times.push_back(change.value.to_string());
  }
  EXPECT_THAT(times, ElementsAre("c/", "c", "2/2", "3/2", "2/4", "3/4", "4/4", "5/4", "3/8", "6/8", "12/8"));
  const auto compound = read_file("11e-TimeSignatures-CompoundMixed.xml").voices.front().times.front().value;
  EXPECT_EQ(compound.to_string(), "3+2/8+3/4");
  EXPECT_EQ(compound.bar(), Fraction(11, 8));
  EXPECT_EQ(read_file("11h-TimeSignatures-SenzaMisura.xml").voices.front().times.front().value.beats, 0);
}

TEST(MusicXmlSuite, HeadersAreRead) {
  RONDO_NEEDS_DATA("musicxml");
  const Piece quotes = read_file("51b-Header-Quotes.xml");
  EXPECT_EQ(quotes.metadata.title, R"("Quotes" in header fields)");
  EXPECT_EQ(quotes.metadata.composer, R"(Some "Tester" Name)");
  EXPECT_EQ(quotes.voices.front().name, R"(Staff "Test")");
  EXPECT_EQ(read_file("51d-EmptyTitle.xml").metadata.title, "Empty work-title, non-empty movement-title");
  std::size_t rights = 0;
  const Piece piece_5 = read_file("51c-MultipleRights.xml");  // kept alive for the loop
  for (const auto& [name, value] : piece_5.metadata.fields) rights += name == "rights";
  EXPECT_EQ(rights, 2U);
}

TEST(MusicXmlSuite, AFileWithAMissingEndTagIsReadToItsEnd) {
  RONDO_NEEDS_DATA("musicxml");
  Diagnostics warnings;
  const Piece piece = read_file("32ad-Notations5.musicxml", &warnings);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.front().code, "musicxml-malformed");
  EXPECT_THAT(melody_texts(piece.voices), ElementsAre("C3 1/2 C3 1/2 C3 1/2 C3 1/2 C3 1/2 C3 1/2"));
}

}  // namespace rondo::musicxml_suite_test
