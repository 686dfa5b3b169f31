#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite.h"
#include "study/study.h"

/// Writing into the file of studies, always within a transaction that the caller has begun.
namespace rondo::study {

[[nodiscard]] Result<void> add_study(Database& database, const Study& study);
[[nodiscard]] Result<void> add_votes(Database& database, std::string_view name, const std::vector<Participant>& voters);

struct NewParticipant {
  std::int64_t key = 0;
  std::int64_t number = 0;
};
/// An empty fingerprint: nobody can join as this one. Error `study-full`.
[[nodiscard]] Result<NewParticipant> add_participant(Database& database, std::int64_t study, std::string_view label,
                                                     std::string_view origin, const std::string& code_fingerprint);

/// What one save writes: the move, and the answer as it is now.
[[nodiscard]] Result<void> write_move(Database& database, std::int64_t participant, std::int64_t query,
                                      const Move& move);

/// To be told of whatever changes a study's tables.
[[nodiscard]] Result<void> touch(Database& database, std::int64_t study);

}  // namespace rondo::study
