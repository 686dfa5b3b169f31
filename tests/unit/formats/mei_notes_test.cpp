#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::mei_notes_test {

using testing::ElementsAre;
using testing::IsEmpty;

std::string document(const std::string& definition, const std::string& section) {
  return fmt::format(
      "<mei xmlns='http://www.music-encoding.org/ns/mei' meiversion='5.0'><music><body><mdiv><score>{}<section>{}"
      "</section></score></mdiv></body></music></mei>",
      definition, section);
}

std::string definition(const std::string& attributes = {}, const std::string& staff = {}) {
  return fmt::format("<scoreDef {}><staffGrp><staffDef n='1' {}/></staffGrp></scoreDef>", attributes, staff);
}

std::string measure(const std::string& layer, const std::string& beside = {}) {
  return fmt::format("<measure><staff n='1'><layer n='1'>{}</layer></staff>{}</measure>", layer, beside);
}

struct Read {
  std::vector<Voice> voices;
  std::vector<std::string> codes;
};

Read read(const std::string& text, ReadOptions options = {}) {
  CollectingSink sink;
  read_text("mei", text, sink, std::move(options));
  EXPECT_TRUE(sink.skipped.empty()) << sink.skipped.front().to_string();
  Read out;
  for (const Diagnostic& warning : sink.warnings) out.codes.push_back(warning.code);
  if (!sink.pieces.empty()) out.voices = sink.pieces.back().voices;
  return out;
}

/// The only voice of a layer.
std::string melody(const std::string& layer, const std::string& beside = {}, const std::string& def = definition()) {
  const auto texts = melody_texts(read(document(def, measure(layer, beside))).voices);
  return texts.size() == 1 ? texts.front() : fmt::format("{} voices", texts.size());
}

std::string note(const std::string& more, const std::string& pname = "c", const std::string& oct = "4") {
  return fmt::format("<note pname='{}' oct='{}' {}/>", pname, oct, more);
}

TEST(Mei, ValuesDotsAndLongNotes) {
  EXPECT_EQ(melody(note("dur='4'") + note("dur='8' dots='1'", "d") + note("dur='16'", "e")), "C4 1/4 D4 3/16 E4 1/16");
  EXPECT_EQ(melody("<note pname='c' oct='4' dur='2'><dot/><dot/></note>"), "C4 7/8");
  EXPECT_EQ(melody(note("dur='breve'") + note("dur='long'") + note("dur='2048'")), "C4 2 C4 4 C4 1/2048");
}

TEST(Mei, RestsAndSpacesTakeTime) {
  EXPECT_EQ(melody("<rest dur='4'/><space dur='8'/>" + note("dur='8'")), "r 3/8 C4 1/8");
}

TEST(Mei, AMeasureRestIsAsLongAsTheOthersOrTheMetre) {
  const std::string def = definition("meter.count='3' meter.unit='4'");
  EXPECT_THAT(melody_texts(read(document(def, measure("<mRest/>") + measure(note("dur='4'")))).voices),
              ElementsAre("r 3/4 C4 1/4"));
  // An upbeat of one quarter in which the second staff rests.
  EXPECT_THAT(
      melody_texts(read(document(def, "<measure><staff n='1'><layer>" + note("dur='4'") +
                                          "</layer></staff><staff n='2'><layer><mRest/></layer></staff></measure>" +
                                          measure(note("dur='2' dots='1'", "d"))))
                       .voices),
      ElementsAre("C4 1/4 D4 3/4", "r 1"));
}

TEST(Mei, ARestOfManyMeasuresHasTheirBars) {
  const auto voices = read(document(definition("meter.count='2' meter.unit='4'"),
                                    measure("<multiRest num='3'/>") + measure(note("dur='2'"))))
                          .voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("r 3/2 C4 1/2"));
  EXPECT_THAT(voices[0].bars, ElementsAre(Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3, 2)));
}

