#include <gmock/gmock.h>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::musicxml_notes_test {

using testing::ElementsAre;
using testing::IsEmpty;

/// One part of the measures given, quarters in divisions of 1 unless they say otherwise.
std::string score(const std::string& measures) {
  return R"(<?xml version="1.0"?><score-partwise><part-list><score-part id="P1"><part-name>Flute</part-name>)"
         R"(</score-part></part-list><part id="P1">)" +
         measures + "</part></score-partwise>";
}

std::string note(const std::string& pitch, int duration, const std::string& more = {}) {
  const auto parsed = Pitch::parse(pitch).value();
  std::string text = "<note><pitch><step>" + std::string(1, letter_of_step(parsed.step)) + "</step>";
  if (parsed.alter != 0) text += "<alter>" + std::to_string(parsed.alter) + "</alter>";
  text += "<octave>" + std::to_string(parsed.octave) + "</octave></pitch>";
  if (duration > 0) text += "<duration>" + std::to_string(duration) + "</duration>";
  return text + more + "</note>";
}

std::string measure(const std::string& inside) { return "<measure>" + inside + "</measure>"; }
std::string attributes(const std::string& inside) { return "<attributes>" + inside + "</attributes>"; }
std::string backup(int duration) { return "<backup><duration>" + std::to_string(duration) + "</duration></backup>"; }

struct Read {
  std::vector<Voice> voices;
  std::vector<std::string> codes;  ///< of the warnings
};

Read read(const std::string& text) {
  CollectingSink sink;
  read_text("musicxml", text, sink);
  EXPECT_TRUE(sink.skipped.empty()) << sink.skipped.front().to_string();
  Read out;
  for (const Diagnostic& warning : sink.warnings) out.codes.push_back(warning.code);
  if (!sink.pieces.empty()) out.voices = sink.pieces.front().voices;
  return out;
}

std::vector<std::string> melodies(const std::string& measures) { return melody_texts(read(score(measures)).voices); }

TEST(MusicXml, ATimewiseScoreIsReadLikeAPartwiseOne) {
  const auto voices =
      read("<score-timewise><measure><part id='A'>" + note("C4", 1) + "</part><part id='B'>" + note("E4", 1) +
           "</part></measure><measure><part id='B'>" + note("F4", 1) + "</part></measure></score-timewise>")
          .voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("C4 1/4 r 1/4", "E4 1/4 F4 1/4"));
}

TEST(MusicXml, VoicesOfAPartAreMelodiesOfTheirOwn) {
  const auto voices =
      read(score(measure(note("C5", 2, "<voice>1</voice>") + backup(2) + "<forward><duration>1</duration></forward>" +
                         note("A4", 1, "<voice>2</voice>"))))
          .voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("C5 1/2", "r 1/4 A4 1/4"));
  EXPECT_EQ(voices[0].name, "Flute, voice 1");
  EXPECT_EQ(voices[1].name, "Flute, voice 2");
}

TEST(MusicXml, AVoiceThatWandersBetweenStavesIsOne) {
  EXPECT_THAT(melodies(measure(note("C5", 1, "<staff>1</staff>") + note("C3", 1, "<staff>2</staff>"))),
              ElementsAre("C5 1/4 C3 1/4"));
}

TEST(MusicXml, VoicesNumberedAnewOnEachStaffAreTwo) {
  const auto voices = read(score(measure(note("C5", 2, "<voice>1</voice><staff>1</staff>") + backup(2) +
                                         note("C3", 1, "<voice>1</voice><staff>2</staff>"))))
                          .voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("C5 1/2", "C3 1/4 r 1/4"));
  EXPECT_EQ(voices[1].name, "Flute, staff 2, voice 1");
}

TEST(MusicXml, TiesJoinNotesAcrossTheBar) {
  EXPECT_THAT(melodies(measure(note("G4", 1, "<tie type='start'/>")) +
                       measure(note("G4", 1, "<tie type='stop'/>") + note("G4", 1))),
              ElementsAre("G4 1/2 G4 1/4"));
}

TEST(MusicXml, DrawnTiesCountWhereNoneSounds) {
  EXPECT_THAT(melodies(measure(note("G4", 1, "<notations><tied type='start'/></notations>") +
                               note("G4", 1, "<notations><tied type='stop'/></notations>"))),
              ElementsAre("G4 1/2"));
}

TEST(MusicXml, ChordNotesShareTheOnsetOfTheNoteBefore) {
  EXPECT_THAT(melodies(measure(note("C4", 1) + note("E4", 1, "<chord/>") + note("G4", 1, "<chord/>") + note("D4", 1))),
              ElementsAre("G4+E4+C4 1/4 D4 1/4"));
}

