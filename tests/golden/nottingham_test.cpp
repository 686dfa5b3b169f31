// The Nottingham collection exists as ABC and as MIDI: tune X of FILE.abc is FILEX.mid. The MIDI files hold the melody
// with repeats and parts played out, so both readers, and the expansion of repeats, check each other.
// What differs, and why, is in nottingham_differences.tsv.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <sstream>

#include "base/streams.h"
#include "rondo/melody/voice.h"
#include "support/data.h"

namespace rondo {
namespace {

using Melody = std::vector<Note>;

struct Tune {
  std::string name;  ///< "jigs12"
  std::string text;
  Melody standard;  ///< as the ABC standard reads it
  Melody as_midi;   ///< with the habits of the program that made the MIDI files
  Melody midi;
};

/// Times count from the first note: the MIDI files begin with a rest before an upbeat.
Melody melody_of(const Piece& piece) {
  if (piece.voices.empty()) return {};
  Melody notes;
  for (const Note& note : piece.voices.front().notes) {
    if (note.grace) continue;
    notes.push_back(note);
    notes.back().onset -= notes.size() == 1 ? Fraction(0) : notes.front().onset;
  }
  if (!notes.empty()) notes.front().onset = 0;
  return notes;
}

/// Every tie is dropped and no accidental holds for a second note.
std::string with_midi_habits(const std::string& abc) {
  std::istringstream lines(abc);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const bool field = line.size() > 1 && line[1] == ':' && std::isalpha(static_cast<unsigned char>(line[0])) != 0;
    bool quoted = false;
    std::string kept;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c != '-' || quoted || field) kept += c;
    }
    out += kept + "\n";
    if (line.starts_with("X:")) out += "%%propagate-accidentals not\n";
  }
  return out;
}

std::vector<Tune> read_all() {
  std::vector<Tune> tunes;
  for (const auto& file : files_below(rondo_data("nottingham/abc"), ".abc")) {
    const std::string text = slurp(file);
    CollectingSink standard;
    CollectingSink as_midi;
    read_text("abc", text, standard);
    read_text("abc", with_midi_habits(text), as_midi);
    EXPECT_TRUE(standard.skipped.empty() && as_midi.skipped.empty()) << file;
    for (std::size_t i = 0; i < standard.pieces.size(); ++i) {
      Tune tune;
      tune.name = file.stem().string() + std::string(standard.pieces[i].metadata.field("number"));
      tune.text = standard.pieces[i].source_text;
      tune.standard = melody_of(standard.pieces[i]);
      tune.as_midi = melody_of(as_midi.pieces.at(i));
      CollectingSink midi;
      read_text("midi", slurp(rondo_data("nottingham/midi/" + tune.name + ".mid")), midi);
      if (midi.pieces.size() == 1) tune.midi = melody_of(midi.pieces[0]);
      tunes.push_back(std::move(tune));
    }
  }
  return tunes;
}

/// The MIDI files round: thirds of an eighth are off by up to 1/24 of a quarter.
bool near(Fraction a, Fraction b) {
  const Fraction off = a < b ? b - a : a - b;
  return off <= Fraction(3, 256);
}

bool same_start(const Note& a, const Note& b) { return a.pitch.midi() == b.pitch.midi() && near(a.onset, b.onset); }

bool same_note(const Note& a, const Note& b) { return same_start(a, b) && near(a.duration, b.duration); }

bool same(const Melody& a, const Melody& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_note);
}

bool first_part(const Tune& tune) {
  const bool parts_without_order =
      tune.text.find("\nP:") != std::string::npos && tune.text.find("\nY:") == std::string::npos;
  return parts_without_order && !tune.midi.empty() && tune.midi.size() < tune.as_midi.size() &&
         std::equal(tune.midi.begin(), tune.midi.end(), tune.as_midi.begin(), same_note);
}

/// Four notes in a row, with their lengths in 48ths of a whole note; the last length is left out as a repeat may cut
/// it.
std::set<std::array<std::int64_t, 7>> stretches(const Melody& melody) {
  std::set<std::array<std::int64_t, 7>> all;
  for (std::size_t i = 0; i + 4 <= melody.size(); ++i) {
    std::array<std::int64_t, 7> stretch{};
    for (std::size_t k = 0; k < 4; ++k) {
      stretch[k] = melody[i + k].pitch.midi();
      if (k < 3) stretch[4 + k] = static_cast<std::int64_t>(melody[i + k].duration.to_double() * 48 + 0.5);
    }
    all.insert(stretch);
  }
  return all;
}

