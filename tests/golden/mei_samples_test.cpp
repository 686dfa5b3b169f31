// Complete pieces in MEI 5, by many encoders with many habits. 33 of them; the folder's other files are PDFs.
#include <gmock/gmock.h>

#include <pugixml.hpp>
#include <set>

#include "support/data.h"
#include "support/melody_text.h"

namespace rondo {
namespace {

using testing::StartsWith;

struct Sample {
  std::filesystem::path path;
  std::vector<Piece> pieces;  ///< the piece itself comes last, after its incipits
};

std::vector<Sample> samples(bool expand_repeats) {
  std::vector<Sample> found;
  for (const auto& path : files_below(rondo_data("mei"), ".mei")) {
    CollectingSink sink;
    ReadOptions options;
    options.file = path.filename();
    options.expand_repeats = expand_repeats;
    read_text("mei", slurp(path), sink, options);
    EXPECT_TRUE(sink.skipped.empty()) << path << ": " << sink.skipped.front().to_string();
    EXPECT_FALSE(sink.pieces.empty()) << path;
    found.push_back({path, std::move(sink.pieces)});
  }
  return found;
}

bool continues(std::string_view tie) { return tie.find_first_of("mt") != std::string_view::npos; }

/// Notes of the music that are no continuation of a tie, counted in the file itself.
std::size_t count_in_file(const std::filesystem::path& path) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file(path.c_str()));
  std::set<std::string> tied;
  for (const auto& end : document.select_nodes("/mei/music//tie/@endid")) {
    tied.insert(std::string(end.attribute().value()).substr(1));
  }
  std::size_t count = 0;
  for (const auto& found : document.select_nodes("/mei/music//note")) {
    const pugi::xml_node note = found.node();
    const pugi::xml_node chord = std::string_view(note.parent().name()) == "chord" ? note.parent() : pugi::xml_node();
    const bool again = continues(note.attribute("tie").value()) || continues(chord.attribute("tie").value()) ||
                       tied.contains(note.attribute("xml:id").value()) ||
                       (chord && tied.contains(chord.attribute("xml:id").value()));
    count += again ? 0 : 1;
  }
  return count;
}

TEST(MeiSamples, AllAreRecognisedAndRead) {
  RONDO_NEEDS_DATA("mei");
  const auto all = samples(true);
  EXPECT_EQ(all.size(), 33U);
  for (const Sample& sample : all) {
    EXPECT_EQ(recognise(slurp(sample.path).substr(0, std::size_t{64} * 1024))->name, "mei") << sample.path;
    EXPECT_FALSE(sample.pieces.back().metadata.title.empty()) << sample.path;
    EXPECT_FALSE(sample.pieces.back().metadata.composer.empty()) << sample.path;
  }
}

TEST(MeiSamples, VoicesLineUp) {
  RONDO_NEEDS_DATA("mei");
  for (const bool expand : {false, true}) {
    for (const Sample& sample : samples(expand)) {
      for (const Piece& piece : sample.pieces) {
        ASSERT_FALSE(piece.voices.empty()) << piece.id;
        for (const Voice& voice : piece.voices) EXPECT_EQ(voice.length, piece.voices.front().length) << piece.id;
      }
    }
  }
}

TEST(MeiSamples, NoNoteIsLostOrInvented) {
  RONDO_NEEDS_DATA("mei");
  // Where our number differs from the file's: by how many, and why.
  const std::map<std::string, int> differences = {
      {"Brahms_WieMelodienZiehtEsMir.mei", 1},  // a tie ends that nothing begins
      {"Gluck_CheFaroSenzaEuridice.mei", 3},    // a chord of three notes that is a copy of another
      {"Hummel_Preludes_Op67_No11.mei", 9},     // ties from a broken chord to the full one, over a distance
      {"Liszt_Four_little_pieces_No1.mei", 3},  // ties from one layer to another
      {"Parker-Gillespie_ShawNuff.mei", -8},    // cue notes
      {"Schubert_Erlkoenig.mei", 323},          // mostly copies: the piano repeats its figures
  };
  for (const Sample& sample : samples(false)) {
    std::size_t notes = 0;
    for (const Voice& voice : sample.pieces.back().voices) notes += voice.notes.size();
    const auto known = differences.find(sample.path.filename());
    const int difference = known == differences.end() ? 0 : known->second;
    EXPECT_EQ(static_cast<int>(notes), static_cast<int>(count_in_file(sample.path)) + difference) << sample.path;
  }
}

