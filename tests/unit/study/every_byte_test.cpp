// Every byte of a collection, an index and a file of studies, damaged one after the other: the damage is noticed, or
// all that can be read is the same. RONDO_EVERY_BYTE=1 tries all bytes, else some hundred of each file.

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "search/index.h"
#include "search/search.h"
#include "store/backup.h"
#include "store/sqlite.h"
#include "study/votes.h"
#include "study_support.h"
#include "support/lines.h"
#include "support/rounds.h"
#include "support/scratch.h"

namespace rondo::study {
namespace {

namespace fs = std::filesystem;
using rondo::test::must;
using rondo::test::open_collection;
using rondo::test::sample;

std::string content_of(const fs::path& path) {
  std::string bytes(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

void replace(const fs::path& path, const std::string& bytes) {
  for (const char* companion : {"-wal", "-shm"}) fs::remove(path.string() + companion);
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// The rows of a query, each column by its bytes.
Result<std::vector<std::vector<std::string>>> rows_of(Database& database, const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, Finalize> statement(raw);
  std::vector<std::vector<std::string>> rows;
  while (code == SQLITE_OK && (code = sqlite3_step(raw)) == SQLITE_ROW) {
    auto& row = rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(raw); ++i) {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(raw, i));
      row.emplace_back(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_column_bytes(raw, i)));
    }
    code = SQLITE_OK;
  }
  if (code != SQLITE_DONE) return fail(sqlite_error(database.handle(), code));
  return rows;
}

/// Every row of every table, and the schema. An error is as good a sign of damage as a finding.
Result<std::string> dump(const fs::path& path) {
  auto database = Database::open(path.string(), SQLITE_OPEN_READONLY);
  if (!database) return fail(database.error());
  auto schema = rows_of(*database, "SELECT name, type, sql FROM sqlite_schema");
  if (!schema) return fail(schema.error());
  std::string out;
  for (const std::vector<std::string>& object : *schema) {
    out += object[0] + '|' + object[1] + '|' + object[2] + '\n';
    // The rows of cjk_bigram are those of its own tables.
    if ((object[1] != "table" && object[1] != "view") || object[0] == "cjk_bigram") continue;
    auto rows = rows_of(*database, "SELECT * FROM \"" + object[0] + "\"");
    if (!rows) return fail(rows.error());
    for (const std::vector<std::string>& row : *rows) {
      for (const std::string& column : row) (out += '|') += column;
      out += '\n';
    }
  }
  return out;
}

class EveryByte : public testing::Test {
 protected:
  EveryByte() : collection_(scratch_ / "music.db"), index_(Index::path_for(collection_)) {
    studies_ = Studies::path_for(collection_);
    {
      Collection music = open_collection(collection_);
      auto batch = must(music.begin());
      for (int i = 0; i < 12; ++i) must(music.put(sample(i)));
      must(batch.commit());
      must(music.remove("id3"));
      EXPECT_TRUE(Index::update(music, index_));
    }
    Study study = test::small_study();
    study.participants = {test::voter(1, study, {2, 0, 1}), test::voter(2, study, {0, 1}),
                          test::voter(3, study, {3, 2, 1, 0})};
    must(must(Studies::open(collection_, OpenMode::create)).add(study, "test"));
  }

  [[nodiscard]] static std::size_t stride() {
    const bool all = std::getenv("RONDO_EVERY_BYTE") != nullptr;  // NOLINT(concurrency-mt-unsafe): nothing sets any
    return all ? 1 : rondo::test::kSanitized ? 1499 : 199;
  }

