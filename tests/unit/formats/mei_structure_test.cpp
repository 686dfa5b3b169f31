// MEI around the notes: staves and layers, signatures, the order of playing, header, incipits.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo::mei_structure_test {

using testing::ElementsAre;

const std::string kOne = "<staffGrp><staffDef n='1'/></staffGrp>";

std::string document(const std::string& definition, const std::string& section, const std::string& head = {}) {
  return fmt::format(
      "<mei xmlns='http://www.music-encoding.org/ns/mei'>{}<music><body><mdiv><score>{}<section>{}</section></score>"
      "</mdiv></body></music></mei>",
      head, definition, section);
}

std::string quarter(char pname) { return fmt::format("<note oct='4' dur='4' pname='{}'/>", pname); }

/// A measure of one quarter.
std::string bar(char pname, const std::string& attributes = {}, const std::string& beside = {}) {
  return fmt::format("<measure {}><staff n='1'><layer>{}</layer></staff>{}</measure>", attributes, quarter(pname),
                     beside);
}

std::vector<Piece> pieces(const std::string& text, ReadOptions options = {}) {
  CollectingSink sink;
  read_text("mei", text, sink, std::move(options));
  EXPECT_TRUE(sink.skipped.empty()) << sink.skipped.front().to_string();
  return sink.pieces;
}

/// What is played, as letters.
std::string played(const std::string& section) {
  const auto read = pieces(document("<scoreDef>" + kOne + "</scoreDef>", section));
  std::string letters;
  for (const Note& note : read.at(0).voices.at(0).notes) letters += letter_of_step(note.pitch.step);
  return letters;
}

TEST(MeiStructure, EachLayerOfEachStaffIsAVoice) {
  const auto read = pieces(
      document("<scoreDef><staffGrp><staffDef "
               "n='1'><label>Violin</label></staffDef><staffGrp><label>Piano</label><staffDef n='2'/>"
               "<staffDef n='3'/></staffGrp></staffGrp></scoreDef>",
               "<measure><staff n='1'><layer n='1'>" + quarter('c') + "</layer></staff><staff n='2'><layer n='1'>" +
                   quarter('d') + "</layer><layer n='2'>" + quarter('e') +
                   "</layer></staff><staff n='3'><layer n='1'><mRest/></layer></staff></measure>"));
  ASSERT_EQ(read.size(), 1U);
  EXPECT_THAT(melody_texts(read[0].voices), ElementsAre("C4 1/4", "D4 1/4", "E4 1/4", "r 1/4"));
  EXPECT_EQ(read[0].voices[0].name, "Violin");
  EXPECT_EQ(read[0].voices[1].name, "Piano, staff 1, voice 1");
  EXPECT_EQ(read[0].voices[2].name, "Piano, staff 1, voice 2");
  EXPECT_EQ(read[0].voices[3].name, "Piano, staff 2");
}

TEST(MeiStructure, SignaturesMayBeAttributesOrElementsAndChange) {
  const auto read = pieces(document(
      "<scoreDef key.sig='2s' key.mode='minor' meter.count='3' meter.unit='8'><staffGrp><staffDef n='1' clef.shape='G' "
      "clef.line='2' clef.dis='8' clef.dis.place='below'/></staffGrp></scoreDef>",
      bar('c') +
          "<scoreDef><keySig sig='mixed'><keyAccid pname='b' accid='f'/><keyAccid pname='c' "
          "accid='s'/></keySig><meterSig "
          "sym='common'/></scoreDef>" +
          bar('c') +
          "<staffDef n='1'><clef shape='F' line='4'/><meterSigGrp func='mixed'><meterSig count='3' unit='8'/><meterSig "
          "count='2' unit='4'/></meterSigGrp></staffDef>" +
          bar('c')));
  const Voice& voice = read.at(0).voices.at(0);
  ASSERT_EQ(voice.key_signatures.size(), 2U);
  EXPECT_EQ(voice.key_signatures[0].value.to_string(), "xFC");
  EXPECT_EQ(voice.key_signatures[1].value.to_string(), "xCbB");
  EXPECT_EQ(voice.key_signatures[1].onset, Fraction(1, 4));
  EXPECT_EQ(voice.keys.at(0).value.to_string(), "B minor");
  ASSERT_EQ(voice.times.size(), 3U);
  EXPECT_EQ(voice.times[0].value.to_string(), "3/8");
  EXPECT_EQ(voice.times[1].value.to_string(), "c");
  EXPECT_EQ(voice.times[2].value.to_string(), "3/8+2/4");
  ASSERT_EQ(voice.clefs.size(), 2U);
  EXPECT_EQ(voice.clefs[0].value.to_string(), "g-2");
  EXPECT_EQ(voice.clefs[1].value.to_string(), "F-4");
  EXPECT_EQ(voice.clefs[1].onset, Fraction(1, 2));
}

