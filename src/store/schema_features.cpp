#include "store/schema_features.h"

#include "melody/packed.h"
#include "store/feature_writer.h"

namespace rondo {

// Two tables with one row per voice: numbers, which are small and which a filter checks first, and texts, which are
// read only for the rows that remain. The key of the piece is repeated there so that a filter needs no other table.
//
// The views begin with `feature` and take the others by LEFT JOIN: SQLite omits joins that a query does not need.
const char* const kFeatureTables = R"sql(
CREATE TABLE feature (
  voice              INTEGER PRIMARY KEY REFERENCES voice (key) ON DELETE CASCADE,
  piece              INTEGER NOT NULL,
  notes              INTEGER NOT NULL,
  range              INTEGER NOT NULL,
  range_steps        INTEGER NOT NULL,
  max_interval       INTEGER NOT NULL,
  max_interval_steps INTEGER NOT NULL,
  duration_ratio     REAL NOT NULL,
  lowest             INTEGER NOT NULL,
  highest            INTEGER NOT NULL,
  unisons            INTEGER NOT NULL,
  seconds            INTEGER NOT NULL,
  thirds             INTEGER NOT NULL,
  fourths            INTEGER NOT NULL,
  fifths             INTEGER NOT NULL,
  sixths             INTEGER NOT NULL,
  sevenths           INTEGER NOT NULL,
  octaves            INTEGER NOT NULL,
  larger             INTEGER NOT NULL
) STRICT;

CREATE TABLE feature_text (
  voice     INTEGER PRIMARY KEY REFERENCES voice (key) ON DELETE CASCADE,
  contour   TEXT NOT NULL,
  rhythm    TEXT NOT NULL,
  diatonic  TEXT NOT NULL,
  chromatic TEXT NOT NULL,
  motives   TEXT NOT NULL
) STRICT;

DROP VIEW melodies;
CREATE VIEW melodies AS
  SELECT f.voice AS key, p.id, v.number AS voice, v.name, v.note_count, v.clef, v.key_signature, v.musical_key, v.time,
    p.title, p.composer, p.source, p.library, p.shelfmark, p.year, f.piece,
    f.notes, max(f.notes - 1, 0) AS interval_count, f.range, f.range_steps, f.max_interval, f.max_interval_steps,
    f.duration_ratio, f.lowest, f.highest,
    f.unisons, f.seconds, f.thirds, f.fourths, f.fifths, f.sixths, f.sevenths, f.octaves, f.larger,
    t.contour, t.rhythm, t.diatonic, t.chromatic, t.diatonic || '|' || t.chromatic AS intervals, t.motives
  FROM feature f
    LEFT JOIN feature_text t ON t.voice = f.voice
    LEFT JOIN voice v ON v.key = f.voice
    LEFT JOIN piece p ON p.key = f.piece;

-- " 4 -2 0 " becomes the list [4,-2,0].
CREATE VIEW interval_histogram AS
  SELECT f.voice AS key, 'diatonic' AS kind, e.value AS interval, count(*) AS count,
    count(*) * 1.0 / (f.notes - 1) AS share
  FROM feature f JOIN feature_text t ON t.voice = f.voice
    JOIN json_each('[' || replace(trim(t.diatonic), ' ', ',') || ']') e
  GROUP BY f.voice, e.value
  UNION ALL
  SELECT f.voice, 'chromatic', e.value, count(*), count(*) * 1.0 / (f.notes - 1)
  FROM feature f JOIN feature_text t ON t.voice = f.voice
    JOIN json_each('[' || replace(trim(t.chromatic), ' ', ',') || ']') e
  GROUP BY f.voice, e.value;

CREATE VIEW motives AS
  SELECT t.voice AS key, e.key AS motive, e.value AS count,
    length(e.key) - length(replace(e.key, ' ', '')) + 1 AS length
  FROM feature_text t JOIN json_each(t.motives) e;

CREATE TABLE candidate_set (
  key    INTEGER PRIMARY KEY,
  name   TEXT NOT NULL UNIQUE CHECK (name <> ''),
  made   TEXT NOT NULL,
  recipe TEXT NOT NULL,
  funnel TEXT NOT NULL
) STRICT;

CREATE TABLE candidate (
  candidate_set INTEGER NOT NULL REFERENCES candidate_set (key) ON DELETE CASCADE,
  position      INTEGER NOT NULL,
  id            TEXT NOT NULL,
  voice         INTEGER NOT NULL,
  origin        TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('chosen', 'folded', 'excluded')),
  folded_into   TEXT NOT NULL,
  relation      TEXT NOT NULL CHECK (relation IN ('', 'identical', 'transposition', 'part')),
  PRIMARY KEY (candidate_set, position),
  UNIQUE (candidate_set, id)
) STRICT, WITHOUT ROWID;
)sql";

Result<void> fill_features(Database& database, const MigrationWatcher& watch) {
  auto total = database.number("SELECT count(*) FROM voice");
  if (!total) return fail(std::move(total.error()));
  auto voices = database.prepare("SELECT key, piece, notes FROM voice ORDER BY key");
  if (!voices) return fail(std::move(voices.error()));
  FeatureWriter writer(database);
  Voice voice;
  for (std::uint64_t done = 0;; ++done) {
    constexpr std::uint64_t kTellEvery = 1000;
    if (watch && done % kTellEvery == 0) watch(done, static_cast<std::uint64_t>(*total));
    auto row = voices->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
    auto read = unpack(voices->bytes(2), voice);
    if (read) read = writer.write(voices->integer(0), voices->integer(1), features_of(voice));
    if (!read) return read;
  }
}

}  // namespace rondo
