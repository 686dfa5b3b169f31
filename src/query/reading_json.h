#pragma once

#include <nlohmann/json_fwd.hpp>

#include "rondo/query/reading.h"

namespace rondo {

/// kind, title, because, rhythm, pitches, unknown_notes, unknown_stretches, unknown.
[[nodiscard]] nlohmann::ordered_json reading_json(const QueryReading& reading);

}  // namespace rondo
