#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "requirements/figures.h"

/// System by requirement, for people and for programs.
namespace rondo::cli {

/// One line for each system, 80 columns wide.
[[nodiscard]] std::string requirements_table(std::span<const RequirementFigures> all);
/// What the columns and signs of the table mean.
[[nodiscard]] std::string requirements_legend();
/// The requirements of one system, a line each.
[[nodiscard]] std::string requirements_of_one(std::span<const RequirementFigures> figures);
/// docs/requirements.md.
[[nodiscard]] std::string requirements_page(std::span<const RequirementFigures> all);
[[nodiscard]] nlohmann::ordered_json requirements_json(std::span<const RequirementFigures> all);

/// Where a heading of a Markdown page is found.
[[nodiscard]] std::string anchor(std::string_view heading);

}  // namespace rondo::cli
