#include <gmock/gmock.h>

#include "melody/limits.h"
#include "support/collected.h"
#include "support/data.h"
#include "support/midi_bytes.h"

namespace rondo::midi_read_test {

using midi_bytes::bytes;
using midi_bytes::header;
using midi_bytes::kEnd;
using midi_bytes::meta;
using midi_bytes::number;
using midi_bytes::quarter;
using midi_bytes::track;
using test::codes;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct MidiReader : testing::Test {
  void read(const std::string& file) { read_text("midi", file, sink, {"tune.mid"}); }

  /// "60:0+1/4 62:1/4+1/4": key, onset, duration.
  std::string notes(std::size_t voice = 0, std::size_t piece = 0) {
    if (sink.pieces.size() <= piece || sink.pieces[piece].voices.size() <= voice) return "missing";
    std::string out;
    for (const Note& n : sink.pieces[piece].voices[voice].notes) {
      if (!out.empty()) out += ' ';
      out += std::to_string(n.pitch.midi()) + ":" + n.onset.to_string() + "+" + n.duration.to_string();
    }
    return out;
  }

  std::vector<std::string> warnings() const { return codes(sink.warnings); }
  std::vector<std::string> skipped() const { return codes(sink.skipped); }

  CollectingSink sink;
};

TEST_F(MidiReader, TicksBecomeExactFractionsOfAWholeNote) {
  // 7 ticks of 10 to a quarter: 7/40 of a whole note.
  read(header(0, 1, 10) + track(bytes({3, 0x90, 60, 64, 7, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:3/40+7/40");
  EXPECT_THAT(warnings(), IsEmpty());
  EXPECT_EQ(sink.pieces[0].id, "tune.mid");
  EXPECT_EQ(sink.pieces[0].format, "midi");
}

TEST_F(MidiReader, RunningStatusAndVelocityZeroEndNotes) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64, 96, 60, 0, 0, 62, 64, 96, 62, 0})));
  EXPECT_EQ(notes(), "60:0+1/4 62:1/4+1/4");
}

TEST_F(MidiReader, RunningStatusSurvivesMetaAndExclusiveEvents) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64, 96, 60, 0}) + meta(0x01, "x") +
                            bytes({0, 0xF0, 2, 0x7E, 0xF7, 0, 62, 64, 96, 62, 0})));
  EXPECT_EQ(notes(), "60:0+1/4 62:1/4+1/4");
}

TEST_F(MidiReader, ChordsKeepAllNotesTopFirst) {
  read(header(0, 1) + track(bytes({0,  0x90, 60, 64, 0, 0x90, 67, 64, 0, 0x90, 64, 64,
                                   96, 0x80, 60, 0,  0, 0x80, 64, 0,  0, 0x80, 67, 0})));
  EXPECT_EQ(notes(), "67:0+1/4 64:0+1/4 60:0+1/4");
}

TEST_F(MidiReader, EachChannelOfEachTrackIsAVoice) {
  const std::string two_channels = bytes({0, 0x90, 60, 64, 0, 0x91, 64, 64, 96, 0x80, 60, 0, 0, 0x81, 64, 0});
  read(header(1, 2) + track(meta(3, "Organ") + two_channels) + track(meta(3, "Flute") + quarter(72)));
  ASSERT_THAT(sink.pieces, SizeIs(1));
  ASSERT_THAT(sink.pieces[0].voices, SizeIs(3));
  EXPECT_EQ(sink.pieces[0].voices[0].name, "Organ, channel 1");
  EXPECT_EQ(sink.pieces[0].voices[1].name, "Organ, channel 2");
  EXPECT_EQ(sink.pieces[0].voices[2].name, "Flute");
  EXPECT_EQ(sink.pieces[0].metadata.title, "");
  EXPECT_EQ(notes(1), "64:0+1/4");
}