TEST(MeiSamples, MeasuresAreAsLongAsTheirMetre) {
  RONDO_NEEDS_DATA("mei");
  // How many measures are not, upbeats aside; the rest of the reason is the file's.
  const std::map<std::string, int> odd = {
      {"Altenburg_Macht_auf_die_Tor.mei", 9},  // "bar.method=mensur": bars and metre are two things
      {"Bach-JS_Ein_feste_Burg.mei", 3},       // cut at the repeat sign, and a short last measure
      {"Bach-JS_Herzliebster_Jesu_BWV244-46.mei", 1},
      {"Bach-JS_Wie_bist_du_meine_Seele_BWV435.mei", 1},
      {"Grieg_Little_bird_Op43_No4.mei", 5},
      {"Hummel_Preludes_Op67_No11.mei", 2},  // a free cadenza, and a tuplet with the wrong ratio
      {"Liszt_Four_little_pieces_No1.mei", 2},
      {"McFerrin_Don't_worry.mei", 3},  // values that do not fill the measure, as encoded
      {"Mozart_Quintett_KV581.mei", 2},
      {"Schubert_Erlkoenig.mei", 3},   // triplets that are not marked as such
      {"Schubert_Lindenbaum.mei", 3},  // dots that should not be there
  };
  for (const Sample& sample : samples(false)) {
    const Voice& voice = sample.pieces.back().voices.front();
    int count = 0;
    for (std::size_t i = 1; i < voice.bars.size(); ++i) {
      const TimeSignature* time = in_force(voice.times, voice.bars[i]);
      const Fraction end = i + 1 < voice.bars.size() ? voice.bars[i + 1] : voice.length;
      if (time != nullptr && end - voice.bars[i] != time->bar()) ++count;
    }
    const auto known = odd.find(sample.path.filename());
    EXPECT_EQ(count, known == odd.end() ? 0 : known->second) << sample.path;
  }
}

/// Up, down or repeat, as the files' headers give it for the melody.
std::string parsons(const Voice& voice) {
  std::string code = "*";
  const std::vector<Note> line = top_line(voice);
  for (std::size_t i = 1; i < line.size(); ++i) {
    const int step = line[i].pitch.midi() - line[i - 1].pitch.midi();
    code += step > 0 ? 'u' : step < 0 ? 'd' : 'r';
  }
  return code;
}

TEST(MeiSamples, TheContourIsThatOfTheHeader) {
  RONDO_NEEDS_DATA("mei");
  // Someone wrote these down by ear and eye. In the other files the code has slips, or counts tied and grace notes.
  const std::set<std::string> slips = {"Ahle_Jesu_meines_Herzens_Freud.mei",
                                       "Bach-JC_Fughette_No2.mei",
                                       "Bach-JC_Fughette_for_BrassQuartet_G-major.mei",
                                       "Handel_Concerto_grosso.mei",
                                       "Liszt_Four_little_pieces_No1.mei",
                                       "McFerrin_Don't_worry.mei",
                                       "Mozart_Das_Veilchen_KV476.mei",
                                       "Schumann_Landmann_Op68_No10.mei"};
  int compared = 0;
  for (const Sample& sample : samples(true)) {
    pugi::xml_document document;
    ASSERT_TRUE(document.load_file(sample.path.c_str()));
    const auto code = document.select_node("//incipCode[@form='parsons']").node();
    if (!code || slips.contains(sample.path.filename())) continue;
    EXPECT_THAT(parsons(sample.pieces.back().voices.front()), StartsWith(code.child_value())) << sample.path;
    ++compared;
  }
  EXPECT_EQ(compared, 21);
}