TEST(MeiStructure, AKeyForAllStavesIsTheOneThatSounds) {
  // A clarinet in A reads C major where the others read A major.
  const auto read =
      pieces(document("<scoreDef keysig='3s'><staffGrp><staffDef n='1' keysig='0' trans.semi='-3' "
                      "trans.diat='-2'/></staffGrp></scoreDef>",
                      bar('c') + "<scoreDef keysig='3s'/>" + bar('c') + "<scoreDef keysig='2s'/>" + bar('c')));
  const auto& keys = read.at(0).voices.at(0).key_signatures;
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0].value.to_string(), "xFCG");
  EXPECT_EQ(keys[1].value.to_string(), "xFC");
}

TEST(MeiStructure, RepeatsAndEndingsArePlayed) {
  EXPECT_EQ(played(bar('c') + bar('d', "left='rptstart'") + bar('e', "right='rptend'") + bar('f')), "CDEDEF");
  EXPECT_EQ(played(bar('c', "right='rptstart'") + bar('d', "right='rptboth'") + bar('e', "right='rptend'")), "CDDEE");
  EXPECT_EQ(played(bar('c') + "<ending n='1-3'>" + bar('d', "right='rptend'") + "</ending><ending n='4'>" + bar('e') +
                   "</ending>" + bar('f')),
            "CDCDCDCEF");
  EXPECT_EQ(played(bar('c') + "<ending>" + bar('d', "right='rptend'") + "</ending><ending>" + bar('e') + "</ending>"),
            "CDCE");
  ReadOptions plain;
  plain.expand_repeats = false;
  EXPECT_EQ(pieces(document("<scoreDef>" + kOne + "</scoreDef>", bar('c', "right='rptend'")), plain)[0]
                .voices[0]
                .notes.size(),
            1U);
}

TEST(MeiStructure, AnExpansionStatesTheOrder) {
  EXPECT_EQ(played("<expansion plist='#A #B #A'/><section xml:id='A'>" + bar('c') + "</section><section xml:id='B'>" +
                   bar('d', "right='rptend'") + "</section>"),
            "CDC");
  EXPECT_EQ(played(bar('c') + "<section><expansion plist='#B #A'/><section xml:id='A'>" + bar('d') +
                   "</section><section xml:id='B'>" + bar('e') + "</section></section>" + bar('f')),
            "CEDF");
}

TEST(MeiStructure, RepeatMarksJump) {
  EXPECT_EQ(played(bar('c') + bar('d', "", "<repeatMark func='fine'/>") + bar('e', "", "<repeatMark func='daCapo'/>")),
            "CDECD");
}

TEST(MeiStructure, MovementsArePiecesOfTheirOwn) {
  const auto movement = [](const std::string& attributes, char pname) {
    return "<mdiv " + attributes + "><score><scoreDef>" + kOne + "</scoreDef><section>" + bar(pname) +
           "</section></score></mdiv>";
  };
  const auto read =
      pieces("<mei><meiHead><fileDesc><titleStmt><title>Suite</title></titleStmt></fileDesc></meiHead><music><body>" +
             movement("label='Allemande'", 'c') + "<mdiv>" + movement("n='2'", 'd') + "</mdiv></body></music></mei>");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].id, "test#1");
  EXPECT_EQ(read[1].id, "test#2");
  EXPECT_EQ(read[0].metadata.title, "Suite");
  EXPECT_EQ(read[0].metadata.field("movement"), "Allemande");
  EXPECT_EQ(read[1].metadata.field("movement"), "2");
  EXPECT_THAT(read[0].source_text, testing::HasSubstr("Allemande"));
  EXPECT_THAT(read[1].source_text, testing::Not(testing::HasSubstr("Allemande")));
}

TEST(MeiStructure, PartsStandBesideEachOther) {
  const auto part = [](const std::string& label, const std::string& bars) {
    return "<part label='" + label + "'><scoreDef>" + kOne + "</scoreDef><section>" + bars + "</section></part>";
  };
  const auto read = pieces("<mei><music><body><mdiv><parts>" + part("Flute", bar('c') + bar('d')) +
                           part("Oboe", bar('e')) + "</parts></mdiv></body></music></mei>");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_THAT(melody_texts(read[0].voices), ElementsAre("C4 1/4 D4 1/4", "E4 1/4 r 1/4"));
  EXPECT_EQ(read[0].voices[1].name, "Oboe");
}

