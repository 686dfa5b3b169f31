#include <gmock/gmock.h>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::musescore_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

/// A chord of one note: "quarter", 60, 14 is a C of a quarter.
std::string chord(const std::string& type, int midi, int fifths, const std::string& more = {},
                  const std::string& in_note = {}) {
  return "<Chord>" + more + "<durationType>" + type + "</durationType><Note>" + in_note + "<pitch>" +
         std::to_string(midi) + "</pitch><tpc>" + std::to_string(fifths) + "</tpc></Note></Chord>";
}
std::string quarter(int midi, int fifths) { return chord("quarter", midi, fifths); }
std::string time_signature(int beats, int unit) {
  return "<TimeSig><sigN>" + std::to_string(beats) + "</sigN><sigD>" + std::to_string(unit) + "</sigD></TimeSig>";
}
std::string bar(const std::string& content, const std::string& before = {}) {
  return "<Measure>" + before + "<voice>" + content + "</voice></Measure>";
}

struct MuseScore : testing::Test {
  void read(const std::string& text, bool expand = true) {
    ReadOptions options;
    options.file = "song.mscx";
    options.expand_repeats = expand;
    read_text("musescore", text, sink, options);
  }
  /// A score of version 3 with one part of one staff.
  void score(const std::string& measures, const std::string& instrument = {}, const std::string& before = {}) {
    read("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<museScore version=\"3.02\"><Score><Division>480</Division>" +
         before + "<Part><Staff id=\"1\"/><trackName>Flute</trackName><Instrument><longName>Flute</longName>" +
         instrument + "</Instrument></Part><Staff id=\"1\">" + measures + "</Staff></Score></museScore>");
  }
  [[nodiscard]] const Voice& voice(std::size_t i = 0) const { return sink.pieces.at(0).voices.at(i); }
  [[nodiscard]] std::string notes(std::size_t i = 0) const { return melody_text(voice(i)); }
  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    for (const Diagnostic& one : sink.warnings) out.push_back(one.code);
    return out;
  }
  static std::vector<std::string> texts(const std::vector<Fraction>& times) {
    std::vector<std::string> out;
    for (const Fraction time : times) out.push_back(time.to_string());
    return out;
  }

  CollectingSink sink;
};

