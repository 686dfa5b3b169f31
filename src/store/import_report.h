#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "rondo/base/result.h"

namespace rondo {

enum class Severity : std::uint8_t { warning, skipped, failed };
[[nodiscard]] std::string_view severity_name(Severity severity);

/// One line of CSV per problem, after a line of names (RFC 4180: CRLF, quotes where needed), in an OutputFile.
class ImportReport {
 public:
  /// With an empty path nothing is written.
  [[nodiscard]] static Result<ImportReport> open(const std::filesystem::path& path);

  void add(Severity severity, const Diagnostic& problem);
  /// `report-unwritable` when something could not be written since the last time.
  [[nodiscard]] Result<void> flush();
  /// The report appears under its name.
  [[nodiscard]] Result<void> finish();

 private:
  std::optional<OutputFile> out_;
  std::string line_;
};

}  // namespace rondo
