#pragma once

#include <string_view>
#include <vector>

#include "store/sqlite.h"
#include "study/study.h"

namespace rondo::study {

/// A row of the table of studies.
struct StudyRow {
  std::int64_t key = 0;
  Settings settings;
  bool open_link = false;
  std::int64_t changes = 0;
};
[[nodiscard]] Result<std::vector<StudyRow>> study_rows(Database& database);
/// Error `study-missing`.
[[nodiscard]] Result<StudyRow> study_row(Database& database, std::string_view name);

/// Keys of the rows of a study's queries, in order.
[[nodiscard]] Result<std::vector<std::int64_t>> query_keys(Database& database, std::int64_t study);
[[nodiscard]] Result<Query> load_query(Database& database, std::int64_t key);
[[nodiscard]] Result<Study> load_study(Database& database, std::string_view name, bool with_moves);

/// Parses a stored answer. Error `store-corrupt`.
[[nodiscard]] Result<Ranking> stored_ranking(std::string_view text);
[[nodiscard]] Result<std::optional<Background>> stored_background(std::string_view text);

}  // namespace rondo::study
