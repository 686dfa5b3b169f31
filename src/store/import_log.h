#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rondo/store/import.h"
#include "store/import_report.h"
#include "store/sqlite.h"

namespace rondo {

/// The tables of imports. Every call writes within the current transaction.
class ImportLog {
 public:
  explicit ImportLog(Database& database) : database_(database) {}

  [[nodiscard]] Result<std::int64_t> start(std::span<const std::string> paths);
  [[nodiscard]] Result<void> count(const ImportSummary& summary);
  [[nodiscard]] Result<void> finish(const ImportSummary& summary, std::string_view outcome);

  /// A file on disk.
  struct Path {
    std::int64_t key = 0;
    std::string fingerprint;  ///< empty unless it was read to the end
  };
  [[nodiscard]] Result<std::optional<Path>> find_path(std::string_view path);
  /// Called before a file is read: deletes its fingerprint and its problems.
  [[nodiscard]] Result<std::int64_t> begin_path(std::int64_t run, std::string_view path, std::int64_t size);
  [[nodiscard]] Result<void> see_path(std::int64_t run, std::int64_t key);
  [[nodiscard]] Result<void> end_path(std::int64_t key, std::string_view fingerprint);

  /// The input of a reader: that file, or one inside it.
  [[nodiscard]] Result<std::int64_t> begin_file(std::int64_t path, std::string_view location, std::string_view name);
  [[nodiscard]] Result<void> end_file(std::int64_t key, std::string_view format, std::int64_t records);

  struct FileOnDisk {
    std::int64_t path = 0;
    std::string where;
    std::string name;
  };
  [[nodiscard]] Result<FileOnDisk> path_of_file(std::int64_t file);

  [[nodiscard]] Result<void> problem(std::int64_t run, std::int64_t path, Severity severity, const Diagnostic& what);

 private:
  Database& database_;
};

}  // namespace rondo
