// The demonstration collection in data/demo, read as any user would have it read: by its content, through the table of
// formats. tools/check_demo.py checks the same files with a reader of its own.

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rondo/formats/format.h"
#include "support/data.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPromisedPieces = 200;
constexpr std::size_t kPromisedFamilies = 30;

std::vector<fs::path> demo_files() {
  const fs::path folder = fs::path(RONDO_SOURCE_DIR) / "data" / "demo";
  std::vector<fs::path> files = files_below(folder, ".pae");
  const std::vector<fs::path> abc = files_below(folder, ".abc");
  files.insert(files.end(), abc.begin(), abc.end());
  return files;
}

bool has_abc_half() {
  const auto files = demo_files();
  return std::any_of(files.begin(), files.end(), [](const fs::path& file) { return file.extension() == ".abc"; });
}

/// Everything in the collection, read once.
const CollectingSink& collection() {
  static CollectingSink sink;
  static const bool read = [] {
    for (const fs::path& file : demo_files()) {
      const std::string text = slurp(file);
      const Format* format = recognise(text);
      EXPECT_NE(format, nullptr) << file;
      if (format == nullptr) continue;
      EXPECT_EQ(format->extension, file.extension()) << file << " was taken for " << format->name;
      MemorySource source(text);
      ReadOptions options;
      options.file = file.filename();
      const auto done = format->read(source, options, sink);
      EXPECT_TRUE(done) << file << ": " << done.error().to_string();
    }
    return true;
  }();
  EXPECT_TRUE(read);
  return sink;
}

const Piece* find_piece(std::string_view id) {
  const auto& pieces = collection().pieces;
  const auto it = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& piece) { return piece.id == id; });
  return it == pieces.end() ? nullptr : &*it;
}

/// What a piece says of itself under this name. ABC has no fields for these: there the family is the group (G:) and
/// the others are notes that begin with their name ("N:variant: transposed").
std::string said(const Piece& piece, const std::string& name) {
  if (name == "year" && !piece.metadata.year.empty()) return piece.metadata.year;
  if (const auto own = piece.metadata.field(name); !own.empty()) return std::string(own);
  if (piece.format != "abc") return {};
  if (name == "family") return std::string(piece.metadata.field("group"));
  for (const auto& [field, text] : piece.metadata.fields) {
    if (field == "notes" && text.starts_with(name + ":")) return text.substr(name.size() + 1);
  }
  return {};
}

std::vector<int> opening(std::string_view id, std::size_t count) {
  std::vector<int> keys;
  const Piece* piece = find_piece(id);
  if (piece == nullptr || piece->voices.empty()) return keys;
  for (const Note& note : top_line(piece->voices.front())) {
    if (keys.size() == count) break;
    keys.push_back(note.pitch.midi());
  }
  return keys;
}

/// The lengths of all measures between the first and the last, which may be incomplete, that do not fill their time
/// signature. Where a repeat cuts a measure in two, the halves come one after the other and count as one.
std::vector<std::string> odd_bars(const Voice& voice) {
  std::vector<std::string> odd;
  for (std::size_t i = 1; i + 1 < voice.bars.size(); ++i) {
    const TimeSignature* time = in_force(voice.times, voice.bars[i]);
    const Fraction wanted = time == nullptr ? Fraction(0) : time->bar();
    if (voice.bars[i + 1] - voice.bars[i] == wanted) continue;
    if (i + 2 < voice.bars.size() && voice.bars[i + 2] - voice.bars[i] == wanted) {
      ++i;
      continue;
    }
    // A repeat may also end just before the last, incomplete measure.
    if (i + 2 == voice.bars.size() && voice.length - voice.bars[i] == wanted) continue;
    odd.push_back("measure " + std::to_string(i + 1));
  }
  return odd;
}

TEST(Demo, every_record_is_read_without_a_warning) {
  for (const Diagnostic& why : collection().skipped) ADD_FAILURE() << "skipped: " << why.to_string();
  for (const Diagnostic& warning : collection().warnings) ADD_FAILURE() << "warning: " << warning.to_string();
  EXPECT_GE(collection().pieces.size(), kPromisedPieces / 2);
}

