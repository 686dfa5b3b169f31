#include "store/postgresql/tables.h"

namespace rondo::postgresql {
namespace {

constexpr ColumnKind kInteger = ColumnKind::integer;
constexpr ColumnKind kText = ColumnKind::text;
constexpr ColumnKind kBytes = ColumnKind::bytes;

constexpr Column kImportRun[] = {
    {"key", kInteger},     {"started", kText},   {"finished", kText},           {"outcome", kText},
    {"paths", kText},      {"files", kInteger},  {"files_unchanged", kInteger}, {"files_failed", kInteger},
    {"records", kInteger}, {"added", kInteger},  {"updated", kInteger},         {"unchanged", kInteger},
    {"skipped", kInteger}, {"warned", kInteger}, {"warnings", kInteger},
};
constexpr Column kImportPath[] = {
    {"key", kInteger}, {"path", kText}, {"run", kInteger}, {"size", kInteger}, {"fingerprint", kText}};
constexpr Column kImportFile[] = {{"key", kInteger},  {"location", kText}, {"name", kText},
                                  {"path", kInteger}, {"format", kText},   {"records", kInteger}};
constexpr Column kImportProblem[] = {
    {"key", kInteger}, {"run", kInteger},  {"path", kInteger}, {"severity", kText},
    {"code", kText},   {"message", kText}, {"hint", kText},    {"file", kText},
    {"record", kText}, {"field", kText},   {"line", kInteger}, {"column", kInteger},
};
constexpr Column kPiece[] = {
    {"key", kInteger},  {"id", kText},        {"title", kText},  {"composer", kText}, {"source", kText},
    {"library", kText}, {"shelfmark", kText}, {"uri", kText},    {"year", kText},     {"format", kText},
    {"file", kInteger}, {"record", kInteger}, {"run", kInteger}, {"hash", kInteger},  {"checksum", kInteger},
};
constexpr Column kVoice[] = {
    {"key", kInteger},        {"piece", kInteger},
    {"number", kInteger},     {"name", kText},
    {"note_count", kInteger}, {"clef", kText},
    {"key_signature", kText}, {"musical_key", kText},
    {"time", kText},          {"notes", kBytes, "melody", "melody"},
    {"checksum", kInteger},
};
constexpr Column kRemovedVoice[] = {{"key", kInteger}};
constexpr Column kCatalogueNumber[] = {{"piece", kInteger}, {"position", kInteger}, {"value", kText}};
constexpr Column kPieceField[] = {{"piece", kInteger}, {"position", kInteger}, {"name", kText}, {"value", kText}};
constexpr Column kSourceText[] = {{"piece", kInteger}, {"text", kBytes}};
constexpr Column kCandidateSet[] = {
    {"key", kInteger}, {"name", kText}, {"made", kText}, {"recipe", kText}, {"funnel", kText}};
constexpr Column kCandidate[] = {
    {"candidate_set", kInteger}, {"position", kInteger}, {"id", kText},          {"voice", kInteger},
    {"origin", kText},           {"status", kText},      {"folded_into", kText}, {"relation", kText},
};

constexpr Table kTables[] = {
    {"import_run", "key", nullptr, kImportRun},
    {"import_path", "key", nullptr, kImportPath},
    {"import_file", "key", nullptr, kImportFile},
    {"import_problem", "key", nullptr, kImportProblem},
    {"piece", "key", nullptr, kPiece},
    {"voice", "key", nullptr, kVoice},
    {"removed_voice", "key", nullptr, kRemovedVoice},
    {"catalogue_number", "piece", "piece", kCatalogueNumber},
    {"piece_field", "piece", "piece", kPieceField},
    {"source_text", "piece", "piece", kSourceText},
    {"candidate_set", "key", nullptr, kCandidateSet},
    {"candidate", "candidate_set", "candidate_set", kCandidate},
};

const char* type_of(const Column& column) {
  if (column.type != nullptr) return column.type;
  switch (column.kind) {
    case ColumnKind::integer: return "bigint";
    case ColumnKind::text: return "text";
    case ColumnKind::bytes: return "bytea";
  }
  return "";
}

std::string quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

std::string name_of(const Column& column, Side side) {
  return quoted(side == Side::server && column.on_server != nullptr ? column.on_server : column.name);
}

// `state` has one row, which every writer locks; `revision` has one row for each change. The token of a revision tells
// a mirror whether the server still has the history that the mirror was made from: after a restore from a backup, or
// when a replica that lagged behind was promoted, it does not.
constexpr const char* kHead = R"sql(
CREATE SCHEMA rondo;
COMMENT ON SCHEMA rondo IS 'a collection of melodies; only Rondo writes here';
CREATE TABLE rondo.state (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  format   integer NOT NULL,
  identity uuid NOT NULL DEFAULT gen_random_uuid(),
  revision bigint NOT NULL DEFAULT 0,
  token    uuid NOT NULL DEFAULT gen_random_uuid()
);
CREATE TABLE rondo.revision (
  number bigint PRIMARY KEY,
  token  uuid NOT NULL,
  made   timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE rondo.removed (
  table_name text NOT NULL,
  key        bigint NOT NULL,
  revision   bigint NOT NULL,
  PRIMARY KEY (table_name, key)
);
CREATE INDEX removed_revision ON rondo.removed (revision);
)sql";

constexpr const char* kTail = R"sql(
CREATE INDEX piece_id ON rondo.piece USING hash (id);
ALTER TABLE rondo.voice ADD FOREIGN KEY (piece) REFERENCES rondo.piece (key) ON DELETE CASCADE;
CREATE INDEX voice_piece ON rondo.voice (piece);
CREATE INDEX voice_melody ON rondo.voice USING rondo (melody);
CREATE VIEW rondo.melodies AS
  SELECT v.key, p.id, v.number AS voice, v.name, v.note_count, v.clef, v.key_signature, v.musical_key, v.time,
    p.title, p.composer, p.source, p.library, p.shelfmark, p.year, p.key AS piece, v.melody
  FROM rondo.voice v JOIN rondo.piece p ON p.key = v.piece;
COMMENT ON VIEW rondo.melodies IS 'what is searched: ORDER BY melody <-> melody_query(...)';
)sql";

}  // namespace

