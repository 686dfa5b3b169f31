#pragma once

#include <filesystem>

#include "rondo/store/collection.h"
#include "store/sqlite.h"

namespace rondo {

/// Opens the file of a collection; see Collection::open for the contract.
[[nodiscard]] Result<Database> open_database(const std::filesystem::path& path, OpenMode mode,
                                             const UpgradeWatcher& watch = {});

}  // namespace rondo
