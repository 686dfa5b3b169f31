// The features of voices in the tables: at import, when a voice changes, and in files of the version before.

#include "features/features.h"

#include <gmock/gmock.h>

#include "rondo/store/import.h"
#include "store/schema.h"
#include "store_support.h"
#include "support/lines.h"

namespace rondo {
namespace {

namespace fs = std::filesystem;
using test::must;
using test::open_collection;
using test::sample;
using testing::ElementsAre;

Piece tune(const std::string& id, const std::string& notes) {
  Piece piece;
  piece.id = id;
  piece.voices = {voice_of(notes)};
  return piece;
}

TEST(StoredFeatures, AreThoseOfTheVoice) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  // G G G E | F F F D: steps 0 0 -2 1 0 0 -2; by hand in the tests of features.
  must(open_collection(path).put(tune("five", "G4 1/8 G4 1/8 G4 1/8 Eb4 1/2 F4 1/8 F4 1/8 F4 1/8 D4 1/2")));
  EXPECT_EQ(test::sql(path,
                      "SELECT notes, interval_count, range, range_steps, max_interval, max_interval_steps,"
                      " duration_ratio, lowest, highest, unisons, seconds, thirds, larger FROM melodies"),
            "8|7|5|3|4|2|0.25|62|67|4|1|2|0");
  EXPECT_EQ(test::sql(path, "SELECT contour, rhythm, diatonic, chromatic, motives FROM melodies"),
            "RRDURRD|EELSEEL| 0 0 -2 1 0 0 -2 | 0 0 -4 2 0 0 -3 |{\"0 0 -2\":2}");
  EXPECT_EQ(test::sql(path, "SELECT motive, count, length FROM motives"), "0 0 -2|2|3");
  EXPECT_EQ(test::sql(path, "SELECT interval, count, round(share, 4) FROM interval_histogram WHERE kind = 'diatonic'"),
            "-2|2|0.2857\n0|4|0.5714\n1|1|0.1429");
  EXPECT_EQ(test::sql(path, "SELECT count(*) FROM melodies WHERE diatonic LIKE '% 0 -2 1 %'"), "1");
}

TEST(StoredFeatures, ChangeAndGoWithTheVoice) {
  Scratch scratch;
  const fs::path path = scratch / "music.db";
  Collection music = open_collection(path);
  must(music.put(tune("a", "C4 1/4 D4 1/4")));
  must(music.put(tune("b", "C4 1/4 E4 1/4")));
  must(music.put(tune("a", "C4 1/4 G4 1/4")));
  EXPECT_EQ(test::sql(path, "SELECT id, range, chromatic FROM melodies ORDER BY id"), "a|7| 7 \nb|4| 4 ");
  EXPECT_EQ(test::sql(path, "SELECT count(*) FROM feature; SELECT count(*) FROM feature_text"), "2\n2");
  must(music.remove("a"));
  EXPECT_EQ(test::sql(path, "SELECT count(*) FROM feature; SELECT count(*) FROM feature_text"), "1\n1");
  must(music.check());
}

TEST(StoredFeatures, ImportWritesOneRowPerVoice) {
  Scratch scratch;
  const std::vector<std::string> paths = {scratch.write("x.jsonl", test::json_lines(0, 50))};
  Collection music = open_collection(scratch / "music.db");
  must(import_paths(music, paths));
  EXPECT_EQ(test::sql(scratch / "music.db", "SELECT count(*) = (SELECT count(*) FROM voice) FROM feature"), "1");
  EXPECT_EQ(test::sql(scratch / "music.db",
                      "SELECT count(*) FROM feature f JOIN voice v ON v.key = f.voice"
                      " WHERE v.piece <> f.piece"),
            "0");
}

/// A file as the version before wrote it: the tables of that version, filled from a file of this one.
void write_version_1(const fs::path& path, const fs::path& present) {
  {
    auto database = must(Database::open(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    must(migrate(database, migrations().first(1)));
  }
  std::string copy = "ATTACH '" + present.string() + "' AS now;";
  for (const char* table : {"import_run", "import_path", "import_file", "removed_voice", "catalogue_number",
                            "piece_field", "source_text"}) {
    copy += std::string("INSERT INTO main.") + table + " SELECT * FROM now." + table + ";";
  }
  copy +=
      "INSERT INTO main.piece SELECT key, id, title, composer, source, library, shelfmark, uri, year, format, file,"
      " record, run, hash FROM now.piece;"
      "INSERT INTO main.voice SELECT key, piece, number, name, note_count, clef, key_signature, musical_key, time, "
      "notes"
      " FROM now.voice;";
  test::sql(path, copy + "INSERT INTO full_text(full_text) VALUES ('rebuild');");
}

TEST(StoredFeatures, OfAnOlderFileAreComputedWhenItIsOpenedForWriting) {
  Scratch scratch;
  constexpr int kPieces = 1500;
  {
    Collection music = open_collection(scratch / "now.db");
    auto batch = must(music.begin());
    for (int i = 0; i < kPieces; ++i) must(music.put(sample(i)));
    must(batch.commit());
  }
  const fs::path path = scratch / "old.db";
  write_version_1(path, scratch / "now.db");
  ASSERT_EQ(test::sql(path, "PRAGMA user_version"), "1");
  EXPECT_EQ(Collection::open(path, OpenMode::read).error().code, "store-older");

  std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
  Collection music = must(Collection::open(
      path, OpenMode::write, [&](std::uint64_t done, std::uint64_t total) { told.emplace_back(done, total); }));
  EXPECT_THAT(
      told, ElementsAre(std::pair(0U, 3000U), std::pair(1000U, 3000U), std::pair(2000U, 3000U), std::pair(3000U, 3000U),
                        std::pair(0U, 1500U), std::pair(1000U, 1500U), std::pair(0U, 1500U), std::pair(1000U, 1500U)))
      << "features of voices, then checksums of pieces, then their CJK bigrams";
  must(music.check());
  EXPECT_EQ(test::sql(path, "PRAGMA user_version"), std::to_string(migrations().size()));
  for (const char* table : {"feature", "feature_text", "melodies"}) {
    const std::string all = std::string("SELECT * FROM ") + table + " ORDER BY 1";
    EXPECT_EQ(test::sql(path, all), test::sql(scratch / "now.db", all)) << table;
  }
  must(music.put(sample(kPieces + 1)));
}

TEST(StoredFeatures, AnUpgradeThatFailsLeavesTheOldFile) {
  Scratch scratch;
  must(open_collection(scratch / "now.db").put(sample(1)));
  const fs::path path = scratch / "old.db";
  write_version_1(path, scratch / "now.db");
  test::sql(path, "UPDATE voice SET notes = x'FFFF' WHERE key = 2");
  EXPECT_FALSE(Collection::open(path, OpenMode::write).has_value());
  EXPECT_EQ(test::sql(path, "PRAGMA user_version; SELECT count(*) FROM sqlite_schema WHERE name = 'feature'"), "1\n0");
}

}  // namespace
}  // namespace rondo
