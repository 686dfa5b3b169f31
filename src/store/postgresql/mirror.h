#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rondo/store/collection.h"
#include "store/postgresql/connection.h"
#include "store/postgresql/tables.h"
#include "store/sqlite.h"

namespace rondo::postgresql {

/// A collection on a PostgreSQL server, and its mirror: an SQLite file on this machine with the same rows and the same
/// keys, from which everything is read. So a search gives the same list as with a file, by the same code.
///
/// Reading: what was changed on the server since is fetched, in one transaction there and one here. Writing: a write
/// transaction of the mirror locks the collection on the server, fetches what others have changed, and when it is
/// committed its changes are sent (COPY) and committed on the server first, then here. The server decides: a process
/// killed in between leaves a mirror that is behind, and the next use brings it up to date.
class Mirror final : public WriteObserver {
 public:
  /// Connects and brings the mirror up to date. Errors: those of Connection, `store-missing` (no collection in the
  /// database), `store-extension`, `store-newer`, those of opening the file.
  [[nodiscard]] static Result<std::unique_ptr<Mirror>> open(const std::string& url, OpenMode mode,
                                                            const UpgradeWatcher& watch);
  ~Mirror() override;
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// Brings the mirror up to date; false: it was. The error `store-diverged` where the server no longer has the history
  /// that this mirror was made from: opening the collection again makes a new one.
  [[nodiscard]] Result<bool> refresh(const UpgradeWatcher& watch = {});
  /// Ends the connection until it is needed again.
  void disconnect();
  /// From now on the write transactions of this connection are the server's too.
  void observe(Database& database);

  [[nodiscard]] Result<void> begun(Database& database) override;
  [[nodiscard]] Result<void> committing(Database& database) override;
  void ended() noexcept override;

 private:
  /// A state of the collection on the server.
  struct Mark {
    std::string identity;
    std::int64_t revision = 0;
    std::string token;
    [[nodiscard]] bool same(const Mark& other) const {
      return identity == other.identity && revision == other.revision && token == other.token;
    }
  };
  enum class Change : std::uint8_t { inserted, other };
  /// By table, in the order of tables(), and key.
  using Changes = std::vector<std::map<std::int64_t, Change>>;

  Mirror(std::string url, OpenMode mode);
  [[nodiscard]] Result<void> connect();
  [[nodiscard]] Result<void> prepare_connection();
  [[nodiscard]] Result<void> make_collection();
  [[nodiscard]] Result<void> choose_file(const Mark& server);
  [[nodiscard]] Result<Mark> server_mark(bool lock);
  [[nodiscard]] static Result<Mark> mirror_mark(Database& database);
  [[nodiscard]] static Result<void> write_mark(Database& database, const Mark& mark);
  [[nodiscard]] Result<bool> knows(const Mark& mark);
  [[nodiscard]] Result<void> fetch(Database& database, const Mark& from, const Mark& to, const UpgradeWatcher& watch);
  [[nodiscard]] Result<void> send(Database& database, std::int64_t revision);
  [[nodiscard]] Result<void> send_table(Database& database, std::size_t index, std::int64_t revision);
  [[nodiscard]] Result<void> send_owned(Database& database, const Table& table, std::int64_t revision);
  void note(int operation, const char* table, std::int64_t key);

  std::string url_;
  OpenMode mode_;
  std::filesystem::path file_;
  std::optional<Connection> connection_;
  std::optional<Database> own_;  ///< to fetch with
  Mark at_;                      ///< of the transaction under way
  Changes changes_;
  bool recording_ = false;
  bool in_transaction_ = false;  ///< on the server
};

}  // namespace rondo::postgresql
