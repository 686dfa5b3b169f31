#include <algorithm>
#include <array>
#include <unordered_map>

#include "melody/packed.h"
#include "rondo/store/collection.h"
#include "store/checked_files.h"
#include "store/cjk_index.h"
#include "store/compare_schema.h"
#include "store/feature_writer.h"
#include "store/open.h"
#include "store/piece_reader.h"
#include "store/piece_writer.h"
#include "store/row_checksum.h"
#include "store/schema.h"
#include "store/sqlite.h"

namespace rondo {
namespace {

constexpr std::size_t kMostFindings = 1000;  ///< listed at most; a broken disk has more

/// Checks a collection and records inconsistencies.
class Examination {
 public:
  Examination(Collection& collection, bool repair)
      : collection_(collection), database_(database_of(collection)), reader_(database_), repair_(repair) {}

  Result<CheckReport> run() {
    if (auto done = pages(); !done) return fail(std::move(done.error()));
    if (auto done = schema(); !done) return fail(std::move(done.error()));
    if (auto done = pieces(); !done) return fail(std::move(done.error()));
    if (auto done = features(); !done) return fail(std::move(done.error()));
    return std::move(report_);
  }

  /// How many pieces and voices were found damaged.
  [[nodiscard]] std::size_t damaged_rows() const { return damaged_rows_; }

  /// Not within a transaction that only reads.
  static Result<void> words(Database& database, bool repair, CheckReport& report) {
    // The check is itself written as an INSERT.
    if (sqlite3_db_readonly(database.handle(), "main") == 1) return {};
    auto done = database.execute("INSERT INTO full_text (full_text, rank) VALUES ('integrity-check', 1)");
    if (!done && done.error().code != "store-corrupt") return done;
    if (!done) {
      if (repair) {
        if (auto made = database.execute("INSERT INTO full_text (full_text) VALUES ('rebuild')"); !made) return made;
      }
      report.findings.push_back({"the full text does not agree with the pieces", repair});
    }
    auto agrees = cjk_index_agrees(database);
    if (!agrees) return fail(std::move(agrees.error()));
    if (*agrees) return {};
    if (repair) {
      if (auto made = rebuild_cjk_index(database); !made) return made;
    }
    report.findings.push_back({"the index of CJK bigrams does not agree with the pieces", repair});
    return {};
  }

 private:
  void found(std::string what, bool repaired = false) {
    if (report_.findings.size() < kMostFindings) report_.findings.push_back({std::move(what), repaired});
  }

  /// The checks of SQLite itself: pages, indexes, references.
  Result<void> pages() {
    auto done = each_row(database_, "PRAGMA integrity_check(100)", [&](const Statement& row) -> Result<void> {
      if (row.bytes(0) != "ok") found("the file: " + std::string(row.bytes(0)));
      return {};
    });
    if (!done && done.error().code == "store-corrupt") {
      found(done.error().message);
      return {};
    }
    if (!done) return done;
    return each_row(database_,
                    "SELECT \"table\" || ' ' || coalesce(rowid, '') || ' points to no ' || parent"
                    " FROM pragma_foreign_key_check LIMIT 100",
                    [&](const Statement& row) -> Result<void> {
                      found(std::string(row.bytes(0)));
                      return {};
                    });
  }

  /// Compares the schema with that of a new file of the same version.
  Result<void> schema() {
    auto version = database_.number("PRAGMA user_version");
    if (!version) return fail(std::move(version.error()));
    auto fresh = Database::open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    if (!fresh) return fail(std::move(fresh.error()));
    const auto steps = migrations().first(std::min(static_cast<std::size_t>(*version), migrations().size()));
    if (auto done = migrate(*fresh, steps); !done) return done;
    auto differences = compare_schema(database_, *fresh);
    if (!differences) return fail(std::move(differences.error()));
    for (std::string& difference : *differences) found(std::move(difference));
    return {};
  }

