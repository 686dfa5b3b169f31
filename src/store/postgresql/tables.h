#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rondo::postgresql {

enum class ColumnKind : std::uint8_t { integer, text, bytes };

struct Column {
  const char* name;
  ColumnKind kind;
  const char* on_server = nullptr;  ///< its name there, if another
  const char* type = nullptr;       ///< on the server, if not that of its kind
};

/// A table of the collection that exists on the server and in each mirror, with the same rows.
struct Table {
  const char* name;
  /// The integer that names a row; where there is an owner, that of the owner's row.
  const char* key;
  /// Its rows are changed, sent and removed together with a row of this table; nullptr: they have revisions themselves.
  const char* owner;
  std::span<const Column> columns;
};

/// A table before those that refer to it.
[[nodiscard]] std::span<const Table> tables();

/// `"a", "b"`, as the server or SQLite calls them.
enum class Side : std::uint8_t { server, mirror };
[[nodiscard]] std::string column_list(const Table& table, Side side, std::string_view prefix = "");
/// `"a" = excluded."a", "b" = excluded."b"`: what an upsert sets.
[[nodiscard]] std::string column_updates(const Table& table, Side side);

/// The version of what server_schema makes.
inline constexpr std::int64_t kServerFormat = 1;
/// Everything a collection has on the server, in the schema `rondo`.
[[nodiscard]] std::string server_schema();

}  // namespace rondo::postgresql
