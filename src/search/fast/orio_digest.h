#pragma once

#include <memory>
#include <stop_token>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo::orio {
struct Digest;
}

namespace rondo::fast {

/// Works out what every search with Orio needs of every document and leaves it with the system, which has just learnt
/// them; does nothing to other systems. 2 bytes a note and 72 a document.
/// Stopped on demand, it leaves nothing.
void digest_for(const index::Snapshot& snapshot, System& system, const std::stop_token& stop = {});

/// The same for an opening of documents that the system has learnt, in addition and for as long as the result is kept;
/// `memory` keeps the opening. Null: the system is another, or it was stopped.
[[nodiscard]] std::shared_ptr<const orio::Digest> opening_digest(const index::Snapshot& opening,
                                                                 std::shared_ptr<const void> memory,
                                                                 const System& system, const std::stop_token& stop);

/// What the documents of a segment are known by in such a digest.
[[nodiscard]] inline const void* digest_key(const index::Segment& segment) { return segment.runs().data(); }

}  // namespace rondo::fast
