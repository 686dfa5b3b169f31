#pragma once

#include <memory>

#include "rondo/base/bytes.h"
#include "rondo/formats/format.h"

namespace rondo {

/// The same as read_any, but reading and parsing run ahead on another thread: `sink` gets the same calls in the same
/// order, on the calling thread, while the next records are being read. So the whole takes only as long as the slower
/// of the two. The buffer between them is bounded.
///
/// The format is nullptr if the sink asked to stop before a point where the source turned out to be broken.
[[nodiscard]] Result<const Format*> read_ahead(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                               PieceSink& sink);

}  // namespace rondo