TEST(MusicXml, AGraceNoteKeepsItsWrittenValueAndTakesNoTime) {
  const auto voices = read(score(measure(note("D5", 0, "<grace/><type>eighth</type><dot/>") + note("C5", 1)))).voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("~D5 C5 1/4"));
  EXPECT_EQ(voices[0].notes[0].duration, Fraction(3, 16));
}

TEST(MusicXml, CueNotesAndPercussionKeepTheirTimeButDoNotSound) {
  const Read cue = read(score(measure(note("C5", 1, "<cue/>") + note("D5", 1))));
  EXPECT_THAT(melody_texts(cue.voices), ElementsAre("r 1/4 D5 1/4"));
  EXPECT_THAT(cue.codes, ElementsAre("musicxml-cue-skipped"));
  const Read drum = read(score(measure("<note><unpitched/><duration>1</duration></note>" + note("D5", 1))));
  EXPECT_THAT(melody_texts(drum.voices), ElementsAre("r 1/4 D5 1/4"));
  EXPECT_THAT(drum.codes, ElementsAre("musicxml-unpitched"));
}

TEST(MusicXml, DivisionsMayChangeInTheMiddle) {
  EXPECT_THAT(melodies(measure(note("C4", 1) + attributes("<divisions>8</divisions>") + note("D4", 4) + note("E4", 8))),
              ElementsAre("C4 1/4 D4 1/8 E4 1/4"));
}