  Result<void> pieces() {
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    auto done = each_row(database_, "SELECT key, checksum FROM piece", [&](const Statement& row) -> Result<void> {
      all.emplace_back(row.integer(0), row.integer(1));
      return {};
    });
    if (!done) return done;
    for (const auto& [key, checksum] : all) {
      ++report_.pieces;
      auto sums = reader_.compute(PieceKey{key});
      if (!sums) {
        found("piece number " + std::to_string(key) + ": " + sums.error().message);
        ++damaged_rows_;
        continue;
      }
      report_.voices += sums->voices.size();
      auto voices_fit = voices(*sums);
      if (!voices_fit) return fail(std::move(voices_fit.error()));
      if (sums->piece == checksum && *voices_fit && sums->hash == sums->stored_hash) continue;
      const char* what = sums->piece != checksum ? "its description" : *voices_fit ? "its source text" : "its notes";
      ++damaged_rows_;
      auto marked = mark(key);
      if (!marked) return fail(std::move(marked.error()));
      found("piece " + name_of(key) + ": " + what + " changed on the disk" +
            (*marked ? "; the next import of its file replaces it" : "; restore it from a backup"));
    }
    return {};
  }

  Result<bool> voices(const PieceReader::Sums& sums) {
    bool fit = true;
    for (const auto& [voice, sum] : sums.voices) {
      auto done = each_row(
          database_, "SELECT checksum, notes FROM voice WHERE key = ?1",
          [&](const Statement& row) -> Result<void> {
            fit = fit && row.integer(0) == sum && unpack(row.bytes(1), voice_).has_value();
            return {};
          },
          voice);
      if (!done) return fail(std::move(done.error()));
    }
    return fit;
  }

  std::string name_of(std::int64_t key) {
    auto id = collection_.id_of(PieceKey{key});
    return id ? "'" + *id + "'" : "number " + std::to_string(key);
  }

  /// Marks a piece so that the next import of its file replaces it. False: it came from no file, or the collection is
  /// read-only.
  Result<bool> mark(std::int64_t key) {
    if (!repair_) return false;
    auto done = database_.run("UPDATE piece SET hash = 0 WHERE key = ?1", key);
    if (done) {
      done = database_.run(
          "UPDATE import_path SET fingerprint = NULL WHERE key ="
          " (SELECT f.path FROM piece p JOIN import_file f ON f.key = p.file WHERE p.key = ?1)",
          key);
    }
    if (!done) return fail(std::move(done.error()));
    auto file = database_.query("SELECT file IS NOT NULL FROM piece WHERE key = ?1", key);
    if (!file) return fail(std::move(file.error()));
    const ResetLater later(**file);
    auto row = (*file)->step();
    if (!row) return fail(std::move(row.error()));
    return *row && (*file)->integer(0) != 0;
  }

  /// Recomputes what is stored with a voice from its notes, compares, and rewrites it if it differs.
  Result<void> features() {
    auto voices = database_.prepare(
        "SELECT key, piece, notes, name, clef, key_signature, musical_key, time, number, note_count, checksum FROM "
        "voice"
        " ORDER BY key");
    if (!voices) return fail(std::move(voices.error()));
    std::vector<std::pair<std::int64_t, std::int64_t>> wrong;
    std::vector<std::int64_t> described_wrong;
    for (;;) {
      auto row = voices->step();
      if (!row) return fail(std::move(row.error()));
      if (!*row) break;
      // Damaged notes are reported with their piece; nothing is made of them.
      const bool whole = voice_checksum(voices->integer(1), voices->integer(8), voices->integer(9), voices->bytes(2)) ==
                         voices->integer(10);
      if (!whole || !unpack(voices->bytes(2), voice_)) continue;
      const Features features = features_of(voice_);
      const bool described = voices->bytes(3) == voice_.name && voices->bytes(4) == features.clef &&
                             voices->bytes(5) == features.key_signature && voices->bytes(6) == features.key &&
                             voices->bytes(7) == features.time;
      if (!described) described_wrong.push_back(voices->integer(0));
      auto same = FeatureWriter(database_).matches(voices->integer(0), voices->integer(1), features);
      if (!same) return fail(std::move(same.error()));
      if (!*same) wrong.emplace_back(voices->integer(0), voices->integer(1));
    }
    for (const auto& [voice, piece] : wrong) {
      if (repair_) {
        if (auto done = rewrite_features(voice, piece); !done) return done;
      }
      found("features of voice " + std::to_string(voice) + " do not fit its notes", repair_);
    }
    for (const std::int64_t voice : described_wrong) {
      ++damaged_rows_;
      if (repair_) {
        if (auto done = describe(voice); !done) return done;
      }
      found("name, clef, key or time of voice " + std::to_string(voice) + " do not fit its notes", repair_);
    }
    return {};
  }