std::span<const Table> tables() { return kTables; }

std::string column_list(const Table& table, Side side, std::string_view prefix) {
  std::string out;
  for (const Column& column : table.columns) {
    if (!out.empty()) out += ", ";
    out += prefix;
    out += name_of(column, side);
  }
  return out;
}

std::string column_updates(const Table& table, Side side) {
  std::string out;
  for (const Column& column : table.columns) {
    const std::string name = name_of(column, side);
    if (!out.empty()) out += ", ";
    out += name;
    out += " = excluded.";
    out += name;
  }
  return out;
}

std::string server_schema() {
  std::string sql = kHead;
  for (const Table& table : tables()) {
    const std::string name = std::string("rondo.") + table.name;
    sql += "CREATE TABLE " + name + " (";
    for (const Column& column : table.columns) {
      sql += name_of(column, Side::server) + ' ' + type_of(column) + ", ";
    }
    if (table.owner == nullptr) {
      sql += std::string("revision bigint NOT NULL, PRIMARY KEY (") + table.key + "));\n";
      sql += std::string("CREATE INDEX ") + table.name + "_revision ON " + name + " (revision);\n";
    } else {
      sql += "FOREIGN KEY (" + quoted(table.key) + ") REFERENCES rondo." + table.owner + " (key) ON DELETE CASCADE);\n";
      sql += std::string("CREATE INDEX ") + table.name + "_owner ON " + name + " (" + quoted(table.key) + ");\n";
    }
  }
  sql += kTail;
  sql += "INSERT INTO rondo.state (format) VALUES (" + std::to_string(kServerFormat) + ");\n";
  return sql;
}

}  // namespace rondo::postgresql
