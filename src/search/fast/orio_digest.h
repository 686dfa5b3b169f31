#pragma once

#include <stop_token>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo::fast {

/// Works out what every search with Orio needs of every document and leaves it with the system, which has just learnt
/// them; does nothing to other systems. 2 bytes a note and 72 a document.
/// Stopped on demand, it leaves nothing.
void digest_for(const index::Snapshot& snapshot, System& system, const std::stop_token& stop = {});

/// What the documents of a segment are known by in such a digest.
[[nodiscard]] inline const void* digest_key(const index::Segment& segment) { return segment.runs().data(); }

}  // namespace rondo::fast
