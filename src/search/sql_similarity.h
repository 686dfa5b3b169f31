#pragma once

#include <memory>

#include "rondo/similarity/system.h"
#include "store/user_sql.h"

namespace rondo {

/// Adds the function similarity(SYSTEM, key) to users' SQL: the score of the voice with that key against the query,
/// under the system of that name with its default parameters; higher is more similar; NULL if the two cannot be
/// compared. A system that learns is trained at its first use. `collection` must outlive `sql`.
[[nodiscard]] Result<void> add_similarity(UserSql& sql, Collection& collection, const Line& query);

/// Sets the query melody for all SQL functions that refer to one: features and similarity.
[[nodiscard]] Result<void> compare_with(UserSql& sql, Collection& collection, const Voice& query);

}  // namespace rondo
