#include "server/melody_links.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

#include "base/collection_files.h"

namespace rondo::server {
namespace {

constexpr std::size_t kKeyLetters = 16;  // 80 bits
constexpr std::string_view kLetters = "23456789abcdefghijkmnpqrstuvwxyz";

Result<Database> open_links(const std::string& file) {
  auto database = Database::open(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (!database) return database;
  // Without syncs a power failure may lose the newest links, but nothing else.
  auto done = database->execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;"
      "CREATE TABLE IF NOT EXISTS link (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, text TEXT NOT NULL, "
      "bytes INTEGER NOT NULL);");
  if (!done) return fail(std::move(done.error()));
  return database;
}

}  // namespace

Result<std::unique_ptr<MelodyLinks>> MelodyLinks::open(const std::filesystem::path& collection) {
  auto beside = open_file(companion_of(collection, Companion::links), kMostLinks, kMostBytes);
  return beside ? std::move(beside) : open_file(":memory:", kMostLinks, kMostBytes);
}

Result<std::unique_ptr<MelodyLinks>> MelodyLinks::open_file(const std::string& file, std::int64_t most_links,
                                                            std::int64_t most_bytes) {
  auto database = open_links(file);
  if (!database) return fail(std::move(database.error()));
  std::unique_ptr<MelodyLinks> links(new MelodyLinks(std::move(*database), most_links, most_bytes));
  if (auto done = links->count(); !done) return fail(std::move(done.error()));
  return links;
}

std::string MelodyLinks::key_of(std::string_view text) {
  std::array<unsigned char, crypto_generichash_BYTES> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  std::string key;
  for (std::size_t i = 0; i < kKeyLetters; ++i) key += kLetters[hash[i] % kLetters.size()];
  return key;
}

Result<std::string> MelodyLinks::keep(std::string_view text) {
  if (text.size() > kLongest) {
    return fail("link-too-long", fmt::format("a melody of more than {} bytes has no link", kLongest));
  }
  const std::string key = key_of(text);
  const std::lock_guard lock(mutex_);
  // Higher numbers were used more recently.
  auto done = database_.run("UPDATE link SET number = (SELECT max(number) + 1 FROM link) WHERE key = ?1",
                            std::string_view(key));
  if (done && sqlite3_changes(database_.handle()) == 0) {
    const auto bytes = static_cast<std::int64_t>(text.size());
    done = database_.run(
        "INSERT INTO link (number, key, text, bytes) "
        "VALUES ((SELECT coalesce(max(number), 0) + 1 FROM link), ?1, ?2, ?3)",
        std::string_view(key), text, bytes);
    ++links_;
    bytes_ += bytes;
  }
  if (done) done = make_room();
  if (!done) return fail(std::move(done.error()));
  return key;
}

Result<void> MelodyLinks::count() {
  auto links = database_.number("SELECT count(*) FROM link");
  if (!links) return fail(std::move(links.error()));
  auto bytes = database_.number("SELECT coalesce(sum(bytes), 0) FROM link");
  if (!bytes) return fail(std::move(bytes.error()));
  links_ = *links;
  bytes_ = *bytes;
  return {};
}

Result<void> MelodyLinks::make_room() {
  if (links_ <= most_links_ && bytes_ <= most_bytes_) return {};
  // Removes a tenth at once, so that it is rarely needed.
  while (links_ > 0 && (links_ > most_links_ - most_links_ / 10 || bytes_ > most_bytes_ - most_bytes_ / 10)) {
    auto done = database_.run(
        "DELETE FROM link WHERE number IN (SELECT number FROM link ORDER BY number LIMIT max(1, ?1 / 10))", links_);
    if (!done) return done;
    // Another server may share the file, so count again.
    if (done = count(); !done) return done;
  }
  return {};
}

Result<std::string> MelodyLinks::find(std::string_view key) {
  const std::lock_guard lock(mutex_);
  std::string text;
  {
    auto statement = database_.query("SELECT text FROM link WHERE key = ?1", key);
    if (!statement) return fail(std::move(statement.error()));
    const ResetLater later(**statement);
    auto row = (*statement)->step();
    if (!row) return fail(std::move(row.error()));
    if (!*row) {
      return fail("link-unknown", "the melody of this link is no longer stored", {},
                  "search for it again; its link will be the same");
    }
    text = std::string((*statement)->bytes(0));
  }
  // Not renumbered if it is among the newest anyway, to save writes.
  auto used = database_.run(
      "UPDATE link SET number = (SELECT max(number) + 1 FROM link) WHERE key = ?1 AND number < "
      "(SELECT max(number) - 100 FROM link)",
      key);
  (void)used;  // a link is found even if the disk is full
  return text;
}

}  // namespace rondo::server
