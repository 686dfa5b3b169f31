// The 370 four-part chorales: what must hold of all, and the openings of three, read off the score by hand.

#include <gmock/gmock.h>

#include "support/data.h"

namespace rondo {
namespace {

Piece read_chorale(const std::filesystem::path& path, Diagnostics& warnings) {
  CollectingSink sink;
  read_text("kern", slurp(path), sink, {path.filename().string()});
  EXPECT_THAT(sink.skipped, testing::IsEmpty()) << path;
  EXPECT_THAT(sink.pieces, testing::SizeIs(1)) << path;
  warnings = sink.warnings;
  return sink.pieces.empty() ? Piece{} : std::move(sink.pieces.front());
}

TEST(KernChorales, EachGivesFourVoicesOfEqualDuration) {
  RONDO_NEEDS_DATA("kern-chorales");
  std::size_t chorales = 0;
  std::size_t notes = 0;
  Fraction length;
  for (const auto& path : files_below(rondo_data("kern-chorales"), ".krn")) {
    SCOPED_TRACE(path);
    Diagnostics warnings;
    const Piece piece = read_chorale(path, warnings);
    EXPECT_THAT(warnings, testing::IsEmpty());
    ASSERT_THAT(piece.voices, testing::SizeIs(4));
    EXPECT_EQ(piece.voices[0].name, "Soprano");
    EXPECT_EQ(piece.voices[3].name, "Bass");
    EXPECT_FALSE(piece.metadata.title.empty());
    EXPECT_EQ(piece.metadata.composer, "Bach, Johann Sebastian");
    for (const Voice& voice : piece.voices) {
      EXPECT_EQ(voice.length, piece.voices[0].length);
      EXPECT_EQ(voice.bars, piece.voices[0].bars);
      EXPECT_FALSE(voice.notes.empty());
      notes += voice.notes.size();
    }
    length += piece.voices[0].length;
    ++chorales;
  }
  EXPECT_EQ(chorales, 370U);
  // Sections written out, ties joined: counted by another program.
  EXPECT_EQ(notes, 100'307U);
  EXPECT_EQ(length, Fraction(23'479, 4));
}

TEST(KernChorales, EachIsTheSameAfterWriting) {
  RONDO_NEEDS_DATA("kern-chorales");
  for (const auto& path : files_below(rondo_data("kern-chorales"), ".krn")) {
    SCOPED_TRACE(path);
    Diagnostics warnings;
    const Piece piece = read_chorale(path, warnings);
    for (const std::string_view format : {"kern", "midi"}) {
      const auto text = find_format(format)->write(piece);
      ASSERT_TRUE(text) << text.error().to_string();
      CollectingSink sink;
      read_text(format, *text, sink);
      ASSERT_THAT(sink.pieces, testing::SizeIs(1));
      EXPECT_TRUE(sink.pieces[0].voices == piece.voices) << format;
      EXPECT_TRUE(sink.pieces[0].metadata == piece.metadata) << format;
      EXPECT_EQ(sink.pieces[0].id, piece.id) << format;
      EXPECT_THAT(sink.warnings, testing::IsEmpty()) << format;
    }
  }
}

struct Opening {
  std::string file;
  std::size_t voice;
  std::vector<std::pair<std::string_view, Fraction>> notes;  ///< pitch and duration, from the beginning on
};

TEST(KernChorales, ThreeOpeningsAreAsPrinted) {
  RONDO_NEEDS_DATA("kern-chorales");
  const Fraction half(1, 2);
  const Fraction quarter(1, 4);
  const Fraction dotted(3, 8);
  const Fraction eighth(1, 8);
  const std::vector<Opening> openings = {
      // "Aus meines Herzens Grunde", G major, 3/4 with an upbeat.
      {"chor001.krn", 0, {{"G4", quarter}, {"G4", half}, {"D5", quarter}, {"B4", dotted}, {"A4", eighth}}},
      {"chor001.krn", 3, {{"G2", quarter}, {"G3", quarter}, {"E3", quarter}, {"F#3", quarter}, {"G3", quarter}}},
      // "In allen meinen Taten", F major, common time with an upbeat.
      {"chor050.krn", 0, {{"A4", quarter}, {"F4", quarter}, {"G4", quarter}, {"A4", eighth}, {"Bb4", eighth}}},
      {"chor050.krn", 2, {{"C4", quarter}, {"D4", quarter}, {"C4", eighth}, {"Bb3", eighth}, {"A3", dotted}}},
      // D major, common time, from the first beat.
      {"chor153.krn", 0, {{"A4", quarter}, {"D5", quarter}, {"A4", quarter}, {"B4", quarter}, {"A4", dotted}}},
      {"chor153.krn", 3, {{"D3", quarter}, {"B2", quarter}, {"F#2", quarter}, {"G2", quarter}, {"A2", quarter}}},
  };
  for (const Opening& opening : openings) {
    SCOPED_TRACE(opening.file + " voice " + std::to_string(opening.voice));
    Diagnostics warnings;
    const Piece piece = read_chorale(rondo_data("kern-chorales") / opening.file, warnings);
    const auto& notes = piece.voices.at(opening.voice).notes;
    Fraction onset;
    for (std::size_t i = 0; i < opening.notes.size(); ++i) {
      const auto& [pitch, duration] = opening.notes[i];
      EXPECT_EQ(notes.at(i).pitch.to_string(), pitch);
      EXPECT_EQ(notes.at(i).duration, duration);
      EXPECT_EQ(notes.at(i).onset, onset);
      onset += duration;
    }
  }
}

TEST(KernChorales, AnUpbeatIsAShortFirstBarAndTheRepeatStartsWithIt) {
  RONDO_NEEDS_DATA("kern-chorales");
  Diagnostics warnings;
  const Piece piece = read_chorale(rondo_data("kern-chorales/chor001.krn"), warnings);
  const Voice& soprano = piece.voices[0];
  // Upbeat, then bars of 3/4; the seventh is completed by the upbeat of the repeat.
  ASSERT_GE(soprano.bars.size(), 9U);
  EXPECT_EQ(soprano.bars[0], Fraction(0));
  for (std::size_t i = 1; i < 9; ++i) {
    EXPECT_EQ(soprano.bars[i], Fraction(1, 4) + Fraction(3, 4) * static_cast<std::int64_t>(i - 1));
  }
  EXPECT_EQ(soprano.key_signatures[0].value.fifths(), 1);
  EXPECT_EQ(soprano.keys[0].value.to_string(), "G major");
  EXPECT_EQ(soprano.times[0].value.to_string(), "3/4");
  EXPECT_EQ(piece.voices[1].clefs[0].value.to_string(), "G-2");
  EXPECT_EQ(piece.voices[2].clefs[0].value.to_string(), "g-2");
  EXPECT_EQ(piece.metadata.catalogue, std::vector<std::string>{"BWV 269"});
}

}  // namespace
}  // namespace rondo
