#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "store/sql_clock.h"
#include "store/sqlite.h"
#include "store/user_sql.h"

namespace rondo {

/// Maximal size in bytes of a text or blob that a statement may read or make.
[[nodiscard]] constexpr std::size_t most_bytes(SqlAudience audience) {
  return audience == SqlAudience::owner ? 16'000'000 : 100'000;
}

/// Restricts a connection on which users run SQL: allows only reads, ends statements that take too long, and records
/// why it refused. It must outlive the connection's use of it and must not be moved.
class SqlSandbox {
 public:
  explicit SqlSandbox(SqlAudience audience);
  SqlSandbox(const SqlSandbox&) = delete;
  SqlSandbox& operator=(const SqlSandbox&) = delete;

  /// Restricts the connection permanently.
  void guard(Database& database);
  void allow_function(std::string name) { functions_.insert(std::move(name)); }

  /// The functions that a statement may call.
  [[nodiscard]] const std::set<std::string, std::less<>>& functions() const { return functions_; }
  [[nodiscard]] SqlClock& clock() { return clock_; }

  /// Starts a query with a time limit.
  void start(std::chrono::milliseconds time);

  /// The error for a code of SQLite; the statement has `prefix` characters before the user's text.
  [[nodiscard]] Error explain(const Database& database, int code, std::size_t prefix) const;

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* database,
                       const char* inside);
  static int tick(void* self);
  [[nodiscard]] bool allowed(int action, std::string_view first, std::string_view second, std::string_view inside);
  [[nodiscard]] bool readable(std::string_view table, std::string_view column, std::string_view inside) const;

  SqlAudience audience_;
  std::set<std::string, std::less<>> functions_;
  std::string refused_;
  SqlClock clock_;
};

}  // namespace rondo
