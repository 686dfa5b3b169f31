#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rondo/similarity/system.h"

/// A row of the table of systems, for people and for programs.
namespace rondo::cli {

/// Everything the row says, and what was recorded of the requirements.
[[nodiscard]] nlohmann::ordered_json system_json(const SystemRow& row);
/// For a terminal of that width.
[[nodiscard]] std::string system_text(const SystemRow& row, std::size_t width);
/// docs/systems.md: all of them.
[[nodiscard]] std::string systems_page();

}  // namespace rondo::cli
