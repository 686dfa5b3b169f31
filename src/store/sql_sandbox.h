#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "store/sqlite.h"

namespace rondo {

/// Stands between a connection and whoever types SQL: lets through what only reads, ends what takes too long, and
/// remembers why it refused. It must outlive its use by the connection and stay where it is.
class SqlSandbox {
 public:
  SqlSandbox();
  SqlSandbox(const SqlSandbox&) = delete;
  SqlSandbox& operator=(const SqlSandbox&) = delete;

  /// Puts the connection under guard, for good.
  void guard(Database& database);
  void allow_function(std::string name) { functions_.insert(std::move(name)); }

  /// Begins a question that may take so long.
  void start(std::chrono::milliseconds time);

  /// What SQLite said, in our words; `prefix` characters before what the user typed are ours.
  [[nodiscard]] Error explain(const Database& database, int code, std::size_t prefix) const;

 private:
  static int authorize(void* self, int action, const char* first, const char* second, const char* database,
                       const char* inside);
  static int tick(void* self);
  [[nodiscard]] bool allowed(int action, std::string_view first, std::string_view second);

  std::set<std::string, std::less<>> functions_;
  std::string refused_;
  std::chrono::steady_clock::time_point until_;
  std::chrono::milliseconds time_{};
  bool late_ = false;
};

}  // namespace rondo
