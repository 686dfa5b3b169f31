// abc2midi (package abcmidi) plays ABC by its own reading of the standard: an outside check of ties, accidentals, keys,
// lengths, repeats and parts, over all tunes of the two collections.

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <regex>

#include "rondo/melody/voice.h"
#include "support/data.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

/// Tunes that abc2midi plays differently, and what it makes of them.
const std::map<std::string, std::string> kDiffers = {
    {"folkHaydn13", "does not know the German key Es"},
    {"han2374", "does not know the German key H and writes no file"},
    {"han2445", "does not know the German key H and writes no file"},
    {"ashover6", "goes back to the first |: at a :| without |: after a second ending"},
    {"jigs2", "plays a section once whose :| has no |:"},
    {"jigs81", "as jigs2"},
    {"jigs110", "as jigs2"},
    {"reelsh-l70", "as jigs2"},
    {"reelsr-t32", "as jigs2"},
    {"reelsu-z29", "goes back to a double bar rather than the end of the last repeat"},
    {"reelsa-c81", "plays sections between :|: and :| once"},
    {"reelsr-t71", "as reelsa-c81"},
    {"jigs153", "cannot read on after a chord that is not closed"},
    {"reelsd-g1", "loses chords with a plus sign in them"},
    {"reelsh-l53", "does not tie into a second ending"},
};

/// A folder that goes away with the test.
class Scratch {
 public:
  Scratch() : path_(fs::temp_directory_path() / ("rondo-abc2midi-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool installed() { return std::system("command -v abc2midi >/dev/null 2>&1") == 0; }

/// What abc2midi would do of its own accord is switched off: swing by rhythm, ornaments, broken chords. Y: is no field
/// for it; the order of parts goes into P:.
std::string plain(std::string text) {
  text = std::regex_replace(text, std::regex("(^|\n)R:[^\n]*"), "$1% no rhythm");
  text = std::regex_replace(text, std::regex("(^|\n)Y:"), "$1P:");
  text = std::regex_replace(text, std::regex("~|!trill!"), "");
  return std::regex_replace(text, std::regex("(^|\n)(K:[^\n]*)"), "$1$2\n%%MIDI chordattack 0");
}

std::vector<Note> sounding(const Piece& piece) {
  std::vector<Note> notes;
  for (const Voice& voice : piece.voices) {
    for (const Note& note : voice.notes) {
      if (!note.grace) notes.push_back(note);
    }
  }
  const Fraction first = notes.empty() ? Fraction(0) : notes.front().onset;
  for (Note& note : notes) note.onset -= first;
  return notes;
}

/// It ends notes a tick early and rounds to its ticks.
bool near(Fraction a, Fraction b) { return (a < b ? b - a : a - b) <= Fraction(1, 160); }

bool same(const std::vector<Note>& a, const std::vector<Note>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Note& x, const Note& y) {
           return x.pitch.midi() == y.pitch.midi() && near(x.onset, y.onset) && near(x.duration, y.duration);
         });
}

void compare_folder(const std::string& folder, std::size_t expected) {
  const Scratch scratch;
  std::size_t agreeing = 0;
  for (const auto& file : files_below(rondo_data(folder), ".abc")) {
    const std::string stem = file.stem().string();
    const std::string text = plain(slurp(file));
    std::ofstream(scratch.path() / (stem + ".abc"), std::ios::binary) << text;
    const std::string command =
        "cd '" + scratch.path().string() + "' && abc2midi " + stem + ".abc -NGUI -NFNP -NGRA -NFER >/dev/null 2>&1";
    (void)std::system(command.c_str());
    CollectingSink abc;
    read_text("abc", text, abc);
    for (const Piece& piece : abc.pieces) {
      const std::string name = stem + std::string(piece.metadata.field("number"));
      const fs::path played = scratch.path() / (name + ".mid");
      CollectingSink midi;
      if (fs::exists(played)) read_text("midi", slurp(played), midi);
      const bool agrees = midi.pieces.size() == 1 && same(sounding(piece), sounding(midi.pieces[0]));
      EXPECT_EQ(agrees, !kDiffers.contains(name)) << name;
      agreeing += agrees ? 1U : 0U;
    }
  }
  EXPECT_EQ(agreeing, expected);
}

TEST(Abc2midi, PlaysTheEssenSongsAsWeReadThem) {
  RONDO_NEEDS_DATA("essen-abc");
  if (!installed()) GTEST_SKIP() << "needs abc2midi (Debian package abcmidi)";
  compare_folder("essen-abc", 8511);
}

TEST(Abc2midi, PlaysTheNottinghamTunesAsWeReadThem) {
  RONDO_NEEDS_DATA("nottingham");
  if (!installed()) GTEST_SKIP() << "needs abc2midi (Debian package abcmidi)";
  compare_folder("nottingham/abc", 1022);
}

}  // namespace
}  // namespace rondo