TEST(Demo, every_piece_is_one_melody_with_an_id_of_its_own) {
  std::set<std::string> ids;
  for (const Piece& piece : collection().pieces) {
    EXPECT_TRUE(ids.insert(piece.id).second) << piece.id << " is there twice";
    ASSERT_EQ(piece.voices.size(), 1U) << piece.id;
    EXPECT_GE(piece.voices.front().notes.size(), 8U) << piece.id;
    EXPECT_TRUE(is_monophonic(piece.voices.front())) << piece.id;
  }
}

TEST(Demo, every_full_bar_fills_its_time_signature) {
  for (const Piece& piece : collection().pieces) {
    ASSERT_FALSE(piece.voices.empty()) << piece.id;
    const Voice& voice = piece.voices.front();
    EXPECT_FALSE(voice.times.empty()) << piece.id;
    EXPECT_FALSE(voice.bars.empty()) << piece.id;
    EXPECT_THAT(odd_bars(voice), testing::IsEmpty()) << piece.id;
  }
}

TEST(Demo, every_piece_says_what_it_is) {
  for (const Piece& piece : collection().pieces) {
    EXPECT_FALSE(piece.metadata.title.empty()) << piece.id;
    EXPECT_FALSE(piece.metadata.composer.empty() && piece.metadata.field("origin").empty()) << piece.id;
    EXPECT_FALSE(said(piece, "year").empty()) << piece.id;
  }
}

TEST(Demo, families_have_variants) {
  std::map<std::string, std::size_t> members;
  for (const Piece& piece : collection().pieces) {
    const std::string family = said(piece, "family");
    if (family.empty()) continue;
    ++members[family];
    EXPECT_FALSE(said(piece, "variant").empty()) << piece.id;
  }
  for (const auto& [family, count] : members) EXPECT_GE(count, 2U) << family;
}

TEST(Demo, holds_what_the_readme_promises) {
  if (!has_abc_half()) GTEST_SKIP() << "data/demo holds no .abc files yet: the totals are not checked";
  std::set<std::string> families;
  for (const Piece& piece : collection().pieces) families.insert(said(piece, "family"));
  families.erase("");
  EXPECT_GE(collection().pieces.size(), kPromisedPieces);
  EXPECT_GE(families.size(), kPromisedFamilies);
}

// Key numbers written down from the names of the notes, not taken from a reader.
TEST(Demo, openings_of_well_known_melodies_are_right) {
  using Keys = std::vector<int>;
  // D major: F# F# G A A G F# E
  EXPECT_EQ(opening("ode-to-joy-1", 8), (Keys{66, 66, 67, 69, 69, 67, 66, 64}));
  // C major: C C G G A A G
  EXPECT_EQ(opening("ah-vous-dirai-je-1", 7), (Keys{60, 60, 67, 67, 69, 69, 67}));
  // F major: F G A F F G A F A B flat C
  EXPECT_EQ(opening("frere-jacques-1", 11), (Keys{65, 67, 69, 65, 65, 67, 69, 65, 69, 70, 72}));
  // A minor: A C D E F E D B G
  EXPECT_EQ(opening("greensleeves-1", 9), (Keys{69, 72, 74, 76, 77, 76, 74, 71, 67}));
  // A minor: E D# E D# E B D C A
  EXPECT_EQ(opening("beethoven-fur-elise", 9), (Keys{76, 75, 76, 75, 76, 71, 74, 72, 69}));
  // G minor: E flat D D E flat D D E flat D D B flat
  EXPECT_EQ(opening("mozart-k550", 10), (Keys{75, 74, 74, 75, 74, 74, 75, 74, 74, 82}));
  // G major: G G A F# G A
  EXPECT_EQ(opening("god-save-the-king-1", 6), (Keys{67, 67, 69, 66, 67, 69}));
  // G major: D G A B C D G G
  EXPECT_EQ(opening("minuet-in-g-1", 8), (Keys{74, 67, 69, 71, 72, 74, 67, 67}));
  // C minor: C B C G A flat C B C D
  EXPECT_EQ(opening("bach-fugue-c-minor", 9), (Keys{72, 71, 72, 67, 68, 72, 71, 72, 74}));
  // D flat major: F A flat A flat F E flat D flat
  EXPECT_EQ(opening("dvorak-largo", 6), (Keys{65, 68, 68, 65, 63, 61}));
  // B minor: B C# D E F# D F#, E# C# E#, E C E
  EXPECT_EQ(opening("grieg-mountain-king", 13), (Keys{59, 61, 62, 64, 66, 62, 66, 65, 61, 65, 64, 60, 64}));
}

}  // namespace
}  // namespace rondo
