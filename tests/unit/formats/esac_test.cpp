#include <gmock/gmock.h>

#include "rondo/melody/builder.h"
#include "support/collected.h"
#include "support/data.h"
#include "support/melody_text.h"
#include "support/random_voice.h"

namespace rondo::esac_test {

using test::codes;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

struct Esac : testing::Test {
  void read(const std::string& text) {
    ReadOptions options;
    options.file = "songs.esac";
    read_text("esac", text, sink, options);
  }
  /// A song with this key and melody.
  void song(const std::string& key, const std::string& melody) {
    read("CUT[A song]\nKEY[" + key + "]\nMEL[" + melody + "]\n");
  }
  [[nodiscard]] const Voice& voice(std::size_t piece = 0) const { return sink.pieces.at(piece).voices.at(0); }
  static std::vector<std::string> texts(const std::vector<Fraction>& times) {
    std::vector<std::string> out;
    for (const Fraction time : times) out.push_back(time.to_string());
    return out;
  }

  CollectingSink sink;
};

TEST_F(Esac, DegreesAreOfTheMajorScaleOverTheTonic) {
  song("A1 04 G 4/4", "1234  567+1  -7-6-5--5  4#3b7b1 //");
  EXPECT_EQ(melody_text(voice()),
            "G4 1/4 A4 1/4 B4 1/4 C5 1/4 D5 1/4 E5 1/4 F#5 1/4 G5 1/4 F#4 1/4 E4 1/4 D4 1/4 D3 1/4 "
            "C#5 1/4 Bb4 1/4 F5 1/4 G4 1/4");
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST_F(Esac, TonicsWithSignsAndGermanNames) {
  for (const auto& [tonic, first] : {std::pair("Eb", "Eb4"),
                                     {"F#", "F#4"},
                                     {"H", "B4"},
                                     {"Es", "Eb4"},
                                     {"As", "Ab4"},
                                     {"Fis", "F#4"},
                                     {"g", "G4"},
                                     {"Bb", "Bb4"},
                                     {"B", "B4"}}) {
    sink.pieces.clear();
    song(std::string("A1 08 ") + tonic + " 2/4", "1 //");
    EXPECT_EQ(voice().notes.at(0).pitch.to_string(), first) << tonic;
  }
}

TEST_F(Esac, LinesDoubleAndDotsLengthenTheSmallestNote) {
  song("A1 16 C 4/4", "1_2__3___4____5.6_.0__1 //");
  EXPECT_EQ(melody_text(voice()), "C4 1/8 D4 1/4 E4 1/2 F4 1 G4 3/32 A4 3/16 r 1/4 C4 1/16");
}

TEST_F(Esac, BracketsAreTriplets) {
  song("A1 08 C 2/4", "(123)4_ //");
  EXPECT_EQ(melody_text(voice()), "C4 1/12 D4 1/12 E4 1/12 F4 1/4");
}

TEST_F(Esac, TheCircumflexContinuesANoteOverABar) {
  song("A1 04 C 2/4", "5_  ^5  0^ //");
  EXPECT_EQ(melody_text(voice()), "G4 3/4 G4 1/4 r 1/2");
  EXPECT_EQ(voice().length, Fraction(3, 2));
  EXPECT_THAT(sink.warnings, IsEmpty());
}

// "5_  3_1_  2_-7_" and a line of its own for the next phrase, which begins within the measure.
TEST_F(Esac, TwoBlanksAreABarAndTheEndOfALineOnlyWhereTheMeasureIsFull) {
  song("A1 08 C 2/4", "5_  3_1_  2_\n    5_  3_1_\n    1___ //");
  EXPECT_THAT(texts(voice().bars), ElementsAre("0", "1/4", "3/4", "5/4", "7/4"));
  EXPECT_EQ(voice().length, Fraction(11, 4));
}

TEST_F(Esac, FreeMetreHasBarsOnlyWhereTheyAreWritten) {
  song("A1 08 C FREI", "1_2_3_\n 4_");
  EXPECT_THAT(voice().bars, IsEmpty());
  EXPECT_EQ(voice().times.at(0).value.beats, 0);
  sink.pieces.clear();
  song("A1 08 C FREI", "1_2_  3_ //");
  EXPECT_THAT(texts(voice().bars), ElementsAre("0", "1/2"));
}

TEST_F(Esac, OfSeveralMetresTheLengthOfTheMeasureChooses) {
  song("A1 04 C 2/4 3/4", "12  123  12  12 //");
  ASSERT_THAT(voice().times, SizeIs(3));
  EXPECT_EQ(voice().times[0].value.to_string(), "2/4");
  EXPECT_EQ(voice().times[1].onset, Fraction(1, 2));
  EXPECT_EQ(voice().times[1].value.to_string(), "3/4");
  EXPECT_EQ(voice().times[2].onset, Fraction(5, 4));
}

TEST_F(Esac, AMinorThirdMakesTheKeyMinor) {
  song("A1 04 D 4/4", "123b4 //");
  EXPECT_EQ(voice().keys.at(0).value.to_string(), "D minor");
  EXPECT_EQ(voice().key_signatures.at(0).value.to_string(), "bB");
  sink.pieces.clear();
  song("A1 04 D 4/4", "1234 //");
  EXPECT_EQ(voice().keys.at(0).value.to_string(), "D major");
}

TEST_F(Esac, RecordsFollowEachOtherAndKeepTheirFields) {
  read(
      "LIEDER\nCUT[First\n    as one sings it,]\nREG[Somewhere, in the\n    hills]\nSRC[A book]\nKEY[L0001 08 G 2/4]\n"
      "MEL[1_2_ //] >>\nFCT[Lied]\nCMT[a [strange] one]\n\nCUT[Second]\nTRD[Another book]\nKEY[L0002 08 C 2/4]\n"
      "MEL[3_ //]\n\nBALLADEN\nCUT[Third]\nKEY[L0003 08 C 2/4]\nMEL[4_ //]\n");
  ASSERT_THAT(sink.pieces, SizeIs(3));
  const Metadata& first = sink.pieces[0].metadata;
  EXPECT_EQ(first.title, "First");
  EXPECT_EQ(first.source, "A book");
  EXPECT_THAT(first.catalogue, ElementsAre("L0001"));
  EXPECT_THAT(first.fields, ElementsAre(Pair("collection", "LIEDER"), Pair("incipit", "as one sings it,"),
                                        Pair("region", "Somewhere, in the hills"), Pair("function", "Lied"),
                                        Pair("notes", "a [strange] one")));
  EXPECT_EQ(sink.pieces[0].id, "songs.esac#1");
  EXPECT_EQ(sink.pieces[1].metadata.source, "Another book");
  EXPECT_EQ(sink.pieces[2].metadata.field("collection"), "BALLADEN");
  EXPECT_EQ(sink.pieces[2].source_text.substr(0, 9), "BALLADEN\n");
  EXPECT_THAT(sink.warnings, IsEmpty());
}

TEST_F(Esac, OddSignsAreReportedWithLineAndColumn) {
  song("A1 08 C 2/4", "1_?2_\n  ^3_x_ //");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("esac-unknown-sign", "esac-no-pitch"));
  EXPECT_EQ(sink.warnings.at(0).place.line, 3U);
  EXPECT_EQ(sink.warnings.at(0).place.column, 7U);
  EXPECT_EQ(sink.warnings.at(1).place.line, 4U);
  EXPECT_EQ(melody_text(voice()), "C4 1/4 D4 3/8 E4 1/4 r 1/4");
}

TEST_F(Esac, ABadRecordCostsItselfOnly) {
  read(
      "CUT[a]\nKEY[1 0 C 2/4]\nMEL[1]\n\nCUT[b]\nKEY[2 08 X 2/4]\nMEL[1]\n\nCUT[c]\nKEY[3 08 C 2/4]\n\n"
      "CUT[d]\nKEY[4 08 C 2/4]\nMEL[1_ //]\n");
  EXPECT_THAT(codes(sink.skipped), ElementsAre("esac-bad-key", "esac-bad-key", "esac-no-melody"));
  ASSERT_THAT(sink.pieces, SizeIs(1));
  EXPECT_EQ(sink.pieces[0].metadata.title, "d");
  EXPECT_EQ(sink.skipped.at(0).place.line, 2U);
}

TEST_F(Esac, AForgottenBracketDoesNotSwallowTheNextSong) {
  read("CUT[a]\nKEY[1 08 C 2/4]\nMEL[1_2_ //\n\nCUT[b]\nKEY[2 08 C 2/4]\nMEL[3_ //]\n");
  ASSERT_THAT(sink.pieces, SizeIs(2));
  EXPECT_EQ(melody_text(voice(0)), "C4 1/4 D4 1/4");
  EXPECT_THAT(codes(sink.warnings), ElementsAre("esac-open-field"));
}

TEST_F(Esac, HostileNumbersMeetLimits) {
  song("A1 08 C 2/4", std::string(5000, '+') + "1  " + "1" + std::string(5000, '_') + "  2" + std::string(5000, '.') +
                          "  3" + std::string(5000, 'b') + "  4 //");
  EXPECT_THAT(codes(sink.warnings), Contains("esac-bad-pitch"));
  EXPECT_THAT(codes(sink.warnings), Contains("esac-too-long"));
}

TEST(EsacRecognition, TakesSongsAndNotTextsAboutThem) {
  EXPECT_EQ(recognise("CUT[a]\nKEY[1 08 C 2/4]\nMEL[1_2_ //]\n")->name, "esac");
  EXPECT_EQ(recognise("LIEDER\r\nCUT[a\r\nb]\r\nKEY[1 08 C 2/4]\r\nMEL[-5_  1_2_ //]\r\n")->name, "esac");
  EXPECT_EQ(recognise("A song has KEY[number] and MEL[melody].\n"), nullptr);
  EXPECT_EQ(recognise("KEY[value]\nMEL[spectrum]\n"), nullptr);
}

std::string written(const Piece& piece) {
  const auto text = find_format("esac")->write(piece);
  return text ? *text : text.error().code;
}

Piece again(const Piece& piece) {
  CollectingSink sink;
  read_text("esac", written(piece), sink);
  EXPECT_THAT(sink.warnings, IsEmpty()) << written(piece);
  EXPECT_THAT(sink.skipped, IsEmpty()) << written(piece);
  return sink.pieces.empty() ? Piece{} : sink.pieces.front();
}

TEST(EsacWriter, WritesWhatItReads) {
  const std::string song =
      "CUT[A song]\nRONDO_ID[x/1]\nSRC[A book]\nKEY[L0001 16 F 6/8]\n"
      "MEL[-5_  1__1_2__5_  3_.23_1__1_  (234)3b___  0__2__4# //]\nREG[Somewhere]\nFCT[Lied]\n";
  CollectingSink sink;
  read_text("esac", song, sink);
  ASSERT_THAT(sink.pieces, SizeIs(1));
  EXPECT_EQ(written(sink.pieces[0]), song);
}

TEST(EsacWriter, KeepsMetadata) {
  Piece piece;
  piece.id = "p/1";
  piece.metadata = {"Air [1]", "Ann A.", "A print", "D-Dl", "Mus. 2", {"Op. 1", "K2"}, "http://a.b/x", "1700", {}};
  piece.metadata.fields = {{"text", "La la"}, {"region", "x"}, {"rights", "none"}, {"collection", "C"}};
  VoiceBuilder builder;
  builder.note(0, Fraction(1, 4), Pitch{});
  piece.voices = {builder.finish().value()};
  const Piece read = again(piece);
  EXPECT_EQ(read.id, piece.id);
  std::sort(piece.metadata.fields.begin(), piece.metadata.fields.end());
  Metadata sorted = read.metadata;
  std::sort(sorted.fields.begin(), sorted.fields.end());
  EXPECT_THAT(sorted.catalogue, testing::UnorderedElementsAre("Op. 1", "K2"));
  sorted.catalogue = piece.metadata.catalogue;
  EXPECT_EQ(sorted, piece.metadata) << written(piece);
}

TEST(EsacWriter, WordsBelowTheTitleAreKeptAndNotTakenForAField) {
  for (const char* title : {"A song", "Air [1]", "Air [1] >>"}) {
    for (const char* words : {"La la [sic]", "MEL[05 it", "KEY[L0001 16 F 6/8", "CUT[another]", "REG [x"}) {
      Piece piece;
      piece.id = "p/1";
      piece.metadata.title = title;
      piece.metadata.fields = {{"incipit", words}};
      VoiceBuilder builder;
      builder.note(0, Fraction(1, 4), Pitch{});
      piece.voices = {builder.finish().value()};
      const Piece read = again(piece);
      EXPECT_EQ(read.id, piece.id) << written(piece);
      EXPECT_EQ(read.metadata.title, title) << written(piece);
      EXPECT_EQ(read.metadata.fields, piece.metadata.fields) << written(piece);
      ASSERT_THAT(read.voices, SizeIs(1)) << written(piece);
      EXPECT_EQ(read.voices[0].notes, piece.voices[0].notes) << written(piece);
    }
  }
}

TEST(EsacWriter, RefusesWhatTheCodeDoesNotHave) {
  const auto with = [](const auto& fill) {
    VoiceBuilder builder;
    fill(builder);
    Piece piece;
    piece.id = "p";
    piece.voices = {builder.finish().value()};
    return written(piece);
  };
  EXPECT_EQ(with([](VoiceBuilder& b) {
              b.note(0, Fraction(1, 4), Pitch{});
              b.note(0, Fraction(1, 4), Pitch{4, 0, 4});
            }),
            "cannot-write");
  EXPECT_EQ(with([](VoiceBuilder& b) { b.grace(0, Fraction(1, 8), Pitch{}); }), "cannot-write");
  EXPECT_EQ(with([](VoiceBuilder& b) { b.note(0, Fraction(1, 20), Pitch{}); }), "cannot-write");
  EXPECT_THAT(with([](VoiceBuilder& b) { b.note(0, Fraction(1, 12), Pitch{}); }), HasSubstr("MEL[(1"));
}

}  // namespace rondo::esac_test
