#pragma once

#include <nlohmann/json_fwd.hpp>

#include "features/features.h"

namespace rondo {

/// The features of one voice in JSON, the same in all outputs of Rondo.
[[nodiscard]] nlohmann::ordered_json features_json(const Features& features);

}  // namespace rondo
