#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "rondo/similarity/system.h"
#include "search/index.h"

namespace rondo {

/// What a system that has learnt an index needs besides of openings of it, whatever their length, for as long as it is
/// kept: without, each search works it out anew. Empty: nothing, or stopped on demand.
using OpeningKnowledge = std::vector<std::shared_ptr<const void>>;
[[nodiscard]] bool wants_openings(const System& system);
[[nodiscard]] OpeningKnowledge teach_openings(const Index& whole, const System& system, const std::stop_token& stop);

}  // namespace rondo
