#include "study/schema.h"

#include <fmt/format.h>

#include <string>

#include "store/checked_files.h"
#include "store/page_checksum.h"
#include "study/checksum.h"

namespace rondo::study {
namespace {

// Released steps never change: a new requirement is a new step. Times are UTC, as text; '' means never. docs/studies.md
// explains the tables.
constexpr const char* kFirst = R"sql(
CREATE TABLE secret (
  key   INTEGER PRIMARY KEY CHECK (key = 1),
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE researcher (
  key  INTEGER PRIMARY KEY CHECK (key = 1),
  hash TEXT NOT NULL,
  made TEXT NOT NULL
) STRICT;

-- changes: counts whatever changes what the study's tables show; keys are never used again.
CREATE TABLE study (
  key          INTEGER PRIMARY KEY AUTOINCREMENT,
  name         TEXT NOT NULL UNIQUE,
  title        TEXT NOT NULL,
  instructions TEXT NOT NULL,
  consent      TEXT NOT NULL,
  ties         INTEGER NOT NULL CHECK (ties IN (0, 1)),
  plant_query  INTEGER NOT NULL CHECK (plant_query IN (0, 1)),
  simulated    INTEGER NOT NULL CHECK (simulated IN (0, 1)),
  state        TEXT NOT NULL CHECK (state IN ('draft', 'open', 'closed')),
  seed         INTEGER NOT NULL,
  created      TEXT NOT NULL,
  open_link    BLOB UNIQUE,
  changes      INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE query (
  key           INTEGER PRIMARY KEY,
  study         INTEGER NOT NULL REFERENCES study (key) ON DELETE CASCADE,
  number        INTEGER NOT NULL,
  label         TEXT NOT NULL,
  candidate_set TEXT NOT NULL,
  id            TEXT NOT NULL,
  melody        TEXT NOT NULL,
  UNIQUE (study, number)
) STRICT;

CREATE TABLE candidate (
  key     INTEGER PRIMARY KEY,
  query   INTEGER NOT NULL REFERENCES query (key) ON DELETE CASCADE,
  number  INTEGER NOT NULL,
  code    TEXT NOT NULL,
  planted INTEGER NOT NULL CHECK (planted IN (0, 1)),
  id      TEXT NOT NULL,
  melody  TEXT NOT NULL,
  folded  TEXT NOT NULL,
  UNIQUE (query, number),
  UNIQUE (query, code)
) STRICT;

CREATE TABLE participant (
  key        INTEGER PRIMARY KEY,
  study      INTEGER NOT NULL REFERENCES study (key) ON DELETE CASCADE,
  number     INTEGER NOT NULL,
  label      TEXT NOT NULL,
  origin     TEXT NOT NULL,
  code_hash  BLOB UNIQUE,
  joined     TEXT NOT NULL DEFAULT '',
  last_seen  TEXT NOT NULL DEFAULT '',
  consented  TEXT NOT NULL DEFAULT '',
  background TEXT NOT NULL DEFAULT '',
  UNIQUE (study, number)
) STRICT;

CREATE TABLE answer (
  participant INTEGER NOT NULL REFERENCES participant (key) ON DELETE CASCADE,
  query       INTEGER NOT NULL REFERENCES query (key) ON DELETE CASCADE,
  version     INTEGER NOT NULL,
  ranking     TEXT NOT NULL,
  done        INTEGER NOT NULL CHECK (done IN (0, 1)),
  saved       TEXT NOT NULL,
  PRIMARY KEY (participant, query)
) STRICT, WITHOUT ROWID;

-- Only ever added to.
CREATE TABLE move (
  key         INTEGER PRIMARY KEY,
  participant INTEGER NOT NULL REFERENCES participant (key) ON DELETE CASCADE,
  query       INTEGER NOT NULL REFERENCES query (key) ON DELETE CASCADE,
  save        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  ranking     TEXT NOT NULL,
  done        INTEGER NOT NULL CHECK (done IN (0, 1)),
  at          TEXT NOT NULL,
  UNIQUE (participant, query, save),
  UNIQUE (participant, query, version)
) STRICT;

CREATE TABLE session (
  hash        BLOB PRIMARY KEY,
  participant INTEGER REFERENCES participant (key) ON DELETE CASCADE,
  csrf        TEXT NOT NULL,
  expires     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  key    INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  who    TEXT NOT NULL,
  study  TEXT NOT NULL,
  what   TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
)sql";

// excluded: why a participant's answers do not count; '' if they do. withdrawn: how many participants withdrew.
constexpr const char* kPeople = R"sql(
ALTER TABLE participant ADD COLUMN excluded TEXT NOT NULL DEFAULT '';
ALTER TABLE study ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;
)sql";

// Decisions on candidates of sets that no study has been made of yet; see study/picks.h.
constexpr const char* kPicks = R"sql(
CREATE TABLE pick (
  candidate_set TEXT NOT NULL,
  query         TEXT NOT NULL,
  id            TEXT NOT NULL,
  pick          TEXT NOT NULL CHECK (pick IN ('keep', 'drop')),
  at            TEXT NOT NULL,
  checksum      INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (candidate_set, query, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER pick_inserted AFTER INSERT ON pick BEGIN
  UPDATE pick SET checksum = row_checksum(candidate_set, query, id, pick, at)
  WHERE candidate_set = NEW.candidate_set AND query = NEW.query AND id = NEW.id;
END;
)sql";

// Version 5 gives pages their checksums.
constexpr std::int64_t kNewest = kCheckedStudies;

std::string step(std::int64_t version) {
  switch (version) {
    case 0: return kFirst;
    case 1: return kPeople;
    case 2: return checksum_step();
    case 3: return kPicks;
    default: return "";
  }
}

Result<void> take_step(Database& database, std::int64_t version) {
  if (version + 1 == kCheckedStudies) {
    if (auto done = add_trailers(database); !done) return done;
  }
  auto transaction = Transaction::begin(database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto now = database.number("PRAGMA user_version");
  if (!now) return fail(std::move(now.error()));
  if (*now != version) return {};  // another process was faster
  auto done = database.execute(step(version));
  if (done) {
    done =
        database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kStudiesId, version + 1));
  }
  return done ? transaction->commit() : done;
}

}  // namespace

Result<void> migrate(Database& database) {
  for (;;) {
    auto mark = read_mark(database);
    if (!mark) return fail(std::move(mark.error()));
    if (!mark->fresh() && mark->application != kStudiesId) {
      return fail("store-foreign", "the file is an SQLite database, but not one of Rondo's studies", {},
                  "move it away; it has not been touched");
    }
    if (mark->version > kNewest) {
      return fail("store-newer", "the studies were written by a newer version of Rondo", {}, "use that version");
    }
    if (mark->version == kNewest) return {};
    if (auto done = take_step(database, mark->version); !done) return done;
  }
}

}  // namespace rondo::study