TEST(Mei, SpacesWithoutADurationShareWhatIsMissing) {
  // 6/8 with three eighths written: the three spaces are eighths too.
  EXPECT_EQ(melody("<space/>" + note("dur='8'") + "<space/>" + note("dur='8'", "d") + "<space/>" + note("dur='8'", "e"),
                   "", definition("meter.count='6' meter.unit='8'")),
            "r 1/8 C4 1/8 r 1/8 D4 1/8 r 1/8 E4 1/8");
}

TEST(Mei, TupletsMayBeNested) {
  EXPECT_EQ(melody("<tuplet num='3' numbase='2'>" + note("dur='8'") + note("dur='8'") + "<tuplet num='5' numbase='2'>" +
                   note("dur='8'") + "</tuplet></tuplet>"),
            "C4 1/12 C4 1/12 C4 1/30");
  EXPECT_EQ(melody("<tuplet num='3'>" + note("dur='4'") + "</tuplet>"), "C4 1/6");
  EXPECT_EQ(melody("<tuplet num='5'>" + note("dur='16'") + "</tuplet>"), "C4 1/20");
}

TEST(Mei, ATupletSpanReachesFromNoteToNote) {
  const std::string notes = note("dur='8'") + note("dur='8' xml:id='a'", "d") + "<beam>" + note("dur='8'", "e") +
                            "<chord dur='8'><note xml:id='b' pname='f' oct='4'/></chord></beam>" + note("dur='8'", "g");
  const std::string span = "<tupletSpan num='3' numbase='2' startid='#a' endid='#b'/>";
  EXPECT_EQ(melody(notes, span), "C4 1/8 D4 1/12 E4 1/12 F4 1/12 G4 1/8");
  EXPECT_EQ(melody(notes, span + span), "C4 1/8 D4 1/12 E4 1/12 F4 1/12 G4 1/8") << "said twice, it holds once";
}

TEST(Mei, ATupletSpanOverATupletIsTheSameTuplet) {
  EXPECT_EQ(melody("<tuplet num='3' numbase='2'>" + note("dur='8' xml:id='a'") + note("dur='8'") +
                       note("dur='8' xml:id='b'") + "</tuplet>",
                   "<tupletSpan num='3' numbase='2' startid='#a' endid='#b'/>"),
            "C4 1/12 C4 1/12 C4 1/12");
}

TEST(Mei, PulsesCountWhereNoValueIsGiven) {
  const std::string def = definition("", "ppq='24'");
  EXPECT_EQ(melody(note("dur.ppq='36'") + "<space dur.ppq='24'/>" + note("dur='4' dur.ppq='12'"), "", def),
            "C4 3/8 r 1/4 C4 1/4");
  // A member of a tuplet that nothing tells the ratio of.
  EXPECT_EQ(melody(note("dur='8' tuplet='i1' dur.ppq='8'"), "", def), "C4 1/12");
}

TEST(Mei, ChordsKeepTheirNotes) {
  EXPECT_EQ(melody("<chord dur='4'>" + note("") + note("", "e") + "</chord>" + note("dur='4'")), "E4+C4 1/4 C4 1/4");
  EXPECT_EQ(melody("<chord>" + note("dur='4'") + note("dur='4'", "e") + "</chord>" + note("dur='4'")),
            "E4+C4 1/4 C4 1/4");
}

TEST(Mei, GraceNotesTakeNoTimeAndKeepTheirValueInTuplets) {
  const auto voices =
      read(document(definition(),
                    measure("<tuplet num='3' numbase='2'>" + note("dur='16' grace='acc'", "d") + note("dur='8'") +
                            "</tuplet><graceGrp>" + note("dur='8'", "e") + "</graceGrp>" + note("dur='4'"))))
          .voices;
  EXPECT_THAT(melody_texts(voices), ElementsAre("~D4 C4 1/12 ~E4 C4 1/4"));
  EXPECT_EQ(voices[0].notes[0].duration, Fraction(1, 16));
}

TEST(Mei, TremolosLastAsLongAsTheyAreWritten) {
  EXPECT_EQ(melody("<bTrem unitdur='16'>" + note("dur='2'") + "</bTrem>" + note("dur='4'")), "C4 1/2 C4 1/4");
  EXPECT_EQ(melody("<fTrem unitdur='16'>" + note("dur='2'") + note("dur='2'", "e") + "</fTrem>" + note("dur='4'")),
            "C4 1/4 E4 1/4 C4 1/4");
}

