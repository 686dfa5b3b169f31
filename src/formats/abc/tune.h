#pragma once

#include <span>
#include <string>

#include "formats/abc/text.h"
#include "rondo/formats/format.h"

namespace rondo::abc {

/// True for a line "X:..." that holds a field and no music. In a tune's body "A:|" and "c:|" are music.
[[nodiscard]] bool is_field(std::string_view line, bool in_body);

/// The name behind %%rondo-id, which our writer puts into a tune; empty where there is none.
[[nodiscard]] std::string written_id(std::span<const Line> tune);

/// Makes a piece of the lines of one tune (X: first, usually). `file_header` are the fields before the first tune,
/// which hold for all. Warnings go to the sink; an error costs this tune.
[[nodiscard]] Result<Piece> read_tune(std::span<const Line> tune, std::span<const Line> file_header, std::string id,
                                      const ReadOptions& options, PieceSink& sink);

}  // namespace rondo::abc
