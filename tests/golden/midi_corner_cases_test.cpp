// What each of the 73 odd MIDI files must give. The numbers come from the files' own descriptions ("you must hear a C
// major scale") and from a count of note-on messages made by another program, not from our reader.

#include <gmock/gmock.h>

#include "support/data.h"

namespace rondo::midi_corner_cases_test {

struct Expected {
  std::string_view file;
  std::vector<std::size_t> notes;  ///< of each voice, pieces one after the other
  std::string_view code;           ///< why there are no notes; or a warning that must come with them
};

const std::vector<std::size_t> kNone;
const std::vector<std::size_t> kScale = {8};

const std::vector<Expected>& expectations() {
  static const std::vector<Expected> table = {
      {"test-2-tracks-type-0.mid", {8, 8}, "midi-tracks-in-type-0"},
      {"test-2-tracks-type-1.mid", {8, 8}, ""},
      {"test-2-tracks-type-2.mid", {8, 8}, ""},
      {"test-all-gm-percussion.mid", {183}, ""},  // nothing but percussion: kept
      {"test-all-gm-sounds.mid", {512}, ""},
      {"test-all-gm2-sounds.mid", {1060}, ""},
      {"test-all-gs-sounds.mid", {5044}, ""},
      {"test-all-microsoft-gs-wavetable-synth-sounds.mid", {904}, ""},
      {"test-all-xg-sounds.mid", {4560}, ""},
      {"test-c-major-scale.mid", kScale, ""},
      {"test-control-00-20-bank-select.mid", {4}, "midi-percussion-ignored"},
      {"test-control-40-damper.mid", {8}, ""},
      {"test-control-41-portamento.mid", {8}, ""},
      {"test-control-54-portamento-control.mid", {1}, ""},
      {"test-control-7c-omni-mode-off.mid", kNone, "midi-no-notes"},
      {"test-control-7d-omni-mode-on.mid", kNone, "midi-no-notes"},
      {"test-control-7e-mono-mode-on.mid", kNone, "midi-no-notes"},
      {"test-control-7f-poly-mode-on.mid", kNone, "midi-no-notes"},
      {"test-corrupt-file-extra-byte.mid", kScale, "midi-stray-bytes"},
      {"test-corrupt-file-missing-byte.mid", kScale, "midi-truncated"},
      {"test-empty-file.mid", kNone, "midi-not-midi"},
      {"test-empty.mid", kNone, "midi-no-notes"},
      {"test-gm2-doggy-78-00-38-4c.mid", {3}, ""},
      {"test-gm2-doggy-79-01-7b.mid", {3}, ""},
      {"test-gs-doggy-01-00-7b.mid", {3}, ""},
      {"test-illegal-message-all.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f1-xx.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f2-xx-xx.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f3-xx.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f4.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f5.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f6.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f8.mid", kScale, "midi-system-message"},
      {"test-illegal-message-f9.mid", kScale, "midi-system-message"},
      {"test-illegal-message-fa.mid", kScale, "midi-system-message"},
      {"test-illegal-message-fb.mid", kScale, "midi-system-message"},
      {"test-illegal-message-fc.mid", kScale, "midi-system-message"},
      {"test-illegal-message-fd.mid", kScale, "midi-system-message"},
      {"test-illegal-message-fe.mid", kScale, "midi-system-message"},
      {"test-karaoke-kar.mid", {29}, "midi-snapped"},
      {"test-multichannel-chords-0.mid", {8, 8, 8}, ""},
      {"test-multichannel-chords-1.mid", {8, 8, 8}, ""},
      {"test-multichannel-chords-2.mid", {8, 8, 8}, ""},
      {"test-multichannel-chords-3.mid", {8, 8, 8}, ""},
      {"test-non-midi-track.mid", kScale, ""},
      {"test-not-a-midi-file.mid", kNone, "midi-not-midi"},
      {"test-note-on-velocity.mid", {9}, ""},
      {"test-rpn-00-00-pitch-bend-range.mid", {5}, ""},
      {"test-rpn-00-01-fine-tuning.mid", {13, 12}, ""},
      {"test-rpn-00-02-coarse-tuning.mid", {8}, ""},
      {"test-rpn-00-05-modulation-depth-range.mid", {5}, ""},
      {"test-running-status-metaevent.mid", kScale, ""},
      {"test-running-status-sysex.mid", kScale, ""},
      {"test-silence-all-notes-off.mid", kNone, "midi-no-notes"},
      {"test-silence-end-of-track.mid", kNone, "midi-no-notes"},
      {"test-silence-text-metaevent.mid", kNone, "midi-no-notes"},
      {"test-smpte-offset.mid", kScale, ""},
      {"test-sysex-7e-06-01-id-request.mid", kNone, "midi-no-notes"},
      {"test-sysex-7e-09-01-gm1-enable.mid", kNone, "midi-no-notes"},
      {"test-sysex-7e-09-02-gm-disable.mid", kNone, "midi-no-notes"},
      {"test-sysex-7e-09-03-gm2-enable.mid", kNone, "midi-no-notes"},
      {"test-sysex-7f-04-03-master-fine-tuning.mid", {5}, ""},
      {"test-sysex-7f-04-04-master-coarse-tuning.mid", {1, 1, 1, 1, 1, 1, 1, 1}, ""},
      {"test-sysex-7x-08-0x-scale-tuning.mid", {65}, ""},
      {"test-sysex-gs-40-1x-15-drum-part-change.mid", {4}, "midi-percussion-ignored"},
      {"test-sysex-gs-40-1x-4x-scale-tuning.mid", {3}, ""},
      {"test-syx-7e-06-01-id-request.syx", kNone, "midi-not-midi"},
      {"test-track-length.mid", {1}, ""},
      {"test-vlq-2-byte.mid", kScale, ""},
      {"test-vlq-3-byte.mid", kScale, ""},
      {"test-vlq-4-byte.mid", kScale, ""},
      {"test-xg-doggy-40-00-30.mid", {3}, ""},
      {"test-xg-doggy-7e-00-00-54.mid", {3}, ""},
  };
  return table;
}

CollectingSink& read_into(const std::filesystem::path& path, CollectingSink& sink) {
  read_text("midi", slurp(path), sink, {path.filename().string()});
  return sink;
}

std::vector<std::string> codes_of(const Diagnostics& diagnostics) {
  std::vector<std::string> codes;
  for (const Diagnostic& d : diagnostics) codes.push_back(d.code);
  return codes;
}

TEST(MidiCornerCases, EachFileGivesItsNotesOrAClearError) {
  RONDO_NEEDS_DATA("midi-corner-cases");
  for (const Expected& expected : expectations()) {
    SCOPED_TRACE(expected.file);
    CollectingSink sink;
    read_into(rondo_data("midi-corner-cases") / expected.file, sink);
    std::vector<std::size_t> notes;
    for (const Piece& piece : sink.pieces) {
      for (const Voice& voice : piece.voices) notes.push_back(voice.notes.size());
    }
    EXPECT_EQ(notes, expected.notes);
    if (expected.notes.empty()) {
      EXPECT_THAT(codes_of(sink.skipped), testing::ElementsAre(std::string(expected.code)));
    } else if (expected.code.empty()) {
      EXPECT_THAT(codes_of(sink.warnings), testing::IsEmpty());
    } else {
      EXPECT_THAT(codes_of(sink.warnings), testing::Contains(std::string(expected.code)));
    }
  }
}

TEST(MidiCornerCases, TheTableNamesEveryFile) {
  RONDO_NEEDS_DATA("midi-corner-cases");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(rondo_data("midi-corner-cases"))) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("test-")) continue;
    ++files;
    EXPECT_THAT(expectations(), testing::Contains(testing::Field(&Expected::file, name)));
  }
  EXPECT_EQ(files, 73U);
}