TEST(Mei, TiesByAttributeAndByElement) {
  EXPECT_EQ(melody(note("dur='4' tie='i'") + note("dur='4' tie='m'") + note("dur='8' tie='t'") + note("dur='8'")),
            "C4 5/8 C4 1/8");
  EXPECT_EQ(melody(note("dur='4' xml:id='a'") + note("dur='4' xml:id='b'"), "<tie startid='#a' endid='#b'/>"),
            "C4 1/2");
  EXPECT_EQ(
      melody(note("dur='4' xml:id='a'") + note("dur='4'") + note("dur='4'"), "<tie startid='#a' tstamp2='0m+2'/>"),
      "C4 1/2 C4 1/4");
  EXPECT_EQ(melody("<chord dur='4' tie='i'>" + note("") + note("", "e") + "</chord><chord dur='4' tie='t'>" + note("") +
                   note("", "e") + "</chord>"),
            "E4+C4 1/2");
}

TEST(Mei, SoundingAccidentalsOutrankWrittenOnes) {
  EXPECT_EQ(
      melody(note("dur='4' accid='s'") + note("dur='4' accid='f' accid.ges='n'") + note("dur='4' accid.ges='ff'")),
      "C#4 1/4 C4 1/4 Cbb4 1/4");
  EXPECT_EQ(melody("<note pname='f' oct='4' dur='4'><accid accid='s'/></note>"
                   "<note pname='f' oct='4' dur='4'><accid accid.ges='s'/></note>"),
            "F#4 1/4 F#4 1/4");
}

