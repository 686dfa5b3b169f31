#pragma once

#include <fmt/chrono.h>

#include <chrono>
#include <string>

#include "store/sqlite.h"
#include "study/json.h"

/// Helpers for reading and writing the file of studies.
namespace rondo::study {

[[nodiscard]] inline std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "2026-03-01T12:30:00.123Z"
[[nodiscard]] inline std::string utc_now() {
  const auto now = std::chrono::system_clock::now();
  const auto whole = std::chrono::time_point_cast<std::chrono::seconds>(now);
  const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(now - whole).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(whole), rest);
}

[[nodiscard]] inline std::int64_t flag(bool value) { return value ? 1 : 0; }

/// The same for a query with at most one row; false: there is no row.
template <typename Visit, typename... Values>
[[nodiscard]] Result<bool> one_row(Database& database, const char* sql, const Visit& visit, const Values&... values) {
  bool found = false;
  auto done = each_row(
      database, sql,
      [&](const Statement& row) -> Result<void> {
        found = true;
        return visit(row);
      },
      values...);
  if (!done) return fail(std::move(done.error()));
  return found;
}

[[nodiscard]] inline std::string text_at(const Statement& row, int column) { return std::string(row.bytes(column)); }

}  // namespace rondo::study
