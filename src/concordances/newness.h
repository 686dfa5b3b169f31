#pragma once

#include <functional>
#include <optional>
#include <string>

#include "rondo/store/collection.h"

namespace rondo::concordances {

/// Whether a voice belongs to the new batch that `since` describes (Options::since). Errors: `since-malformed`, those
/// of reading.
[[nodiscard]] Result<std::function<bool(const StoredVoice&)>> newness(Collection& collection,
                                                                      const std::optional<std::string>& since);

}  // namespace rondo::concordances
