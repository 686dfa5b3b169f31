#pragma once

#include <filesystem>

#include "rondo/store/collection.h"
#include "store/sqlite.h"

namespace rondo {

/// Opens the file of a collection; see Collection::open for the contract.
[[nodiscard]] Result<Database> open_database(const std::filesystem::path& path, OpenMode mode,
                                             const UpgradeWatcher& watch = {});
/// To read, through a file system of SQLite.
[[nodiscard]] Result<Database> open_database(const std::filesystem::path& path, const char* file_system);

}  // namespace rondo
