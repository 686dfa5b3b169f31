#pragma once

#include <span>
#include <string>

#include "formats/abc/text.h"
#include "rondo/formats/format.h"

namespace rondo::abc {

/// True for a line "X:..." that holds a field and no music. In a tune's body "A:|" and "c:|" are music.
[[nodiscard]] bool is_field(std::string_view line, bool in_body);

/// The id of %%rondo-id, which our writer adds to a tune; empty if there is none.
[[nodiscard]] std::string written_id(std::span<const Line> tune);

/// Reads a piece from the lines of one tune (usually X: first). `file_header` are the fields before the first tune,
/// which apply to all. Warnings go to the sink; an error skips this tune.
[[nodiscard]] Result<Piece> read_tune(std::span<const Line> tune, std::span<const Line> file_header, std::string id,
                                      const ReadOptions& options, PieceSink& sink);

}  // namespace rondo::abc