TEST(MidiCornerCases, WhereAScaleIsPromisedAScaleOfQuartersIsRead) {
  RONDO_NEEDS_DATA("midi-corner-cases");
  const std::vector<int> c_major = {60, 62, 64, 65, 67, 69, 71, 72};
  int scales = 0;
  for (const Expected& expected : expectations()) {
    if (expected.notes != kScale) continue;
    SCOPED_TRACE(expected.file);
    CollectingSink sink;
    read_into(rondo_data("midi-corner-cases") / expected.file, sink);
    ASSERT_EQ(sink.pieces.size(), 1U);
    const auto& notes = sink.pieces[0].voices[0].notes;
    // These play other things eight times: chords broken twice, one key tuned up.
    const bool is_scale = expected.file.find("control") == std::string_view::npos &&
                          expected.file.find("coarse") == std::string_view::npos;
    if (!is_scale) continue;
    ++scales;
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(notes[i].pitch.midi(), c_major[i]);
      EXPECT_EQ(notes[i].onset, Fraction(static_cast<std::int64_t>(i), 4));
      EXPECT_EQ(notes[i].duration, Fraction(1, 4));
      EXPECT_FALSE(notes[i].spelled);
    }
  }
  EXPECT_EQ(scales, 24);
}

TEST(MidiCornerCases, TypeTwoGivesOnePieceForEachTrack) {
  RONDO_NEEDS_DATA("midi-corner-cases");
  CollectingSink sink;
  read_into(rondo_data("midi-corner-cases/test-2-tracks-type-2.mid"), sink);
  ASSERT_EQ(sink.pieces.size(), 2U);
  EXPECT_EQ(sink.pieces[0].id, "test-2-tracks-type-2.mid#1");
  EXPECT_EQ(sink.pieces[1].id, "test-2-tracks-type-2.mid#2");
  EXPECT_EQ(sink.pieces[1].voices[0].notes[0].pitch.midi(), 61);
}

