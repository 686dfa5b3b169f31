// Whether the melody of a piece is found when nothing is called so. There is no public collection here with a track
// called MELODY, so files are made of real melodies with accompaniments by rule, written as MIDI and read again; and
// the soprano of chorales, whose voices are all melodies, is looked for.

#include "melody/find_melody.h"

#include <gmock/gmock.h>

#include <array>

#include "rondo/melody/builder.h"
#include "support/data.h"

namespace rondo::find_melody_golden_test {
namespace {

/// The triad of each bar: the major or minor one that shares most time with the melody.
struct Bar {
  Fraction begin;
  Fraction end;
  int root = 0;  ///< pitch class
  int third = 4;
};

std::vector<Bar> harmony(const Voice& melody) {
  std::vector<Fraction> edges = melody.bars;
  if (edges.empty()) {
    for (Fraction at; at < melody.length; at += Fraction(1)) edges.push_back(at);
  }
  edges.push_back(melody.length);
  std::vector<Bar> bars;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (edges[i] >= edges[i + 1]) continue;
    std::array<double, 12> time{};
    for (const Note& note : melody.notes) {
      if (note.grace || note.end() <= edges[i] || note.onset >= edges[i + 1]) continue;
      time[static_cast<std::size_t>(note.pitch.midi() % 12)] += note.duration.to_double();
    }
    Bar best{edges[i], edges[i + 1], 0, 4};
    double most = -1;
    for (int root = 0; root < 12; ++root) {
      for (const int third : {4, 3}) {
        double sum = 0;
        for (const int tone : {0, third, 7}) sum += time[static_cast<std::size_t>((root + tone) % 12)];
        if (sum <= most) continue;
        most = sum;
        best.root = root;
        best.third = third;
      }
    }
    bars.push_back(best);
  }
  return bars;
}

/// A triad from `lowest` on.
std::array<int, 3> triad(const Bar& bar, int lowest) {
  std::array<int, 3> keys{};
  const std::array<int, 3> tones = {0, bar.third, 7};
  for (std::size_t i = 0; i < 3; ++i) {
    keys[i] = lowest + ((bar.root + tones[i] - lowest) % 12 + 12) % 12;
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

enum Style { kBlocks, kArpeggio, kHighPad, kDuet, kOffbeat, kStyles };

/// The voices around a melody; they come before and behind it.
std::vector<Voice> accompaniment(const Voice& melody, Style style) {
  const std::vector<Bar> bars = harmony(melody);
  VoiceBuilder chords("CHORDS");
  VoiceBuilder bass("BASS");
  for (const Bar& bar : bars) {
    const Fraction length = bar.end - bar.begin;
    bass.note(bar.begin, length, Pitch::from_midi(triad(bar, 36)[0]));
    if (style == kBlocks || style == kDuet) {
      for (const int key : triad(bar, 50)) chords.note(bar.begin, length, Pitch::from_midi(key));
    } else if (style == kHighPad) {
      for (const int key : triad(bar, 76)) chords.note(bar.begin, length, Pitch::from_midi(key));
    } else if (style == kArpeggio) {
      // Crosses the melody: its top tone is above most notes of it.
      const std::array<int, 3> keys = triad(bar, 62);
      const std::array<int, 4> up = {keys[0], keys[1], keys[2], keys[0] + 12};
      std::size_t i = 0;
      for (Fraction at = bar.begin; at < bar.end; at += Fraction(1, 8), ++i) {
        chords.note(at, std::min(Fraction(1, 8), bar.end - at), Pitch::from_midi(up[i % 4]));
      }
    } else {
      for (Fraction at = bar.begin + Fraction(1, 8); at < bar.end; at += Fraction(1, 4)) {
        for (const int key : triad(bar, 55)) {
          chords.note(at, std::min(Fraction(1, 8), bar.end - at), Pitch::from_midi(key));
        }
      }
    }
  }
  std::vector<Voice> out = {chords.finish().value(), bass.finish().value()};
  if (style == kDuet) {
    VoiceBuilder second("SECOND");
    for (const Note& note : melody.notes) {
      if (!note.grace) second.note(note.onset, note.duration, Pitch::from_midi(note.pitch.midi() - 4));
    }
    out.push_back(second.finish().value());
  }
  return out;
}

/// As the program reads a MIDI file.
Piece through_midi(const Piece& piece) {
  const auto bytes = find_format("midi")->write(piece);
  EXPECT_TRUE(bytes) << piece.id;
  CollectingSink sink;
  if (bytes) read_text("midi", *bytes, sink);
  return sink.pieces.empty() ? Piece{} : sink.pieces.front();
}

TEST(FindMelodyGolden, MidiFilesWithATrackCalledMelody) {
  RONDO_NEEDS_DATA("nottingham");
  std::array<std::size_t, kStyles> of_style{};
  std::array<std::size_t, kStyles> found{};
  std::size_t files = 0;
  std::size_t by_name = 0;
  std::size_t by_notes = 0;
  for (const auto& path : files_below(rondo_data("nottingham/abc"), ".abc")) {
    CollectingSink sink;
    read_text("abc", slurp(path), sink);
    for (std::size_t i = 0; i < sink.pieces.size(); i += 2) {
      Piece piece = std::move(sink.pieces[i]);
      if (piece.voices.size() != 1 || piece.voices[0].notes.size() < 16) continue;
      Voice melody = std::move(piece.voices[0]);
      melody.name = "MELODY";
      const auto style = static_cast<Style>(files % kStyles);
      piece.voices = accompaniment(melody, style);
      // Somewhere among the tracks.
      const std::size_t place = files / kStyles % (piece.voices.size() + 1);
      piece.voices.insert(piece.voices.begin() + static_cast<std::ptrdiff_t>(place), std::move(melody));
      piece = through_midi(piece);
      ASSERT_GT(piece.voices.size(), place);
      ++files;
      ++of_style[style];
      if (find_melody(piece.voices)->voice == place) ++by_name;
      for (Voice& voice : piece.voices) voice.name.clear();
      if (find_melody(piece.voices)->voice != place) continue;
      ++by_notes;
      ++found[style];
    }
  }
  std::cout << "by name " << by_name << ", by notes " << by_notes << " of " << files << " files\n";
  constexpr std::array kNames = {"block chords", "arpeggio across", "chords above", "second voice", "off-beats"};
  for (std::size_t s = 0; s < kStyles; ++s)
    std::cout << "  " << kNames[s] << ": " << found[s] << " of " << of_style[s] << "\n";
  EXPECT_GE(files, 400U);
  EXPECT_EQ(by_name, files);
  EXPECT_GE(by_notes * 100, files * 95);
}

TEST(FindMelodyGolden, SopranosOfChorales) {
  RONDO_NEEDS_DATA("kern-chorales");
  std::size_t pieces = 0;
  std::size_t sopranos = 0;
  for (const auto& path : files_below(rondo_data("kern-chorales"), ".krn")) {
    CollectingSink sink;
    read_text("kern", slurp(path), sink);
    for (Piece& piece : sink.pieces) {
      if (piece.voices.size() != 4) continue;
      ++pieces;
      double highest = 0;
      std::size_t soprano = 0;
      for (std::size_t v = 0; v < 4; ++v) {
        double sum = 0;
        for (const Note& note : piece.voices[v].notes) sum += note.pitch.midi();
        const double mean = sum / static_cast<double>(piece.voices[v].notes.size());
        if (mean > highest) soprano = v;
        highest = std::max(highest, mean);
        piece.voices[v].name.clear();
      }
      if (find_melody(piece.voices)->voice == soprano) ++sopranos;
    }
  }
  std::cout << sopranos << " of " << pieces << " sopranos\n";
  EXPECT_GE(pieces, 300U);
  EXPECT_GE(sopranos * 100, pieces * 95);
}

}  // namespace
}  // namespace rondo::find_melody_golden_test
