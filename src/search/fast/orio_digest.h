#pragma once

#include <memory>
#include <stop_token>

#include "rondo/similarity/system.h"
#include "search/index/snapshot.h"

namespace rondo::orio {
struct Beginnings;
struct Digest;
}  // namespace rondo::orio

namespace rondo::fast {

/// Works out what every search with Orio needs of every document and leaves it with the system, which has just learnt
/// them; does nothing to other systems. 2 bytes a note and 72 a document.
/// Stopped on demand, it leaves nothing.
void digest_for(const index::Snapshot& snapshot, System& system, const std::stop_token& stop = {});

/// The same for anchored searches with queries of any length, in addition and for as long as the result is kept. 10
/// bytes a note. Null: the system is another or has no digest of these documents, or it was stopped.
[[nodiscard]] std::shared_ptr<const orio::Beginnings> beginnings_for(const index::Snapshot& snapshot,
                                                                     const System& system, const std::stop_token& stop);

/// What the documents of a segment are known by in a digest, as far as they are shown; and as whole ones.
[[nodiscard]] inline const void* digest_key(const index::Segment& segment) { return segment.runs().data(); }
[[nodiscard]] inline const void* whole_digest_key(const index::Segment& segment) {
  return segment.stored_runs().data();
}

}  // namespace rondo::fast