TEST_F(MidiReader, TheNameOfATrackWithoutNotesIsTheTitle) {
  read(header(1, 2) + track(meta(3, "Roslin Castle") + meta(2, "Public Domain")) +
       track(meta(3, "Violin") + quarter(60)));
  EXPECT_EQ(sink.pieces[0].metadata.title, "Roslin Castle");
  EXPECT_EQ(sink.pieces[0].voices[0].name, "Violin");
  EXPECT_EQ(sink.pieces[0].metadata.field("copyright"), "Public Domain");
}

TEST_F(MidiReader, TheNameInATypeZeroFileIsTheTitle) {
  read(header(0, 1) + track(meta(3, "Air\r\n") + quarter(60)));
  EXPECT_EQ(sink.pieces[0].metadata.title, "Air");
  EXPECT_EQ(sink.pieces[0].voices[0].name, "");
}

TEST_F(MidiReader, TextThatIsNoUtf8IsTakenAsLatin1) {
  read(header(0, 1) + track(meta(3,
                                 "Gl\xFC"
                                 "ck") +
                            quarter(60)));
  EXPECT_EQ(sink.pieces[0].metadata.title, "Glück");
}

TEST_F(MidiReader, SignaturesOfTheFirstTrackHoldForAll) {
  // D major (2 sharps), 3/4; then g minor (2 flats) and 2/4 after two bars (192 ticks are 81 40 as a number).
  const std::string first = meta(0x59, bytes({2, 0})) + meta(0x58, bytes({3, 2, 24, 8})) + bytes({0x84, 0x40}) +
                            bytes({0xFF, 0x59, 2, -2, 1, 0, 0xFF, 0x58, 4, 2, 2, 24, 8});
  const std::string sharp = bytes({0, 0x90, 61, 64, 0x84, 0x40, 0x80, 61, 0});
  const std::string flat = bytes({0, 0x90, 61, 64, 0x81, 0x40, 0x80, 61, 0});
  read(header(1, 2) + track(first) + track(sharp + flat));
  const Voice& voice = sink.pieces[0].voices[0];
  ASSERT_THAT(voice.key_signatures, SizeIs(2));
  EXPECT_EQ(voice.key_signatures[0].value.fifths(), 2);
  EXPECT_EQ(voice.key_signatures[1].value.fifths(), -2);
  EXPECT_EQ(voice.key_signatures[1].onset, Fraction(3, 2));
  EXPECT_EQ(voice.keys[0].value.to_string(), "D major");
  EXPECT_EQ(voice.keys[1].value.to_string(), "G minor");
  EXPECT_EQ(voice.times[0].value.to_string(), "3/4");
  // Bars of 3/4 at 0 and 3/4, then of 2/4 from 3/2 on; the notes end at 2.
  EXPECT_THAT(voice.bars, ElementsAre(Fraction(0), Fraction(3, 4), Fraction(3, 2)));
  EXPECT_EQ(voice.notes[0].pitch.to_string(), "C#4");
  EXPECT_EQ(voice.notes[1].pitch.to_string(), "Db4");
  EXPECT_FALSE(voice.notes[0].spelled);
}

TEST_F(MidiReader, CMajorIsTakenAsASignatureOnly) {
  read(header(0, 1) + track(meta(0x59, bytes({0, 0})) + quarter(60)));
  EXPECT_THAT(sink.pieces[0].voices[0].key_signatures, SizeIs(1));
  EXPECT_THAT(sink.pieces[0].voices[0].keys, IsEmpty());
}

TEST_F(MidiReader, TheFirstTempoIsNotedAndDoesNotChangeTime) {
  // 500000 microseconds a quarter are 120 quarters a minute; then 60.
  read(header(0, 1) + track(meta(0x51, bytes({0x07, 0xA1, 0x20})) + quarter(60) +
                            meta(0x51, bytes({0x0F, 0x42, 0x40})) + quarter(62)));
  EXPECT_EQ(notes(), "60:0+1/4 62:1/4+1/4");
  EXPECT_EQ(sink.pieces[0].metadata.field("tempo"), "120");
}

