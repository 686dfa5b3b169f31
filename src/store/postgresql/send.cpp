#include "store/postgresql/mirror.h"

namespace rondo::postgresql {
namespace {

/// A value of the type bigint[].
template <typename Keys>
std::string array_of(const Keys& keys) {
  std::string out = "{";
  for (const auto& key : keys) out += (out.size() == 1 ? "" : ",") + std::to_string(key);
  return out + "}";
}

void write_row(CopyWriter& out, const Table& table, const Statement& row, std::int64_t revision) {
  out.row(table.columns.size() + (table.owner == nullptr ? 1 : 0));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const int column = static_cast<int>(i);
    if (row.is_null(column)) {
      out.null();
    } else if (table.columns[i].kind == ColumnKind::integer) {
      out.integer(row.integer(column));
    } else if (table.columns[i].kind == ColumnKind::text) {
      out.text(row.bytes(column));
    } else {
      out.bytes(row.bytes(column));
    }
  }
  if (table.owner == nullptr) out.integer(revision);
}

/// Copies the rows of these keys into a table of the server.
Result<void> copy_rows(Connection& connection, Database& database, const Table& table, const std::string& target,
                       const std::vector<std::int64_t>& keys, std::int64_t revision) {
  if (keys.empty()) return {};
  auto select = database.prepare("SELECT " + column_list(table, Side::mirror) + " FROM " + table.name + " WHERE \"" +
                                 table.key + "\" = ?1");
  if (!select) return fail(std::move(select.error()));
  std::size_t next = 0;
  const std::string columns = column_list(table, Side::server) + (table.owner == nullptr ? ", revision" : "");
  return connection.copy_in("COPY " + target + " (" + columns + ") FROM STDIN (FORMAT binary)",
                            [&](CopyWriter& out) -> Result<bool> {
                              if (next == keys.size()) return false;
                              select->bind(1, keys[next++]);
                              for (;;) {
                                auto row = select->step();
                                if (!row) return fail(std::move(row.error()));
                                if (!*row) return true;
                                write_row(out, table, *select, revision);
                              }
                            });
}

}  // namespace

Result<void> Mirror::send(Database& database, std::int64_t revision) {
  // Rows that are gone go before those that refer to them lose what they refer to, and before their ids come again.
  const std::string number = std::to_string(revision);
  for (std::size_t i = tables().size(); i-- > 0;) {
    const Table& table = tables()[i];
    std::vector<std::int64_t> gone;
    if (table.owner != nullptr || changes_[i].empty()) continue;
    auto there = database.prepare(std::string("SELECT 1 FROM ") + table.name + " WHERE key = ?1");
    if (!there) return fail(std::move(there.error()));
    for (const auto& [key, change] : changes_[i]) {
      there->bind(1, key);
      auto row = there->step();
      if (!row) return fail(std::move(row.error()));
      if (!*row) gone.push_back(key);
      there->reset();
    }
    for (const std::int64_t key : gone) changes_[i].erase(key);
    if (gone.empty()) continue;
    auto removed = connection_->rows(
        std::string("WITH removed AS (DELETE FROM rondo.") + table.name +
            " WHERE key = ANY ($1::bigint[]) RETURNING key) INSERT INTO rondo.removed (table_name, key, revision)"
            " SELECT $2, key, $3::bigint FROM removed ON CONFLICT (table_name, key) DO UPDATE SET revision = "
            "excluded.revision",
        {array_of(gone), table.name, number});
    if (!removed) return fail(std::move(removed.error()));
  }
  for (std::size_t i = 0; i < tables().size(); ++i) {
    const Table& table = tables()[i];
    auto done = table.owner == nullptr ? send_table(database, i, revision) : send_owned(database, table, revision);
    if (!done) return done;
  }
  return {};
}

Result<void> Mirror::send_table(Database& database, std::size_t index, std::int64_t revision) {
  const Table& table = tables()[index];
  std::vector<std::int64_t> inserted;
  std::vector<std::int64_t> updated;
  for (const auto& [key, change] : changes_[index]) (change == Change::inserted ? inserted : updated).push_back(key);
  const std::string name = std::string("rondo.") + table.name;
  if (auto done = copy_rows(*connection_, database, table, name, inserted, revision); !done) return done;
  if (updated.empty()) return {};
  const std::string staged = std::string("pg_temp.new_") + table.name;
  auto done = connection_->execute("CREATE TEMP TABLE IF NOT EXISTS new_" + std::string(table.name) + " (LIKE " + name +
                                   ") ON COMMIT DELETE ROWS");
  if (done) done = copy_rows(*connection_, database, table, staged, updated, revision);
  if (!done) return done;
  const std::string columns = column_list(table, Side::server) + ", revision";
  return connection_->execute("INSERT INTO " + name + " (" + columns + ") SELECT " + columns + " FROM " + staged +
                              " ON CONFLICT (key) DO UPDATE SET revision = excluded.revision, " +
                              column_updates(table, Side::server));
}

Result<void> Mirror::send_owned(Database& database, const Table& table, std::int64_t revision) {
  std::vector<std::int64_t> owners;
  std::vector<std::int64_t> known;
  for (std::size_t i = 0; i < tables().size(); ++i) {
    if (std::string_view(tables()[i].name) != table.owner) continue;
    for (const auto& [key, change] : changes_[i]) {
      owners.push_back(key);
      if (change == Change::other) known.push_back(key);
    }
  }
  const std::string name = std::string("rondo.") + table.name;
  if (!known.empty()) {
    auto cleared = connection_->rows("DELETE FROM " + name + " WHERE \"" + table.key + "\" = ANY ($1::bigint[])",
                                     {array_of(known)});
    if (!cleared) return fail(std::move(cleared.error()));
  }
  return copy_rows(*connection_, database, table, name, owners, revision);
}

}  // namespace rondo::postgresql
