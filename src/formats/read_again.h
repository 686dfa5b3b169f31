#pragma once

#include <optional>
#include <string>

#include "rondo/formats/format.h"

namespace rondo {

/// Reads the output of a writer again; nullopt unless it is one piece. Used by writers of formats that are ambiguous
/// for some music, to check the round trip.
[[nodiscard]] std::optional<Piece> read_again(Result<void> (*read)(ByteSource&, const ReadOptions&, PieceSink&),
                                              const std::string& text);

}  // namespace rondo
