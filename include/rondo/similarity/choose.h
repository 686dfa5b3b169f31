#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "rondo/similarity/system.h"

namespace rondo {

/// A system as a user asked for it.
struct ChosenSystem {
  const SystemRow* row = nullptr;
  std::string name;  ///< as asked for: "shapeh", "rrf:shapeh+P3"
  std::size_t shortest = 1;
  std::unique_ptr<System> system;
};

/// The system that is used where none is named.
inline constexpr std::string_view kDefaultSystem = "rondo";

/// How many parts a mixture may have, and how deep mixtures may lie in each other: in a mixture, once more.
inline constexpr std::size_t kMostParts = 16;
inline constexpr std::size_t kDeepestMixture = 2;

/// The system of that name, with parameters given as NAME=VALUE.
///
/// The name of a mixture may carry its parts: rrf:shapeh+P3+GAR. A part that is a mixture with parts of its own stands
/// in parentheses: rrf:(combsum:shapeh+time)+P3. PART.NAME=VALUE sets a parameter of a part.
/// Errors: `system-unknown`, `parts-unwanted` (the system is no mixture of chosen parts), `part-empty`, `part-twice`,
/// `parts-too-many`, `parts-too-deep`, `parts-malformed` (parentheses), `parameter-malformed`, `parameter-unknown`,
/// `parameter-out-of-range`.
[[nodiscard]] Result<ChosenSystem> resolve_system(std::string_view name, std::span<const std::string> settings = {});

/// The row of that name, or `system-unknown` with the names there are.
[[nodiscard]] Result<const SystemRow*> system_row(std::string_view name);

}  // namespace rondo
