#pragma once

#include "store/schema.h"

namespace rondo {

/// Version 2 of the tables: features of every voice, sets of candidates.
extern const char* const kFeatureTables;

/// Computes the features of existing voices.
[[nodiscard]] Result<void> fill_features(Database& database, const MigrationWatcher& watch);

}  // namespace rondo
