#pragma once

#include "store/sqlite.h"

namespace rondo::study {

/// In the header of every file of studies ("RnSt").
inline constexpr std::int64_t kStudiesId = 0x526E5374;

/// Migrates the file to the version of this program, one transaction per step. Errors: `store-newer`, `store-foreign`.
[[nodiscard]] Result<void> migrate(Database& database);

}  // namespace rondo::study
