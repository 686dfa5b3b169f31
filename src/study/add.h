#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite.h"
#include "study/study.h"

/// Writes to the file of studies, within a transaction of the caller.
namespace rondo::study {

[[nodiscard]] Result<void> add_study(Database& database, const Study& study);
[[nodiscard]] Result<void> add_votes(Database& database, std::string_view name, const std::vector<Participant>& voters);

struct NewParticipant {
  std::int64_t key = 0;
  std::int64_t number = 0;
};
/// With an empty fingerprint, nobody can join as this participant. Error `study-full`.
[[nodiscard]] Result<NewParticipant> add_participant(Database& database, std::int64_t study, std::string_view label,
                                                     std::string_view origin, const std::string& code_fingerprint);

/// Writes one save: the move, and the current answer.
[[nodiscard]] Result<void> write_move(Database& database, std::int64_t participant, std::int64_t query,
                                      const Move& move);

/// Must be called with every change of a study's tables; invalidates caches.
[[nodiscard]] Result<void> touch(Database& database, std::int64_t study);

}  // namespace rondo::study
