#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "features/features.h"
#include "store/sql_clock.h"
#include "store/sqlite.h"

namespace rondo {

/// The context of the functions; both members must outlive the connection. The query may be set and changed later.
struct FeatureContext {
  const std::optional<Features>& query;
  SqlClock& clock;
};

/// Registers the functions on features that docs/filter.md lists.
[[nodiscard]] Result<void> register_feature_functions(Database& database, const FeatureContext& context);

/// Their names, for the sandbox.
[[nodiscard]] std::span<const std::string_view> feature_functions();

}  // namespace rondo
