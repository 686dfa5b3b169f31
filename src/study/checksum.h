#pragma once

#include <cstdint>
#include <string>

#include "rondo/base/result.h"
#include "store/sqlite.h"

/// Checksums of the rows of the studies' file. Triggers keep them, so that no statement that writes need know of them;
/// whoever loads a study verifies them.
namespace rondo::study {

/// Gives a connection the function row_checksum(...), which the triggers call. Without it the file can be read, not
/// written: other programs cannot make checksums that fit.
[[nodiscard]] Result<void> register_checksum(Database& database);

/// The step of the schema that adds checksums and their triggers.
[[nodiscard]] const std::string& checksum_step();

/// Error `store-corrupt` if a row of this study (settings, queries, candidates, participants, answers, moves) does not
/// fit its checksum.
[[nodiscard]] Result<void> verify_study(Database& database, std::int64_t study);
/// The same of a query and its candidates alone.
[[nodiscard]] Result<void> verify_query(Database& database, std::int64_t query);

}  // namespace rondo::study
