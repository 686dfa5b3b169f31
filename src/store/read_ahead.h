#pragma once

#include <memory>

#include "rondo/base/bytes.h"
#include "rondo/formats/format.h"

namespace rondo {

/// The same as read_any, with the reading and parsing in a thread of its own, a little ahead: `sink` gets the same
/// calls in the same order, on the calling thread, while the next records are being read. So storing costs no more
/// time than the slower of the two. The memory in between is bounded.
///
/// The format is nullptr when the sink asked to stop before the end of a source that turned out to be broken further
/// on.
[[nodiscard]] Result<const Format*> read_ahead(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                               PieceSink& sink);

}  // namespace rondo
