#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "rondo/base/result.h"
#include "store/sqlite.h"

namespace rondo {

/// In the header of every file of ours ("RnDo"), so that nobody writes into another program's database.
inline constexpr std::int64_t kApplicationId = 0x526E446F;

/// Told how many rows of how many a long step has done.
using MigrationWatcher = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// One step from version n-1 to n of the schema. Steps that were once released never change: a new need is a new row.
/// The words of the tables are explained in docs/schema.md.
struct Migration {
  std::string_view what;
  const char* sql;
  /// What SQL alone cannot do, in the same transaction.
  Result<void> (*then)(Database& database, const MigrationWatcher& watch) = nullptr;
};

/// In order; the number of the last is the version of a new file.
[[nodiscard]] std::span<const Migration> migrations();

/// Brings the file to the version of this program, one transaction per step; a file that is there already is not
/// written to. Two processes may do so at once. Errors: `store-newer`, `store-foreign`.
[[nodiscard]] Result<void> migrate(Database& database, std::span<const Migration> steps = migrations(),
                                   const MigrationWatcher& watch = {});

/// Errors unless the file is ours and of a version that can be read as it is, which the one before this is:
/// `store-foreign`, `store-newer`, `store-older`.
[[nodiscard]] Result<void> check_version(Database& database);

}  // namespace rondo
