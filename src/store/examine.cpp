#include <unordered_map>

#include "melody/packed.h"
#include "rondo/store/collection.h"
#include "store/cjk_index.h"
#include "store/feature_writer.h"
#include "store/open.h"
#include "store/piece_reader.h"
#include "store/piece_writer.h"
#include "store/row_checksum.h"
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
    if (auto done = pieces(); !done) return fail(std::move(done.error()));
    if (auto done = features(); !done) return fail(std::move(done.error()));
    return std::move(report_);
  }

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
        continue;
      }
      report_.voices += sums->voices.size();
      auto voices_fit = voices(*sums);
      if (!voices_fit) return fail(std::move(voices_fit.error()));
      if (sums->piece == checksum && *voices_fit && sums->hash == sums->stored_hash) continue;
      const char* what = sums->piece != checksum ? "its description" : *voices_fit ? "its source text" : "its notes";
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

  /// Recomputes the features from the notes, compares them with those stored, and rewrites them if they differ.
  Result<void> features() {
    auto voices = database_.prepare("SELECT key, piece, notes FROM voice ORDER BY key");
    if (!voices) return fail(std::move(voices.error()));
    std::vector<std::pair<std::int64_t, std::int64_t>> wrong;
    for (;;) {
      auto row = voices->step();
      if (!row) return fail(std::move(row.error()));
      if (!*row) break;
      if (!unpack(voices->bytes(2), voice_)) continue;  // reported with its piece
      auto same = FeatureWriter(database_).matches(voices->integer(0), voices->integer(1), features_of(voice_));
      if (!same) return fail(std::move(same.error()));
      if (!*same) wrong.emplace_back(voices->integer(0), voices->integer(1));
    }
    for (const auto& [voice, piece] : wrong) {
      if (repair_) {
        if (auto done = rewrite_features(voice, piece); !done) return done;
      }
      found("features of voice " + std::to_string(voice) + " do not fit its notes", repair_);
    }
    return {};
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
  CheckReport report_;
};

}  // namespace

Result<CheckReport> Collection::examine(bool repair) {
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
