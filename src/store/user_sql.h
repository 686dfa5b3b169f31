#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "features/features.h"
#include "rondo/base/result.h"
#include "rondo/store/collection.h"

namespace rondo {

/// Who wrote the SQL. `strangers` (visitors of a server) cannot read the tables of imports and candidates, make or read
/// texts of more than 100 kB, or see the texts of voices with more than 10,000 notes (contour, intervals, ...: NULL).
enum class SqlAudience : std::uint8_t { strangers, owner };

struct SqlLimits {
  std::chrono::milliseconds time{60'000};  ///< for each query
  std::size_t rows = 1'000'000;            ///< of a `select`
  SqlAudience audience = SqlAudience::strangers;
  std::stop_token stop{};  ///< ends a query early, as if its time were over

  /// For users who have access to the file itself.
  [[nodiscard]] static SqlLimits owner() {
    SqlLimits limits;
    limits.audience = SqlAudience::owner;
    return limits;
  }
};

/// A melody selected by an expression.
struct SelectedMelody {
  VoiceKey voice{};
  PieceKey piece{};
  friend bool operator==(const SelectedMelody&, const SelectedMelody&) = default;
};

/// A row of an answer: its values as text, NULL as "".
using SqlRow = std::vector<std::string>;

/// Runs SQL of a user on a separate read-only connection. docs/filter.md describes the syntax.
///
/// Layers of defence: the file is opened read-only; an authorizer allows only SELECT on tables and views of
/// docs/schema.md and functions known to be safe (no PRAGMA, no ATTACH, no recursion, no extensions); the sizes of
/// texts, expressions and statements are limited; functions of more than linear time are replaced by our own, which
/// check the clock; a query that takes too long or returns too much is ended. All queries of one object see one state
/// of the collection.
///
/// Errors: `sql-error` (with the column in the user's text), `sql-forbidden` (names what is not allowed),
/// `sql-timeout`, `sql-rows`, `sql-malformed`, and those of opening the file. Not thread-safe.
class UserSql {
 public:
  [[nodiscard]] static Result<UserSql> open(const std::filesystem::path& path, const SqlLimits& limits = {});
  ~UserSql();
  UserSql(UserSql&&) noexcept;
  UserSql& operator=(UserSql&&) noexcept;

  /// Sets the query that query('range'), contour_distance(contour) and similar functions refer to.
  void set_query(const Features& query);

  /// One complete SELECT. The callback gets the names of the columns and returns false to stop.
  using Visitor = std::function<bool(std::span<const std::string> names, const SqlRow& row)>;
  [[nodiscard]] Result<void> select(std::string_view sql, const Visitor& visit);

  /// The melodies for which an expression over the columns of the view `melodies` is true, by their keys.
  [[nodiscard]] Result<std::vector<SelectedMelody>> where(std::string_view expression);
  /// Those of `among`, in that order.
  [[nodiscard]] Result<std::vector<SelectedMelody>> where(std::string_view expression,
                                                          std::span<const SelectedMelody> among);
  /// The value of a numeric expression for each; NaN for NULL.
  [[nodiscard]] Result<std::vector<double>> values(std::string_view expression, std::span<const SelectedMelody> among);

  /// How many melodies there are.
  [[nodiscard]] Result<std::uint64_t> size();

  /// For modules that add functions: the connection; their names must also be allowed in the sandbox. Such a function
  /// checks `out_of_time` before and during long work.
  [[nodiscard]] Database& database();
  void allow_function(std::string name);
  [[nodiscard]] std::function<bool()> out_of_time();
  [[nodiscard]] SqlAudience audience() const;
  /// All functions that a query may call.
  [[nodiscard]] std::vector<std::string> functions() const;

 private:
  struct State;
  explicit UserSql(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Rejects text that is not a single expression: a semicolon, an unclosed bracket or quote, a placeholder. The error
/// `sql-malformed` has the column.
[[nodiscard]] Result<void> check_expression(std::string_view expression);

}  // namespace rondo