TEST(MeiStructure, TheHeaderGivesTheMetadata) {
  const auto read = pieces(document(
      "", bar('c'),
      "<meiHead><fileDesc><titleStmt><title>Song<titlePart type='subordinate'>a transcription</titlePart></title>"
      "<composer><persName>Ann A.</persName></composer><lyricist>Bob B.</lyricist></titleStmt><seriesStmt><title>Songs "
      "of the "
      "town</title></seriesStmt></fileDesc><workList><work><identifier label='BWV'>123</identifier><identifier "
      "type='URI'>http://example.org/1</identifier><title>Other</title><creation><date "
      "isodate='1782'/></creation></work>"
      "</workList><manifestationList><manifestation><physLoc><repository><identifier>D-Dl</identifier></"
      "repository><identifier>"
      "Mus. 1</identifier></physLoc></manifestation></manifestationList></meiHead>"));
  const Metadata& metadata = read.at(0).metadata;
  EXPECT_EQ(metadata.title, "Song");
  EXPECT_EQ(metadata.composer, "Ann A.");
  EXPECT_EQ(metadata.field("lyricist"), "Bob B.");
  EXPECT_EQ(metadata.source, "Songs of the town");
  EXPECT_THAT(metadata.catalogue, ElementsAre("BWV 123"));
  EXPECT_EQ(metadata.uri, "http://example.org/1");
  EXPECT_EQ(metadata.year, "1782");
  EXPECT_EQ(metadata.library, "D-Dl");
  EXPECT_EQ(metadata.shelfmark, "Mus. 1");
}

std::string with_incipits(const std::string& incipits, const std::string& body) {
  return fmt::format(
      "<mei><meiHead><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc><workList><work>{}</work></workList>"
      "</meiHead><music><body><mdiv><score><scoreDef>{}</scoreDef><section>{}</section></score></mdiv></body></music></"
      "mei>",
      incipits, kOne, body);
}

TEST(MeiStructure, IncipitsInPlaineAndEasieCodeArePieces) {
  const auto read =
      pieces(with_incipits("<incip><incipText>Laudate</incipText><incipCode form='parsons'>*ud</incipCode><incipCode "
                           "form='plaineAndEasie'>%G-2$@c "
                           "'4CDEF</incipCode></incip><incip><incipCode form='pae'>%25G-2%40c%20'4G</incipCode></incip>"
                           "<incip><incipCode form='parsons'>*rr</incipCode></incip>",
                           bar('c')));
  ASSERT_EQ(read.size(), 3U);
  EXPECT_THAT(melody_texts(read[0].voices), ElementsAre("C4 1/4 D4 1/4 E4 1/4 F4 1/4"));
  EXPECT_EQ(read[0].metadata.title, "T");
  EXPECT_EQ(read[0].metadata.field("text"), "Laudate");
  EXPECT_EQ(read[0].format, "mei");
  ASSERT_EQ(read[1].voices.size(), 1U);
  EXPECT_EQ(read[1].voices[0].notes.size(), 1U) << "escaped as in an address";
  EXPECT_THAT(melody_texts(read[2].voices), ElementsAre("C4 1/4"));
  EXPECT_EQ(read[2].id, "test#3");
}

TEST(MeiStructure, AnIncipitMayBeASmallScore) {
  const auto read = pieces(with_incipits(
      "<incip><score><scoreDef>" + kOne + "</scoreDef><section>" + bar('g') + "</section></score></incip>",
      "<measure/>"));
  ASSERT_EQ(read.size(), 1U) << "the body without notes is only a placeholder";
  EXPECT_THAT(melody_texts(read[0].voices), ElementsAre("G4 1/4"));
}

TEST(MeiStructure, ACorpusHoldsManyAndAHeaderAloneIsARecord) {
  const auto read = pieces(
      "<meiCorpus><meiHead/><mei><meiHead><fileDesc><titleStmt><title>A</title></titleStmt></fileDesc></meiHead>"
      "<music><body><mdiv><score><scoreDef>" +
      kOne + "</scoreDef><section>" + bar('c') +
      "</section></score></mdiv></body></music></mei><mei><meiHead><fileDesc><titleStmt><title>B</title>"
      "</titleStmt></fileDesc></meiHead></mei></meiCorpus>");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].metadata.title, "A");
  EXPECT_EQ(read[1].metadata.title, "B");
  EXPECT_TRUE(read[1].voices.empty());
}

TEST(MeiStructure, PrefixedElementsAreRead) {
  const auto read = pieces(
      "<m:mei xmlns:m='http://www.music-encoding.org/ns/mei'><m:music><m:body><m:mdiv><m:score><m:section>"
      "<m:measure><m:staff n='1'><m:layer><m:note pname='c' oct='4' dur='4'/></m:layer></m:staff></m:measure>"
      "</m:section></m:score></m:mdiv></m:body></m:music></m:mei>");
  EXPECT_THAT(melody_texts(read.at(0).voices), ElementsAre("C4 1/4"));
}

}  // namespace rondo::mei_structure_test
