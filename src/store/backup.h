#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "rondo/base/result.h"

namespace rondo {

/// Makes a consistent copy of a collection, or of its studies, while others read and write it. The copy is a single
/// file without a log. It appears under its name only when it is complete; a process killed before that leaves at most
/// `to` with the suffix ".part-" and eight digits. Errors: those of check_backup and of opening, `disk-full`.
[[nodiscard]] Result<std::uint64_t> back_up(const std::filesystem::path& from, const std::filesystem::path& to);

/// Whether a copy may be made under this name: errors `backup-exists`, `output-refused` (a file that belongs to another
/// collection would be called like this).
[[nodiscard]] Result<void> check_backup(const std::filesystem::path& to);

/// Replaces the content of a file that may be in use: other programs see the old state until the new one is complete. A
/// process killed meanwhile leaves the old state. Creates the file if it does not exist.
[[nodiscard]] Result<std::uint64_t> restore(const std::filesystem::path& copy, const std::filesystem::path& to);

/// The checks of SQLite itself: pages, indexes, references. Error `store-corrupt`.
[[nodiscard]] Result<void> check_pages(const std::filesystem::path& file);

}  // namespace rondo
