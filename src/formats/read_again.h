#pragma once

#include <optional>
#include <string>

#include "rondo/formats/format.h"

namespace rondo {

/// What a reader makes of a text that a writer wrote; nothing unless it is one piece. Writers of formats in which some
/// music has no unambiguous form check themselves by it.
[[nodiscard]] std::optional<Piece> read_again(Result<void> (*read)(ByteSource&, const ReadOptions&, PieceSink&),
                                              const std::string& text);

}  // namespace rondo
