#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "features/features.h"
#include "store/sql_clock.h"
#include "store/sqlite.h"

namespace rondo {

/// What the functions refer to; both must outlive the connection. The query may be filled in and changed later.
struct FeatureContext {
  const std::optional<Features>& query;
  SqlClock& clock;
};

/// Registers the functions on features that docs/filter.md lists.
[[nodiscard]] Result<void> register_feature_functions(Database& database, const FeatureContext& context);

/// Their names, for the sandbox.
[[nodiscard]] std::span<const std::string_view> feature_functions();

}  // namespace rondo
