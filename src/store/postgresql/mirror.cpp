#include "store/postgresql/mirror.h"

#include <algorithm>
#include <cstdlib>

#include "base/file_lock.h"
#include "store/open.h"

namespace rondo::postgresql {
namespace {

namespace fs = std::filesystem;

/// Where mirrors lie: melodies may be somebody's property, so nobody else may read there.
Result<fs::path> mirror_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets any
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path folder = variable("RONDO_MIRRORS");
  if (folder.empty() && !variable("XDG_CACHE_HOME").empty()) folder = variable("XDG_CACHE_HOME") / "rondo";
  if (folder.empty() && !variable("HOME").empty()) folder = variable("HOME") / ".cache" / "rondo";
  if (folder.empty()) {
    return fail("store-no-folder", "there is no folder for the mirror of the collection", {},
                "set RONDO_MIRRORS to a folder");
  }
  std::error_code problem;
  const bool made = fs::create_directories(folder, problem);
  if (problem) {
    return fail("store-no-folder",
                "the folder for mirrors, " + folder.string() + ", cannot be made: " + problem.message(), {},
                "set RONDO_MIRRORS to another folder");
  }
  if (made) fs::permissions(folder, fs::perms::owner_all, problem);
  return folder;
}

}  // namespace

Mirror::Mirror(std::string url, OpenMode mode) : url_(std::move(url)), mode_(mode), changes_(tables().size()) {}
Mirror::~Mirror() = default;

Result<std::unique_ptr<Mirror>> Mirror::open(const std::string& url, OpenMode mode, const UpgradeWatcher& watch) {
  std::unique_ptr<Mirror> mirror(new Mirror(url, mode));
  if (auto done = mirror->connect(); !done) return fail(std::move(done.error()));
  auto server = mirror->server_mark(false);
  if (!server) return fail(std::move(server.error()));
  if (auto done = mirror->choose_file(*server); !done) return fail(std::move(done.error()));
  if (auto done = mirror->refresh(watch); !done) return fail(std::move(done.error()));
  if (mode == OpenMode::read) mirror->disconnect();
  return mirror;
}

Result<void> Mirror::connect() {
  if (connection_ && !connection_->lost()) return {};
  connection_.reset();
  in_transaction_ = false;
  auto connection = Connection::open(url_);
  if (!connection) return fail(std::move(connection.error()));
  connection_.emplace(std::move(*connection));
  auto done = prepare_connection();
  // A connection that is not prepared must not be taken for one that is by the next try.
  if (!done) connection_.reset();
  return done;
}

Result<void> Mirror::prepare_connection() {
  auto there = connection_->rows("SELECT pg_catalog.to_regclass('rondo.state') IS NOT NULL");
  if (!there) return fail(std::move(there.error()));
  if (there->front().front() != "t") {
    if (mode_ != OpenMode::create) {
      return fail("store-missing", "there is no collection in this database", {},
                  "make one by importing: rondo import FILES --db postgresql://...");
    }
    if (auto made = make_collection(); !made) return made;
  }
  auto format = connection_->rows("SELECT format FROM rondo.state");
  if (!format) return fail(std::move(format.error()));
  if (format->empty() || format->front().front() != std::to_string(kServerFormat)) {
    return fail("store-newer", "the collection on the server was made by another version of Rondo", {},
                "use that version");
  }
  auto schema = connection_->rows(
      "SELECT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension e"
      " JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'rondo'");
  if (!schema) return fail(std::move(schema.error()));
  if (schema->empty()) {
    return fail("store-extension", "the extension rondo is not installed in this database", {},
                "as a superuser: CREATE EXTENSION rondo");
  }
  // Names mean the same whatever else the database has.
  auto done = connection_->execute("SET search_path = pg_catalog, rondo, " + *schema->front().front() + ", pg_temp");
  if (done && mode_ == OpenMode::read) done = connection_->execute("SET default_transaction_read_only = on");
  return done;
}

