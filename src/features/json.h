#pragma once

#include <nlohmann/json_fwd.hpp>

#include "features/features.h"

namespace rondo {

/// The features of one voice as every program of the house writes them.
[[nodiscard]] nlohmann::ordered_json features_json(const Features& features);

}  // namespace rondo
