#include "study/checksum.h"

#include <fmt/format.h>

#include "store/content_hash.h"

namespace rondo::study {
namespace {

// Columns that a checksum covers: questions, participants and answers. Not covered: columns that change with every
// visit and do not affect results (last_seen, changes), and secrets, which are hashes already.
#define RONDO_STUDY_COLUMNS \
  "key, name, title, instructions, consent, ties, plant_query, simulated, state, seed, created, withdrawn"
#define RONDO_QUERY_COLUMNS "key, study, number, label, candidate_set, id, melody"
#define RONDO_CANDIDATE_COLUMNS "key, query, number, code, planted, id, melody, folded"
#define RONDO_PARTICIPANT_COLUMNS "key, study, number, label, origin, consented, background, excluded"
#define RONDO_ANSWER_COLUMNS "participant, query, version, ranking, done, saved"
#define RONDO_MOVE_COLUMNS "key, participant, query, save, version, ranking, done, at"

struct Covered {
  const char* table;
  const char* columns;
  const char* row;  ///< how a trigger finds the row
};
constexpr Covered kCovered[] = {
    {"study", RONDO_STUDY_COLUMNS, "key = NEW.key"},
    {"query", RONDO_QUERY_COLUMNS, "key = NEW.key"},
    {"candidate", RONDO_CANDIDATE_COLUMNS, "key = NEW.key"},
    {"participant", RONDO_PARTICIPANT_COLUMNS, "key = NEW.key"},
    {"answer", RONDO_ANSWER_COLUMNS, "participant = NEW.participant AND query = NEW.query"},
    {"move", RONDO_MOVE_COLUMNS, "key = NEW.key"},
};

/// Over type and bytes of every argument; it is stored in files, so its definition never changes.
void row_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  ContentHash hash;
  for (int i = 0; i < count; ++i) {
    hash.count(static_cast<std::uint64_t>(sqlite3_value_type(values[i])));
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(values[i]));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(values[i]));
    hash.text(bytes == nullptr ? std::string_view() : std::string_view(bytes, size));
  }
  sqlite3_result_int64(context, hash.value());
}

Result<void> expect_none(Database& database, const char* sql, std::int64_t key, const char* what) {
  std::int64_t wrong = 0;
  auto done = each_row(
      database, sql,
      [&](const Statement& row) -> Result<void> {
        wrong = row.integer(0);
        return {};
      },
      key);
  if (!done) return done;
  if (wrong == 0) return {};
  return fail("store-corrupt",
              fmt::format("the file of the studies is damaged: {} of {} do not fit their checksums", wrong, what), {},
              "restore it from a backup: rondo backup --restore COPY FILE");
}

}  // namespace

Result<void> register_checksum(Database& database) {
  const int code = sqlite3_create_function_v2(database.handle(), "row_checksum", -1,
                                              SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                              row_checksum, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(sqlite_error(database.handle(), code));
  return {};
}

const std::string& checksum_step() {
  static const std::string step = [] {
    std::string sql;
    for (const Covered& c : kCovered) {
      const std::string set =
          fmt::format("UPDATE {} SET checksum = row_checksum({}) WHERE {}", c.table, c.columns, c.row);
      sql += fmt::format(
          "ALTER TABLE {0} ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;\n"
          "UPDATE {0} SET checksum = row_checksum({1});\n"
          "CREATE TRIGGER {0}_inserted AFTER INSERT ON {0} BEGIN {2}; END;\n"
          "CREATE TRIGGER {0}_updated AFTER UPDATE OF {1} ON {0} BEGIN {2}; END;\n",
          c.table, c.columns, set);
    }
    return sql;
  }();
  return step;
}

Result<void> verify_query(Database& database, std::int64_t query) {
  auto done = expect_none(
      database, "SELECT count(*) FROM query WHERE key = ?1 AND checksum <> row_checksum(" RONDO_QUERY_COLUMNS ")",
      query, "the queries");
  if (!done) return done;
  return expect_none(
      database,
      "SELECT count(*) FROM candidate WHERE query = ?1 AND checksum <> row_checksum(" RONDO_CANDIDATE_COLUMNS ")",
      query, "the candidates");
}

Result<void> verify_study(Database& database, std::int64_t study) {
  auto done = expect_none(
      database, "SELECT count(*) FROM study WHERE key = ?1 AND checksum <> row_checksum(" RONDO_STUDY_COLUMNS ")",
      study, "the settings");
  if (done) {
    done = expect_none(database,
                       "SELECT count(*) FROM participant WHERE study = ?1 AND checksum <>"
                       " row_checksum(" RONDO_PARTICIPANT_COLUMNS ")",
                       study, "the participants");
  }
  if (done) {
    done = expect_none(database,
                       "SELECT count(*) FROM answer WHERE participant IN (SELECT key FROM participant WHERE study = ?1)"
                       " AND checksum <> row_checksum(" RONDO_ANSWER_COLUMNS ")",
                       study, "the answers");
  }
  if (done) {
    done = expect_none(database,
                       "SELECT count(*) FROM move WHERE participant IN (SELECT key FROM participant WHERE study = ?1)"
                       " AND checksum <> row_checksum(" RONDO_MOVE_COLUMNS ")",
                       study, "the moves");
  }
  return done;
}

}  // namespace rondo::study