Result<void> Mirror::make_collection() {
  auto extension = connection_->execute("CREATE EXTENSION IF NOT EXISTS rondo");
  if (!extension) {
    extension.error().code = "store-extension";
    extension.error().hint = "install postgresql-15-rondo on the server; then, as a superuser: CREATE EXTENSION rondo";
    return extension;
  }
  // Two programs may come here at once: the second finds what the first has made.
  constexpr const char* kLock = "BEGIN; SELECT pg_catalog.pg_advisory_xact_lock(1382974575)";
  auto done = connection_->execute(kLock);
  if (!done) return done;
  auto there = connection_->rows("SELECT pg_catalog.to_regclass('rondo.state') IS NOT NULL");
  if (!there) return fail(std::move(there.error()));
  if (there->front().front() != "t") done = connection_->execute(server_schema());
  auto ended = connection_->execute(done ? "COMMIT" : "ROLLBACK");
  return done ? ended : done;
}

Result<void> Mirror::choose_file(const Mark& server) {
  auto folder = mirror_folder();
  if (!folder) return fail(std::move(folder.error()));
  // The first one that the server still has the history of. The others are of no use, but may be in use.
  constexpr int kMostMirrors = 1000;
  for (int number = 0; number < kMostMirrors; ++number) {
    file_ = *folder / (server.identity + (number == 0 ? "" : "-" + std::to_string(number)) + ".db");
    std::error_code problem;
    if (!fs::exists(file_, problem)) return {};
    auto database = open_database(file_, OpenMode::read);
    if (!database && database.error().code != "store-older") continue;
    auto mark = database ? mirror_mark(*database) : Result<Mark>(Mark{});
    if (!mark) continue;
    auto known = knows(*mark);
    if (!known) return fail(std::move(known.error()));
    if (*known) return {};
  }
  return fail("store-diverged", "there are too many old mirrors in " + folder->string(), {}, "remove them");
}

Result<bool> Mirror::refresh(const UpgradeWatcher& watch) {
  if (auto done = connect(); !done) return fail(std::move(done.error()));
  auto server = server_mark(false);
  if (!server) return fail(std::move(server.error()));
  // Another process that fetches is waited for, however long it takes: what it fetches is what this one wants.
  const auto lock = FileLock::of(file_, std::nullopt);
  if (!own_) {
    auto database = open_database(file_, OpenMode::create, watch);
    if (!database) return fail(std::move(database.error()));
    own_.emplace(std::move(*database));
    auto done = own_->execute(
        "CREATE TABLE IF NOT EXISTS mirror (one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT NOT NULL,"
        " revision INTEGER NOT NULL, token TEXT NOT NULL) STRICT");
    if (!done) return fail(std::move(done.error()));
  }
  auto mark = mirror_mark(*own_);
  if (!mark) return fail(std::move(mark.error()));
  if (mark->same(*server)) return false;
  auto transaction = Transaction::begin(*own_, Transaction::Kind::write);
  if (!transaction) return fail(std::move(transaction.error()));
  auto done = connection_->execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  if (!done) return fail(std::move(done.error()));
  in_transaction_ = true;
  // Both may have moved on meanwhile.
  mark = mirror_mark(*own_);
  server = server_mark(false);
  if (!mark || !server) {
    done = fail(std::move(!mark ? mark.error() : server.error()));
  } else if (!mark->same(*server)) {
    done = fetch(*own_, *mark, *server, watch);
  }
  ended();
  if (done) done = transaction->commit();
  if (!done) return fail(std::move(done.error()));
  return true;
}

void Mirror::disconnect() {
  own_.reset();
  connection_.reset();
}

Result<Mirror::Mark> Mirror::server_mark(bool lock) {
  auto rows =
      connection_->rows(std::string("SELECT identity, revision, token FROM rondo.state") + (lock ? " FOR UPDATE" : ""));
  if (!rows) return fail(std::move(rows.error()));
  if (rows->size() != 1) return fail("store-error", "the collection on the server is incomplete: rondo.state is empty");
  const Connection::Row& row = rows->front();
  // The name of a file here is made of it.
  if (row[0].value_or("").find_first_not_of("0123456789abcdef-") != std::string::npos) {
    return fail("store-error", "the collection on the server has an identity that is no UUID");
  }
  return Mark{row[0].value_or(""), std::atoll(row[1].value_or("0").c_str()), row[2].value_or("")};
}

