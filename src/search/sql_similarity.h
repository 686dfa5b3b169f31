#pragma once

#include <memory>

#include "rondo/similarity/system.h"
#include "store/user_sql.h"

namespace rondo {

/// Adds similarity(SYSTEM, key) to the SQL of a user: the score of the voice with that key against the query under the
/// system of that name with its standard parameters, higher is more alike; NULL where the two cannot be compared.
/// A system that wants to know the collection is shown it at its first use. `collection` must outlive `sql`.
[[nodiscard]] Result<void> add_similarity(UserSql& sql, Collection& collection, const Line& query);

/// Makes a melody the query of everything that refers to one: its features and its similarity.
[[nodiscard]] Result<void> compare_with(UserSql& sql, Collection& collection, const Voice& query);

}  // namespace rondo
