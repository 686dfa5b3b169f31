#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "rondo/features/features.h"
#include "store/sqlite.h"

namespace rondo {

/// Gives a connection the functions over features that docs/filter.md lists. `query` may be filled and changed later;
/// it must outlive the connection's use of them.
[[nodiscard]] Result<void> register_feature_functions(Database& database, const std::optional<Features>& query);

/// Their names, for the sandbox.
[[nodiscard]] std::span<const std::string_view> feature_functions();

}  // namespace rondo
