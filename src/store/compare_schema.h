#pragma once

#include <string>
#include <vector>

#include "rondo/base/result.h"
#include "store/sqlite.h"

namespace rondo {

/// How the tables, indexes, views and triggers of a file differ from those that they should be, a sentence each.
/// Tables that somebody has added are no difference; triggers are, because they change what is written.
[[nodiscard]] Result<std::vector<std::string>> compare_schema(Database& database, Database& expected);

}  // namespace rondo
