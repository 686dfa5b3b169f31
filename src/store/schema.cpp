#include "store/schema.h"

#include <string>

#include "store/checked_files.h"
#include "store/cjk_index.h"
#include "store/page_checksum.h"
#include "store/row_checksum.h"
#include "store/schema_features.h"

namespace rondo {
namespace {

// Text that is not known is '' and never NULL, so that a condition such as composer <> 'Anonymous' keeps the pieces
// without a composer, as a person expects.
constexpr const char* kFirst = R"sql(
CREATE TABLE import_run (
  key       INTEGER PRIMARY KEY,
  started   TEXT NOT NULL,
  finished  TEXT,
  outcome   TEXT NOT NULL DEFAULT 'unfinished' CHECK (outcome IN ('unfinished', 'complete', 'stopped', 'failed')),
  paths     TEXT NOT NULL,
  files     INTEGER NOT NULL DEFAULT 0,
  files_unchanged INTEGER NOT NULL DEFAULT 0,
  files_failed    INTEGER NOT NULL DEFAULT 0,
  records   INTEGER NOT NULL DEFAULT 0,
  added     INTEGER NOT NULL DEFAULT 0,
  updated   INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0,
  skipped   INTEGER NOT NULL DEFAULT 0,
  warned    INTEGER NOT NULL DEFAULT 0,
  warnings  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE import_path (
  key         INTEGER PRIMARY KEY,
  path        TEXT NOT NULL UNIQUE,
  run         INTEGER NOT NULL REFERENCES import_run (key),
  size        INTEGER,
  fingerprint TEXT
) STRICT;

CREATE TABLE import_file (
  key      INTEGER PRIMARY KEY,
  location TEXT NOT NULL UNIQUE,
  name     TEXT NOT NULL,
  path     INTEGER NOT NULL REFERENCES import_path (key),
  format   TEXT NOT NULL DEFAULT '',
  records  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE import_problem (
  key      INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL REFERENCES import_run (key),
  path     INTEGER REFERENCES import_path (key),
  severity TEXT NOT NULL CHECK (severity IN ('warning', 'skipped', 'failed')),
  code     TEXT NOT NULL,
  message  TEXT NOT NULL,
  hint     TEXT NOT NULL,
  file     TEXT NOT NULL,
  record   TEXT NOT NULL,
  field    TEXT NOT NULL,
  line     INTEGER NOT NULL,
  column   INTEGER NOT NULL
) STRICT;
CREATE INDEX import_problem_path ON import_problem (path);

CREATE TABLE piece (
  key       INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE CHECK (id <> ''),
  title     TEXT NOT NULL,
  composer  TEXT NOT NULL,
  source    TEXT NOT NULL,
  library   TEXT NOT NULL,
  shelfmark TEXT NOT NULL,
  uri       TEXT NOT NULL,
  year      TEXT NOT NULL,
  format    TEXT NOT NULL,
  file      INTEGER REFERENCES import_file (key),
  record    INTEGER,
  run       INTEGER REFERENCES import_run (key),
  hash      INTEGER NOT NULL
) STRICT;

CREATE TABLE voice (
  key           INTEGER PRIMARY KEY,
  piece         INTEGER NOT NULL REFERENCES piece (key) ON DELETE CASCADE,
  number        INTEGER NOT NULL,
  name          TEXT NOT NULL,
  note_count    INTEGER NOT NULL,
  clef          TEXT NOT NULL,
  key_signature TEXT NOT NULL,
  musical_key   TEXT NOT NULL,
  time          TEXT NOT NULL,
  notes         BLOB NOT NULL,
  UNIQUE (piece, number)
) STRICT;

CREATE TABLE removed_voice (
  key INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE catalogue_number (
  piece    INTEGER NOT NULL REFERENCES piece (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  value    TEXT NOT NULL,
  PRIMARY KEY (piece, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE piece_field (
  piece    INTEGER NOT NULL REFERENCES piece (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name     TEXT NOT NULL,
  value    TEXT NOT NULL,
  PRIMARY KEY (piece, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_text (
  piece INTEGER PRIMARY KEY REFERENCES piece (key) ON DELETE CASCADE,
  text  ANY NOT NULL
) STRICT;

CREATE VIEW piece_words AS
  SELECT p.key, p.title, p.composer, p.source, p.library || ' ' || p.shelfmark AS shelfmark,
    coalesce((SELECT group_concat(value, char(10))
              FROM (SELECT value FROM catalogue_number WHERE piece = p.key ORDER BY position)), '') AS catalogue,
    coalesce((SELECT group_concat(value, char(10))
              FROM (SELECT value FROM piece_field WHERE piece = p.key AND name = 'text' ORDER BY position)), '') AS text,
    coalesce((SELECT group_concat(value, char(10))
              FROM (SELECT value FROM piece_field WHERE piece = p.key AND name <> 'text' ORDER BY position)), '') AS fields
  FROM piece p;

CREATE VIRTUAL TABLE full_text USING fts5 (
  title, composer, source, shelfmark, catalogue, text, fields,
  content = 'piece_words', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2'
);
-- Made for large batches: fewer, larger parts, merged later. A third off the cost of the full text.
INSERT INTO full_text (full_text, rank) VALUES ('hashsize', 8388608);
INSERT INTO full_text (full_text, rank) VALUES ('automerge', 8);

CREATE VIEW pieces AS
  SELECT p.key, p.id, p.title, p.composer, p.source, p.library, p.shelfmark, p.uri, p.year, p.format,
    (SELECT group_concat(value, '; ') FROM (SELECT value FROM catalogue_number WHERE piece = p.key ORDER BY position))
      AS catalogue,
    (SELECT count(*) FROM voice WHERE piece = p.key) AS voices,
    (SELECT coalesce(sum(note_count), 0) FROM voice WHERE piece = p.key) AS notes,
    f.name AS file, p.record, r.started AS imported
  FROM piece p LEFT JOIN import_file f ON f.key = p.file LEFT JOIN import_run r ON r.key = p.run;

CREATE VIEW melodies AS
  SELECT v.key, p.id, v.number AS voice, v.name, v.note_count, v.clef, v.key_signature, v.musical_key, v.time,
    p.title, p.composer, p.source, p.library, p.shelfmark, p.year, p.key AS piece
  FROM voice v JOIN piece p ON p.key = v.piece;

CREATE VIEW problems AS
  SELECT severity, code, file, record, field, line, column, message, hint, r.started AS imported
  FROM import_problem JOIN import_run r ON r.key = import_problem.run;
)sql";

constexpr const char* kChecksums = R"sql(
ALTER TABLE piece ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE voice ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
)sql";

const Migration kMigrations[] = {
    {"pieces, voices, full text, imports", kFirst},    {"features, candidates", kFeatureTables, fill_features},
    {"checksums", kChecksums, fill_checksums},         {"index of CJK bigrams", kCjkTable, fill_cjk_index},
    {"checksums of pages", "", nullptr, add_trailers},
};
static_assert(std::size(kMigrations) == kCheckedCollection);

// Version 4 added only an index: without it, results are the same but take longer. Version 5 changed no table.
constexpr std::int64_t kOldestReadable = 3;

std::int64_t newest() { return static_cast<std::int64_t>(migrations().size()); }

Failure foreign() {
  return fail("store-foreign", "the file is an SQLite database, but not a Rondo collection", {},
              "name another file; this one has not been touched");
}

Failure too_new(std::int64_t version, std::int64_t known) {
  return fail("store-newer",
              "the collection was written by a newer Rondo (version " + std::to_string(version) +
                  " of the tables, this program knows " + std::to_string(known) + ")",
              {}, "use that version, or import into a new file");
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

Result<void> migrate(Database& database, std::span<const Migration> steps, const MigrationWatcher& watch) {
  const auto known = static_cast<std::int64_t>(steps.size());
  for (;;) {
    auto at = read_mark(database);
    if (!at) return fail(std::move(at.error()));
    if (!at->fresh() && at->application != kApplicationId) return foreign();
    if (at->version > known) return too_new(at->version, known);
    if (at->version == known) return {};

    const Migration& step = steps[static_cast<std::size_t>(at->version)];
    if (step.before != nullptr) {
      if (auto done = step.before(database); !done) return done;
    }
    auto transaction = Transaction::begin(database, Transaction::Kind::write);
    if (!transaction) return fail(std::move(transaction.error()));
    auto now = database.number("PRAGMA user_version");
    if (!now) return fail(std::move(now.error()));
    if (*now != at->version) continue;  // another process was faster
    auto done = database.execute(step.sql);
    if (done && step.then != nullptr) done = step.then(database, watch);
    if (done) {
      done = database.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                              "; PRAGMA user_version = " + std::to_string(*now + 1));
    }
    if (done) done = transaction->commit();
    if (!done) return fail(std::move(done.error()));
  }
}

Result<void> check_version(Database& database) {
  auto at = read_mark(database);
  if (!at) return fail(std::move(at.error()));
  if (at->application != kApplicationId) return foreign();
  if (at->version > newest()) return too_new(at->version, newest());
  if (at->version < kOldestReadable) {
    return fail("store-older",
                "the collection was written by an older Rondo (version " + std::to_string(at->version) +
                    " of the tables, this program has " + std::to_string(newest()) + ")",
                {}, "open it once for writing, for instance with: rondo import FILE --db PATH");
  }
  return {};
}

}  // namespace rondo