TEST_F(MidiReader, SmpteTimeIsCountedAtHalfASecondAQuarter) {
  // 25 frames of 40 ticks: 1000 ticks a second, so 500 (83 74 as a number) are a quarter.
  read(header(0, 1, 0xE728) + track(bytes({0, 0x90, 60, 64, 0x83, 0x74, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1/4");
}

TEST_F(MidiReader, DropFrameSmpteIsExact) {
  // 29.97 frames a second of 100 ticks: 3000 ticks (97 38) last 1.001 seconds, 1.001 / 2 of a whole note.
  read(header(0, 1, 0xE364) + track(bytes({0, 0x90, 60, 64, 0x97, 0x38, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1001/2000");
}

TEST_F(MidiReader, PercussionIsLeftOutBesideMelody) {
  read(header(1, 2) + track(quarter(60)) + track(bytes({0, 0x99, 35, 64, 96, 0x89, 35, 0})));
  EXPECT_THAT(sink.pieces[0].voices, SizeIs(1));
  EXPECT_THAT(warnings(), ElementsAre("midi-percussion-ignored"));
}

TEST_F(MidiReader, PercussionAloneIsKept) {
  read(header(0, 1) + track(bytes({0, 0x99, 35, 64, 96, 0x89, 35, 0})));
  EXPECT_EQ(notes(), "35:0+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(MidiReader, AKeyStruckAgainBeforeItsNoteOffAtTheSameTickKeepsBothNotes) {
  // on, then at tick 96: on again before off, then off.
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64, 96, 0x90, 60, 64, 0, 0x80, 60, 0, 96, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1/4 60:1/4+1/4");
}

TEST_F(MidiReader, OverlappingNotesOnOneKeyEndInTheOrderTheyBegan) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64, 48, 0x90, 60, 64, 48, 0x80, 60, 0, 96, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1/4 60:1/8+3/8");
}

TEST_F(MidiReader, WithoutItsNoteOffANoteEndsWhereItsKeyIsStruckAgain) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64, 96, 0x90, 60, 64, 96, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1/4 60:1/4+1/4");
}

TEST_F(MidiReader, AHangingNoteLastsToTheEndOfTheTrack) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64}) + bytes({96, 0xFF, 1, 0})));
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), ElementsAre("midi-hanging-note"));
}

