#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "rondo/base/result.h"
#include "store/sqlite.h"

namespace rondo {

/// In the header of every collection ("RnDo"), so that Rondo never writes into another program's database.
inline constexpr std::int64_t kApplicationId = 0x526E446F;

/// Receives the progress of a long step: rows done, and rows in all.
using MigrationWatcher = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// One step from version n-1 to n of the schema. Released steps never change: a new requirement is a new row.
/// docs/schema.md explains the tables.
struct Migration {
  std::string_view what;
  const char* sql;
  /// What SQL alone cannot do, in the same transaction.
  Result<void> (*then)(Database& database, const MigrationWatcher& watch) = nullptr;
  /// What cannot be done in a transaction, before it; doing it twice must do no harm.
  Result<void> (*before)(Database& database) = nullptr;
};

/// In order; the number of the last is the version of a new file.
[[nodiscard]] std::span<const Migration> migrations();

/// Migrates the file to the version of this program, one transaction per step; an up-to-date file is not written. Two
/// processes may do so at once. Errors: `store-newer`, `store-foreign`.
[[nodiscard]] Result<void> migrate(Database& database, std::span<const Migration> steps = migrations(),
                                   const MigrationWatcher& watch = {});

/// Fails unless the file is a collection of a version that can be read without migration (the current or the previous
/// one): `store-foreign`, `store-newer`, `store-older`.
[[nodiscard]] Result<void> check_version(Database& database);

}  // namespace rondo