Result<Mirror::Mark> Mirror::mirror_mark(Database& database) {
  Mark mark;
  auto there = database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'mirror'");
  if (!there) return fail(std::move(there.error()));
  if (*there == 0) return mark;
  auto done =
      each_row(database, "SELECT identity, revision, token FROM mirror", [&](const Statement& row) -> Result<void> {
        mark = {std::string(row.bytes(0)), row.integer(1), std::string(row.bytes(2))};
        return {};
      });
  if (!done) return fail(std::move(done.error()));
  return mark;
}

Result<void> Mirror::write_mark(Database& database, const Mark& mark) {
  return database.run(
      "INSERT INTO mirror (one, identity, revision, token) VALUES (1, ?1, ?2, ?3)"
      " ON CONFLICT (one) DO UPDATE SET identity = ?1, revision = ?2, token = ?3",
      mark.identity, mark.revision, mark.token);
}

Result<bool> Mirror::knows(const Mark& mark) {
  if (mark.revision == 0) return true;  // nothing was fetched yet
  auto rows = connection_->rows(
      "SELECT 1 FROM rondo.revision r, rondo.state s WHERE r.number = $1::bigint AND r.token = $2::uuid"
      " AND s.identity = $3::uuid",
      {std::to_string(mark.revision), mark.token, mark.identity});
  if (!rows) return fail(std::move(rows.error()));
  return !rows->empty();
}

void Mirror::observe(Database& database) {
  own_.reset();
  database.observe_writes(this);
  sqlite3_update_hook(
      database.handle(),
      [](void* self, int operation, const char* /*schema*/, const char* table, sqlite3_int64 key) noexcept {
        static_cast<Mirror*>(self)->note(operation, table, key);
      },
      this);
}

void Mirror::note(int operation, const char* table, std::int64_t key) {
  if (!recording_) return;
  for (std::size_t i = 0; i < tables().size(); ++i) {
    if (tables()[i].owner != nullptr || std::string_view(tables()[i].name) != table) continue;
    // What counts is whether the server has the row: so the first change decides.
    changes_[i].try_emplace(key, operation == SQLITE_INSERT ? Change::inserted : Change::other);
    return;
  }
}

Result<void> Mirror::begun(Database& database) {
  if (auto done = connect(); !done) return done;
  auto done = connection_->execute("BEGIN; SET LOCAL lock_timeout = '10s'");
  if (!done) return done;
  in_transaction_ = true;
  auto server = server_mark(true);
  auto mark = mirror_mark(database);
  if (!server || !mark) {
    ended();
    return fail(std::move(!server ? server.error() : mark.error()));
  }
  if (!mark->same(*server)) done = fetch(database, *mark, *server, {});
  if (!done) {
    ended();
    return done;
  }
  at_ = *server;
  recording_ = true;
  return {};
}

Result<void> Mirror::committing(Database& database) {
  recording_ = false;
  const bool any = std::any_of(changes_.begin(), changes_.end(), [](const auto& keys) { return !keys.empty(); });
  if (!any) return {};
  Mark next = at_;
  ++next.revision;
  auto done = send(database, next.revision);
  if (!done) return done;
  auto token = connection_->rows(
      "WITH made AS (UPDATE rondo.state SET revision = $1::bigint, token = gen_random_uuid() RETURNING token)"
      " INSERT INTO rondo.revision (number, token) SELECT $1::bigint, token FROM made RETURNING token",
      {std::to_string(next.revision)});
  if (!token) return fail(std::move(token.error()));
  next.token = token->front().front().value_or("");
  if (done = write_mark(database, next); !done) return done;
  done = connection_->execute("COMMIT");
  in_transaction_ = false;
  if (!done && done.error().code == "store-unreachable") {
    done.error().hint = "whether the last changes were stored is not known; run the same command again";
  }
  return done;
}

void Mirror::ended() noexcept {
  recording_ = false;
  for (auto& keys : changes_) keys.clear();
  if (in_transaction_ && connection_) (void)connection_->execute("ROLLBACK");
  in_transaction_ = false;
}

}  // namespace rondo::postgresql
