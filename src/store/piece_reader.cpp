#include "store/piece_reader.h"

#include "rondo/melody/packed.h"

namespace rondo {
namespace {

#define RONDO_PIECE_COLUMNS "key, id, title, composer, source, library, shelfmark, uri, year, format"

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
  std::int64_t key = 0;
  {
    const ResetLater later(statement);
    auto row = statement.step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) {
      return fail("piece-missing", "there is no piece \"" + name + "\" in the collection", {},
                  "look it up by its words, or list the ids with: rondo export --format csv");
    }
    key = statement.integer(0);
    read_row(statement, piece);
  }
  if (auto done = complete(key, piece, true); !done) return fail(std::move(done.error()));
  return piece;
}

Result<void> PieceReader::each(const std::function<bool(const StoredPiece&)>& visit, bool source_text) {
  // Not a cached statement: the callback may well read single pieces, or all of them again.
  auto statement = database_.prepare("SELECT " RONDO_PIECE_COLUMNS " FROM piece ORDER BY key");
  if (!statement) return fail(std::move(statement.error()));
  StoredPiece stored;
  for (;;) {
    auto row = statement->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
    stored.key = PieceKey{statement->integer(0)};
    read_row(*statement, stored.piece);
    if (auto done = complete(statement->integer(0), stored.piece, source_text); !done) return done;
    if (!visit(stored)) return {};
  }
}

Result<void> PieceReader::complete(std::int64_t key, Piece& piece, bool source_text) {
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
  if (done) done = read_voices(key, piece);
  return done;
}

Result<void> PieceReader::read_voices(std::int64_t key, Piece& piece) {
  std::size_t count = 0;
  auto done = each_row(
      database_, "SELECT notes FROM voice WHERE piece = ?1 ORDER BY number",
      [&](const Statement& row) {
        if (piece.voices.size() <= count) piece.voices.emplace_back();
        return unpack(row.bytes(0), piece.voices[count++]);
      },
      key);
  piece.voices.resize(count);
  if (!done) done.error().place.record = piece.id;
  return done;
}

}  // namespace rondo
