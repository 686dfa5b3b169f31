#include "store/piece_reader.h"

#include "melody/packed.h"
#include "store/row_checksum.h"

namespace rondo {
namespace {

#define RONDO_PIECE_COLUMNS "key, id, title, composer, source, library, shelfmark, uri, year, format, hash, checksum"

void read_row(const Statement& row, Piece& piece) {
  Metadata& about = piece.metadata;
  int column = 1;
  for (std::string* part : {&piece.id, &about.title, &about.composer, &about.source, &about.library, &about.shelfmark,
                            &about.uri, &about.year, &piece.format}) {
    part->assign(row.bytes(column++));
  }
}

}  // namespace

Result<Piece> PieceReader::read(std::string_view id) {
  auto statement = database_.query("SELECT " RONDO_PIECE_COLUMNS " FROM piece WHERE id = ?1", id);
  if (!statement) return fail(std::move(statement.error()));
  return read_one(**statement, std::string(id));
}

Result<Piece> PieceReader::read(PieceKey key) {
  const auto number = static_cast<std::int64_t>(key);
  auto statement = database_.query("SELECT " RONDO_PIECE_COLUMNS " FROM piece WHERE key = ?1", number);
  if (!statement) return fail(std::move(statement.error()));
  return read_one(**statement, "number " + std::to_string(number));
}

Result<Piece> PieceReader::read_one(Statement& statement, const std::string& name) {
  Piece piece;
  Stored stored;
  {
    const ResetLater later(statement);
    auto row = statement.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) {
      return fail("piece-missing", "there is no piece \"" + name + "\" in the collection", {},
                  "look it up by its words, or list the ids with: rondo export --format csv");
    }
    stored = {statement.integer(0), statement.integer(10), statement.integer(11)};
    read_row(statement, piece);
  }
  if (auto done = complete(stored, piece, true); !done) return fail(std::move(done.error()));
  return piece;
}

Result<void> PieceReader::each(const std::function<bool(const StoredPiece&)>& visit, bool source_text) {
  // Not a cached statement, because the callback may read pieces itself.
  auto statement = database_.prepare("SELECT " RONDO_PIECE_COLUMNS " FROM piece ORDER BY key");
  if (!statement) return fail(std::move(statement.error()));
  StoredPiece stored;
  for (;;) {
    auto row = statement->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
    stored.key = PieceKey{statement->integer(0)};
    read_row(*statement, stored.piece);
    const Stored sums{statement->integer(0), statement->integer(10), statement->integer(11)};
    if (auto done = complete(sums, stored.piece, source_text); !done) return done;
    if (!visit(stored)) return {};
  }
}

Result<void> PieceReader::complete(const Stored& stored, Piece& piece, bool source_text) {
  if (auto done = read_texts(stored.key, piece, source_text); !done) return done;
  if (piece_checksum(piece.id, piece.metadata, piece.format) != stored.checksum) {
    return fail(damaged_row("piece '" + piece.id + "'"));
  }
  ContentHash content;
  hash_texts(content, piece);
  if (auto done = read_voices(stored.key, piece, content); !done) return done;
  // The source text is covered only by the hash of the content.
  if (source_text && content.value() != stored.hash) {
    return fail(damaged_row("the source text or a voice of '" + piece.id + "'"));
  }
  return {};
}

Result<PieceReader::Sums> PieceReader::compute(PieceKey key) {
  Sums sums;
  Piece piece;
  const auto number = static_cast<std::int64_t>(key);
  // The columns of the first version of the tables: this is what a migration calls.
  auto done = each_row(
      database_,
      "SELECT key, id, title, composer, source, library, shelfmark, uri, year, format, hash FROM piece WHERE key = ?1",
      [&](const Statement& row) -> Result<void> {
        read_row(row, piece);
        sums.stored_hash = row.integer(10);
        return {};
      },
      number);
  if (done) done = read_texts(number, piece, true);
  if (!done) return fail(std::move(done.error()));
  sums.piece = piece_checksum(piece.id, piece.metadata, piece.format);
  ContentHash content;
  hash_texts(content, piece);
  done = each_row(
      database_, "SELECT key, number, note_count, notes FROM voice WHERE piece = ?1 ORDER BY number",
      [&](const Statement& row) -> Result<void> {
        content.text(row.bytes(3));
        sums.voices.emplace_back(row.integer(0), voice_checksum(number, row.integer(1), row.integer(2), row.bytes(3)));
        return {};
      },
      number);
  if (!done) return fail(std::move(done.error()));
  sums.hash = content.value();
  return sums;
}

Result<void> PieceReader::read_texts(std::int64_t key, Piece& piece, bool source_text) {
  Metadata& about = piece.metadata;
  about.catalogue.clear();
  about.fields.clear();
  piece.source_text.clear();
  auto done = each_row(
      database_, "SELECT value FROM catalogue_number WHERE piece = ?1 ORDER BY position",
      [&](const Statement& row) -> Result<void> {
        about.catalogue.emplace_back(row.bytes(0));
        return {};
      },
      key);
  if (done) {
    done = each_row(
        database_, "SELECT name, value FROM piece_field WHERE piece = ?1 ORDER BY position",
        [&](const Statement& row) -> Result<void> {
          about.fields.emplace_back(row.bytes(0), row.bytes(1));
          return {};
        },
        key);
  }
  if (done && source_text) {
    done = each_row(
        database_, "SELECT text FROM source_text WHERE piece = ?1",
        [&](const Statement& row) -> Result<void> {
          piece.source_text.assign(row.bytes(0));
          return {};
        },
        key);
  }
  return done;
}

Result<void> PieceReader::read_voices(std::int64_t key, Piece& piece, ContentHash& content) {
  std::size_t count = 0;
  auto done = each_row(
      database_, "SELECT notes, number, note_count, checksum FROM voice WHERE piece = ?1 ORDER BY number",
      [&](const Statement& row) -> Result<void> {
        if (voice_checksum(key, row.integer(1), row.integer(2), row.bytes(0)) != row.integer(3)) {
          return fail(damaged_row("voice " + std::to_string(count + 1) + " of '" + piece.id + "'"));
        }
        content.text(row.bytes(0));
        if (piece.voices.size() <= count) piece.voices.emplace_back();
        return unpack(row.bytes(0), piece.voices[count++]);
      },
      key);
  piece.voices.resize(count);
  if (!done) done.error().place.record = piece.id;
  return done;
}

}  // namespace rondo
