#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/base/result.h"
#include "store/postgresql/copy_rows.h"

namespace rondo::postgresql {

/// A connection to a PostgreSQL server. For one thread at a time.
///
/// Errors: `store-libpq`, `store-unreachable` (also when the connection is lost), `store-denied`, `store-missing` (no
/// such database), `store-busy`, `store-read-only`, `disk-full`, else `store-error`.
class Connection {
 public:
  [[nodiscard]] static Result<Connection> open(const std::string& url);
  ~Connection();
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;

  /// Statements without parameters, separated by semicolons.
  [[nodiscard]] Result<void> execute(const std::string& sql);
  using Row = std::vector<std::optional<std::string>>;
  /// The rows of one statement as texts; parameters are $1, $2 and so on.
  [[nodiscard]] Result<std::vector<Row>> rows(const std::string& sql, const std::vector<std::string>& parameters = {});

  /// Runs `COPY ... FROM STDIN (FORMAT binary)`; `fill` writes rows until it returns false.
  [[nodiscard]] Result<void> copy_in(const std::string& sql, const std::function<Result<bool>(CopyWriter&)>& fill);
  /// Runs `COPY ... TO STDOUT (FORMAT binary)` of so many columns.
  [[nodiscard]] Result<void> copy_out(const std::string& sql, std::size_t columns,
                                      const std::function<Result<void>(const std::vector<CopyField>&)>& visit);

  /// Whether the server has ended the connection.
  [[nodiscard]] bool lost() const;

 private:
  struct State;
  explicit Connection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The address without its password, for messages.
[[nodiscard]] std::string shown_address(std::string_view url);

}  // namespace rondo::postgresql
