#pragma once

#include <memory>
#include <stop_token>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo::orio {
struct Digest;
}  // namespace rondo::orio

namespace rondo::fast {

/// Computes the digest of all documents and stores it in Orio, which has just learnt them; other systems need none. 2
/// bytes a note and 72 a document. Stopped on demand, it stores nothing.
void digest_for(const index::Snapshot& snapshot, System& system, const std::stop_token& stop = {});

/// What identifies the documents of a segment in a digest: the whole ones, also where they are shown truncated.
[[nodiscard]] inline const void* digest_key(const index::Segment& segment) { return segment.stored_runs().data(); }

}  // namespace rondo::fast
