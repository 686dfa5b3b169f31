#include "rondo/store/collection.h"

#include "store/find_text.h"
#include "store/open.h"
#include "store/piece_reader.h"
#include "store/piece_writer.h"
#include "store/postgresql/mirror.h"
#include "store/row_checksum.h"
#include "store/sqlite.h"

namespace rondo {

struct Collection::State {
  State(std::filesystem::path where, Database opened, std::unique_ptr<postgresql::Mirror> of_server)
      : path(std::move(where)),
        mirror(std::move(of_server)),
        database(std::move(opened)),
        writer(database),
        reader(database) {}

  std::filesystem::path path;
  std::unique_ptr<postgresql::Mirror> mirror;  ///< nullptr: a file
  Database database;
  PieceWriter writer;
  PieceReader reader;
  int batches = 0;  ///< nesting depth
};

struct Collection::Batch::State {
  State(Collection::State& of, Transaction begun) : collection(of), transaction(std::move(begun)) {
    ++collection.batches;
  }
  ~State() { --collection.batches; }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Collection::State& collection;
  Transaction transaction;
};

struct Collection::Snapshot::State {
  Transaction transaction;
};

Collection::Collection(std::unique_ptr<State> state) : state_(std::move(state)) {}
Collection::~Collection() = default;
Collection::Collection(Collection&&) noexcept = default;
Collection& Collection::operator=(Collection&&) noexcept = default;

Collection::Batch::Batch(std::unique_ptr<State> state) : state_(std::move(state)) {}
Collection::Batch::~Batch() = default;
Collection::Batch::Batch(Batch&&) noexcept = default;

Collection::Snapshot::Snapshot(std::unique_ptr<State> state) : state_(std::move(state)) {}
Collection::Snapshot::~Snapshot() = default;
Collection::Snapshot::Snapshot(Snapshot&&) noexcept = default;

const std::filesystem::path& Collection::path() const { return state_->path; }
Database& database_of(Collection& collection) { return collection.state_->database; }
PieceWriter& writer_of(Collection& collection) { return collection.state_->writer; }

bool is_server_address(std::string_view name) {
  return name.starts_with("postgresql://") || name.starts_with("postgres://");
}

std::string shown_name(std::string_view name) {
  return is_server_address(name) ? postgresql::shown_address(name) : std::string(name);
}

Result<Collection> Collection::open(const std::filesystem::path& path, OpenMode mode, const UpgradeWatcher& watch) {
  std::filesystem::path file = path;
  std::unique_ptr<postgresql::Mirror> mirror;
  if (is_server_address(path.native())) {
    auto opened = postgresql::Mirror::open(path.native(), mode, watch);
    if (!opened) {
      opened.error().place.file = shown_name(path.native());
      return fail(std::move(opened.error()));
    }
    mirror = std::move(*opened);
    file = mirror->file();
  }
  auto database = open_database(file, mode, watch);
  if (!database) {
    if (database.error().place.file.empty()) database.error().place.file = file.string();
    return fail(std::move(database.error()));
  }
  if (mirror != nullptr && mode != OpenMode::read) mirror->observe(*database);
  return Collection(std::make_unique<State>(std::move(file), std::move(*database), std::move(mirror)));
}

Result<bool> Collection::refresh() {
  if (state_->mirror == nullptr) return false;
  return state_->mirror->refresh();
}

Result<Collection::Batch> Collection::begin() {
  const bool outermost = state_->batches == 0;
  // SQLite may have rolled back a failed batch by itself: later changes must not be committed without the earlier ones.
  const std::optional<Error>& spoiled = state_->writer.spoiled();
  if (!outermost && spoiled) return fail(*spoiled);
  auto transaction = Transaction::begin(state_->database, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  if (outermost) {
    if (auto done = state_->writer.begin(); !done) return fail(std::move(done.error()));
  }
  return Batch(std::make_unique<Batch::State>(*state_, std::move(*transaction)));
}

Result<void> Collection::Batch::commit() {
  const std::optional<Error>& spoiled = state_->collection.writer.spoiled();
  if (spoiled) return fail(*spoiled);
  return state_->transaction.commit();
}

Result<Collection::Snapshot> Collection::snapshot() {
  const bool has_one = state_->database.in_transaction();
  auto transaction = Transaction::begin(state_->database, Transaction::Kind::read);
  if (!transaction) return fail(std::move(transaction.error()));
  // BEGIN alone takes no snapshot yet: the first read does.
  if (!has_one) {
    if (auto seen = state_->database.number("PRAGMA schema_version"); !seen) return fail(std::move(seen.error()));
  }
  return Snapshot(std::make_unique<Snapshot::State>(Snapshot::State{std::move(*transaction)}));
}

Result<PutOutcome> Collection::put(const Piece& piece) {
  if (piece.id.empty()) return fail("id-missing", "a piece needs an id to be stored");
  auto batch = begin();
  if (!batch) return fail(std::move(batch.error()));
  auto hash = state_->writer.prepare(piece);
  if (!hash) {
    hash.error().place.record = piece.id;
    return fail(std::move(hash.error()));
  }
  auto known = state_->writer.find(piece.id);
  if (!known) return fail(std::move(known.error()));
  auto outcome = state_->writer.store(piece, piece.id, *known, {});
  if (!outcome) return outcome;
  if (auto done = batch->commit(); !done) return fail(std::move(done.error()));
  return outcome;
}

Result<bool> Collection::remove(std::string_view id) {
  auto batch = begin();
  if (!batch) return fail(std::move(batch.error()));
  auto known = state_->writer.find(id);
  if (!known) return fail(std::move(known.error()));
  const std::optional<PieceWriter::Known>& found = *known;
  if (!found) return false;
  auto done = state_->writer.remove(*found);
  if (done) done = batch->commit();
  if (!done) return fail(std::move(done.error()));
  return true;
}

Result<Piece> Collection::get(std::string_view id) {
  auto whole = snapshot();
  if (!whole) return fail(std::move(whole.error()));
  return state_->reader.read(id);
}

Result<Piece> Collection::get(PieceKey key) {
  auto whole = snapshot();
  if (!whole) return fail(std::move(whole.error()));
  return state_->reader.read(key);
}

Result<bool> Collection::contains(std::string_view id) {
  auto known = state_->writer.find(id);
  if (!known) return fail(std::move(known.error()));
  return known->has_value();
}

Result<std::optional<PieceKey>> Collection::find_key(std::string_view id) {
  auto found = state_->database.query("SELECT key FROM piece WHERE id = ?1", id);
  if (!found) return fail(std::move(found.error()));
  const ResetLater later(**found);
  auto row = (*found)->step();
  if (!row) return fail(std::move(row.error()));
  return *row ? std::optional(PieceKey{(*found)->integer(0)}) : std::nullopt;
}

Result<PieceKey> Collection::key_of(std::string_view id) {
  auto key = find_key(id);
  if (!key) return fail(std::move(key.error()));
  if (*key) return **key;
  return fail("piece-missing", "there is no piece '" + std::string(id) + "'", {}, "'rondo export' lists all");
}

Result<std::string> Collection::id_of(PieceKey key) {
  auto found = state_->database.query("SELECT id FROM piece WHERE key = ?1", static_cast<std::int64_t>(key));
  if (!found) return fail(std::move(found.error()));
  const ResetLater later(**found);
  auto row = (*found)->step();
  if (!row) return fail(std::move(row.error()));
  if (*row) return std::string((*found)->bytes(0));
  return fail("piece-missing", "the piece no longer exists");
}

Result<void> Collection::each_piece(const std::function<bool(const StoredPiece&)>& visit, bool source_text) {
  auto whole = snapshot();
  if (!whole) return fail(std::move(whole.error()));
  return state_->reader.each(visit, source_text);
}

Result<void> Collection::each_voice(const std::function<bool(const StoredVoice&)>& visit, VoiceKey after) {
  auto statement = state_->database.prepare(
      "SELECT key, piece, number, note_count, notes, checksum FROM voice WHERE key > ?1 ORDER BY key");
  if (!statement) return fail(std::move(statement.error()));
  statement->bind(1, static_cast<std::int64_t>(after));
  for (;;) {
    auto row = statement->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) return {};
    StoredVoice voice;
    voice.key = VoiceKey{statement->integer(0)};
    voice.piece = PieceKey{statement->integer(1)};
    voice.number = static_cast<std::uint32_t>(statement->integer(2));
    voice.note_count = static_cast<std::uint32_t>(statement->integer(3));
    voice.packed = statement->bytes(4);
    if (voice_checksum(statement->integer(1), statement->integer(2), statement->integer(3), voice.packed) !=
        statement->integer(5)) {
      return fail(damaged_row("voice number " + std::to_string(statement->integer(0))));
    }
    if (!visit(voice)) return {};
  }
}

Result<std::vector<TextHit>> Collection::find(std::string_view words, std::size_t limit, std::size_t offset) {
  return find_text(state_->database, words, limit, offset);
}

Result<CollectionSize> Collection::size() {
  auto statement =
      state_->database.query("SELECT (SELECT count(*) FROM piece), count(*), coalesce(sum(note_count), 0) FROM voice");
  if (!statement) return fail(std::move(statement.error()));
  const ResetLater later(**statement);
  auto row = (*statement)->step();
  if (!row) return fail(std::move(row.error()));
  return CollectionSize{(*statement)->integer(0), (*statement)->integer(1), (*statement)->integer(2)};
}

}  // namespace rondo