  /// Damages the file byte after byte. `noticed`: what a check says; `read`: all that can be read.
  template <typename Noticed, typename Read>
  static void damage(const fs::path& path, const Noticed& noticed, const Read& read) {
    const std::string original = content_of(path);
    ASSERT_FALSE(noticed()) << "nothing is damaged yet";
    const Result<std::string> all = read();
    ASSERT_TRUE(all.has_value()) << all.error().to_string();
    ASSERT_FALSE(all->empty());
    std::size_t tried = 0;
    std::size_t seen = 0;
    for (std::size_t at = 0; at < original.size(); at += stride()) {
      std::string bytes = original;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at * 2654435761U >> 13U & 7U)));
      replace(path, bytes);
      ++tried;
      const Result<std::string> now = read();
      if (noticed()) {
        ++seen;
      } else {
        ASSERT_TRUE(now.has_value()) << "byte " << at << " of " << path.filename() << ": " << now.error().to_string();
        ASSERT_EQ(*now, *all) << "byte " << at << " of " << path.filename();
      }
    }
    replace(path, original);
    EXPECT_GT(seen, tried / 2);
  }

  Scratch scratch_;
  fs::path collection_;
  fs::path index_;
  fs::path studies_;
};

TEST_F(EveryByte, OfACollectionIsNoticedByTheCheck) {
  damage(
      collection_,
      [&] {
        auto music = Collection::open(collection_, OpenMode::read);
        if (!music) return true;
        auto report = music->examine(false);
        return !report || !report->sound();
      },
      [&]() -> Result<std::string> {
        auto music = Collection::open(collection_, OpenMode::read);
        if (!music) return fail(music.error());
        (void)music->each_piece([](const StoredPiece&) { return true; });
        auto hits = music->find("menuet telemann", 10, 0);
        if (!hits) return fail(hits.error());
        auto out = dump(collection_);
        if (!out) return out;
        for (const TextHit& hit : *hits) *out += hit.id + '\n';
        return out;
      });
}

TEST_F(EveryByte, OfAFileOfStudiesIsNoticedByTheCheckAndWhenAStudyIsLoaded) {
  std::string votes;
  damage(
      studies_, [&] { return !Studies::examine(collection_); },
      [&]() -> Result<std::string> {
        auto studies = Studies::open(collection_, OpenMode::read);
        if (!studies) return fail(studies.error());
        auto study = studies->load("castle", true);
        if (!study) return fail(study.error());
        const std::string now = votes_csv(*study);
        if (votes.empty()) votes = now;
        EXPECT_EQ(now, votes) << "a truth must not change in silence";
        auto out = dump(studies_);
        if (out) *out += now;
        return out;
      });
}

TEST_F(EveryByte, OfAFileOfStudiesOfTheVersionBeforeNeverChangesATruth) {
  // It has checksums of rows alone; when it is opened, it is verified and gets those of pages.
  const std::string original = content_of(RONDO_SOURCE_DIR "/tests/kept/1/collection.db.studies");
  const auto votes_now = [&]() -> Result<std::string> {
    auto studies = Studies::open(collection_, OpenMode::read);
    if (!studies) return fail(studies.error());
    auto study = studies->load("kept", true);
    if (!study) return fail(study.error());
    return votes_csv(*study);
  };
  replace(studies_, original);
  const std::string votes = must(votes_now());
  EXPECT_EQ(std::count(votes.begin(), votes.end(), '\n'), 7) << votes;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < original.size(); at += 4 * stride()) {
    std::string bytes = original;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at * 2654435761U >> 13U & 7U)));
    replace(studies_, bytes);
    const auto now = votes_now();
    if (!now) {
      ++refused;
    } else {
      ASSERT_EQ(*now, votes) << "byte " << at;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST_F(EveryByte, OfAnIndexIsNoticedOrChangesNoList) {
  const Line query = make_line(sample(4).voices.front());
  damage(
      index_, [&] { return !Index::open(index_); },
      [&]() -> Result<std::string> {
        auto index = Index::open(index_);
        if (!index) return fail(index.error());
        std::string out;
        const auto system = system_named("shapeh");
        teach(*index, *system);
        const SearchResult found =
            search(*index, *find_system("shapeh"), *system, query, {.k = 5}, [](PieceKey) { return "x"; });
        for (const auto& hit : found.hits) {
          out += std::to_string(static_cast<std::int64_t>(hit.piece)) + ' ' + std::to_string(hit.score.value) + '\n';
        }
        return out;
      });
}

}  // namespace
}  // namespace rondo::study