  Result<void> describe(std::int64_t voice) {
    auto done = each_row(
        database_, "SELECT notes FROM voice WHERE key = ?1",
        [&](const Statement& row) { return unpack(row.bytes(0), voice_); }, voice);
    if (!done) return done;
    const Features features = features_of(voice_);
    return database_.run(
        "UPDATE voice SET name = ?2, clef = ?3, key_signature = ?4, musical_key = ?5, time = ?6 WHERE key = ?1", voice,
        voice_.name, features.clef, features.key_signature, features.key, features.time);
  }

  Result<void> rewrite_features(std::int64_t voice, std::int64_t piece) {
    auto done = database_.run("DELETE FROM feature WHERE voice = ?1", voice);
    if (done) done = database_.run("DELETE FROM feature_text WHERE voice = ?1", voice);
    if (done) {
      done = each_row(
          database_, "SELECT notes FROM voice WHERE key = ?1",
          [&](const Statement& row) { return unpack(row.bytes(0), voice_); }, voice);
    }
    if (done) done = FeatureWriter(database_).write(voice, piece, features_of(voice_));
    return done;
  }

  Collection& collection_;
  Database& database_;
  PieceReader reader_;
  Voice voice_;
  bool repair_;
  std::size_t damaged_rows_ = 0;
  CheckReport report_;
};

/// What lies on a page, as far as repairs are concerned.
enum class Content : std::uint8_t {
  derived,  ///< can be made anew from other rows, or is not in use
  pieces,   ///< rows with checksums of their own
  other,
};

struct DamagedPage {
  std::uint32_t number = 0;
  std::string owner;  ///< the table or index
  Content content = Content::derived;
};

Content content_of(std::string_view owner, bool index) {
  constexpr std::array<std::string_view, 5> kPieces = {"piece", "voice", "catalogue_number", "piece_field",
                                                       "source_text"};
  if (std::find(kPieces.begin(), kPieces.end(), owner) != kPieces.end()) return Content::pieces;
  const bool derived = index || owner == "feature" || owner == "feature_text" || owner.starts_with("full_text_") ||
                       owner.starts_with("cjk_bigram_");
  return derived ? Content::derived : Content::other;
}

/// Damaged pages of a collection: what they hold, and whether it can be put right.
class DamagedPages {
 public:
  DamagedPages(Collection& collection, const std::vector<std::uint32_t>& pages)
      : collection_(collection), database_(database_of(collection)), tolerant_(database_) {
    for (const std::uint32_t number : pages) pages_.push_back({number, {}, Content::other});
    find_owners();
  }

  Result<CheckReport> run(bool repair) {
    bool located = false;
    auto report = look(located);
    if (!report) report = CheckReport{};
    const bool repairable = std::all_of(pages_.begin(), pages_.end(), [&](const DamagedPage& page) {
      return page.content == Content::derived || (page.content == Content::pieces && located);
    });
    if (repair && repairable) {
      if (auto repaired = rebuild()) return add_pages(std::move(*repaired), true);
    }
    return add_pages(std::move(*report), false);
  }

 private:
  /// `located`: a damaged piece was found.
  Result<CheckReport> look(bool& located) {
    auto still = collection_.snapshot();
    if (!still) return fail(std::move(still.error()));
    Examination examination(collection_, false);
    auto report = examination.run();
    located = examination.damaged_rows() > 0;
    return report;
  }

