#include <gmock/gmock.h>

#include <random>

#include "formats/midi/grid.h"
#include "support/data.h"
#include "support/midi_bytes.h"
#include "support/rounds.h"

namespace rondo::midi_grid_test {

using midi::GridReport;
using midi::TimedNote;
using testing::HasSubstr;
using testing::IsEmpty;

using Voices = std::vector<std::vector<TimedNote>>;

/// Begins and ends in ticks.
Voices voice_of(const std::vector<std::pair<std::int64_t, std::int64_t>>& notes) {
  Voices voices(1);
  for (const auto& [begin, end] : notes) voices[0].push_back({begin, end, {}, {}});
  return voices;
}

Fraction tick_of(int ticks_per_quarter) { return {1, 4 * ticks_per_quarter}; }

/// "0-1/8 1/8-1/4": onset and end in whole notes.
std::string shown(const Voices& voices) {
  std::string out;
  for (const TimedNote& note : voices[0]) {
    out += (out.empty() ? "" : " ") + note.onset.to_string() + "-" + note.release.to_string();
  }
  return out;
}

TEST(MidiGrid, NotesThatBeginATickLateAreSnapped) {
  // As abc2midi writes three triplet eighths, a quarter, a dotted eighth and a sixteenth.
  Voices voices = voice_of({{1, 160}, {161, 320}, {321, 480}, {481, 960}, {961, 1320}, {1321, 1440}, {1441, 1920}});
  const GridReport report = snap_to_grid(voices, tick_of(480));
  EXPECT_EQ(shown(voices), "0-1/12 1/12-1/6 1/6-1/4 1/4-1/2 1/2-11/16 11/16-3/4 3/4-1");
  EXPECT_TRUE(report.followed);
  EXPECT_EQ(report.moved, 7U);
  EXPECT_GT(report.certainty, 0.95);
  EXPECT_THAT(report.message(), HasSubstr("7 of 7 notes were moved"));
}

TEST(MidiGrid, NotesThatEndATickEarlyAreSnapped) {
  Voices voices = voice_of({{0, 239}, {240, 479}, {480, 719}, {720, 959}, {960, 1919}});
  EXPECT_TRUE(snap_to_grid(voices, tick_of(480)).followed);
  EXPECT_EQ(shown(voices), "0-1/8 1/8-1/4 1/4-3/8 3/8-1/2 1/2-1");
}

TEST(MidiGrid, WhatIsOnTheGridStaysAndIsNotReported) {
  // Sixteenths, a triplet, a quintuplet, a dotted eighth with a rest of a sixteenth behind it.
  Voices voices = voice_of({{0, 120},
                            {120, 240},
                            {240, 480},
                            {480, 640},
                            {640, 800},
                            {800, 960},
                            {960, 1056},
                            {1056, 1152},
                            {1152, 1248},
                            {1248, 1344},
                            {1344, 1440},
                            {1440, 1800},
                            {1920, 2400}});
  const Voices before = voices;
  const GridReport report = snap_to_grid(voices, tick_of(480));
  for (std::size_t i = 0; i < voices[0].size(); ++i) {
    EXPECT_EQ(voices[0][i].onset, Fraction(before[0][i].begin, 1920)) << i;
    EXPECT_EQ(voices[0][i].release, Fraction(before[0][i].end, 1920)) << i;
  }
  EXPECT_EQ(report.moved, 0U);
  EXPECT_THAT(report.message(), IsEmpty());
}

TEST(MidiGrid, ARoundedTripletIsATriplet) {
  // 1024 ticks to a quarter are no multiple of three.
  Voices voices = voice_of({{0, 1024}, {1024, 1365}, {1365, 1707}, {1707, 2048}, {2048, 3072}, {3072, 4096}});
  EXPECT_TRUE(snap_to_grid(voices, tick_of(1024)).followed);
  EXPECT_EQ(shown(voices), "0-1/4 1/4-1/3 1/3-5/12 5/12-1/2 1/2-3/4 3/4-1");
}

TEST(MidiGrid, ShortenedNotesReachTheNext) {
  // Nine tenths of each note sound.
  Voices voices = voice_of({{0, 432}, {480, 696}, {720, 936}, {960, 1392}, {1440, 1872}});
  EXPECT_TRUE(snap_to_grid(voices, tick_of(480)).followed);
  EXPECT_EQ(shown(voices), "0-1/4 1/4-3/8 3/8-1/2 1/2-3/4 3/4-1");
}

TEST(MidiGrid, APlayerIsFollowedAndTheReportSaysHowSurely) {
  std::mt19937 random(7);
  const auto jitter = [&] { return static_cast<std::int64_t>(random() % 25) - 12; };  // a fortieth of a quarter
  std::vector<std::pair<std::int64_t, std::int64_t>> played;
  std::string expected;
  std::int64_t at = 0;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t lasts = i % 5 == 0 ? 480 : i % 7 == 0 ? 120 : 240;
    played.emplace_back(std::max<std::int64_t>(0, at + jitter()), at + lasts - 20 + jitter());
    expected += (expected.empty() ? "" : " ") + Fraction(at, 1920).to_string() + "-";
    at += lasts;
    expected += Fraction(at, 1920).to_string();
  }
  Voices voices = voice_of(played);
  // The last note has no next one to reach.
  voices[0].back().end = at;
  const GridReport report = snap_to_grid(voices, tick_of(480));
  EXPECT_TRUE(report.followed);
  EXPECT_EQ(shown(voices), expected);
  EXPECT_GT(report.certainty, 0.7);
  EXPECT_LT(report.certainty, 0.95);
  EXPECT_THAT(report.message(), HasSubstr("certainty "));
}