TEST_F(MuseScore, PitchesAreSpelledByTheLineOfFifths) {
  score(bar(time_signature(4, 4) + quarter(60, 14) + quarter(66, 20) + quarter(66, 8) + quarter(60, 26)) +
        bar(quarter(59, 7) + quarter(62, 28) + quarter(127, 15) + quarter(0, 14)));
  EXPECT_EQ(notes(), "C4 1/4 F#4 1/4 Gb4 1/4 B#3 1/4 Cb4 1/4 C##4 1/4 G9 1/4 C-1 1/4");
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST_F(MuseScore, ASpellingThatContradictsThePitchIsAGuess) {
  score(bar(quarter(61, 14)));
  EXPECT_FALSE(voice().notes.at(0).spelled);
  EXPECT_EQ(voice().notes.at(0).pitch.midi(), 61);
}

TEST_F(MuseScore, DotsChordsRestsAndGraceNotes) {
  score(bar(time_signature(4, 4) + chord("quarter", 60, 14, "<dots>1</dots>") + chord("eighth", 62, 16) +
            "<Rest><durationType>quarter</durationType></Rest>" + chord("eighth", 67, 15, "<acciaccatura/>") +
            chord("16th", 69, 17, "<grace8after/>") +
            "<Chord><durationType>quarter</durationType><Note><pitch>64</pitch><tpc>18</tpc></Note>"
            "<Note><pitch>60</pitch><tpc>14</tpc></Note></Chord>") +
        bar("<Rest><durationType>measure</durationType><duration>4/4</duration></Rest>"));
  EXPECT_EQ(notes(), "C4 3/8 D4 1/8 r 1/4 ~G4 E4+C4 1/4 ~A4 r 1");
}

TEST_F(MuseScore, AStaffWithoutMeasuresHasNoVoice) {
  score("");
  EXPECT_THAT(sink.pieces.at(0).voices, IsEmpty());
}

TEST_F(MuseScore, GraceNotesBehindANoteAreWrittenLastOneFirst) {
  score(bar(time_signature(1, 4) + chord("16th", 62, 16, "<grace16after/>") + chord("16th", 64, 18, "<grace16after/>") +
            quarter(60, 14)));
  EXPECT_EQ(notes(), "C4 1/4 ~E4 ~D4");
}

TEST_F(MuseScore, TupletsEndWhereTheyAreClosed) {
  const std::string triplet =
      "<Tuplet><normalNotes>2</normalNotes><actualNotes>3</actualNotes><baseNote>eighth</baseNote></Tuplet>";
  score(bar(time_signature(2, 4) + triplet + chord("eighth", 60, 14) + chord("eighth", 62, 16) +
            chord("eighth", 64, 18) + "<endTuplet/>" + quarter(65, 13)));
  EXPECT_EQ(notes(), "C4 1/12 D4 1/12 E4 1/12 F4 1/4");
}

TEST_F(MuseScore, TiesJoinOverBars) {
  const std::string begins =
      "<Spanner type=\"Tie\"><Tie/><next><location><measures>1</measures></location></next></Spanner>";
  const std::string ends = "<Spanner type=\"Tie\"><prev><location><measures>-1</measures></location></prev></Spanner>";
  score(bar(time_signature(1, 4) + chord("quarter", 60, 14, "", begins)) + bar(chord("quarter", 60, 14, "", ends)) +
        bar(quarter(60, 14)));
  EXPECT_EQ(notes(), "C4 1/2 C4 1/4");
}

TEST_F(MuseScore, VoicesOfAStaffAreVoices) {
  score("<Measure><voice>" + time_signature(2, 4) + chord("half", 72, 14) +
        "</voice><voice><location><fractions>1/4</fractions></location>" + quarter(60, 14) + "</voice></Measure>");
  ASSERT_THAT(sink.pieces.at(0).voices, SizeIs(2));
  EXPECT_EQ(voice(0).name, "Flute, voice 1");
  EXPECT_EQ(notes(0), "C5 1/2");
  EXPECT_EQ(notes(1), "r 1/4 C4 1/4");
}

TEST_F(MuseScore, UpbeatsAndMetresGiveTheBars) {
  score("<Measure len=\"1/4\"><voice>" + time_signature(3, 4) + quarter(67, 15) + "</voice></Measure>" +
        bar(chord("half", 72, 14, "<dots>1</dots>")) + bar(time_signature(2, 4) + chord("half", 67, 15)));
  EXPECT_THAT(texts(voice().bars), ElementsAre("0", "1/4", "1"));
  ASSERT_THAT(voice().times, SizeIs(2));
  EXPECT_EQ(voice().times[1].onset, Fraction(1));
  EXPECT_EQ(voice().length, Fraction(3, 2));
}

TEST_F(MuseScore, RepeatsAndEndingsAreWrittenOut) {
  const auto ending = [](const char* number) {
    return std::string("<Spanner type=\"Volta\"><Volta><endings>") + number +
           "</endings></Volta><next><location><measures>1</measures></location></next></Spanner>";
  };
  score(bar(time_signature(1, 4) + quarter(60, 14), "<startRepeat/>") +
        bar(ending("1") + quarter(62, 16), "<endRepeat>2</endRepeat>") + bar(ending("2") + quarter(64, 18)));
  EXPECT_EQ(notes(), "C4 1/4 D4 1/4 C4 1/4 E4 1/4");
}

TEST_F(MuseScore, DaCapoAlFineIsWrittenOut) {
  score(
      bar(time_signature(1, 4) + quarter(60, 14)) + bar("<Marker><label>fine</label></Marker>" + quarter(62, 16)) +
      bar(quarter(64, 18) + "<Jump><jumpTo>start</jumpTo><playUntil>fine</playUntil><continueAt></continueAt></Jump>"));
  EXPECT_EQ(notes(), "C4 1/4 D4 1/4 E4 1/4 C4 1/4 D4 1/4");
}

TEST_F(MuseScore, DalSegnoAlCodaIsWrittenOut) {
  score(bar(time_signature(1, 4) + quarter(60, 14)) + bar("<Marker><label>segno</label></Marker>" + quarter(62, 16)) +
        bar("<Marker><label>coda</label></Marker>" + quarter(64, 18)) +
        bar(quarter(65, 13) +
            "<Jump><jumpTo>segno</jumpTo><playUntil>coda</playUntil><continueAt>codab</continueAt></Jump>") +
        bar("<Marker><label>codab</label></Marker>" + quarter(67, 15)));
  EXPECT_EQ(notes(), "C4 1/4 D4 1/4 E4 1/4 F4 1/4 D4 1/4 E4 1/4 G4 1/4");
}

TEST_F(MuseScore, AnOctaveLineSoundsHigher) {
  score(bar(time_signature(2, 4) +
            "<Spanner type=\"Ottava\"><Ottava><subtype>8va</subtype></Ottava><next><location><fractions>1/4"
            "</fractions></location></next></Spanner>" +
            quarter(60, 14) +
            "<Spanner type=\"Ottava\"><prev><location><fractions>-1/4</fractions></location></prev></Spanner>" +
            quarter(62, 16)));
  EXPECT_EQ(notes(), "C5 1/4 D4 1/4");
}

// A clarinet in B flat: versions 2 and 3 write its signature, version 4 states the sounding one; notes always sound.
TEST_F(MuseScore, SignaturesOfTransposingInstrumentsSound) {
  const std::string clarinet = "<transposeDiatonic>-1</transposeDiatonic><transposeChromatic>-2</transposeChromatic>";
  score(bar("<KeySig><accidental>2</accidental><mode>minor</mode></KeySig>" + quarter(60, 14)), clarinet);
  EXPECT_EQ(voice().key_signatures.at(0).value.fifths(), 0);
  EXPECT_EQ(voice().keys.at(0).value.to_string(), "A minor");
  EXPECT_EQ(notes().substr(0, 6), "C4 1/4");
  sink.pieces.clear();
  score(bar("<KeySig><concertKey>-3</concertKey></KeySig>" + quarter(60, 14)), clarinet);
  EXPECT_EQ(voice().key_signatures.at(0).value.fifths(), -3);
}

TEST_F(MuseScore, ClefsComeFromThePartAndFromTheMusic) {
  read(
      "<museScore version=\"4.20\"><Score><Part id=\"1\"><Staff><defaultClef>F</defaultClef></Staff><Staff/>"
      "<trackName>Piano</trackName><Instrument/></Part><Staff id=\"1\">" +
      bar(quarter(48, 14) + "<Clef><concertClefType>C4</concertClefType></Clef>" + quarter(60, 14)) +
      "</Staff><Staff id=\"2\">" +
      bar("<Clef><concertClefType>G8vb</concertClefType></Clef>" + quarter(60, 14) + quarter(60, 14)) +
      "</Staff></Score></museScore>");
  ASSERT_THAT(sink.pieces.at(0).voices, SizeIs(2));
  EXPECT_EQ(voice(0).name, "Piano, staff 1");
  EXPECT_EQ(voice(0).clefs.at(0).value.to_string(), "F-4");
  EXPECT_EQ(voice(0).clefs.at(1).value.to_string(), "C-4");
  EXPECT_EQ(voice(0).clefs.at(1).onset, Fraction(1, 4));
  EXPECT_EQ(voice(1).clefs.at(0).value.to_string(), "g-2");
}

TEST_F(MuseScore, DrumsAndStavesThatRepeatOthersAreLeftOut) {
  read(
      "<museScore version=\"3.02\"><Score><Part><Staff id=\"1\"/><Staff id=\"2\"><linkedTo>1</linkedTo></Staff>"
      "<trackName>Guitar</trackName><Instrument/></Part><Part><Staff id=\"3\"/><trackName>Drums</trackName>"
      "<Instrument><useDrumset>1</useDrumset></Instrument></Part><Staff id=\"1\">" +
      bar(quarter(60, 14)) + "</Staff><Staff id=\"2\">" + bar(quarter(60, 14)) + "</Staff><Staff id=\"3\">" +
      bar(quarter(38, 16)) + "</Staff></Score></museScore>");
  ASSERT_THAT(sink.pieces.at(0).voices, SizeIs(2));
  EXPECT_THAT(voice(1).notes, IsEmpty());
  EXPECT_THAT(warnings(), ElementsAre("musescore-unpitched"));
}

TEST_F(MuseScore, MetadataComesFromThePropertiesElseFromTheTitle) {
  score(bar(quarter(60, 14)), {},
        "<metaTag name=\"workTitle\">Air &amp; so</metaTag><metaTag name=\"composer\">Ann</metaTag>"
        "<metaTag name=\"platform\">Linux</metaTag><metaTag name=\"workNumber\">Op. 1</metaTag>"
        "<metaTag name=\"lyricist\">Ben</metaTag><metaTag name=\"copyright\">none</metaTag>");
  const Metadata& about = sink.pieces.at(0).metadata;
  EXPECT_EQ(about.title, "Air & so");
  EXPECT_EQ(about.composer, "Ann");
  EXPECT_THAT(about.catalogue, ElementsAre("Op. 1"));
  EXPECT_THAT(about.fields, ElementsAre(Pair("lyricist", "Ben"), Pair("rights", "none")));
  sink.pieces.clear();
  score("<VBox><Text><style>Title</style><text>Shown</text></Text></VBox>" + bar(quarter(60, 14)));
  EXPECT_EQ(sink.pieces.at(0).metadata.title, "Shown");
}

// Version 2: no <voice>, the other voices behind <tick>, tuplets, ties and endings by their ids.
TEST_F(MuseScore, VersionTwoHasTicksAndIds) {
  read(
      "<museScore version=\"2.06\"><Score><Division>480</Division><Part><Staff id=\"1\"/><trackName>Organ</trackName>"
      "<Instrument/></Part><Staff id=\"1\">"
      "<Measure number=\"1\"><startRepeat/><KeySig><accidental>-1</accidental></KeySig>" +
      time_signature(2, 4) + "<Tuplet id=\"1\"><normalNotes>2</normalNotes><actualNotes>3</actualNotes></Tuplet>" +
      chord("eighth", 60, 14, "<Tuplet>1</Tuplet>") + chord("eighth", 62, 16, "<Tuplet>1</Tuplet>") +
      chord("eighth", 64, 18, "<Tuplet>1</Tuplet>") + chord("quarter", 65, 13, "", "<Tie id=\"5\"></Tie>") +
      "<tick>480</tick>" + chord("quarter", 53, 13, "<track>1</track>") +
      "</Measure><Measure number=\"2\"><endRepeat>2</endRepeat><Volta id=\"7\"><endings>1</endings></Volta>" +
      chord("half", 65, 13, "", "<endSpanner id=\"5\"/>") +
      "</Measure><Measure number=\"3\"><endSpanner id=\"7\"/><Volta id=\"8\"><endings>2</endings></Volta>" +
      chord("half", 67, 15) + "<endSpanner id=\"8\"/></Measure></Staff></Score></museScore>");
  ASSERT_THAT(sink.pieces, SizeIs(1)) << (sink.skipped.empty() ? "" : sink.skipped[0].to_string());
  EXPECT_EQ(notes(0), "C4 1/12 D4 1/12 E4 1/12 F4 3/4 C4 1/12 D4 1/12 E4 1/12 F4 1/4 G4 1/2");
  EXPECT_EQ(notes(1), "r 1/4 F3 1/4 r 3/4 F3 1/4 r 1/2");
  EXPECT_EQ(voice().key_signatures.at(0).value.fifths(), -1);
}

TEST_F(MuseScore, RestsOfSeveralMeasuresCountOnce) {
  score(
      "<Measure len=\"8/4\"><multiMeasureRest>2</multiMeasureRest><voice><Rest><durationType>measure</durationType>"
      "</Rest></voice></Measure>" +
      bar(time_signature(4, 4) + "<Rest><durationType>measure</durationType></Rest>") +
      bar("<Rest><durationType>measure</durationType></Rest>") + bar(quarter(60, 14)));
  EXPECT_EQ(voice().notes.at(0).onset, Fraction(2));
}

TEST_F(MuseScore, OtherFilesAreRefusedByName) {
  read("<museScore version=\"1.14\"><Score></Score></museScore>");
  read("<museScore version=\"3.02\"><Style/></museScore>");
  ASSERT_THAT(sink.skipped, SizeIs(2));
  EXPECT_EQ(sink.skipped[0].code, "musescore-version");
  EXPECT_EQ(sink.skipped[1].code, "musescore-no-score");
}

TEST(MuseScoreRecognition, TakesScoresAndNotStyleSheets) {
  EXPECT_EQ(recognise("<?xml version=\"1.0\"?>\n<museScore version=\"4.20\">\n<Score>")->name, "musescore");
  EXPECT_EQ(recognise("<museScore version=\"4.20\"><Style><pageWidth>8</pageWidth></Style></museScore>"), nullptr);
}

}  // namespace rondo::musescore_test
