#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "rondo/base/result.h"

namespace rondo {

/// Copies a file of ours (a collection, or its studies) as it is at one moment, while others read and write it. The
/// copy is complete in itself: no log lies beside it. It appears under its name when it is whole; a process killed
/// before that leaves at most `to` with ".part" behind its name. Errors: `backup-exists`, those of opening,
/// `disk-full`.
[[nodiscard]] Result<std::uint64_t> back_up(const std::filesystem::path& from, const std::filesystem::path& to);

/// Puts the content of a copy into a file that may be in use: other programs see the old state until the new one is
/// complete, then the new one. A process killed meanwhile leaves the old state. Makes the file where there is none.
[[nodiscard]] Result<std::uint64_t> restore(const std::filesystem::path& copy, const std::filesystem::path& to);

/// What SQLite can check by itself in such a file: pages, indexes, references. Error `store-corrupt`.
[[nodiscard]] Result<void> check_pages(const std::filesystem::path& file);

}  // namespace rondo