  void find_owners() {
    std::unordered_map<std::int64_t, std::string> owners;
    auto done = each_row(database_, "SELECT pageno, name FROM dbstat", [&](const Statement& row) -> Result<void> {
      owners.try_emplace(row.integer(0), row.bytes(1));
      return {};
    });
    std::vector<std::string> indexes;
    if (done) {
      done = each_row(database_, "SELECT name FROM sqlite_schema WHERE type = 'index'",
                      [&](const Statement& row) -> Result<void> {
                        indexes.emplace_back(row.bytes(0));
                        return {};
                      });
    }
    if (!done) return;  // nothing is known, so nothing is repaired
    for (DamagedPage& page : pages_) {
      page.owner = owners[page.number];
      const bool index = std::find(indexes.begin(), indexes.end(), page.owner) != indexes.end();
      page.content = page.owner.empty() ? Content::derived : content_of(page.owner, index);
    }
  }

  /// Makes what is derived anew and marks damaged pieces for the next import. An error: the file is as it was.
  Result<CheckReport> rebuild() {
    auto report = rebuild_rows();
    if (!report) return report;
    std::vector<std::uint32_t> numbers;
    numbers.reserve(pages_.size());
    for (const DamagedPage& page : pages_) numbers.push_back(page.number);
    if (auto done = accept_pages(database_, numbers); !done) return fail(std::move(done.error()));
    return report;
  }

  Result<CheckReport> rebuild_rows() {
    auto batch = collection_.begin();
    if (!batch) return fail(std::move(batch.error()));
    auto done = database_.execute("REINDEX; INSERT INTO full_text (full_text) VALUES ('rebuild')");
    if (done) done = rebuild_cjk_index(database_);
    if (!done) return fail(std::move(done.error()));
    auto report = Examination(collection_, true).run();
    if (!report) return report;
    auto sound = database_.text("PRAGMA integrity_check(1)");
    if (!sound) return fail(std::move(sound.error()));
    if (*sound != "ok") return fail("store-corrupt", *sound);
    done = batch->commit();
    if (!done) return fail(std::move(done.error()));
    return report;
  }

  [[nodiscard]] CheckReport add_pages(CheckReport report, bool repaired) const {
    for (const DamagedPage& page : pages_) {
      if (report.findings.size() >= kMostFindings) break;
      report.findings.push_back({"page " + std::to_string(page.number) +
                                     (page.owner.empty() ? "" : " (" + page.owner + ")") + " is not as Rondo wrote it" +
                                     (repaired ? "" : "; restore the collection from a backup"),
                                 repaired});
    }
    return report;
  }

  Collection& collection_;
  Database& database_;
  TolerateDamage tolerant_;
  std::vector<DamagedPage> pages_;
};

}  // namespace

Result<CheckReport> Collection::examine(bool repair) {
  auto pages = scan_pages(database_of(*this));
  if (!pages) return fail(std::move(pages.error()));
  if (!pages->damaged.empty()) return DamagedPages(*this, pages->damaged).run(repair);
  Result<CheckReport> report;
  if (repair) {
    auto batch = begin();
    if (!batch) return fail(std::move(batch.error()));
    report = Examination(*this, true).run();
    if (report) {
      if (auto done = Examination::words(database_of(*this), true, *report); !done)
        return fail(std::move(done.error()));
      if (auto done = batch->commit(); !done) return fail(std::move(done.error()));
    }
    return report;
  }
  {
    auto still = snapshot();
    if (!still) return fail(std::move(still.error()));
    report = Examination(*this, false).run();
  }
  if (!report) return report;
  if (auto done = Examination::words(database_of(*this), false, *report); !done) return fail(std::move(done.error()));
  return report;
}

Result<void> Collection::check() {
  auto report = examine(false);
  if (!report) return fail(std::move(report.error()));
  if (report->sound()) return {};
  return fail("store-corrupt", "the collection's file is damaged: " + report->findings.front().what, {},
              "'rondo check' lists all damage");
}

}  // namespace rondo
