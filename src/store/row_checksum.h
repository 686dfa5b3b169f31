#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "rondo/base/result.h"
#include "rondo/melody/piece.h"
#include "store/sqlite.h"

/// Checksums of rows, verified whenever they are read, because SQLite does not detect a flipped bit on disk. They are
/// stored in files, so their definition never changes.
namespace rondo {

/// Of a row of `voice`: which melody of which piece it is, and its notes.
[[nodiscard]] std::int64_t voice_checksum(std::int64_t piece, std::int64_t number, std::int64_t note_count,
                                          std::string_view notes);
/// Of a row of `piece` with its catalogue numbers and fields, but not the source text.
[[nodiscard]] std::int64_t piece_checksum(std::string_view id, const Metadata& metadata, std::string_view format);

/// The error `store-corrupt` for a row that does not match its checksum.
[[nodiscard]] Error damaged_row(std::string what);

/// Part of the migration to version 3: gives every row its checksum. Pieces whose content does not match its stored
/// hash get a wrong checksum, so that they are reported from then on.
[[nodiscard]] Result<void> fill_checksums(Database& database,
                                          const std::function<void(std::uint64_t done, std::uint64_t total)>& watch);

}  // namespace rondo