TEST_F(MidiReader, AllNotesOffEndsWhatSounds) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64, 96, 0xB0, 123, 0, 96, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(MidiReader, NoteOffsWithoutANoteAreIgnored) {
  read(header(0, 1) + track(bytes({0, 0x80, 50, 0}) + quarter(60) + bytes({0, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(MidiReader, NotesWithoutLengthAreLeftOut) {
  read(header(0, 1) + track(bytes({0, 0x90, 50, 64, 0, 0x80, 50, 0}) + quarter(60)));
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), ElementsAre("midi-note-without-length"));
}

TEST_F(MidiReader, SilenceAfterTheLastNoteIsNoPartOfTheMelody) {
  read(header(0, 1) + track(quarter(60) + bytes({127, 0xFF, 1, 0})));
  EXPECT_EQ(sink.pieces[0].voices[0].length, Fraction(1, 4));
}

TEST_F(MidiReader, TypeTwoTracksArePiecesOfTheirOwn) {
  read(header(2, 3) + track(meta(3, "One") + quarter(60)) + track("") + track(meta(3, "Three") + quarter(64)));
  ASSERT_THAT(sink.pieces, SizeIs(2));
  EXPECT_EQ(sink.pieces[0].id, "tune.mid#1");
  EXPECT_EQ(sink.pieces[1].id, "tune.mid#3");
  EXPECT_EQ(sink.pieces[0].metadata.title, "One");
  EXPECT_EQ(sink.pieces[1].metadata.title, "Three");
  EXPECT_EQ(notes(0, 1), "64:0+1/4");
}

TEST_F(MidiReader, RmiWrappersAreOpened) {
  const std::string file = header(0, 1) + track(quarter(60));
  const auto little = [](std::size_t v) {
    const std::string big = number(v, 4);
    return std::string(big.rbegin(), big.rend());
  };
  const std::string riff = "RIFF" + little(file.size() + 24) + "RMIDLIST" + little(3) + "abc" + bytes({0}) + "data" +
                           little(file.size()) + file + "LIST" + little(0);
  EXPECT_EQ(find_format("midi")->recognise(riff), 100);
  read(riff);
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(MidiReader, BytesBeforeTheHeaderArePassedOver) {
  const std::string file = std::string(128, '\0') + header(0, 1) + track(quarter(60));
  EXPECT_GT(find_format("midi")->recognise(file), 0);
  read(file);
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), ElementsAre("midi-bytes-before-header"));
}

TEST_F(MidiReader, UnknownChunksAndLongHeadersArePassedOver) {
  read("MThd" + number(8, 4) + bytes({0, 0, 0, 1, 0, 96, 1, 2}) + "Junk" + number(3, 4) + "abc" + track(quarter(60)));
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(MidiReader, ATrackLengthThatIsTooShortIsNotBelieved) {
  const std::string events = quarter(60) + quarter(62) + kEnd;
  read(header(1, 2) + "MTrk" + number(9, 4) + events + track(quarter(64)));
  EXPECT_EQ(notes(0), "60:0+1/4 62:1/4+1/4");
  EXPECT_EQ(notes(1), "64:0+1/4");
  EXPECT_THAT(warnings(), ElementsAre("midi-track-length"));
}

TEST_F(MidiReader, ATrackLengthThatIsTooLongIsNotBelieved) {
  const std::string events = quarter(60) + kEnd;
  read(header(1, 2) + "MTrk" + number(9999, 4) + events + track(quarter(64)));
  EXPECT_EQ(notes(0), "60:0+1/4");
  EXPECT_EQ(notes(1), "64:0+1/4");
  EXPECT_THAT(warnings(), ElementsAre("midi-track-length"));
}

TEST_F(MidiReader, ATruncatedFileKeepsWhatIsThere) {
  const std::string whole = header(0, 1) + track(quarter(60) + quarter(62) + quarter(64));
  read(whole.substr(0, whole.size() - kEnd.size() - 2));
  EXPECT_THAT(notes(), testing::StartsWith("60:0+1/4 62:1/4+1/4"));
  EXPECT_THAT(warnings(), Contains("midi-truncated"));
}

TEST_F(MidiReader, EveryPrefixOfAFileIsReadOrRefused) {
  const std::string whole = header(1, 2) + track(meta(3, "T") + meta(0x58, bytes({3, 2, 24, 8}))) +
                            track(quarter(60) + bytes({0, 0xF0, 3, 1, 2, 0xF7}) + quarter(62));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CollectingSink part;
    read_text("midi", whole.substr(0, size), part);
    EXPECT_EQ(part.pieces.size() + part.skipped.size(), 1U) << size;
  }
}

TEST_F(MidiReader, StrayDataAndBrokenMessagesCostLittle) {
  // Data without a status; then a note-on whose velocity is missing.
  read(header(0, 1) +
       track(bytes({0, 1, 2, 3, 0x90, 60, 64, 96, 0x80, 60, 0, 0, 0x90, 61, 0x80, 62, 0}) + quarter(64)));
  EXPECT_THAT(notes(), testing::StartsWith("60:0+1/4"));
  EXPECT_THAT(warnings(), Contains("midi-broken-event"));
}

TEST_F(MidiReader, ATimeOfFiveBytesEndsTheTrackWithAWarning) {
  read(header(0, 1) + track(quarter(60) + bytes({0x81, 0x81, 0x81, 0x81, 0x01, 0x90, 62, 64})));
  EXPECT_EQ(notes(), "60:0+1/4");
  EXPECT_THAT(warnings(), Contains("midi-broken-event"));
}

TEST_F(MidiReader, AHeaderThatLiesIsCorrected) {
  read(header(9, 7, 0) + track(quarter(60)));
  EXPECT_EQ(notes(), "60:0+1/20");  // 96 ticks of the 480 that are taken
  EXPECT_THAT(warnings(), ElementsAre("midi-bad-division", "midi-bad-type", "midi-track-count"));
}

TEST_F(MidiReader, WarningsSayWhere) {
  read(header(0, 1) + track(bytes({0, 0x90, 60, 64}) + bytes({96, 0xFF, 1, 0})));
  ASSERT_THAT(sink.warnings, SizeIs(1));
  EXPECT_EQ(sink.warnings[0].place.file, "tune.mid");
  EXPECT_EQ(sink.warnings[0].place.field, "track 1");
}

TEST_F(MidiReader, WhatIsNoMidiIsRefused) {
  for (const std::string file : {"", "MTh", "not a midi file", "MThd", "\xF0~\x7F\x06\x01\xF7"}) {
    CollectingSink part;
    read_text("midi", file, part);
    ASSERT_THAT(part.skipped, SizeIs(1)) << file;
    EXPECT_THAT(part.skipped[0].code, testing::AnyOf("midi-not-midi", "midi-header-truncated")) << file;
  }
  EXPECT_EQ(find_format("midi")->recognise("X:1\nT:the letters MThd in a text\n"), 0);
}

TEST_F(MidiReader, AFileWithoutNotesIsSkippedWithTheReason) {
  read(header(1, 1) + track(meta(3, "silence")));
  EXPECT_THAT(sink.pieces, IsEmpty());
  EXPECT_THAT(skipped(), ElementsAre("midi-no-notes"));
}

TEST_F(MidiReader, TimesBeyondTheLimitCostThePiece) {
  std::string late;
  for (int i = 0; i < 40; ++i) late += bytes({0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 1, 0});
  read(header(0, 1, 1) + track(late + quarter(60)));
  EXPECT_THAT(skipped(), ElementsAre("time-out-of-range"));
}

TEST_F(MidiReader, AChangeAtAnImpossibleTimeDoesNotCostTheNotes) {
  std::string late;
  for (int i = 0; i < 40; ++i) late += bytes({0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 1, 0});
  read(header(1, 2, 1) + track(late + meta(0x58, bytes({3, 2, 24, 8}))) + track(quarter(60)));
  EXPECT_EQ(notes(), "60:0+24");
}

TEST_F(MidiReader, TinyBarsOverALongTimeAreLeftOut) {
  read(header(0, 1, 1) + track(meta(0x58, bytes({1, 15, 24, 8})) + bytes({0, 0x90, 60, 64, 0x87, 0x68, 0x80, 60, 0})));
  EXPECT_EQ(notes(), "60:0+250");
  EXPECT_THAT(sink.pieces[0].voices[0].bars, IsEmpty());
  EXPECT_THAT(warnings(), ElementsAre("midi-bars-left-out"));
}

TEST_F(MidiReader, TooManyNotesOrVoicesAreErrors) {
  std::string many;
  for (std::size_t i = 0; i <= limits::kNotesPerVoice; ++i) many += bytes({0, 0x90, 60, 64, 1, 0x80, 60, 0});
  CollectingSink part;
  read_text("midi", header(0, 1) + track(many), part);
  EXPECT_THAT(codes(part.skipped), ElementsAre("too-many-notes"));

  std::string tracks;
  for (std::size_t i = 0; i <= limits::kVoicesPerPiece; ++i) tracks += track(quarter(60));
  read(header(1, static_cast<int>(limits::kVoicesPerPiece + 1)) + tracks);
  EXPECT_THAT(skipped(), ElementsAre("too-many-voices"));
}

}  // namespace rondo::midi_read_test
