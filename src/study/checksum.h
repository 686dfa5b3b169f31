#pragma once

#include <cstdint>
#include <string>

#include "rondo/base/result.h"
#include "store/sqlite.h"

/// Checksums of the rows of the studies' file. Triggers maintain them, so that no writing statement has to; loading a
/// study verifies them.
namespace rondo::study {

/// Registers the function row_checksum(...), which the triggers call. Without it the file can be read but not written,
/// so other programs cannot make invalid rows.
[[nodiscard]] Result<void> register_checksum(Database& database);

/// The step of the schema that adds checksums and their triggers.
[[nodiscard]] const std::string& checksum_step();

/// Error `store-corrupt` if a row of this study (settings, queries, candidates, participants, answers, moves) does not
/// match its checksum.
[[nodiscard]] Result<void> verify_study(Database& database, std::int64_t study);
/// The same for a query and its candidates only.
[[nodiscard]] Result<void> verify_query(Database& database, std::int64_t query);

}  // namespace rondo::study