TEST(Mei, WhereNothingSoundingIsSaidTheSignatureCounts) {
  const std::string def = definition("keysig='1s'");
  const Read got = read(document(def, measure(note("dur='4'", "f") + note("dur='4' accid='n'", "f") +
                                              note("dur='4'", "f") + note("dur='4'", "f", "5")) +
                                          measure(note("dur='4'", "f"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("F#4 1/4 F4 1/4 F4 1/4 F#5 1/4 F#4 1/4"));
  EXPECT_THAT(got.codes, ElementsAre("mei-accidentals-implied"));
  // One accid.ges shows that the encoder says what sounds.
  EXPECT_EQ(melody(note("dur='4' accid.ges='s'", "f") + note("dur='4'", "f"), "", def), "F#4 1/4 F4 1/4");
}

TEST(Mei, ATiedNoteKeepsItsAccidentalOverTheBar) {
  EXPECT_THAT(melody_texts(read(document(definition("keysig='1s'"),
                                         measure(note("dur='4' accid='s' tie='i'", "g")) +
                                             measure(note("dur='4' tie='t'", "g") + note("dur='4'", "g"))))
                               .voices),
              ElementsAre("G#4 1/2 G#4 1/4"));
}

TEST(Mei, GesturalPitchesAndTranspositionAreTheSoundingOnes) {
  EXPECT_EQ(melody(note("dur='4' oct.ges='5'")), "C5 1/4");
  EXPECT_EQ(melody("<note oct='3' pname.ges='b' dur='4'/>"), "B3 1/4");
  const std::string clarinet = definition("", "trans.semi='-3' trans.diat='-2' keysig='0'");
  EXPECT_EQ(melody(note("dur='4'"), "", clarinet), "A3 1/4");
  EXPECT_EQ(melody(note("dur='4' oct.ges='4'"), "", clarinet), "C4 1/4") << "is what sounds already";
  EXPECT_EQ(read(document(clarinet, measure(note("dur='4'")))).voices[0].key_signatures[0].value.to_string(), "xFCG");
}

TEST(Mei, WhatCannotBeSoundedIsLeftOutWithAWarning) {
  const Read got = read(document(definition(), measure("<note dur='4' loc='3'/>" + note("dur='4' cue='true'") +
                                                       note("dur='4'", "c", "11") + note("dur='4' accid='1qs'"))));
  EXPECT_THAT(melody_texts(got.voices), ElementsAre("r 3/4 C4 1/4"));
  EXPECT_THAT(got.codes, ElementsAre("mei-bad-pitch", "mei-cue-skipped", "mei-microtone", "mei-no-pitch"));
}

TEST(Mei, EditorialAlternativesGiveOneReading) {
  const std::string c = note("dur='4'");
  const std::string d = note("dur='4'", "d");
  EXPECT_EQ(melody("<app><rdg>" + c + "</rdg><lem>" + d + "</lem></app>"), "D4 1/4");
  EXPECT_EQ(melody("<app><rdg>" + c + "</rdg><rdg>" + d + "</rdg></app>"), "C4 1/4");
  EXPECT_EQ(melody("<choice><sic>" + c + "</sic><corr>" + d + "</corr></choice>"), "D4 1/4");
  EXPECT_EQ(melody("<choice><orig>" + c + "</orig><reg>" + d + "</reg></choice>"), "D4 1/4");
  EXPECT_EQ(melody("<subst><del>" + c + "</del><add>" + d + "</add></subst>"), "D4 1/4");
  EXPECT_EQ(melody("<supplied>" + c + "</supplied><del>" + d + "</del>"), "C4 1/4");
}

TEST(Mei, CopiesStandForWhatTheyName) {
  EXPECT_EQ(melody("<beam xml:id='b'>" + note("dur='8'") + note("dur='8'", "d") + "</beam><beam copyof='#b'/>"),
            "C4 1/8 D4 1/8 C4 1/8 D4 1/8");
  EXPECT_EQ(melody("<tuplet xml:id='t' num='3' numbase='2'>" + note("dur='8'") + "</tuplet><tuplet copyof='#t'/>"),
            "C4 1/12 C4 1/12");
  EXPECT_EQ(melody("<note xml:id='n' pname='e' oct='5' dur='2'/><note sameas='#n'/>"), "E5 1/2 E5 1/2");
  EXPECT_THAT(melody_texts(read(document(definition(), "<measure xml:id='m'><staff n='1'><layer>" + note("dur='4'") +
                                                           "</layer></staff></measure><measure copyof='#m'/>"))
                               .voices),
              ElementsAre("C4 1/4 C4 1/4"));
}

TEST(Mei, RepeatSignsForMeasuresAndBeats) {
  const std::string def = definition("meter.count='2' meter.unit='4'");
  const std::string bar = measure(note("dur='4'") + note("dur='4'", "d"));
  EXPECT_THAT(melody_texts(read(document(def, bar + measure("<mRpt/>"))).voices),
              ElementsAre("C4 1/4 D4 1/4 C4 1/4 D4 1/4"));
  EXPECT_THAT(melody_texts(read(document(def, measure(note("dur='8'") + note("dur='8'", "d") + "<beatRpt/>"))).voices),
              ElementsAre("C4 1/8 D4 1/8 C4 1/8 D4 1/8"));
}

TEST(Mei, MensuralValuesAndChantAreReadAsFarAsTheyGo) {
  const Read mensural =
      read(document(definition(), "<staff n='1'><layer>" + note("dur='brevis'") + note("dur='semibrevis'", "d") +
                                      note("dur='minima'", "e") + "</layer></staff>"));
  EXPECT_THAT(melody_texts(mensural.voices), ElementsAre("C4 2 D4 1 E4 1/2"));
  EXPECT_THAT(mensural.codes, ElementsAre("mei-mensural", "mei-unmeasured"));
  const Read chant = read(document(definition(),
                                   "<staff n='1'><layer><syllable><neume><nc pname='g' oct='3'/>"
                                   "<nc pname='a' oct='3'/></neume></syllable></layer></staff>"));
  EXPECT_THAT(melody_texts(chant.voices), ElementsAre("G3 1/4 A3 1/4"));
  EXPECT_THAT(chant.codes, ElementsAre("mei-no-duration", "mei-unmeasured"));
}

TEST(Mei, CleanFilesGiveNoWarning) {
  EXPECT_THAT(read(document(definition(), measure(note("dur='4'")))).codes, IsEmpty());
}

}  // namespace rondo::mei_notes_test
