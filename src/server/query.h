#pragma once

#include "rondo/query/reading.h"
#include "server/json.h"

namespace rondo::server {

[[nodiscard]] Json remarks_json(const Diagnostics& remarks);
/// pae, clef, key, time, format, notes, mei, cut, read and warnings.
[[nodiscard]] Json query_json(const QueryReading& query);

}  // namespace rondo::server
