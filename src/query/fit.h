#pragma once

#include <optional>
#include <string>

#include "rondo/query/reading.h"

namespace rondo {

/// How a query is to be searched for, as far as what it says decides that.
struct QueryFit {
  std::string system;  ///< the one that was named, or the one that suits the query
  bool anchored = false;
  Diagnostics warnings{};  ///< where something was decided for the user
};

/// Chooses the system where none is named, and checks one that is. A contour is compared by `contour` or
/// `pattern-contour`, and with the beginnings of melodies unless `anchored` says otherwise. Unknown notes are looked
/// for by `pattern` and its kin, which also stand in for systems that compare the same. Errors: `query-wildcards` (a
/// system that does not take them), `query-contour-system`, `query-rhythm-missing`.
[[nodiscard]] Result<QueryFit> fit_system(const QueryReading& reading, const std::optional<std::string>& named,
                                          const std::optional<bool>& anchored);

/// Whether a system compares pitches alone.
struct SystemRow;
[[nodiscard]] bool ignores_rhythm(const SystemRow& row);

}  // namespace rondo