/// All that the ABC plays is in the MIDI, and the MIDI has nothing of its own but the seams of its other order.
bool repeat_start(const Tune& tune) {
  const auto ours = stretches(tune.as_midi);
  const auto theirs = stretches(tune.midi);
  const auto missing = [](const auto& in, const auto& from) {
    return std::count_if(in.begin(), in.end(), [&](const auto& one) { return !from.contains(one); });
  };
  constexpr int kPerSeam = 3;
  constexpr int kSeams = 5;
  return tune.midi.size() > tune.as_midi.size() && missing(ours, theirs) <= kPerSeam * kSeams &&
         missing(theirs, ours) <= kPerSeam * kSeams;
}

Melody highest(const Melody& melody) {
  Melody top;
  for (const Note& note : melody) {
    if (top.empty() || !near(top.back().onset, note.onset)) top.push_back(note);
  }
  return top;
}

bool chord(const Tune& tune) {
  const Melody ours = highest(tune.as_midi);
  const Melody theirs = highest(tune.midi);
  return ours.size() == theirs.size() && std::equal(ours.begin(), ours.end(), theirs.begin(), same_start);
}

bool lost_note(const Tune& tune) {
  std::size_t next = 0;
  for (const Note& note : tune.as_midi) {
    if (next < tune.midi.size() && same_note(note, tune.midi[next])) ++next;
  }
  return next == tune.midi.size() && tune.as_midi.size() - next <= 2;
}

const std::map<std::string, bool (*)(const Tune&)> kKinds = {
    {"first-part", first_part}, {"repeat-start", repeat_start}, {"chord", chord}, {"lost-note", lost_note}};

std::map<std::string, std::string> listed_kinds() {
  std::map<std::string, std::string> kinds;
  std::istringstream rows(slurp(std::filesystem::path(RONDO_SOURCE_DIR) / "tests/golden/nottingham_differences.tsv"));
  for (std::string row; std::getline(rows, row);) {
    if (row.empty() || row[0] == '#') continue;
    const std::size_t first = row.find('\t');
    const std::size_t second = row.find('\t', first + 1);
    EXPECT_LT(second, row.size() - 1) << "tune, kind and reason: " << row;
    const bool fresh = kinds.emplace(row.substr(0, first), row.substr(first + 1, second - first - 1)).second;
    EXPECT_TRUE(fresh) << "listed twice: " << row;
  }
  return kinds;
}

TEST(Nottingham, AbcAndMidiAreTheSameMelodies) {
  RONDO_NEEDS_DATA("nottingham");
  auto listed = listed_kinds();
  const std::vector<Tune> tunes = read_all();
  EXPECT_EQ(tunes.size(), 1034U);
  std::size_t same_by_standard = 0;
  std::size_t same_by_habit = 0;
  for (const Tune& tune : tunes) {
    EXPECT_FALSE(tune.midi.empty()) << tune.name << " has no MIDI file";
    same_by_standard += same(tune.standard, tune.midi) ? 1U : 0U;
    const auto row = listed.find(tune.name);
    if (same(tune.as_midi, tune.midi)) {
      ++same_by_habit;
      EXPECT_TRUE(row == listed.end()) << tune.name << " is listed but does not differ";
    } else if (row == listed.end()) {
      ADD_FAILURE() << tune.name << " differs (" << tune.as_midi.size() << " notes in ABC, " << tune.midi.size()
                    << " in MIDI) and is not listed";
    } else {
      const auto kind = kKinds.find(row->second);
      ASSERT_TRUE(kind != kKinds.end()) << "no such kind: " << row->second;
      EXPECT_TRUE(kind->second(tune)) << tune.name << " does not differ in the way " << row->second << " says";
      listed.erase(row);
    }
  }
  for (const auto& [name, kind] : listed) ADD_FAILURE() << name << " is listed but is no tune that differs";
  EXPECT_EQ(same_by_standard, 588U);
  EXPECT_EQ(same_by_habit, 925U);
}

}  // namespace
}  // namespace rondo