TEST(MusicXml, RoundedDurationsGiveWayToTypeAndTuplet) {
  // Triplet eighths cannot be told in four divisions to the quarter: 1 1 2 stands for three thirds.
  const std::string triplet =
      "<type>eighth</type><time-modification><actual-notes>3</actual-notes><normal-notes>2</normal-notes>"
      "</time-modification>";
  const Read got =
      read(score(measure(attributes("<divisions>4</divisions>") + note("C4", 1, triplet) + note("D4", 1, triplet) +
                         note("E4", 2, triplet) + note("F4", 4, "<type>quarter</type>"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("C4 1/12 D4 1/12 E4 1/12 F4 1/4"));
  EXPECT_THAT(got.codes, ElementsAre("musicxml-duration-rounded"));
}

TEST(MusicXml, ADurationThatIsNoRoundingCountsMoreThanTheType) {
  const Read got = read(score(measure(attributes("<divisions>4</divisions>") + note("C4", 6, "<type>quarter</type>"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("C4 3/8"));
  EXPECT_THAT(got.codes, ElementsAre("musicxml-duration-type"));
}

TEST(MusicXml, AMissingDurationIsTakenFromTheType) {
  const Read got = read(score(measure(note("C4", 0, "<type>half</type><dot/>"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("C4 3/4"));
  EXPECT_THAT(got.codes, ElementsAre("musicxml-no-duration"));
}

TEST(MusicXml, RestsOfAWholeMeasureAndEmptyMeasuresLastABar) {
  const std::string three = attributes("<time><beats>3</beats><beat-type>4</beat-type></time>");
  EXPECT_THAT(melodies(measure(three + "<note><rest measure='yes'/></note>") + measure("") + measure(note("C4", 3))),
              ElementsAre("r 3/2 C4 3/4"));
}

TEST(MusicXml, GoingBackTooFarStopsAtTheBeginningOfTheMeasure) {
  const Read got =
      read(score(measure(note("C5", 1, "<voice>1</voice>") + backup(9) + note("C3", 1, "<voice>2</voice>"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("C5 1/4", "C3 1/4"));
  EXPECT_THAT(got.codes, ElementsAre("musicxml-backup-too-far"));
}

TEST(MusicXml, QuarterTonesGoTowardsTheNatural) {
  const auto with = [](const char* alter) {
    return std::string("<note><pitch><step>F</step><alter>") + alter +
           "</alter><octave>4</octave></pitch><duration>1</duration></note>";
  };
  const Read got = read(score(measure(with("0.5") + with("1.5") + with("-0.5") + with("-1.75"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("F4 1/4 F#4 1/4 F4 1/4 Fbb4 1/4"));
  EXPECT_THAT(got.codes, ElementsAre("musicxml-microtone"));
}

std::string transposed(const std::string& how, const std::string& pitch) {
  const auto texts = melodies(measure(attributes("<transpose>" + how + "</transpose>") + note(pitch, 1)));
  return texts.size() == 1 ? texts.front() : "";
}

TEST(MusicXml, TransposingInstrumentsGiveSoundingSpelledPitches) {
  EXPECT_EQ(transposed("<diatonic>-1</diatonic><chromatic>-2</chromatic>", "C4"), "Bb3 1/4");
  EXPECT_EQ(transposed("<diatonic>-5</diatonic><chromatic>-9</chromatic>", "A4"), "C4 1/4");
  // Without the steps the usual spelling is taken.
  EXPECT_EQ(transposed("<chromatic>3</chromatic><octave-change>-1</octave-change>", "C4"), "Eb3 1/4");
  // Steps that contradict the semitones are a slip.
  EXPECT_EQ(transposed("<diatonic>0</diatonic><chromatic>-12</chromatic>", "F#4"), "F#3 1/4");
  // Doubled an octave lower: the melody is where it is written.
  EXPECT_EQ(transposed("<chromatic>0</chromatic><double/>", "G3"), "G3 1/4");
}

TEST(MusicXml, TheKeySoundsAsThePitchesDo) {
  // A clarinet in A (a minor third down) that reads C major sounds A major.
  const auto voices = read(score(measure(attributes("<key><fifths>0</fifths><mode>major</mode></key><transpose>"
                                                    "<diatonic>-2</diatonic><chromatic>-3</chromatic></transpose>") +
                                         note("C4", 1))))
                          .voices;
  EXPECT_EQ(voices[0].key_signatures[0].value.to_string(), "xFCG");
  EXPECT_EQ(voices[0].keys[0].value.to_string(), "A major");
}

TEST(MusicXml, PitchesNobodyCanSoundAreLeftOutNotThePiece) {
  const Read got =
      read(score(measure("<note><pitch><step>C</step><octave>11</octave></pitch><duration>1</duration></note>"
                         "<note><pitch><step>H</step><octave>4</octave></pitch><duration>1</duration></note>" +
                         note("C4", 1))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("r 1/2 C4 1/4"));
  EXPECT_THAT(got.codes, ElementsAre("musicxml-bad-pitch"));
}

TEST(MusicXml, PartsOfDifferentLengthAreFilledUp) {
  const auto voices = read("<score-partwise><part id='A'>" + measure(note("C4", 4)) + measure(note("D4", 4)) +
                           "</part><part id='B'>" + measure(note("E4", 1)) + "</part></score-partwise>")
                          .voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("C4 1 D4 1", "E4 1/4 r 7/4"));
}

TEST(MusicXml, CleanFilesGiveNoWarning) {
  EXPECT_THAT(read(score(measure(note("C4", 1, "<type>quarter</type>")))).codes, IsEmpty());
}

TEST(MusicXml, WarningsNameFileRecordAndLineAndComeOnce) {
  CollectingSink sink;
  ReadOptions options;
  options.file = "songs/a.musicxml";
  read_text("musicxml", score("\n\n" + measure(note("C4", 1, "<cue/>") + note("C4", 1, "<cue/>"))), sink, options);
  ASSERT_EQ(sink.warnings.size(), 1U);
  EXPECT_EQ(sink.warnings[0].place.file, "songs/a.musicxml");
  EXPECT_EQ(sink.warnings[0].place.record, "songs/a.musicxml");
  EXPECT_EQ(sink.warnings[0].place.line, 3U);
  EXPECT_THAT(sink.warnings[0].message, testing::HasSubstr("2 times"));
}

TEST(MusicXml, HeaderFieldsAreKept) {
  CollectingSink sink;
  read_text("musicxml",
            "<score-partwise><work><work-number>Op. 3</work-number><work-title>Six\n  Songs</work-title></work>"
            "<movement-title>Night</movement-title><identification><creator type='composer'>Ann A.</creator>"
            "<creator type='lyricist'>Bob B.</creator><source>Manuscript</source></identification>"
            "<part><measure/></part></score-partwise>",
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  const Metadata& metadata = sink.pieces[0].metadata;
  EXPECT_EQ(metadata.title, "Six Songs");
  EXPECT_EQ(metadata.field("movement"), "Night");
  EXPECT_EQ(metadata.composer, "Ann A.");
  EXPECT_EQ(metadata.field("lyricist"), "Bob B.");
  EXPECT_EQ(metadata.source, "Manuscript");
  EXPECT_THAT(metadata.catalogue, ElementsAre("Op. 3"));
  EXPECT_EQ(sink.pieces[0].id, "test");
}

TEST(MusicXml, ATitleOnThePageIsTheLastResort) {
  CollectingSink sink;
  read_text("musicxml",
            "<score-partwise><credit><credit-words>Somebody</credit-words></credit><credit><credit-type>title"
            "</credit-type><credit-words>Waltz</credit-words></credit><part><measure/></part></score-partwise>",
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].metadata.title, "Waltz");
}

}  // namespace rondo::musicxml_notes_test
