// The order in which measures are played: what MusicXML's bar lines and <sound> say.
#include <gmock/gmock.h>

#include "support/data.h"

namespace rondo::musicxml_order_test {

/// What stands before and after the note of a measure.
struct Extra {
  std::string before;
  std::string after;
};

std::string quarter(char step, const std::string& more = {}) {
  return std::string("<note><pitch><step>") + step + "</step><octave>4</octave></pitch><duration>1</duration>" + more +
         "</note>";
}

/// Measures of one quarter each, C D E ... in turn; what is played, as letters.
std::string played(const std::vector<Extra>& extras, bool expand = true) {
  std::string text = "<score-partwise><part id='P'>";
  for (std::size_t i = 0; i < extras.size(); ++i) {
    text += "<measure>" + extras[i].before + quarter("CDEFGAB"[i]) + extras[i].after + "</measure>";
  }
  CollectingSink sink;
  ReadOptions options;
  options.expand_repeats = expand;
  read_text("musicxml", text + "</part></score-partwise>", sink, options);
  if (sink.pieces.size() != 1) return "no piece";
  std::string letters;
  for (const Note& note : sink.pieces[0].voices[0].notes) letters += letter_of_step(note.pitch.step);
  return letters;
}

const Extra kPlain;
const Extra kForward{"<barline location='left'><repeat direction='forward'/></barline>", ""};
const Extra kBackward{"", "<barline location='right'><repeat direction='backward'/></barline>"};

Extra ending(const std::string& number, bool repeats) {
  return {"<barline location='left'><ending number='" + number + "' type='start'/></barline>",
          "<barline location='right'><ending number='" + number + "' type='stop'/>" +
              (repeats ? "<repeat direction='backward'/>" : "") + "</barline>"};
}

Extra sound(const std::string& what) { return {"", "<direction><sound " + what + "/></direction>"}; }

TEST(MusicXmlOrder, RepeatsAreWrittenOutUnlessAskedNotTo) {
  EXPECT_EQ(played({kPlain, kForward, kBackward, kPlain}), "CDEDEF");
  EXPECT_EQ(played({kPlain, kForward, kBackward, kPlain}, false), "CDEF");
}

TEST(MusicXmlOrder, TimesSaysHowOften) {
  EXPECT_EQ(played({{"", "<barline><repeat direction='backward' times='3'/></barline>"}, kPlain}), "CCCD");
}

TEST(MusicXmlOrder, EndingsArePlayedOnTheirPass) {
  EXPECT_EQ(played({kPlain, ending("1", true), ending("2", false), kPlain}), "CDCEF");
  EXPECT_EQ(played({kPlain, ending("1, 2", true), ending("3", false)}), "CDCDCE");
}

TEST(MusicXmlOrder, AnEndingNobodyReachesIsPlayedAllTheSame) {
  EXPECT_EQ(played({kPlain, ending("2", false), kPlain}), "CDE");
}

TEST(MusicXmlOrder, ARepeatThatBeginsAtTheSecondEndingIsASectionOfItsOwn) {
  const Extra second{
      "<barline location='left'><ending number='2' type='start'/><repeat direction='forward'/></barline>",
      "<barline location='right'><ending number='2' type='discontinue'/></barline>"};
  EXPECT_EQ(played({kPlain, ending("1", true), second, kBackward, kPlain}), "CDCEFEFG");
}

TEST(MusicXmlOrder, DaCapoAlFine) {
  EXPECT_EQ(played({kPlain, sound("fine='yes'"), kPlain, sound("dacapo='yes'")}), "CDEFCD");
}

TEST(MusicXmlOrder, AfterAJumpNoRepeatIsTakenAndTheLastEndingPlayed) {
  EXPECT_EQ(played({kForward, ending("1", true), ending("2", false), sound("fine='yes'"), sound("dacapo='yes'")}),
            "CDCEFGCEF");
}

TEST(MusicXmlOrder, DalSegnoAlCoda) {
  EXPECT_EQ(played({kPlain, sound("segno='S'"), sound("tocoda='X'"), sound("dalsegno='S'"), sound("coda='X'"), kPlain}),
            "CDEFDEGA");
}

TEST(MusicXmlOrder, AJumpWithoutAFineIsTakenOnce) {
  EXPECT_EQ(played({kPlain, sound("dacapo='yes'"), kPlain}), "CDCDE");
}

TEST(MusicXmlOrder, AJumpToNowhereGoesToTheBeginning) { EXPECT_EQ(played({kPlain, sound("dalsegno='?'")}), "CDCD"); }

TEST(MusicXmlOrder, ATieIntoBothEndingsHoldsInBoth) {
  const Extra first = ending("1", true);
  const Extra second = ending("2", false);
  const std::string continued = quarter('C', "<tie type='stop'/>");
  CollectingSink sink;
  read_text("musicxml",
            "<score-partwise><part><measure>" + quarter('C', "<tie type='start'/>") + "</measure><measure>" +
                first.before + continued + first.after + "</measure><measure>" + second.before + continued +
                second.after + "</measure></part></score-partwise>",
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  ASSERT_EQ(sink.pieces[0].voices[0].notes.size(), 2U);
  EXPECT_EQ(sink.pieces[0].voices[0].notes[1].duration, Fraction(1, 2));
}

TEST(MusicXmlOrder, WhatWasInForceIsInForceAgainAfterGoingBack) {
  const auto key = [](const char* fifths) {
    return std::string("<attributes><key><fifths>") + fifths + "</fifths></key></attributes>";
  };
  const std::string rest = "<note><rest/><duration>4</duration></note>";
  CollectingSink sink;
  read_text("musicxml",
            "<score-partwise><part><measure>" + key("1") + rest + "</measure><measure>" + key("2") + rest +
                "</measure><measure>" + rest + kBackward.after + "</measure></part></score-partwise>",
            sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  std::vector<std::string> keys;
  for (const auto& change : sink.pieces[0].voices[0].key_signatures) {
    keys.push_back(change.onset.to_string() + change.value.to_string());
  }
  EXPECT_THAT(keys, testing::ElementsAre("0xF", "1xFC", "3xF", "4xFC"));
}

}  // namespace rondo::musicxml_order_test