TEST(MeiSamples, OpeningsAreThoseOfTheScores) {
  RONDO_NEEDS_DATA("mei");
  // Read by hand from the scores (PDF beside the file) or the encoded notes.
  struct Opening {
    const char* file;
    std::size_t voice;
    const char* notes;
  };
  const std::vector<Opening> openings = {
      // The chorale in D; nothing but the key signature says that F and C are sharp.
      {"Bach-JS_Ein_feste_Burg.mei", 0, "D5 1/4 D5 1/4 D5 1/4 A4 1/8 B4 1/8 C#5 1/4 D5 1/8 C#5 1/8 B4 1/4 A4 1/4"},
      {"Schumann_Landmann_Op68_No10.mei", 2, "C3 1/8 F3 3/8 A3 1/8 C4 3/8 A3 1/8 Bb3 1/8 D4 1/8 F4 1/8 D4 1/8 C4 3/8"},
      // The clarinet in A reads C E G E C.
      {"Mozart_Quintett_KV581.mei", 0, "A4 1/8 C#5 1/8 E5 1/8 C#5 1/8 A5 1/4 E5 1/8 C#5 1/8 B4 1/8"},
      {"Mozart_Das_Veilchen_KV476.mei", 1, "G4 1/8 D5 1/8 B4 1/8 C5 1/8 E5 1/8 ~E5 D5 3/16 C5 1/16 B4 1/8"},
      {"Lully_LaDescenteDeMars.mei", 0, "C5 1/8 C5 1/16 C5 1/16 C5 1/8 C5 1/8 C5 1/8 C5 1/8 C5 1/8 G4 1/8"},
      // The double bass sounds an octave lower than it is written.
      {"Handel_Arie.mei", 4, "D2 1/2 D2 1/2 r 1/4 D2 1/4 E2 1/2 E2 1/2"},
      // The left hand plays every other eighth; the spaces between have no duration in the file.
      {"Debussy_Mandoline.mei", 3, "~G3 r 3/4 A4+D4+G3 1/8 r 1/8 A4+D4+G3 1/8 r 1/8 A4+D4+G3 1/8 r 1/8 A4+D4+G3 1/8"},
      {"Ahle_Jesu_meines_Herzens_Freud.mei", 0, "A4 1/4 B4 1/4 C5 1/4 B4 1/8 A4 1/8 G#4 3/8 A4 1/8 B4 1/2 C5 1/4"},
  };
  std::map<std::string, std::vector<Voice>> voices;
  for (Sample& sample : samples(false)) voices[sample.path.filename()] = std::move(sample.pieces.back().voices);
  for (const Opening& opening : openings) {
    ASSERT_GT(voices[opening.file].size(), opening.voice) << opening.file;
    EXPECT_THAT(melody_text(voices[opening.file][opening.voice]), StartsWith(opening.notes)) << opening.file;
  }
}

TEST(MeiSamples, IncipitsInPlaineAndEasieCodeAreRead) {
  RONDO_NEEDS_DATA("mei");
  std::size_t incipits = 0;
  for (const Sample& sample : samples(true)) {
    for (const Piece& piece : sample.pieces) incipits += piece.metadata.field("incipit") == "yes";
    if (sample.path.filename() == "Lully_LaDescenteDeMars.mei") {
      // Stored as in an address, %25G-1%403%2F4...
      ASSERT_EQ(sample.pieces.size(), 2U);
      EXPECT_THAT(melody_text(sample.pieces.front().voices.front()),
                  StartsWith("C5 1/8 C5 1/16 C5 1/16 C5 1/8 C5 1/8 C5 1/8 C5 1/8 C5 1/8 G4 1/8 C5 1/8"));
    }
  }
  EXPECT_EQ(incipits, 27U);
}

TEST(MeiSamples, WrittenAgainTheyAreTheSame) {
  RONDO_NEEDS_DATA("mei");
  for (const Sample& sample : samples(true)) {
    for (const Piece& piece : sample.pieces) {
      const auto text = find_format("mei")->write(piece);
      ASSERT_TRUE(text.has_value()) << piece.id << ": " << text.error().to_string();
      CollectingSink sink;
      read_text("mei", *text, sink);
      ASSERT_EQ(sink.pieces.size(), 1U) << piece.id;
      EXPECT_EQ(sink.pieces.front().id, piece.id);
      EXPECT_EQ(sink.pieces.front().metadata, piece.metadata);
      ASSERT_EQ(sink.pieces.front().voices.size(), piece.voices.size()) << piece.id;
      for (std::size_t i = 0; i < piece.voices.size(); ++i) {
        EXPECT_EQ(sink.pieces.front().voices[i].notes, piece.voices[i].notes) << piece.id << " voice " << i;
        EXPECT_EQ(sink.pieces.front().voices[i].bars, piece.voices[i].bars) << piece.id << " voice " << i;
        EXPECT_EQ(sink.pieces.front().voices[i].length, piece.voices[i].length) << piece.id << " voice " << i;
      }
    }
  }
}

}  // namespace
}  // namespace rondo