TEST(MidiCollections, AllNottinghamTunesAreRead) {
  RONDO_NEEDS_DATA("nottingham/midi");
  std::size_t tunes = 0;
  std::size_t notes = 0;
  for (const auto& path : files_below(rondo_data("nottingham/midi"), ".mid")) {
    CollectingSink sink;
    read_into(path, sink);
    ASSERT_EQ(sink.pieces.size(), 1U) << path;
    ASSERT_EQ(sink.pieces[0].voices.size(), 1U) << path;
    EXPECT_FALSE(sink.pieces[0].voices[0].bars.empty()) << path;
    ++tunes;
    notes += sink.pieces[0].voices[0].notes.size();
  }
  EXPECT_EQ(tunes, 1034U);
  EXPECT_EQ(notes, 196961U);  // note-on messages, counted by another program
}

TEST(MidiCollections, TheMelodyShapeFilesAreShortAndMonophonic) {
  RONDO_NEEDS_DATA("melodyshape/midi");
  std::size_t files = 0;
  std::size_t notes = 0;
  for (const auto& path : files_below(rondo_data("melodyshape/midi"), ".mid")) {
    CollectingSink sink;
    read_into(path, sink);
    ASSERT_EQ(sink.pieces.size(), 1U) << path;
    ASSERT_EQ(sink.pieces[0].voices.size(), 1U) << path;
    const Voice& voice = sink.pieces[0].voices[0];
    EXPECT_TRUE(is_monophonic(voice)) << path;
    EXPECT_GE(voice.notes.size(), 8U) << path;
    EXPECT_LE(voice.notes.size(), 23U) << path;
    EXPECT_THAT(sink.warnings, testing::IsEmpty()) << path;
    ++files;
    notes += voice.notes.size();
  }
  EXPECT_EQ(files, 50U);
  EXPECT_EQ(notes, 917U);
}

}  // namespace rondo::midi_corner_cases_test