TEST(MidiGrid, NotesWithoutABeatAreKeptAsPlayed) {
  std::mt19937 random(3);
  std::vector<std::pair<std::int64_t, std::int64_t>> played;
  std::int64_t at = 0;
  for (int i = 0; i < 80; ++i) {
    at += 100 + static_cast<std::int64_t>(random() % 500);
    played.emplace_back(at, at + 90);
  }
  Voices voices = voice_of(played);
  const GridReport report = snap_to_grid(voices, tick_of(480));
  EXPECT_FALSE(report.followed);
  EXPECT_LT(report.certainty, midi::kCertainEnough);
  for (const TimedNote& note : voices[0]) EXPECT_EQ(note.onset, Fraction(note.begin, 1920));
  EXPECT_THAT(report.message(), HasSubstr("kept as played"));
}

TEST(MidiGrid, EveryNoteKeepsSomeLengthAndItsOrder) {
  std::mt19937 random(11);
  for (int round = 0; round < test::rounds(300); ++round) {
    const int quarter = 24 << (random() % 6);
    std::vector<std::pair<std::int64_t, std::int64_t>> notes;
    std::int64_t at = 0;
    for (auto i = random() % 40; i > 0; --i) {
      at += static_cast<std::int64_t>(random() % static_cast<unsigned>(quarter));
      notes.emplace_back(at, at + 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(quarter)));
    }
    Voices voices = voice_of(notes);
    (void)snap_to_grid(voices, tick_of(quarter));
    Fraction last;
    for (const TimedNote& note : voices[0]) {
      ASSERT_LT(note.onset, note.release) << shown(voices);
      ASSERT_LE(last, note.onset) << shown(voices);
      last = note.onset;
    }
  }
}

std::string late_by_a_tick() {
  std::string events;
  for (int i = 0; i < 8; ++i) events += midi_bytes::bytes({1, 0x90, 60 + i, 64, 47, 0x80, 60 + i, 0});
  return midi_bytes::header(0, 1) + midi_bytes::track(events);
}

TEST(MidiGrid, TheReaderSnapsAndSaysSo) {
  CollectingSink sink;
  read_text("midi", late_by_a_tick(), sink);
  ASSERT_EQ(sink.pieces.size(), 1U);
  const Note& second = sink.pieces[0].voices[0].notes[1];
  EXPECT_EQ(second.onset, Fraction(1, 8));
  EXPECT_EQ(second.duration, Fraction(1, 8));
  ASSERT_EQ(sink.warnings.size(), 1U);
  EXPECT_EQ(sink.warnings[0].code, "midi-snapped");
  EXPECT_THAT(sink.warnings[0].hint, HasSubstr("--as-played"));
}

TEST(MidiGrid, AsPlayedKeepsTheTicks) {
  CollectingSink sink;
  ReadOptions options;
  options.as_played = true;
  read_text("midi", late_by_a_tick(), sink, options);
  ASSERT_EQ(sink.pieces.size(), 1U);
  EXPECT_EQ(sink.pieces[0].voices[0].notes[1].onset, Fraction(49, 384));
  EXPECT_TRUE(sink.warnings.empty());
}

TEST(MidiGrid, NoNotationIsWrittenForTicks) {
  CollectingSink sink;
  ReadOptions options;
  options.as_played = true;
  read_text("midi", late_by_a_tick(), sink, options);
  for (const char* format : {"abc", "pae", "kern", "mei"}) {
    const auto text = find_format(format)->write(sink.pieces.at(0));
    ASSERT_FALSE(text.has_value()) << format << "\n" << *text;
    EXPECT_EQ(text.error().code, "cannot-write");
  }
  EXPECT_TRUE(find_format("jsonl")->write(sink.pieces[0]).has_value());
  EXPECT_TRUE(find_format("midi")->write(sink.pieces[0]).has_value());
}

}  // namespace rondo::midi_grid_test
