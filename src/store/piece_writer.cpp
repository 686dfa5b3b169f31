#include "store/piece_writer.h"

#include "base/utf8.h"
#include "melody/limits.h"
#include "melody/packed.h"
#include "store/cjk_bigrams.h"
#include "store/cjk_index.h"
#include "store/content_hash.h"
#include "store/row_checksum.h"

namespace rondo {
namespace {

void append_line(std::string& to, std::string_view line) {
  if (!to.empty()) to += '\n';
  to += line;
}

Result<std::int64_t> one_number(Database& database, const char* sql) {
  auto statement = database.query(sql);
  if (!statement) return fail(std::move(statement.error()));
  const ResetLater later(**statement);
  auto row = (*statement)->step();
  if (!row) return fail(std::move(row.error()));
  return *row ? (*statement)->integer(0) : 0;
}

}  // namespace

Result<void> PieceWriter::begin() {
  spoiled_.reset();
  auto last = one_number(database_,
                         "SELECT max(coalesce((SELECT max(key) FROM voice), 0),"
                         " coalesce((SELECT max(key) FROM removed_voice), 0))");
  if (!last) return fail(std::move(last.error()));
  next_voice_ = *last + 1;
  return {};
}

Result<std::optional<PieceWriter::Known>> PieceWriter::find(std::string_view id) {
  auto statement = database_.query("SELECT key, hash, run, file, record FROM piece WHERE id = ?1", id);
  if (!statement) return fail(std::move(statement.error()));
  Statement& found = **statement;
  const ResetLater later(found);
  auto row = found.step();
  if (!row) return fail(std::move(row.error()));
  if (!*row) return std::nullopt;
  return Known{found.integer(0), found.integer(1), {found.integer(2), found.integer(3), found.integer(4)}};
}

Result<std::int64_t> PieceWriter::prepare(const Piece& piece) {
  if (piece.voices.size() > limits::kVoicesPerPiece) {
    return fail("too-many-voices", "more than " + std::to_string(limits::kVoicesPerPiece) + " voices in one piece");
  }
  if (packed_.size() < piece.voices.size()) packed_.resize(piece.voices.size());
  ContentHash hash;
  hash_texts(hash, piece);
  for (std::size_t i = 0; i < piece.voices.size(); ++i) {
    packed_[i].clear();
    auto done = pack(piece.voices[i], packed_[i]);
    if (!done) {
      if (piece.voices.size() > 1)
        done.error().message = "voice " + std::to_string(i + 1) + ": " + done.error().message;
      return fail(std::move(done.error()));
    }
    hash.text(packed_[i]);
  }
  return hash_ = hash.value();
}

Result<PutOutcome> PieceWriter::store(const Piece& piece, std::string_view id, const std::optional<Known>& known,
                                      const Origin& origin) {
  auto outcome = write(piece, id, known, origin);
  if (!outcome && !spoiled_) spoiled_ = outcome.error();
  return outcome;
}

Result<PutOutcome> PieceWriter::write(const Piece& piece, std::string_view id, const std::optional<Known>& known,
                                      const Origin& origin) {
  if (known && known->hash == hash_) {
    if (origin.run != 0 && !(origin == known->origin)) {
      auto done = database_.run("UPDATE piece SET run = ?2, file = ?3, record = ?4 WHERE key = ?1", known->key,
                                KeyOrNull{origin.run}, KeyOrNull{origin.file}, KeyOrNull{origin.record});
      if (!done) return fail(std::move(done.error()));
    }
    return PutOutcome::unchanged;
  }
  std::int64_t key = 0;
  Result<void> done;
  if (known) {
    key = known->key;
    done = update_piece(piece, id, key, origin);
    if (done && origin.file == 0 && known->origin.file != 0) done = forget_file(known->origin.file);
    if (done) done = replace_voices(piece, key);
  } else {
    auto inserted = insert_piece(piece, id, origin);
    if (!inserted) return fail(std::move(inserted.error()));
    key = *inserted;
    for (std::size_t i = 0; i < piece.voices.size() && done; ++i) done = insert_voice(piece, key, i);
  }
  if (done) done = insert_texts(piece, key);
  if (done) done = insert_words(piece, key);
  if (!done) return fail(std::move(done.error()));
  return known ? PutOutcome::updated : PutOutcome::added;
}

Result<std::int64_t> PieceWriter::insert_piece(const Piece& piece, std::string_view id, const Origin& origin) {
  const Metadata& about = piece.metadata;
  auto done = database_.run(
      "INSERT INTO piece (id, title, composer, source, library, shelfmark, uri, year, format, hash, run, file, record,"
      " checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
      id, about.title, about.composer, about.source, about.library, about.shelfmark, about.uri, about.year,
      piece.format, hash_, KeyOrNull{origin.run}, KeyOrNull{origin.file}, KeyOrNull{origin.record},
      piece_checksum(id, about, piece.format));
  if (!done) return fail(std::move(done.error()));
  return sqlite3_last_insert_rowid(database_.handle());
}

/// Removes what `insert_texts` and `insert_words` will put back.
Result<void> PieceWriter::update_piece(const Piece& piece, std::string_view id, std::int64_t key,
                                       const Origin& origin) {
  const Metadata& about = piece.metadata;
  auto done = remove_words(key);
  if (done) {
    done = database_.run(
        "UPDATE piece SET title = ?2, composer = ?3, source = ?4, library = ?5, shelfmark = ?6, uri = ?7, year = ?8,"
        " format = ?9, hash = ?10, run = ?11, file = ?12, record = ?13, checksum = ?14 WHERE key = ?1",
        key, about.title, about.composer, about.source, about.library, about.shelfmark, about.uri, about.year,
        piece.format, hash_, KeyOrNull{origin.run}, KeyOrNull{origin.file}, KeyOrNull{origin.record},
        piece_checksum(id, about, piece.format));
  }
  if (done) done = database_.run("DELETE FROM catalogue_number WHERE piece = ?1", key);
  if (done) done = database_.run("DELETE FROM piece_field WHERE piece = ?1", key);
  if (done) done = database_.run("DELETE FROM source_text WHERE piece = ?1", key);
  return done;
}

Result<void> PieceWriter::replace_voices(const Piece& piece, std::int64_t key) {
  std::vector<std::int64_t> gone;
  std::vector<bool> same(piece.voices.size());
  {
    auto statement =
        database_.query("SELECT key, number, notes, note_count, checksum FROM voice WHERE piece = ?1", key);
    if (!statement) return fail(std::move(statement.error()));
    Statement& old = **statement;
    const ResetLater later(old);
    for (;;) {
      auto row = old.step();
      if (!row) return fail(std::move(row.error()));
      if (!*row) break;
      const auto number = static_cast<std::size_t>(old.integer(1));
      const bool whole = voice_checksum(key, old.integer(1), old.integer(3), old.bytes(2)) == old.integer(4);
      if (whole && number < same.size() && old.bytes(2) == packed_[number]) {
        same[number] = true;
      } else {
        gone.push_back(old.integer(0));
      }
    }
  }
  for (const std::int64_t voice : gone) {
    auto done = database_.run("DELETE FROM voice WHERE key = ?1", voice);
    if (done) done = database_.run("INSERT INTO removed_voice (key) VALUES (?1)", voice);
    if (!done) return done;
  }
  for (std::size_t i = 0; i < same.size(); ++i) {
    if (same[i]) continue;
    if (auto done = insert_voice(piece, key, i); !done) return done;
  }
  return {};
}

Result<void> PieceWriter::insert_voice(const Piece& piece, std::int64_t key, std::size_t number) {
  const Voice& voice = piece.voices[number];
  const Features features = features_of(voice);
  const std::int64_t voice_key = next_voice_++;
  const auto place = static_cast<std::int64_t>(number);
  const auto count = static_cast<std::int64_t>(voice.notes.size());
  auto done = database_.run(
      "INSERT INTO voice (key, piece, number, name, note_count, clef, key_signature, musical_key, time, notes, "
      "checksum)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
      voice_key, key, place, voice.name, count, features.clef, features.key_signature, features.key, features.time,
      Blob{packed_[number]}, voice_checksum(key, place, count, packed_[number]));
  if (done) done = features_.write(voice_key, key, features);
  return done;
}

Result<void> PieceWriter::insert_texts(const Piece& piece, std::int64_t key) {
  Result<void> done;
  std::int64_t position = 0;
  for (const std::string& number : piece.metadata.catalogue) {
    done = database_.run("INSERT INTO catalogue_number (piece, position, value) VALUES (?1, ?2, ?3)", key, position++,
                         number);
    if (!done) return done;
  }
  position = 0;
  for (const auto& [name, value] : piece.metadata.fields) {
    done = database_.run("INSERT INTO piece_field (piece, position, name, value) VALUES (?1, ?2, ?3, ?4)", key,
                         position++, name, value);
    if (!done) return done;
  }
  if (piece.source_text.empty()) return done;
  // As text if it is UTF-8, so that people can read it; else as a blob, so that no bytes are lost.
  constexpr const char* kInsert = "INSERT INTO source_text (piece, text) VALUES (?1, ?2)";
  const bool is_text = is_utf8(piece.source_text) && piece.source_text.find('\0') == std::string::npos;
  return is_text ? database_.run(kInsert, key, piece.source_text)
                 : database_.run(kInsert, key, Blob{piece.source_text});
}

/// Inserts the same words as the view piece_words, from which the full-text index is checked and rebuilt.
Result<void> PieceWriter::insert_words(const Piece& piece, std::int64_t key) {
  const Metadata& about = piece.metadata;
  catalogue_.clear();
  text_.clear();
  fields_.clear();
  for (const std::string& number : about.catalogue) append_line(catalogue_, number);
  for (const auto& [name, value] : about.fields) append_line(name == "text" ? text_ : fields_, value);
  const std::string shelfmark = about.library + ' ' + about.shelfmark;
  terms_.clear();
  for (const std::string_view words : std::initializer_list<std::string_view>{about.title, about.composer, about.source,
                                                                              shelfmark, catalogue_, text_, fields_}) {
    append_cjk_terms(words, terms_);
  }
  if (auto done = index_cjk(database_, key, terms_); !done) return done;
  return database_.run(
      "INSERT INTO full_text (rowid, title, composer, source, shelfmark, catalogue, text, fields)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      key, about.title, about.composer, about.source, shelfmark, catalogue_, text_, fields_);
}

/// FTS5 needs the old words to remove them, so this must be called before the piece is changed.
Result<void> PieceWriter::remove_words(std::int64_t key) {
  if (auto done = forget_cjk(database_, key); !done) return done;
  return database_.run(
      "INSERT INTO full_text (full_text, rowid, title, composer, source, shelfmark, catalogue, text, fields)"
      " SELECT 'delete', key, title, composer, source, shelfmark, catalogue, text, fields FROM piece_words"
      " WHERE key = ?1",
      key);
}

Result<void> PieceWriter::remove(const Known& known) {
  auto done = remove_words(known.key);
  if (done) done = database_.run("INSERT INTO removed_voice (key) SELECT key FROM voice WHERE piece = ?1", known.key);
  if (done) done = database_.run("DELETE FROM piece WHERE key = ?1", known.key);
  if (done && known.origin.file != 0) done = forget_file(known.origin.file);
  if (!done && !spoiled_) spoiled_ = done.error();
  return done;
}

Result<void> PieceWriter::forget_file(std::int64_t file) {
  return database_.run(
      "UPDATE import_path SET fingerprint = NULL WHERE key = (SELECT path FROM import_file WHERE key = ?1)", file);
}

}  // namespace rondo
