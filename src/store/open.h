#pragma once

#include <filesystem>

#include "rondo/store/collection.h"
#include "store/sqlite.h"

namespace rondo {

/// Opens the file of a collection in the way Collection::open promises.
[[nodiscard]] Result<Database> open_database(const std::filesystem::path& path, OpenMode mode,
                                             const UpgradeWatcher& watch = {});

/// Everything SQLite can check by itself: pages, constraints, references, full text against the tables (the last
/// only where the file may be written). `store-corrupt` otherwise.
[[nodiscard]] Result<void> check_tables(Database& database);

}  // namespace rondo
